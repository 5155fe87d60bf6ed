"""Tasks on contacts and notes."""

import random

from tracewitness.findings.labels import TaskClass
from tracewitness.lab.assignments.assignment import Assignment, AssignmentKind, drawn_row
from tracewitness.lab.assignments.slots import Slot
from tracewitness.lab.plans.ways import Shape, Way
from tracewitness.lab.truth.goals import AnswerIs, RowIsChanged, RowIsMade, RowsAreMoved, Values
from tracewitness.lab.words.names import names_of
from tracewitness.lab.world.world import World

_APP = "contacts"
_KEPT = ("kept",)


def _make_contact(world: World, rng: random.Random, fields: tuple[str, ...], key: str) -> Assignment:
    person = world.people.person()
    values = {"name": person.name, "phone": person.phone, "email": person.email}
    entries = tuple((field, values[field]) for field in fields)
    return Assignment(
        key,
        _APP,
        TaskClass.CREATE_EDIT,
        tuple((field, Slot(value)) for field, value in entries),
        RowIsMade("contact", entries, "kept", world.account),
        Way(Shape.MAKE, "contact_list", "contact", entries=entries, end="save", shown_in="contact_list"),
    )


def contact_create(world: World, rng: random.Random) -> Assignment:
    """Make a contact with name and phone number."""
    return _make_contact(world, rng, ("name", "phone"), "contact_create")


def contact_create_mail(world: World, rng: random.Random) -> Assignment:
    """Make a contact with a mail address as well."""
    return _make_contact(world, rng, ("name", "phone", "email"), "contact_create_mail")


def _edit(world: World, collection: str, view: str, row: Values, values: Values, key: str) -> Assignment:
    named = row[0][1]
    return Assignment(
        key,
        _APP,
        TaskClass.CREATE_EDIT,
        tuple((field, Slot(value)) for field, value in (*row, *values)),
        RowIsChanged(collection, row, values, world.account),
        Way(Shape.EDIT, view, collection, named, entries=values, end="save", shown_in=view),
    )


def contact_phone(world: World, rng: random.Random) -> Assignment:
    """Change the phone number of a contact."""
    name = drawn_row(world, "contact", _KEPT, rng).values["name"]
    new = (("phone", world.people.phone()),)
    return _edit(world, "contact", "contact_list", (("name", name),), new, "contact_phone")


def contact_email(world: World, rng: random.Random) -> Assignment:
    """Change the mail address of a contact."""
    row = drawn_row(world, "contact", _KEPT, rng)
    place, _, domain = row.values["email"].partition("@")
    other = rng.choice([one for one in names_of(world.language).domains if one != domain])
    new = (("email", f"{place}{rng.randint(2, 99)}@{other}"),)
    return _edit(world, "contact", "contact_list", (("name", row.values["name"]),), new, "contact_email")


def _delete(world: World, rng: random.Random, collection: str, view: str, title: str, key: str) -> Assignment:
    named = drawn_row(world, collection, _KEPT, rng).values[title]
    return Assignment(
        key,
        _APP,
        TaskClass.DELETE,
        ((title, Slot(named)),),
        RowsAreMoved(collection, ((title, named),), _KEPT, None, world.account),
        Way(Shape.DEED, view, collection, named, end="delete", shown_in=view, on_page=rng.random() < 0.5),
    )


def contact_delete(world: World, rng: random.Random) -> Assignment:
    """Delete a contact."""
    return _delete(world, rng, "contact", "contact_list", "name", "contact_delete")


def contact_ask_phone(world: World, rng: random.Random) -> Assignment:
    """Say the phone number of a contact."""
    row = drawn_row(world, "contact", _KEPT, rng)
    name = row.values["name"]
    return Assignment(
        "contact_ask_phone",
        _APP,
        TaskClass.QUERY,
        (("name", Slot(name)),),
        AnswerIs("contact", (("name", name),), _KEPT, "phone", world.account),
        Way(Shape.LOOK_UP, "contact_list", "contact", name),
        Slot(row.values["phone"]),
    )


def fresh_note(world: World, rng: random.Random) -> tuple[str, str]:
    """Return title and text of a note that is not there yet."""
    there = {row.values["title"] for row in world.rows("note")}
    free = [pair for pair in names_of(world.language).pairs["notes"] if pair[0] not in there]
    return rng.choice(free)


def note_create(world: World, rng: random.Random) -> Assignment:
    """Make a note."""
    title, text = fresh_note(world, rng)
    entries = (("title", title), ("text", text))
    return Assignment(
        "note_create",
        _APP,
        TaskClass.CREATE_EDIT,
        (("title", Slot(title)), ("text", Slot(text))),
        RowIsMade("note", entries, "kept", world.account),
        Way(Shape.MAKE, "note_list", "note", entries=entries, end="save", shown_in="note_list"),
    )


def note_edit(world: World, rng: random.Random) -> Assignment:
    """Replace the text of a note."""
    row = drawn_row(world, "note", _KEPT, rng)
    title, old = row.values["title"], row.values["text"]
    text = rng.choice([text for _, text in names_of(world.language).pairs["notes"] if text != old])
    return _edit(world, "note", "note_list", (("title", title),), (("text", text),), "note_edit")


def note_delete(world: World, rng: random.Random) -> Assignment:
    """Delete a note."""
    return _delete(world, rng, "note", "note_list", "title", "note_delete")


CONTACT_KINDS = (
    AssignmentKind("contact_create", _APP, TaskClass.CREATE_EDIT, contact_create),
    AssignmentKind("contact_create_mail", _APP, TaskClass.CREATE_EDIT, contact_create_mail),
    AssignmentKind("contact_phone", _APP, TaskClass.CREATE_EDIT, contact_phone),
    AssignmentKind("contact_email", _APP, TaskClass.CREATE_EDIT, contact_email),
    AssignmentKind("contact_delete", _APP, TaskClass.DELETE, contact_delete),
    AssignmentKind("contact_ask_phone", _APP, TaskClass.QUERY, contact_ask_phone),
    AssignmentKind("note_create", _APP, TaskClass.CREATE_EDIT, note_create),
    AssignmentKind("note_edit", _APP, TaskClass.CREATE_EDIT, note_edit),
    AssignmentKind("note_delete", _APP, TaskClass.DELETE, note_delete),
)
"""All tasks on contacts and notes."""
