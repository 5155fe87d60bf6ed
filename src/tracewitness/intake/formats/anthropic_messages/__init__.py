"""Transcripts in the form of Anthropic's Messages."""

from tracewitness.intake.formats.anthropic_messages.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.anthropic_messages.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.anthropic_messages.read import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="anthropic_messages",
    summary="Anthropic Messages with tools and computer use (lists, requests with responses, JSON Lines)",
    versions=("computer_20241022", "computer_20250124", "computer_20251124", "toolset 2026-08-01"),
    package="tracewitness.intake.formats.anthropic_messages",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
