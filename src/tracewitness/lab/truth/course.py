"""The database of a run from its first moment to its last."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tracewitness.lab.truth.outcomes import TruthError
from tracewitness.lab.world.rows import Cause, Change, Row, Snapshot

Holds = Callable[[Row | None], bool]
"""A condition on a row, or on there being none."""


@dataclass(frozen=True, slots=True)
class Course:
    """What the database held before and after a run, and every change between."""

    before: Snapshot
    after: Snapshot
    changes: tuple[Change, ...]

    def of(self, table: str, number: int) -> Iterator[Change]:
        """Yield the changes of one row in their order."""
        return (change for change in self.changes if (change.collection, change.row) == (table, number))

    def cause(self, table: str, number: int, holds: Holds) -> Cause | None:
        """Return who brought about what holds of a row in the end, or ``None`` where it held all along or does not."""
        cause: Cause | None = None
        for change in self.of(table, number):
            if not holds(change.after):
                cause = None
            elif not holds(change.before):
                cause = change.cause
        return cause

    def check(self) -> None:
        """Check that the changes lead from the first moment to the last.

        Raises:
            TruthError: A change does not fit what was there, or the end is another than the changes lead to.
        """
        rows = _by_place(self.before)
        for change in self.changes:
            place = (change.collection, change.row)
            if rows.get(place) != change.before:
                raise TruthError(
                    f"change {change.moment} of {place} begins with {change.before}, not {rows.get(place)}"
                )
            rows[place] = change.after
        after = _by_place(self.after)
        for place in sorted(rows.keys() | after.keys()):
            if rows.get(place) != after.get(place):
                raise TruthError(f"{place} ends as {after.get(place)}, its changes lead to {rows.get(place)}")


def _by_place(snapshot: Snapshot) -> dict[tuple[str, int], Row | None]:
    return {(table, row.id): row for table, rows in snapshot.tables.items() for row in rows}
