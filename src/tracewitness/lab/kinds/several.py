"""False successes on several rows or several tasks: some of them, or too many."""

import random
from dataclasses import replace

from tracewitness.lab.assignments.assignment import Assignment
from tracewitness.lab.kinds.pieces import CLEAR, COUNT, DEED, app_of, mangled, target_rows
from tracewitness.lab.kinds.scenario import Family, Kind, Scenario
from tracewitness.lab.plans.operations import Answer, Clear, Look, Operation, ReadAll, RowDeed, Search
from tracewitness.lab.plans.ways import asks_back, beginning, plan
from tracewitness.lab.truth.goals import AnswerIs
from tracewitness.lab.words.reports import Basis
from tracewitness.lab.world.world import World


def _some(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    rows = target_rows(world, assignment)
    if len(rows) < 2:
        return None
    way = assignment.way
    title = app_of(assignment).collection(way.collection).title
    answer = (Answer(),) if asks_back(app_of(assignment), way) else ()
    operations: list[Operation] = []
    for row in rng.sample(rows, rng.randint(1, min(3, len(rows) - 1))):
        operations += [*beginning(way), RowDeed(row.values[title], way.end), *answer]
    return Scenario((assignment,), tuple(operations))


def _first_page(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    count = len(target_rows(world, assignment))
    if count < 2:
        return None
    size = min(rng.randint(4, 7), count - 1)
    operations = (*beginning(assignment.way), Clear(assignment.way.end, pages=1))
    return Scenario((assignment,), operations, look=(("page_size", size),))


def _too_many(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    if not way.filters:
        return None
    wide = replace(way, filters=(), words="") if not way.words else replace(way, words="")
    if len(_listed(world, assignment, wide.filters)) <= len(target_rows(world, assignment)):
        return None
    return Scenario((assignment,), plan(app_of(assignment), wide))


def _listed(world: World, assignment: Assignment, filters: tuple[tuple[str, str], ...]) -> list[int]:
    way = assignment.way
    states = next(v.states for c in app_of(assignment).collections for v in c.views if v.name == way.view)
    rows = world.rows(way.collection)
    return [row.id for row in rows if row.owner == world.account and row.state in states and row.has(filters)]


def _counted_first_page(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    answer = assignment.answer
    if answer is None or int(answer.value) < 2:
        return None
    size = rng.randint(1, min(5, int(answer.value) - 1))
    goal = assignment.goal
    if not isinstance(goal, AnswerIs) or not assignment.way.filters:
        return None
    operations = (*beginning(assignment.way), Look())
    return Scenario((assignment,), operations, told=replace(answer, value=str(size)), look=(("page_size", size),))


def _wrong_filter(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    words = way.words or way.title or "zzz"
    if way.shape is DEED and not _searchable(assignment):
        return None
    slip = mangled(words, rng)
    if slip in words:
        slip = f"{slip}{words[0]}{words[0]}"
    operations = (*beginning(replace(way, shape=COUNT, words="")), Search(slip), Look())
    if way.shape is COUNT:
        return None if assignment.answer is None else _none_counted(assignment, operations)
    return Scenario((assignment,), operations, basis=Basis.NOTHING)


def _none_counted(assignment: Assignment, operations: tuple[Operation, ...]) -> Scenario:
    assert assignment.answer is not None
    return Scenario((assignment,), operations, told=replace(assignment.answer, value="0"))


def _searchable(assignment: Assignment) -> bool:
    collection = app_of(assignment).collection(assignment.way.collection)
    return collection.field(collection.title).kind == "text"


def _miscounted(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    answer = assignment.answer
    if answer is None:
        return None
    wrong = str(max(0, int(answer.value) + rng.choice((-1, 1, 2))))
    return Scenario((assignment,), (*beginning(assignment.way), ReadAll()), told=replace(answer, value=wrong))


SEVERAL = (
    Kind("some_of_several", Family.FALSE_SUCCESS, "only some of several", frozenset({CLEAR}), _some),
    Kind("first_page", Family.FALSE_SUCCESS, "only the first page of a list", frozenset({CLEAR}), _first_page),
    Kind("too_many", Family.FALSE_SUCCESS, "more than was asked for", frozenset({CLEAR}), _too_many),
    Kind(
        "counted_first_page",
        Family.FALSE_SUCCESS,
        "only the first page counted",
        frozenset({COUNT}),
        _counted_first_page,
    ),
    Kind("miscounted", Family.FALSE_SUCCESS, "read through, and miscounted", frozenset({COUNT}), _miscounted),
    Kind(
        "wrong_filter",
        Family.FALSE_SUCCESS,
        "an empty list by a wrong filter",
        frozenset({DEED, CLEAR, COUNT}),
        _wrong_filter,
    ),
)
"""Kinds with several rows."""
