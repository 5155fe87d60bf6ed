"""Transcripts in the form of OpenAI's Chat Completions."""

from tracewitness.intake.formats.openai_chat.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.openai_chat.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.openai_chat.read import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="openai_chat",
    summary="Chat Completions messages (lists, requests with responses, JSON Lines), also with actions as text",
    versions=("tools", "function_call", "actions as text"),
    package="tracewitness.intake.formats.openai_chat",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
