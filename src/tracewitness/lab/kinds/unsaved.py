"""False successes in which nothing, or not what was asked, was kept."""

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
    elsewhere,
    fields_of,
    looking,
    maybe_looking,
    title_name,
    wrong_value,
)
from tracewitness.lab.kinds.scenario import Family, Kind, Scenario
from tracewitness.lab.plans.operations import (
    Answer,
    ChangeAccount,
    Edit,
    Enter,
    Flip,
    Look,
    Open,
    Operation,
    Press,
    RowDeed,
    Undo,
)
from tracewitness.lab.plans.ways import asks_back, beginning, ending, entering, plan
from tracewitness.lab.site.look import Place
from tracewitness.lab.world.world import World

_SUBMITS = {
    "send": ("keep_draft", "schedule"),
    "schedule": ("keep_draft", "send"),
    "keep_draft": ("send",),
    "order": ("pay_later",),
}
_NEIGHBOURS = {"phone": "mobile", "email": "company", "title": "place"}


def _not_saved(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    if not way.end:
        return None
    after: tuple[Operation, ...] = rng.choice(((), (Look(),), (Open(rng.choice(elsewhere(assignment))),)))
    return Scenario((assignment,), (*beginning(way), *entering(way), *after))


def _declined(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    if not asks_back(app_of(assignment), way):
        return None
    press = ending(app_of(assignment), way)[0]
    return Scenario((assignment,), (*beginning(way), press, Answer(yes=False), *maybe_looking(assignment, rng)))


def _left_open(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    if not asks_back(app_of(assignment), way):
        return None
    question = rng.choice((Place.PAGE, Place.OVERLAY))
    return Scenario(
        (assignment,), (*beginning(way), ending(app_of(assignment), way)[0]), look=(("question", question),)
    )


def _look_alike(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    row = alike_row(world, assignment) if assignment.way.title else None
    if row is None:
        return None
    other = replace(
        assignment.way, title=row.values["product" if assignment.way.shape is MAKE else title_name(assignment)]
    )
    return Scenario((assignment,), (*plan(app_of(assignment), other), *maybe_looking(assignment, rng)))


def _wrong_field(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way, fields = assignment.way, fields_of(assignment)
    field, value = way.entries[-1]
    if way.shape is PANEL:
        kind = fields[field].kind
        others = [one.name for one in fields.values() if one.kind is kind and one.name != field]
        if not others or kind == "choice":
            return None
        other = rng.choice(others)
        world.set_panel(way.view, {other: "off" if value == "on" else "on"} if value in {"on", "off"} else {other: "5"})
    else:
        other = _NEIGHBOURS.get(field, "")
        if other not in fields or (way.shape is MAKE and fields[field].required):
            return None
    wrong = replace(way, entries=(*way.entries[:-1], (other, value)))
    return Scenario((assignment,), (*plan(app_of(assignment), wrong), *maybe_looking(assignment, rng)))


def _wrong_value(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    if all(value in {"on", "off"} for _, value in way.entries):
        return None
    index = rng.randrange(len(way.entries))
    field, value = way.entries[index]
    slip = (field, wrong_value(fields_of(assignment)[field], value, rng))
    wrong = replace(way, entries=(*way.entries[:index], slip, *way.entries[index + 1 :]))
    return Scenario((assignment,), plan(app_of(assignment), wrong))


def _wrong_state(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    ends = [end for end in _SUBMITS.get(way.end, ()) if end != "schedule" or way.end == "send"]
    if not ends:
        return None
    end = rng.choice(ends)
    later = (("send_date", world.clock.day(3)), ("send_time", "09:00")) if end == "schedule" else ()
    wrong = replace(way, end=end, entries=(*way.entries, *later))
    return Scenario((assignment,), (*plan(app_of(assignment), wrong), Look()))


def _toggled_twice(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    way = assignment.way
    field, value = way.entries[0]
    if value not in {"on", "off"}:
        return None
    save = (Press(way.end),) if way.end else ()
    again: tuple[Operation, ...] = (Flip(field), *save)
    if way.shape is EDIT:
        again = (Edit(), *again)
    return Scenario((assignment,), (*plan(app_of(assignment), way), *again))


def _undone(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    if assignment.way.shape is DEED:
        if not deed_of(assignment).undoable:
            return None
        return Scenario((assignment,), (*assignment.honest, Undo(), *looking(assignment)))
    return _set_back(world, assignment)


def _set_back(world: World, assignment: Assignment) -> Scenario | None:
    way = assignment.way
    old = _old_values(world, assignment)
    back = tuple(Enter(field, old[field]) for field, _ in way.entries)
    save = (Press(way.end),) if way.end else ()
    again: tuple[Operation, ...] = (Edit(),) if way.shape is EDIT else ()
    return Scenario((assignment,), (*assignment.honest, *again, *back, *save, Look()))


def _old_values(world: World, assignment: Assignment) -> dict[str, str]:
    way = assignment.way
    if way.shape is PANEL:
        return world.panel(way.view)
    title = title_name(assignment)
    return next(dict(row.values) for row in world.rows(way.collection) if row.values[title] == way.title)


def _opened_only(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    return Scenario((assignment,), (*beginning(assignment.way), Look()))


def _loop(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    view, other = assignment.way.view, rng.choice(elsewhere(assignment))
    turn: tuple[Operation, ...] = (Open(view), Look(), Open(other), Look())
    return Scenario((assignment,), turn * rng.randint(3, 4), ended=False)


def _wrong_account(world: World, assignment: Assignment, rng: random.Random) -> Scenario | None:
    others = [account.key for account in world.accounts if account.key != world.account]
    if not others:
        return None
    if assignment.way.shape is PANEL:
        # The other account stands as this one does, so that there is something to change there.
        world.set_panel(assignment.way.view, world.panel(assignment.way.view), owner=others[0])
    return Scenario((assignment,), (ChangeAccount(others[0]), *assignment.honest))


def press_in_vain(assignment: Assignment) -> Operation:
    """Return the press of a button that cannot be pressed."""
    way = assignment.way
    if way.shape is DEED and not way.on_page:
        return RowDeed(way.title, way.end, expects_nothing=True)
    return Press(way.end, expects_nothing=True)


UNSAVED = (
    Kind("not_saved", Family.FALSE_SUCCESS, "typed, but never saved", FORMS, _not_saved),
    Kind("declined", Family.FALSE_SUCCESS, "the question was answered with no", frozenset({DEED}), _declined),
    Kind("left_open", Family.FALSE_SUCCESS, "the question was never answered", frozenset({DEED}), _left_open),
    Kind("look_alike", Family.FALSE_SUCCESS, "done to a look-alike", frozenset({MAKE, EDIT, DEED}), _look_alike),
    Kind("wrong_field", Family.FALSE_SUCCESS, "entered into the wrong field", FORMS, _wrong_field),
    Kind("wrong_value", Family.FALSE_SUCCESS, "saved with a wrong value", FORMS, _wrong_value),
    Kind("wrong_state", Family.FALSE_SUCCESS, "a draft, planned or unpaid", frozenset({MAKE}), _wrong_state),
    Kind("toggled_twice", Family.FALSE_SUCCESS, "a switch pressed twice", frozenset({EDIT, PANEL}), _toggled_twice),
    Kind("undone", Family.FALSE_SUCCESS, "done, and undone later", frozenset({EDIT, PANEL, DEED}), _undone),
    Kind("opened_only", Family.FALSE_SUCCESS, "the page was opened, no more", CHANGES, _opened_only),
    Kind("loop", Family.FALSE_SUCCESS, "back and forth until the steps were used up", CHANGES, _loop),
    Kind("wrong_account", Family.FALSE_SUCCESS, "done in another account", frozenset({MAKE, PANEL}), _wrong_account),
)
"""Kinds in which the agent itself goes wrong."""
