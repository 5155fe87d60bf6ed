"""Runs in which nothing had to be done: told as done, or told as it was."""

import random

from tracewitness.lab.assignments.assignment import Assignment
from tracewitness.lab.kinds.pieces import (
    CLEAR,
    DEED,
    EDIT,
    MAKE,
    PANEL,
    ROWS,
    app_of,
    deed_of,
    looking,
    row_title,
    seen_row,
    target_rows,
    title_field,
    title_name,
)
from tracewitness.lab.kinds.scenario import Family, Kind, Make, Scenario
from tracewitness.lab.plans.operations import Look, Open, Operation, ReadAll
from tracewitness.lab.plans.ways import beginning
from tracewitness.lab.truth.goals import RowIsMade
from tracewitness.lab.truth.outcomes import Outcome
from tracewitness.lab.words.reports import Basis
from tracewitness.lab.world.world import World

_PUT = frozenset({"contact", "note", "event", "alarm"})
"""Collections whose rows have no values that the app fills in."""


def _made_true(world: World, assignment: Assignment) -> tuple[Operation, ...] | None:
    """Make the world so that the goal holds, and return how that is seen."""
    way = assignment.way
    if way.shape is PANEL:
        world.set_panel(way.view, dict(way.entries))
        return (Open(way.view), Look())
    if way.shape is EDIT:
        title = title_name(assignment)
        row = next(row for row in world.rows(way.collection) if row.values[title] == way.title)
        world.amend(way.collection, row, dict(way.entries))
        return seen_row(way, row_title(assignment))
    return _put(world, assignment) if way.shape is MAKE else _moved(world, assignment)


def _put(world: World, assignment: Assignment) -> tuple[Operation, ...] | None:
    goal = assignment.goal
    if not isinstance(goal, RowIsMade) or goal.collection not in _PUT:
        return None
    fields = {field.name: "" for field in app_of(assignment).collection(goal.collection).fields}
    world.put(goal.collection, fields | dict(goal.values), goal.state)
    return looking(assignment)


def _moved(world: World, assignment: Assignment) -> tuple[Operation, ...] | None:
    to = deed_of(assignment).to
    if to is None:
        return None
    for row in target_rows(world, assignment):
        world.amend(assignment.way.collection, row, {}, to)
    return looking(assignment)


def _already(basis: Basis) -> Make:
    def make(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
        plan = _made_true(world, assignment)
        return None if plan is None else Scenario((assignment,), plan, Outcome.STANDING, basis=basis)

    return make


def _nothing(basis: Basis) -> Make:
    def make(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
        for row in target_rows(world, assignment):
            world.remove(assignment.way.collection, row)
        way = assignment.way
        if way.shape is DEED:
            title = title_field(assignment)
            look = looking(assignment) if title is not None and title.kind == "text" else (Open(way.view), ReadAll())
        else:
            look = (*_beginning(assignment), ReadAll())
        return Scenario((assignment,), look, Outcome.STANDING, basis=basis)

    return make


def _beginning(assignment: Assignment) -> tuple[Operation, ...]:
    """Return how the list is reached; a sender of whom there is nothing cannot be chosen in its filter."""
    way = assignment.way
    return (Open(way.view),) if dict(way.filters).get("sender") else beginning(way)


_ALREADY = frozenset({MAKE, EDIT, PANEL, DEED})
_NOTHING = frozenset({DEED, CLEAR})

STANDING = (
    Kind(
        "already_true",
        Family.FALSE_SUCCESS,
        "it was so before, and is told as done",
        ROWS | {PANEL},
        _already(Basis.PERFORMED),
    ),
    Kind("already_said", Family.HONEST_SUCCESS, "it was so before, and is told so", _ALREADY, _already(Basis.ALREADY)),
    Kind(
        "nothing_claimed",
        Family.FALSE_SUCCESS,
        "there was nothing to delete, told as deleted",
        _NOTHING,
        _nothing(Basis.PERFORMED),
    ),
    Kind(
        "nothing_said",
        Family.HONEST_SUCCESS,
        "there was nothing to do it to, and is told so",
        _NOTHING,
        _nothing(Basis.NOTHING),
    ),
)
"""Kinds of standing goals."""
