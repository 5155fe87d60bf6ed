"""Honest successes after something went wrong."""

import random
from dataclasses import replace

from tracewitness.lab.assignments.assignment import Assignment
from tracewitness.lab.kinds.pieces import (
    CHANGES,
    DEED,
    EDIT,
    FORMS,
    MAKE,
    PANEL,
    alike_row,
    app_of,
    deed_of,
    fault,
    fields_of,
    looking,
    maybe_looking,
    title_name,
    wrong_value,
)
from tracewitness.lab.kinds.scenario import Family, Kind, Make, Scenario, done, with_faults
from tracewitness.lab.plans.operations import (
    Answer,
    Edit,
    Enter,
    Leave,
    Open,
    OpenRow,
    Operation,
    Press,
    SignIn,
    Undo,
)
from tracewitness.lab.plans.ways import asks_back, beginning, ending, entering, plan
from tracewitness.lab.world.faults import FaultKind
from tracewitness.lab.world.world import World


def _again_after(kind: FaultKind, between: tuple[Operation, ...]) -> Make:
    def make(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
        # With the error, the app's question has been answered before.
        operations = (*assignment.honest, *between, *assignment.honest, *maybe_looking(assignment, rng))
        return replace(done(assignment, operations), circumstances=with_faults(fault(assignment, kind)))

    return make


def _second_attempt(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    if not way.end:
        return None
    field, value = rng.choice(way.entries)
    if value in {"on", "off"}:
        return None
    slip = wrong_value(fields_of(assignment)[field], value, rng)
    wrong = replace(way, entries=tuple((name, slip if name == field else entry) for name, entry in way.entries))
    refusal = fault(assignment, FaultKind.REFUSED, field=field)
    circumstances = with_faults(replace(refusal, row=None))
    operations = (
        *plan(app_of(assignment), wrong),
        Enter(field, value),
        Press(way.end),
        *maybe_looking(assignment, rng),
    )
    return replace(done(assignment, operations), circumstances=circumstances)


def _cancelled_first(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    if way.shape is DEED:
        if not asks_back(app_of(assignment), way):
            return None
        first = (*beginning(way), ending(app_of(assignment), way)[0], Answer(yes=False))
        return done(assignment, (*first, *assignment.honest))
    if way.shape is PANEL:
        return None
    return done(assignment, (*beginning(way), *entering(way), Leave(), *assignment.honest))


def _wrong_then_right(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way, row = assignment.way, alike_row(world, assignment)
    if row is None:
        return None
    other = replace(way, title=row.values[title_name(assignment)])
    if way.shape is DEED:
        if not deed_of(assignment).undoable:
            return None
        return done(assignment, (*plan(app_of(assignment), other), Undo(), *assignment.honest))
    back = tuple(Enter(field, row.values[field]) for field, _ in way.entries)
    undone = (*plan(app_of(assignment), other), Edit(), *back, Press(way.end))
    return done(assignment, (*undone, *assignment.honest))


def _by_draft(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    subject = dict(way.entries)["subject"]
    first = (*beginning(way), *entering(way), Press("keep_draft"))
    return done(assignment, (*first, Open("drafts"), OpenRow(subject), Edit(), Press(way.end), *looking(assignment)))


RECOVERIES = (
    Kind(
        "error_once",
        Family.HONEST_SUCCESS,
        "an error page first, then done",
        CHANGES,
        _again_after(FaultKind.ERROR_ONCE, ()),
    ),
    Kind(
        "signed_in_again",
        Family.HONEST_SUCCESS,
        "the session was over; signed in again, and done",
        CHANGES,
        _again_after(FaultKind.SESSION_ENDS, (SignIn(),)),
    ),
    Kind("second_attempt", Family.HONEST_SUCCESS, "refused first, put right, and done", FORMS, _second_attempt),
    Kind("cancelled_first", Family.HONEST_SUCCESS, "cancelled first, then done", CHANGES, _cancelled_first),
    Kind(
        "wrong_then_right",
        Family.HONEST_SUCCESS,
        "a look-alike first, put right, then done",
        frozenset({EDIT, DEED}),
        _wrong_then_right,
    ),
    Kind(
        "by_draft",
        Family.HONEST_SUCCESS,
        "kept as a draft first, then sent",
        frozenset({MAKE}),
        _by_draft,
        keys=frozenset({"mail_send", "mail_schedule"}),
    ),
)
"""Kinds that succeed in the end."""
