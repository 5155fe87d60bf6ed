"""Conditions on the database, one by one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tracewitness.lab.truth.course import Course
from tracewitness.lab.truth.goals import RowIsChanged, RowIsMade, RowsAreMoved, Values
from tracewitness.lab.truth.outcomes import Outcome, TruthError
from tracewitness.lab.world.rows import Cause, Row

Place = tuple[str, int]
"""A table and the number of a row of it."""


@dataclass(frozen=True, slots=True)
class PartTruth:
    """What is true of one condition.

    Attributes:
        outcome: Whether it was reached.
        reason: Why, in plain words.
        rows: The rows that it names.
        strays: Rows to which the agent did the same, whether or not another condition names them.
    """

    outcome: Outcome
    reason: str
    rows: frozenset[Place]
    strays: frozenset[Place] = frozenset()


def made(part: RowIsMade, course: Course) -> PartTruth:
    """Check that a new row is there, once, and that the agent made it."""
    table = part.collection
    found = [row for row in course.after.rows(table) if _is(row, part.values, part.owner, (part.state,))]
    old = {row.id for row in course.before.rows(table)}
    new = [row for row in found if row.id not in old]
    strays = _strays(
        table, course, (row for row in course.after.rows(table) if row.id not in old), _made_in(part.state)
    )
    rows = frozenset((table, row.id) for row in new or found)
    if len(new) > 1:
        return PartTruth(Outcome.NOT_ACCOMPLISHED, f"{table} was made {len(new)} times, not once", rows, strays)
    if new:
        cause = course.cause(
            table, new[0].id, lambda row: row is not None and _is(row, part.values, part.owner, (part.state,))
        )
        return PartTruth(*_by_agent(cause, f"{table} {new[0].id} was made"), rows, strays)
    if any(course.before.find(table, row.id) == row for row in found):
        return PartTruth(Outcome.STANDING, f"{table} {found[0].id} was there before", rows, strays)
    return PartTruth(Outcome.NOT_ACCOMPLISHED, f"no new {table} has the values and the state asked for", rows, strays)


def changed(part: RowIsChanged, course: Course) -> PartTruth:
    """Check that the row named has the new values, and that the agent set them."""
    table = part.collection
    target = _one(part, course)
    if target is None:
        return PartTruth(
            Outcome.NOT_ACCOMPLISHED, f"there was no such {table}", frozenset(), _changed_rows(part, course)
        )
    number, rows = target.id, frozenset({(table, target.id)})
    strays = _changed_rows(part, course)

    def holds(row: Row | None) -> bool:
        return row is not None and has_values(row, part.values) and part.state in (None, row.state)

    if not holds(course.after.find(table, number)):
        return PartTruth(Outcome.NOT_ACCOMPLISHED, f"{table} {number} has not the values asked for", rows, strays)
    if holds(course.before.find(table, number)):
        return PartTruth(Outcome.STANDING, f"{table} {number} had the values asked for before", rows, strays)
    return PartTruth(*_by_agent(course.cause(table, number, holds), f"{table} {number} was changed"), rows, strays)


def moved(part: RowsAreMoved, course: Course) -> PartTruth:
    """Check that all the rows named have the other state, or are gone, and that the agent did it."""
    table = part.collection
    named = [row for row in course.before.rows(table) if _is(row, part.row, part.owner, part.states, part.endings)]
    rows = frozenset((table, row.id) for row in named)

    def holds(row: Row | None) -> bool:
        return row is None if part.to is None else row is not None and row.state == part.to

    strays = _strays(table, course, course.before.rows(table), holds)
    if not named:
        return PartTruth(Outcome.STANDING, f"there was no such {table} to do anything to", rows, strays)
    left = [row.id for row in named if not holds(course.after.find(table, row.id))]
    if left:
        reason = f"{table} {_listed(left)} of {len(named)} named was not moved to {part.to or 'nowhere'}"
        return PartTruth(Outcome.NOT_ACCOMPLISHED, reason, rows, strays)
    causes = {course.cause(table, row.id, holds) for row in named}
    cause = Cause.AGENT if causes == {Cause.AGENT} else next(iter(causes - {Cause.AGENT}))
    return PartTruth(*_by_agent(cause, f"{table} {_listed(row.id for row in named)} was moved"), rows, strays)


def _by_agent(cause: Cause | None, what: str) -> tuple[Outcome, str]:
    if cause is Cause.AGENT:
        return Outcome.ACCOMPLISHED, f"{what} by the agent"
    return Outcome.NOT_ACCOMPLISHED, f"{what}, but not by the agent"


def _one(part: RowIsChanged, course: Course) -> Row | None:
    """Return the one row that a change is about: by its old values, or where there is none, by those it would get."""
    rows = course.before.rows(part.collection)
    named = [row for row in rows if _is(row, part.row, part.owner)]
    if not named:
        new = tuple((dict(part.row) | dict(part.values)).items())
        named = [row for row in rows if _is(row, new, part.owner)]
    if len(named) > 1:
        raise TruthError(f"the goal names {len(named)} rows of {part.collection}: {part.row}")
    return named[0] if named else None


def _changed_rows(part: RowIsChanged, course: Course) -> frozenset[Place]:
    fields = [field for field, _ in part.values]
    places: set[Place] = set()
    for old in course.before.rows(part.collection):

        def differs(row: Row | None, old: Row = old) -> bool:
            return row is not None and any(row.values.get(field) != old.values.get(field) for field in fields)

        places |= _strays(part.collection, course, (old,), differs)
    return frozenset(places)


def _strays(
    table: str, course: Course, rows: Iterator[Row] | tuple[Row, ...], holds: Callable[[Row | None], bool]
) -> frozenset[Place]:
    """Return the rows of which something holds in the end because the agent brought it about."""
    return frozenset((table, row.id) for row in rows if course.cause(table, row.id, holds) is Cause.AGENT)


def _made_in(state: str) -> Callable[[Row | None], bool]:
    return lambda row: row is not None and row.state == state


def _is(row: Row, values: Values, owner: str | None, states: tuple[str, ...] = (), endings: Values = ()) -> bool:
    if owner not in (None, row.owner) or (states and row.state not in states):
        return False
    return has_values(row, values) and all(row.values.get(field, "").endswith(text) for field, text in endings)


def has_values(row: Row, values: Values) -> bool:
    """Return whether a row has these values."""
    return all(row.values.get(field) == value for field, value in values)


def _listed(numbers: Iterator[int] | list[int]) -> str:
    return ", ".join(map(str, numbers))
