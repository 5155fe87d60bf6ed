"""Transcripts in the form of OpenAI's Chat Completions."""

from tracewitness.intake.formats.openai_chat.detect import detect
from tracewitness.intake.formats.openai_chat.read import read, retell
from tracewitness.intake.log_format import RetoldFormat

FORMAT = RetoldFormat(
    name="openai_chat",
    summary="Chat Completions messages (lists, requests with responses, JSON Lines), also with actions as text",
    versions=("tools", "function_call", "actions as text"),
    package="tracewitness.intake.formats.openai_chat",
    detector=detect,
    reader=read,
    reteller=retell,
)

__all__ = ["FORMAT"]
