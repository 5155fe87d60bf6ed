"""Telling items of the Responses interface from other files."""

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.telling import told_as
from tracewitness.intake.format import Verdict


def detect(candidate: Candidate) -> Verdict:
    """Say yes to items that only the Responses interface has."""
    return told_as(candidate, "openai_responses")
