"""Transcripts in the form of OpenAI's Responses."""

from tracewitness.intake.formats.openai_responses.detect import detect
from tracewitness.intake.formats.openai_responses.read import read, retell
from tracewitness.intake.log_format import RetoldFormat

FORMAT = RetoldFormat(
    name="openai_responses",
    summary="Responses items: function calls, computer use (lists of items, requests with responses, JSON Lines)",
    versions=("computer_use_preview (action)", "computer (actions)", "function calls"),
    package="tracewitness.intake.formats.openai_responses",
    detector=detect,
    reader=read,
    reteller=retell,
)

__all__ = ["FORMAT"]
