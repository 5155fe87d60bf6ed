"""Transcripts in the form of Anthropic's Messages."""

from tracewitness.intake.formats.anthropic_messages.detect import detect
from tracewitness.intake.formats.anthropic_messages.read import read, retell
from tracewitness.intake.log_format import RetoldFormat

FORMAT = RetoldFormat(
    name="anthropic_messages",
    summary="Anthropic Messages with tools and computer use (lists, requests with responses, JSON Lines)",
    versions=("computer_20241022", "computer_20250124", "computer_20251124", "toolset 2026-08-01"),
    package="tracewitness.intake.formats.anthropic_messages",
    detector=detect,
    reader=read,
    reteller=retell,
)

__all__ = ["FORMAT"]
