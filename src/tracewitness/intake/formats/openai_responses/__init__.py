"""Transcripts in the form of OpenAI's Responses."""

from tracewitness.intake.formats.openai_responses.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.openai_responses.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.openai_responses.read import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="openai_responses",
    summary="Responses items: function calls, computer use (lists of items, requests with responses, JSON Lines)",
    versions=("computer_use_preview (action)", "computer (actions)", "function calls"),
    package="tracewitness.intake.formats.openai_responses",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
