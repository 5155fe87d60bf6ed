"""Telling messages of Anthropic's interface from other files."""

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.telling import told_as
from tracewitness.intake.format import Verdict


def detect(candidate: Candidate) -> Verdict:
    """Say yes to messages with blocks that only this interface has."""
    return told_as(candidate, "anthropic_messages")
