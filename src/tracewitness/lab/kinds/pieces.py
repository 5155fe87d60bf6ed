"""Pieces that the plans of several kinds are made of."""

import random
from dataclasses import replace
from datetime import date, timedelta

from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.apps.spec import App, Deed, Field, FieldKind
from tracewitness.lab.assignments.assignment import Assignment
from tracewitness.lab.plans.operations import Look, Open, OpenRow, Operation, ReadAll, Search
from tracewitness.lab.plans.ways import Shape, Way
from tracewitness.lab.truth.goals import RowsAreMoved
from tracewitness.lab.world.faults import Fault, FaultKind
from tracewitness.lab.world.rows import Row
from tracewitness.lab.world.world import World

MAKE, EDIT, DEED, CLEAR, PANEL, LOOK_UP, COUNT = Shape
FORMS = frozenset({MAKE, EDIT, PANEL})
"""Ways that enter something."""

CHANGES = frozenset({MAKE, EDIT, PANEL, DEED})
"""Ways that change one thing."""

ROWS = frozenset({EDIT, DEED})
"""Ways that change one row."""

_AT_THE_BUTTON = frozenset({FaultKind.DISABLED, FaultKind.COVERED})
"""Faults that happen before anything is entered: a new row has no title yet."""


def app_of(assignment: Assignment) -> App:
    """Return the app of an assignment."""
    return APPS[assignment.app]


def fields_of(assignment: Assignment) -> dict[str, Field]:
    """Return the fields of the table that an assignment is about."""
    return {field.name: field for field in app_of(assignment).tables()[assignment.way.collection]}


def deed_of(assignment: Assignment) -> Deed:
    """Return the deed that ends a way."""
    deeds = app_of(assignment).collection(assignment.way.collection).deeds
    return next(deed for deed in deeds if deed.name == assignment.way.end)


def title_name(assignment: Assignment) -> str:
    """Return the name of the field that rows are called by."""
    return app_of(assignment).collection(assignment.way.collection).title


def title_field(assignment: Assignment) -> Field | None:
    """Return the field that rows are called by; none for a panel."""
    for collection in app_of(assignment).collections:
        if collection.name == assignment.way.collection:
            return collection.field(collection.title)
    return None


def row_title(assignment: Assignment) -> str:
    """Return the title that the row has which is made, changed or looked up; empty where it is not known."""
    title = title_field(assignment)
    if title is None:
        return ""
    entered = dict(assignment.way.entries).get(title.name)
    return entered or ("" if assignment.way.shape is MAKE else assignment.way.title)


def fault(assignment: Assignment, kind: FaultKind, after: int = 0, field: str | None = None) -> Fault:
    """Return a fault that happens where the way of an assignment ends."""
    way = assignment.way
    on = way.end or way.entries[0][0]
    row = way.title if way.shape in ROWS else ""
    if way.shape is MAKE and kind not in _AT_THE_BUTTON:
        row = row_title(assignment)
    return Fault(kind, on=on, field=field, row=row or None, after=after)


def looking(assignment: Assignment) -> tuple[Operation, ...]:
    """Return how an agent sees what has become of its deed: the list, searched for the row."""
    way = assignment.way
    if way.shape is PANEL:
        return (Open(way.view), Look())
    title = title_field(assignment)
    words = row_title(assignment) or way.title
    if words and (title is None or title.kind is FieldKind.TEXT):
        return (Open(way.shown_in or way.view), Search(words))
    return (Open(way.shown_in or way.view), ReadAll())


def maybe_looking(assignment: Assignment, rng: random.Random) -> tuple[Operation, ...]:
    """Return that, half of the times."""
    return looking(assignment) if rng.random() < 0.5 else ()


def seen_row(way: Way, title: str) -> tuple[Operation, ...]:
    """Return how a row is looked at without changing anything."""
    return (Open(way.view), OpenRow(title), Look())


def elsewhere(assignment: Assignment) -> tuple[str, ...]:
    """Return the views and panels of the app that the way does not need."""
    app = app_of(assignment)
    names = [view.name for collection in app.collections for view in collection.views]
    names += [panel.name for panel in app.panels]
    return tuple(name for name in names if name not in {assignment.way.view, assignment.way.shown_in})


def alike_row(world: World, assignment: Assignment) -> Row | None:
    """Return the row that is easily taken for the one of an assignment, where it is in the same list."""
    way = assignment.way
    table = "product" if way.shape is MAKE else way.collection
    title = app_of(assignment).collection(table).title
    row = next((row for row in world.rows(table) if row.values[title] == way.title), None)
    other = None if row is None else world.alike(table, row)
    if row is None or other is None:
        return None
    states = next(v.states for c in app_of(assignment).collections for v in c.views if v.name == way.view)
    listed = other.state in states and (way.shape is not DEED or other.state in deed_of(assignment).of)
    return other if listed else None


def target_rows(world: World, assignment: Assignment) -> list[Row]:
    """Return the rows that a goal names which moves rows."""
    goal = assignment.goal
    if not isinstance(goal, RowsAreMoved):
        return []
    return [
        row
        for row in world.rows(goal.collection)
        if row.owner == goal.owner
        and row.state in goal.states
        and row.has(goal.row)
        and all(row.values[field].endswith(text) for field, text in goal.endings)
    ]


def mangled(text: str, rng: random.Random) -> str:
    """Return a text with a slip of the keys: a figure changed, or two letters swapped, or one left out."""
    figures = [place for place, sign in enumerate(text) if sign.isdigit()]
    if figures:
        place = rng.choice(figures)
        figure = rng.choice([one for one in "123456789" if one != text[place]])
        return f"{text[:place]}{figure}{text[place + 1 :]}"
    swaps = [n for n in range(1, len(text) - 1) if text[n] != text[n + 1] and text[n : n + 2].isalpha()]
    if swaps and len(text) > 3:
        place = rng.choice(swaps)
        return f"{text[:place]}{text[place + 1]}{text[place]}{text[place + 2 :]}"
    return text[:-1] if len(text) > 1 else f"{text}{text}"


def wrong_value(field: Field, value: str, rng: random.Random) -> str:
    """Return another value of a field that looks much like the right one."""
    match field.kind:
        case FieldKind.TIME:
            hour, _, minute = value.partition(":")
            return f"{(int(hour) + 12) % 24:02}:{minute}"
        case FieldKind.DATE:
            return (date.fromisoformat(value) + timedelta(days=rng.choice((-1, 1, 7)))).isoformat()
        case FieldKind.DAYS:
            return "sat sun" if value != "sat sun" else "mon tue wed thu fri"
        case FieldKind.CHOICE:
            return rng.choice([choice for choice in field.choices if choice != value])
        case FieldKind.SWITCH:
            return "off" if value == "on" else "on"
        case FieldKind.LEVEL:
            return str(int(value) + (10 if int(value) <= 50 else -10))
        case FieldKind.NUMBER:
            return str(int(value) + rng.choice((1, 10)))
        case _:
            return mangled(value, rng)


def entered(way: Way, **values: str) -> Way:
    """Return a way in which some fields are given other values."""
    return replace(way, entries=tuple((field, values.get(field, value)) for field, value in way.entries))
