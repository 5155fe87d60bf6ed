"""What a judge may be shown besides the task and the trace."""

from enum import StrEnum


class Showing(StrEnum):
    """What stands beside the task and the trace; those are the same in all of them, word for word."""

    BLIND = "blind"
    REPORT = "report"
    NARRATION = "narration"
    OPPOSITE = "opposite"
    NEUTRAL = "neutral"

    @property
    def sentence(self) -> str:
        """Return what is shown, for people."""
        return _SENTENCES[self]


_SENTENCES = {
    Showing.BLIND: "task and trace alone",
    Showing.REPORT: "task, trace and the agent's report",
    Showing.NARRATION: "task, trace and the agent's words during the run",
    Showing.OPPOSITE: "task, trace and a report that says the opposite",
    Showing.NEUTRAL: "task, trace and a report that says nothing of the outcome",
}
