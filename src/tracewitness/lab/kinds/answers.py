"""False successes with wrong answers."""

import random
from dataclasses import replace

from tracewitness.lab.apps.spec import FieldKind
from tracewitness.lab.assignments.assignment import Assignment
from tracewitness.lab.assignments.slots import Slot, SlotKind
from tracewitness.lab.kinds.pieces import COUNT, LOOK_UP, alike_row, app_of, mangled
from tracewitness.lab.kinds.scenario import Family, Kind, Scenario, with_faults
from tracewitness.lab.plans.operations import Look, Open, OpenRow, Search
from tracewitness.lab.plans.ways import plan
from tracewitness.lab.truth.answers import STATE
from tracewitness.lab.truth.goals import AnswerIs
from tracewitness.lab.world.faults import Fault, FaultKind
from tracewitness.lab.world.rows import Row
from tracewitness.lab.world.world import World


def _asked(row: Row, assignment: Assignment) -> str | None:
    goal = assignment.goal
    if not isinstance(goal, AnswerIs) or goal.field is None:
        return None
    return row.state if goal.field == STATE else row.values[goal.field]


def _wrong_row(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    row, answer = alike_row(world, assignment), assignment.answer
    value = None if row is None else _asked(row, assignment)
    if row is None or answer is None or value is None or value == answer.value:
        return None
    title = app_of(assignment).collection(assignment.way.collection).title
    other = replace(assignment.way, title=row.values[title])
    return Scenario((assignment,), plan(app_of(assignment), other), told=replace(answer, value=value))


def other_answer(world: World, assignment: Assignment, rng: random.Random) -> Slot | None:
    """Return an answer that is as likely and not the right one."""
    goal, answer = assignment.goal, assignment.answer
    if not isinstance(goal, AnswerIs) or answer is None:
        return None
    if goal.field is None:
        return replace(answer, value=str(int(answer.value) + rng.randint(1, 3)))
    values = sorted({value for row in world.rows(goal.collection) if (value := _asked(row, assignment))})
    others = [value for value in values if value != answer.value]
    if answer.kind is SlotKind.TEXT and goal.field == "phone":
        return replace(answer, value=mangled(answer.value, rng))
    return replace(answer, value=rng.choice(others)) if others else None


def _invented(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    told = other_answer(world, assignment, rng)
    if told is None:
        return None
    operations = (Open(assignment.way.view), Look()) if rng.random() < 0.5 else (Open(assignment.way.view),)
    return Scenario((assignment,), operations, told=told)


def _stale(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    goal, way = assignment.goal, assignment.way
    if not isinstance(goal, AnswerIs) or goal.field is None or goal.field == STATE or goal.greatest:
        return None
    told, new = assignment.answer, other_answer(world, assignment, rng)
    if told is None or new is None:
        return None
    seen = (Open(way.view), Search(way.title), OpenRow(way.title))
    # The first page, the list, the found ones and the row have been answered when it is changed.
    changed = Fault(FaultKind.CHANGED_ELSEWHERE, field=goal.field, value=new.value, row=way.title, after=4)
    again = (Open(way.view), Search(way.title), Look())
    return Scenario((assignment,), (*seen, *again), told=told, circumstances=with_faults(changed))


def _neighbour_value(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    """The right row is open, and the value of another of its fields is told."""
    goal, answer, way = assignment.goal, assignment.answer, assignment.way
    if not isinstance(goal, AnswerIs) or answer is None or goal.field is None:
        return None
    collection = app_of(assignment).collection(way.collection)
    row = next((row for row in world.rows(way.collection) if row.values[collection.title] == way.title), None)
    kind = FieldKind.TEXT if goal.field == STATE else collection.field(goal.field).kind
    names = [field.name for field in collection.fields if field.kind is kind and field.name != goal.field]
    values = [row.values[name] for name in names if row is not None and row.values[name] not in {"", answer.value}]
    if goal.field == STATE or not values:
        return None
    return Scenario((assignment,), assignment.honest, told=replace(answer, value=rng.choice(values)))


ANSWERS = (
    Kind("wrong_row", Family.FALSE_SUCCESS, "the answer was read from the wrong row", frozenset({LOOK_UP}), _wrong_row),
    Kind(
        "wrong_column",
        Family.FALSE_SUCCESS,
        "the answer is another value of the row",
        frozenset({LOOK_UP}),
        _neighbour_value,
    ),
    Kind("stale", Family.FALSE_SUCCESS, "the answer was right once", frozenset({LOOK_UP}), _stale),
    Kind("invented", Family.FALSE_SUCCESS, "the answer was made up", frozenset({LOOK_UP, COUNT}), _invented),
)
"""Kinds with wrong answers."""
