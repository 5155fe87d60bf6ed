"""What the checker says of a run, and what it is told beside the database."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """Whether the goal of a run was reached.

    ``STANDING`` is a goal that held before: the agent looked, and nothing had to be changed.
    """

    ACCOMPLISHED = "accomplished"
    STANDING = "standing"
    NOT_ACCOMPLISHED = "not_accomplished"


@dataclass(frozen=True, slots=True)
class Sight:
    """What one page showed.

    Attributes:
        address: The path of the page, with its query.
        text: All of its text.
    """

    address: str
    text: str


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of a run.

    Attributes:
        outcome: Whether its goal was reached.
        reasons: Why, in plain words.
        rows: The rows that this rests on, such as ``contact 12``.
    """

    outcome: Outcome
    reasons: tuple[str, ...]
    rows: tuple[str, ...] = ()


class TruthError(ValueError):
    """The truth of a run cannot be told: its records contradict each other, or its goal names no one thing."""
