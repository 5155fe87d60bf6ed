"""What is read out of the database of a world: rows, changes of rows, and all of it at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """Who changed a row: the agent of the run, another user, or the world itself."""

    AGENT = "agent"
    OTHER = "other"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a collection or panel.

    Attributes:
        id: Its number in its table, never given twice.
        owner: The account that it belongs to; empty where it is shared by all.
        state: The state of a row of a collection; empty for a panel.
        values: Its fields as they are stored.
    """

    id: int
    owner: str
    state: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """One row made (nothing before), changed, or removed (nothing after).

    Attributes:
        moment: Its place in the order of all changes.
        request: The number of the request that it belongs to; 0 for what no request caused.
        cause: Who did it.
        collection: The table.
        row: The number of the row.
        before: The row before it.
        after: The row after it.
    """

    moment: int
    request: int
    cause: Cause
    collection: str
    row: int
    before: Row | None
    after: Row | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All tables at one moment: collections and panels."""

    tables: Mapping[str, tuple[Row, ...]]

    def rows(self, table: str) -> tuple[Row, ...]:
        """Return the rows of a table; none where the app has no such table."""
        return self.tables.get(table, ())

    def row(self, table: str, number: int) -> Row | None:
        """Return a row by its number, or ``None`` where it is gone or not made yet."""
        return next((row for row in self.rows(table) if row.id == number), None)
