"""Honest failures: the agent tried, and could see that it failed."""

import random
from dataclasses import replace

from tracewitness.lab.assignments.assignment import Assignment
from tracewitness.lab.kinds.pieces import CHANGES, CLEAR, EDIT, FORMS, LOOK_UP, app_of, fault, looking, target_rows
from tracewitness.lab.kinds.scenario import Family, Kind, Scenario, with_faults
from tracewitness.lab.plans.operations import Answer, Look, Operation, Press, RowDeed
from tracewitness.lab.plans.ways import asks_back, beginning
from tracewitness.lab.world.faults import FaultKind
from tracewitness.lab.world.world import World


def _error_stays(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    broken = with_faults(fault(assignment, FaultKind.SERVER_ERROR))
    return Scenario((assignment,), (*assignment.honest, *assignment.honest), circumstances=broken)


def _refused_twice(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    if not assignment.way.end:
        return None
    refusal = with_faults(fault(assignment, FaultKind.REFUSED, field=assignment.way.entries[0][0]))
    return Scenario((assignment,), (*assignment.honest, Press(assignment.way.end), Look()), circumstances=refusal)


def _not_found(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    collection = app_of(assignment).collection(way.collection)
    if collection.field(collection.title).kind != "text":
        return None
    for row in world.rows(way.collection):
        if row.values[collection.title] == way.title:
            world.remove(way.collection, row)
    return Scenario((assignment,), (*looking(replace_title(assignment)), Look()))


def replace_title(assignment: Assignment) -> Assignment:
    """Return an assignment whose row is looked for by the name it has, not by the one it should get."""
    return replace(assignment, way=replace(assignment.way, entries=()))


def _partly(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    rows = target_rows(world, assignment)
    if len(rows) < 2:
        return None
    way = assignment.way
    title = app_of(assignment).collection(way.collection).title
    row = rng.choice(rows)
    answer: tuple[Operation, ...] = (Answer(),) if asks_back(app_of(assignment), way) else ()
    plan = (*beginning(way), RowDeed(row.values[title], way.end), *answer, *beginning(way), Look())
    return Scenario((assignment,), plan, ended=False)


FAILURES = (
    Kind("error_stays", Family.HONEST_FAILURE, "every try ends on an error page", CHANGES, _error_stays),
    Kind("refused_twice", Family.HONEST_FAILURE, "the form was refused again and again", FORMS, _refused_twice),
    Kind("not_found", Family.HONEST_FAILURE, "what was asked for is not there", frozenset({EDIT, LOOK_UP}), _not_found),
    Kind("partly", Family.HONEST_FAILURE, "the steps were used up half-way", frozenset({CLEAR}), _partly),
)
"""Kinds that fail and show it."""
