"""Tasks on settings and users."""

import random

from tracewitness.findings.labels import TaskClass
from tracewitness.lab.apps.settings import SETTINGS, ZONES
from tracewitness.lab.apps.spec import FieldKind
from tracewitness.lab.assignments.assignment import Assignment, AssignmentKind, drawn_row
from tracewitness.lab.assignments.slots import Slot, SlotKind
from tracewitness.lab.plans.ways import Shape, Way
from tracewitness.lab.truth.goals import AnswerIs, RowIsChanged
from tracewitness.lab.world.rows import EVERYONE
from tracewitness.lab.world.world import World

_APP = "settings"
_ACTIVE = ("active",)


def _set(world: World, panel: str, field: str, value: str, key: str, slots: tuple[tuple[str, Slot], ...]) -> Assignment:
    saved = next(one.saved for one in SETTINGS.panels if one.name == panel)
    return Assignment(
        key,
        _APP,
        TaskClass.CONFIGURE,
        slots,
        RowIsChanged(panel, (), ((field, value),), world.account),
        Way(Shape.PANEL, panel, panel, entries=((field, value),), end="save" if saved else "", shown_in=panel),
    )


def _drawn_field(rng: random.Random, kind: FieldKind) -> tuple[str, str]:
    return rng.choice([(p.name, field.name) for p in SETTINGS.panels for field in p.fields if field.kind is kind])


def _switch(world: World, rng: random.Random, value: str) -> Assignment:
    panel, field = _drawn_field(rng, FieldKind.SWITCH)
    world.set_panel(panel, {field: "off" if value == "on" else "on"})
    return _set(world, panel, field, value, f"switch_{value}", (("setting", Slot(field, SlotKind.LABEL)),))


def switch_on(world: World, rng: random.Random) -> Assignment:
    """Turn a setting on."""
    return _switch(world, rng, "on")


def switch_off(world: World, rng: random.Random) -> Assignment:
    """Turn a setting off."""
    return _switch(world, rng, "off")


def zone_set(world: World, rng: random.Random) -> Assignment:
    """Set the time zone."""
    old = world.panel("region")["time_zone"]
    zone = rng.choice([zone for zone in ZONES if zone != old])
    return _set(world, "region", "time_zone", zone, "zone_set", (("zone", Slot(zone, SlotKind.CHOICE)),))


def level_set(world: World, rng: random.Random) -> Assignment:
    """Move a slider."""
    panel, field = _drawn_field(rng, FieldKind.LEVEL)
    old = int(world.panel(panel)[field])
    level = str(rng.choice([level for level in range(10, 100, 5) if abs(level - old) >= 10]))
    slots = (("setting", Slot(field, SlotKind.LABEL)), ("percent", Slot(level, SlotKind.LEVEL)))
    return _set(world, panel, field, level, "level_set", slots)


def role_set(world: World, rng: random.Random) -> Assignment:
    """Give a user another role."""
    row = drawn_row(world, "user", _ACTIVE, rng)
    roles = SETTINGS.collection("user").field("role").choices
    role = rng.choice([role for role in roles if role != row.values["role"]])
    user = row.values["name"]
    return Assignment(
        "role_set",
        _APP,
        TaskClass.CONFIGURE,
        (("user", Slot(user)), ("role", Slot(role, SlotKind.CHOICE))),
        RowIsChanged("user", (("name", user),), (("role", role),), EVERYONE),
        Way(Shape.EDIT, "users", "user", user, (("role", role),), "save", shown_in="users"),
    )


def user_ask_role(world: World, rng: random.Random) -> Assignment:
    """Say the role of a user."""
    row = drawn_row(world, "user", _ACTIVE, rng)
    user = row.values["name"]
    return Assignment(
        "user_ask_role",
        _APP,
        TaskClass.QUERY,
        (("user", Slot(user)),),
        AnswerIs("user", (("name", user),), (), "role", EVERYONE),
        Way(Shape.LOOK_UP, "users", "user", user),
        Slot(row.values["role"], SlotKind.CHOICE),
    )


SETTINGS_KINDS = (
    AssignmentKind("switch_on", _APP, TaskClass.CONFIGURE, switch_on),
    AssignmentKind("switch_off", _APP, TaskClass.CONFIGURE, switch_off),
    AssignmentKind("zone_set", _APP, TaskClass.CONFIGURE, zone_set),
    AssignmentKind("level_set", _APP, TaskClass.CONFIGURE, level_set),
    AssignmentKind("role_set", _APP, TaskClass.CONFIGURE, role_set),
    AssignmentKind("user_ask_role", _APP, TaskClass.QUERY, user_ask_role),
)
"""All tasks on settings and users."""
