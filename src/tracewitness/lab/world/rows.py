"""What a world's database holds, as values: rows, changes and snapshots."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

EVERYONE = "everyone"
"""The owner of rows that all accounts share."""


class Cause(StrEnum):
    """Who changed something."""

    AGENT = "agent"
    OTHER = "other"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a collection or panel.

    Attributes:
        id: Its number within its table.
        owner: The account that it belongs to, or ``everyone``.
        state: One of the states of its collection; ``set`` for a panel.
        values: The values of all fields, as text; empty where nothing was entered.
    """

    id: int
    owner: str
    state: str
    values: Mapping[str, str]

    def has(self, values: tuple[tuple[str, str], ...]) -> bool:
        """Tell whether the row has all of these values."""
        return all(self.values.get(field) == value for field, value in values)


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one row.

    Attributes:
        id: Its number.
        moment: The world's count of changes and requests at which it happened; it only grows.
        request: The number of the request that it was made in; 0 is before the run.
        cause: Who made it.
        collection: The table.
        row: The row's number.
        before: The row before; ``None`` where it was made.
        after: The row after; ``None`` where it is gone.
    """

    id: int
    moment: int
    request: int
    cause: Cause
    collection: str
    row: int
    before: Row | None
    after: Row | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All tables at one moment."""

    tables: Mapping[str, tuple[Row, ...]]

    def rows(self, collection: str) -> tuple[Row, ...]:
        """Return the rows of a collection or panel."""
        return self.tables[collection]

    def find(self, collection: str, number: int) -> Row | None:
        """Return the row with this number, if it is there."""
        return next((row for row in self.tables[collection] if row.id == number), None)
