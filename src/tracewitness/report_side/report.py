"""The report plane of a run."""

from dataclasses import dataclass
from enum import StrEnum


class DeclaredStatus(StrEnum):
    """The agent's own success flag."""

    SUCCESS = "success"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Report:
    """The agent's final words about the outcome.

    Attributes:
        text: The final report; None where the agent ended without one.
        declared_status: The agent's own flag; None where there is none.
    """

    text: str | None
    declared_status: DeclaredStatus | None = None
