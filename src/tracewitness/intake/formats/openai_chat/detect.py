"""Telling chats in the form of Chat Completions from other files."""

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.telling import told_as
from tracewitness.intake.format import Verdict


def detect(candidate: Candidate) -> Verdict:
    """Say yes to messages with roles, in the forms in which people dump them."""
    return told_as(candidate, "openai_chat")
