"""Goals of tasks, as conditions on the database."""

from dataclasses import dataclass

Values = tuple[tuple[str, str], ...]
"""Pairs of field and value, sorted by field."""


@dataclass(frozen=True, slots=True)
class RowIsMade:
    """A new row with these values is there, in this state, and belongs to this account."""

    collection: str
    values: Values
    state: str
    owner: str


@dataclass(frozen=True, slots=True)
class RowIsChanged:
    """The row that has these values before the run has the new ones (and state, where one is named) after it."""

    collection: str
    row: Values
    values: Values
    owner: str
    state: str | None = None


@dataclass(frozen=True, slots=True)
class RowsAreMoved:
    """All rows that have these values and one of these states before the run have another state after it.

    Attributes:
        collection: Where they are.
        row: The values that they share.
        states: The states that count.
        to: The state that they must have after; ``None``: they are gone for good.
        owner: Whose they are.
        endings: Pairs of field and the text that its value ends in, which they share as well.
    """

    collection: str
    row: Values
    states: tuple[str, ...]
    to: str | None
    owner: str
    endings: Values = ()


@dataclass(frozen=True, slots=True)
class AnswerIs:
    """The value of a field of the one row that has these values, or the count of such rows, is told.

    Attributes:
        collection: Where it stands.
        row: The values of the row or rows.
        states: The states that count; empty: any.
        field: The field asked for, or ``state``; ``None`` asks how many rows there are.
        owner: Whose rows; ``None``: shared by all.
        greatest: The field by which the greatest row is meant, where several match.
    """

    collection: str
    row: Values
    states: tuple[str, ...]
    field: str | None
    owner: str | None
    greatest: str | None = None


Part = RowIsMade | RowIsChanged | RowsAreMoved | AnswerIs
"""One condition."""


@dataclass(frozen=True, slots=True)
class All:
    """Every part is reached."""

    parts: tuple[Part, ...]


Goal = Part | All
"""What a task asks for."""


def parts_of(goal: Goal) -> tuple[Part, ...]:
    """Return the conditions that a goal is made of."""
    return goal.parts if isinstance(goal, All) else (goal,)
