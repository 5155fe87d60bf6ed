"""False successes in which the app does not do what was asked of it, and the agent does not mind."""

import random
from collections.abc import Callable

from tracewitness.lab.assignments.assignment import Assignment
from tracewitness.lab.kinds.pieces import (
    CHANGES,
    DEED,
    EDIT,
    FORMS,
    MAKE,
    PANEL,
    elsewhere,
    fault,
    looking,
    maybe_looking,
)
from tracewitness.lab.kinds.scenario import Family, Kind, Scenario, with_faults
from tracewitness.lab.kinds.unsaved import press_in_vain
from tracewitness.lab.plans.operations import Look, Open, Operation, Press, Reload, SignIn
from tracewitness.lab.plans.ways import beginning, entering
from tracewitness.lab.site.look import Navigation, Place, Saving
from tracewitness.lab.world.faults import FaultKind
from tracewitness.lab.world.world import World

_AT_ONCE = (("saving", Saving.FETCH), ("form", Place.PAGE), ("navigation", Navigation.TOP))
"""A look in which one press leaves the page while it is saving."""

After = Callable[[Assignment, random.Random], tuple[Operation, ...]]


def _nothing(assignment: Assignment, rng: random.Random) -> tuple[Operation, ...]:
    return (Look(),) if rng.random() < 0.5 else ()


def _looking(assignment: Assignment, rng: random.Random) -> tuple[Operation, ...]:
    return looking(assignment)


def _signing_in(assignment: Assignment, rng: random.Random) -> tuple[Operation, ...]:
    return (SignIn(),) if rng.random() < 0.5 else ()


def _faulty(kind: FaultKind, after: After) -> Callable[[World, Assignment, random.Random], Scenario | None]:
    def make(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
        circumstances = with_faults(fault(assignment, kind))
        return Scenario((assignment,), (*assignment.honest, *after(assignment, rng)), circumstances=circumstances)

    return make


def _refused(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    if not assignment.way.end:
        return None
    field = rng.choice(assignment.way.entries)[0]
    circumstances = with_faults(fault(assignment, FaultKind.REFUSED, field=field))
    return Scenario((assignment,), (*assignment.honest, *_nothing(assignment, rng)), circumstances=circumstances)


def _reverted(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    circumstances = with_faults(fault(assignment, FaultKind.REVERTED, after=1))
    plan = (*assignment.honest, Open(rng.choice(elsewhere(assignment))), *looking(assignment), Reload())
    return Scenario((assignment,), plan, circumstances=circumstances)


def _in_vain(kind: FaultKind) -> Callable[[World, Assignment, random.Random], Scenario | None]:
    def make(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
        way = assignment.way
        if not way.end:
            return None
        plan = (*beginning(way), *entering(way), press_in_vain(assignment), *maybe_looking(assignment, rng))
        return Scenario((assignment,), plan, circumstances=with_faults(fault(assignment, kind)))

    return make


def _left_while_saving(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    if not way.end:
        return None
    hasty = Press(way.end, hasty=True)
    plan = (*beginning(way), *entering(way), hasty, Open(rng.choice(elsewhere(assignment))), *looking(assignment))
    slow = with_faults(fault(assignment, FaultKind.SLOW))
    return Scenario((assignment,), plan, circumstances=slow, look=_AT_ONCE)


def _cut(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    kind = rng.choice((FaultKind.SERVER_ERROR, FaultKind.LYING_TOAST, FaultKind.SESSION_ENDS))
    plan = assignment.honest
    return Scenario((assignment,), plan, circumstances=with_faults(fault(assignment, kind)), cut=len(plan) - 1)


FAULTY = (
    Kind("refused", Family.FALSE_SUCCESS, "the form was refused with a message at a field", FORMS, _refused),
    Kind(
        "lying_toast",
        Family.FALSE_SUCCESS,
        "a message says that it went well, and nothing was kept",
        CHANGES,
        _faulty(FaultKind.LYING_TOAST, _looking),
    ),
    Kind(
        "server_error",
        Family.FALSE_SUCCESS,
        "saving ended on an error page",
        CHANGES,
        _faulty(FaultKind.SERVER_ERROR, _nothing),
    ),
    Kind(
        "session_over",
        Family.FALSE_SUCCESS,
        "the session was over",
        CHANGES,
        _faulty(FaultKind.SESSION_ENDS, _signing_in),
    ),
    Kind("queued", Family.FALSE_SUCCESS, "put off until the app is online", FORMS, _faulty(FaultKind.QUEUED, _looking)),
    Kind("reverted", Family.FALSE_SUCCESS, "another user undid it", CHANGES, _reverted),
    Kind("disabled", Family.FALSE_SUCCESS, "the button could not be pressed", CHANGES, _in_vain(FaultKind.DISABLED)),
    Kind("covered", Family.FALSE_SUCCESS, "something lay over the button", CHANGES, _in_vain(FaultKind.COVERED)),
    Kind(
        "left_while_saving",
        Family.FALSE_SUCCESS,
        "the page was left while it was still being saved",
        frozenset({MAKE, EDIT, PANEL}),
        _left_while_saving,
    ),
    Kind("cut_log", Family.FALSE_SUCCESS, "it failed, and the log ends before", frozenset({MAKE, EDIT, DEED}), _cut),
)
"""Kinds in which the app goes wrong."""
