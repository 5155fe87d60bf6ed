"""Tasks on alarms and events."""

import random

from tracewitness.findings.labels import TaskClass
from tracewitness.lab.assignments.assignment import Assignment, AssignmentKind, drawn_row
from tracewitness.lab.assignments.slots import Slot, SlotKind
from tracewitness.lab.plans.ways import Shape, Way
from tracewitness.lab.truth.goals import AnswerIs, RowIsChanged, RowIsMade, RowsAreMoved
from tracewitness.lab.words.names import names_of
from tracewitness.lab.world.world import World

_APP = "calendar"
_KEPT = ("kept",)
_PLANNED = ("planned",)
_REPEATS = ("mon tue wed thu fri", "sat sun", "mon wed fri", "tue thu", "sat")


def fresh_time(world: World, rng: random.Random) -> str:
    """Return a time at which, and half a day from which, no alarm rings."""
    there = {row.values["time"] for row in world.rows("alarm")}
    hours = [h for h in range(5, 12) if not any(time[:2] in {f"{h:02}", f"{h + 12:02}"} for time in there)]
    return f"{rng.choice(hours) + rng.choice((0, 12)):02}:{rng.randrange(0, 60, 5):02}"


def alarm_create(world: World, rng: random.Random) -> Assignment:
    """Set an alarm."""
    entries = (("time", fresh_time(world, rng)), ("days", rng.choice(_REPEATS)))
    return Assignment(
        "alarm_create",
        _APP,
        TaskClass.CREATE_EDIT,
        (("time", Slot(entries[0][1], SlotKind.TIME)), ("days", Slot(entries[1][1], SlotKind.DAYS))),
        RowIsMade("alarm", (*entries, ("ringing", "on")), "kept", world.account),
        Way(Shape.MAKE, "alarms", "alarm", entries=entries, end="save", shown_in="alarms"),
    )


def alarm_time(world: World, rng: random.Random) -> Assignment:
    """Set an alarm to another time."""
    old, new = drawn_row(world, "alarm", _KEPT, rng).values["time"], fresh_time(world, rng)
    return Assignment(
        "alarm_time",
        _APP,
        TaskClass.CREATE_EDIT,
        (("old", Slot(old, SlotKind.TIME)), ("new", Slot(new, SlotKind.TIME))),
        RowIsChanged("alarm", (("time", old),), (("time", new),), world.account),
        Way(Shape.EDIT, "alarms", "alarm", old, (("time", new),), "save", shown_in="alarms"),
    )


def alarm_off(world: World, rng: random.Random) -> Assignment:
    """Turn an alarm off."""
    row = drawn_row(world, "alarm", _KEPT, rng)
    world.amend("alarm", row, {"ringing": "on"})
    time = row.values["time"]
    return Assignment(
        "alarm_off",
        _APP,
        TaskClass.CONFIGURE,
        (("time", Slot(time, SlotKind.TIME)),),
        RowIsChanged("alarm", (("time", time),), (("ringing", "off"),), world.account),
        Way(Shape.EDIT, "alarms", "alarm", time, (("ringing", "off"),), "save", shown_in="alarms"),
    )


def alarm_delete(world: World, rng: random.Random) -> Assignment:
    """Delete an alarm."""
    time = drawn_row(world, "alarm", _KEPT, rng).values["time"]
    return Assignment(
        "alarm_delete",
        _APP,
        TaskClass.DELETE,
        (("time", Slot(time, SlotKind.TIME)),),
        RowsAreMoved("alarm", (("time", time),), _KEPT, None, world.account),
        Way(Shape.DEED, "alarms", "alarm", time, end="delete", shown_in="alarms", on_page=rng.random() < 0.5),
    )


def alarms_delete_all(world: World, rng: random.Random) -> Assignment:
    """Delete all alarms."""
    return Assignment(
        "alarms_delete_all",
        _APP,
        TaskClass.DELETE,
        (),
        RowsAreMoved("alarm", (), _KEPT, None, world.account),
        Way(Shape.CLEAR, "alarms", "alarm", end="delete", shown_in="alarms"),
    )


def event_create(world: World, rng: random.Random) -> Assignment:
    """Plan an event."""
    there = {row.values["title"] for row in world.rows("event")}
    title = rng.choice([one for one in names_of(world.language).lists["event_titles"] if one not in there])
    time = f"{rng.randint(8, 20):02}:{rng.choice((0, 15, 30, 45)):02}"
    entries = (("title", title), ("date", world.clock.day(rng.randint(1, 40))), ("time", time))
    kinds = {"date": SlotKind.DATE, "time": SlotKind.TIME}
    return Assignment(
        "event_create",
        _APP,
        TaskClass.CREATE_EDIT,
        tuple((field, Slot(value, kinds.get(field, SlotKind.TEXT))) for field, value in entries),
        RowIsMade("event", entries, "planned", world.account),
        Way(Shape.MAKE, "events", "event", entries=entries, end="save", shown_in="events"),
    )


def event_move(world: World, rng: random.Random) -> Assignment:
    """Move an event to another date."""
    row = drawn_row(world, "event", _PLANNED, rng)
    title = row.values["title"]
    date = rng.choice([day for day in map(world.clock.day, range(1, 35)) if day != row.values["date"]])
    return Assignment(
        "event_move",
        _APP,
        TaskClass.CREATE_EDIT,
        (("title", Slot(title)), ("date", Slot(date, SlotKind.DATE))),
        RowIsChanged("event", (("title", title),), (("date", date),), world.account),
        Way(Shape.EDIT, "events", "event", title, (("date", date),), "save", shown_in="events"),
    )


def event_delete(world: World, rng: random.Random) -> Assignment:
    """Delete an event."""
    title = drawn_row(world, "event", _PLANNED, rng).values["title"]
    return Assignment(
        "event_delete",
        _APP,
        TaskClass.DELETE,
        (("title", Slot(title)),),
        RowsAreMoved("event", (("title", title),), _PLANNED, None, world.account),
        Way(Shape.DEED, "events", "event", title, end="delete", shown_in="events", on_page=rng.random() < 0.5),
    )


def event_ask_time(world: World, rng: random.Random) -> Assignment:
    """Say when an event begins."""
    row = drawn_row(world, "event", _PLANNED, rng)
    title = row.values["title"]
    return Assignment(
        "event_ask_time",
        _APP,
        TaskClass.QUERY,
        (("title", Slot(title)),),
        AnswerIs("event", (("title", title),), (), "time", world.account),
        Way(Shape.LOOK_UP, "events", "event", title),
        Slot(row.values["time"], SlotKind.TIME),
    )


def event_ask_count(world: World, rng: random.Random) -> Assignment:
    """Count the events of a day."""
    dates = [row.values["date"] for row in world.rows("event")]
    date = rng.choice(sorted(set(dates)))
    return Assignment(
        "event_ask_count",
        _APP,
        TaskClass.QUERY,
        (("date", Slot(date, SlotKind.DATE)),),
        AnswerIs("event", (("date", date),), _PLANNED, None, world.account),
        Way(Shape.COUNT, "events", "event"),
        Slot(str(dates.count(date)), SlotKind.NUMBER),
    )


CALENDAR_KINDS = (
    AssignmentKind("alarm_create", _APP, TaskClass.CREATE_EDIT, alarm_create),
    AssignmentKind("alarm_time", _APP, TaskClass.CREATE_EDIT, alarm_time),
    AssignmentKind("alarm_off", _APP, TaskClass.CONFIGURE, alarm_off),
    AssignmentKind("alarm_delete", _APP, TaskClass.DELETE, alarm_delete),
    AssignmentKind("alarms_delete_all", _APP, TaskClass.DELETE, alarms_delete_all),
    AssignmentKind("event_create", _APP, TaskClass.CREATE_EDIT, event_create),
    AssignmentKind("event_move", _APP, TaskClass.CREATE_EDIT, event_move),
    AssignmentKind("event_delete", _APP, TaskClass.DELETE, event_delete),
    AssignmentKind("event_ask_time", _APP, TaskClass.QUERY, event_ask_time),
    AssignmentKind("event_ask_count", _APP, TaskClass.QUERY, event_ask_count),
)
"""All tasks on alarms and events."""
