"""Runs with two tasks at once."""

import random

from tracewitness.lab.assignments.assignment import Assignment, NoTarget
from tracewitness.lab.assignments.catalogue import ASSIGNMENTS
from tracewitness.lab.kinds.pieces import CHANGES, fault, row_title
from tracewitness.lab.kinds.scenario import Family, Kind, Scenario, with_faults
from tracewitness.lab.plans.operations import Look
from tracewitness.lab.truth.outcomes import Outcome
from tracewitness.lab.world.faults import FaultKind
from tracewitness.lab.world.world import World


def partner(world: World, assignment: Assignment, rng: random.Random) -> Assignment | None:
    """Return a second task of the same app that does not get in the way of the first; None where the draw fails."""
    keys = [key for key, kind in ASSIGNMENTS.items() if kind.app == assignment.app and key != assignment.key]
    try:
        second = ASSIGNMENTS[rng.choice(keys)].draw(world, rng)
    except NoTarget:
        return None
    return second if second.way.shape in CHANGES and _things(second).isdisjoint(_things(assignment)) else None


def _things(assignment: Assignment) -> set[tuple[str, str]]:
    """Return the rows and settings that an assignment is about, by table and title or field."""
    way = assignment.way
    if way.collection == way.view:
        return {(way.view, field) for field, _ in way.entries}
    return {(way.collection, title) for title in (way.title, row_title(assignment)) if title}


def _both(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    second = partner(world, assignment, rng)
    if second is None:
        return None
    return Scenario((assignment, second), (*assignment.honest, *second.honest), Outcome.ACCOMPLISHED)


def _one_missing(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    second = partner(world, assignment, rng)
    if second is None:
        return None
    done = rng.choice((assignment, second))
    return Scenario((assignment, second), (*done.honest, Look()))


def _one_failed(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    second = partner(world, assignment, rng)
    if second is None:
        return None
    plan = (*assignment.honest, *second.honest)
    circumstances = with_faults(fault(rng.choice((assignment, second)), FaultKind.LYING_TOAST))
    return Scenario((assignment, second), plan, circumstances=circumstances)


TOGETHER = (
    Kind("one_of_two", Family.FALSE_SUCCESS, "only one of two tasks", CHANGES, _one_missing),
    Kind(
        "one_of_two_lost",
        Family.FALSE_SUCCESS,
        "one of two was not kept, though a message says it was",
        CHANGES,
        _one_failed,
    ),
    Kind("two_tasks", Family.HONEST_SUCCESS, "two tasks, both done", CHANGES, _both),
)
"""Kinds with two tasks."""
