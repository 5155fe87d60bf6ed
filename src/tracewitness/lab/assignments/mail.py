"""Tasks on mail."""

import random

from tracewitness.findings.labels import TaskClass
from tracewitness.lab.assignments.assignment import Assignment, AssignmentKind, drawn_row
from tracewitness.lab.assignments.slots import Slot, SlotKind
from tracewitness.lab.plans.ways import Shape, Way
from tracewitness.lab.truth.goals import AnswerIs, RowIsMade, RowsAreMoved
from tracewitness.lab.words.names import names_of
from tracewitness.lab.world.world import World

_APP = "mail"
_INBOX = ("inbox",)
_VIEWS = {"send": "sent", "keep_draft": "drafts", "schedule": "scheduled"}
_STATES = {"send": "sent", "keep_draft": "draft", "schedule": "scheduled"}


def fresh_letter(world: World, rng: random.Random) -> tuple[str, str]:
    """Return subject and text of a message that is not there yet; a stock that is used up goes on with figures."""
    there = {row.values["subject"] for row in world.rows("message")}
    stock = names_of(world.language).pairs["mails"]
    free = [pair for pair in stock if pair[0] not in there]
    if free:
        return rng.choice(free)
    subject, body = rng.choice(stock)
    return f"{subject} {rng.randint(100, 999)}", body


def _write(
    world: World, rng: random.Random, key: str, submit: str, more: tuple[tuple[str, str], ...] = ()
) -> Assignment:
    subject, body = fresh_letter(world, rng)
    entries = (("to", world.people.person().name), ("subject", subject), ("body", body), *more)
    kinds = {"send_date": ("date", SlotKind.DATE), "send_time": ("time", SlotKind.TIME)}
    slots = tuple(
        (kinds.get(f, (f, SlotKind.TEXT))[0], Slot(v, kinds.get(f, (f, SlotKind.TEXT))[1])) for f, v in entries
    )
    return Assignment(
        key,
        _APP,
        TaskClass.SEND if submit != "keep_draft" else TaskClass.CREATE_EDIT,
        slots,
        RowIsMade("message", entries, _STATES[submit], world.account),
        Way(Shape.MAKE, "inbox", "message", entries=entries, end=submit, shown_in=_VIEWS[submit]),
    )


def mail_send(world: World, rng: random.Random) -> Assignment:
    """Send a message."""
    return _write(world, rng, "mail_send", "send")


def mail_draft(world: World, rng: random.Random) -> Assignment:
    """Keep a message as a draft."""
    return _write(world, rng, "mail_draft", "keep_draft")


def mail_schedule(world: World, rng: random.Random) -> Assignment:
    """Have a message sent later."""
    when = (
        ("send_date", world.clock.day(rng.randint(2, 25))),
        ("send_time", f"{rng.randint(7, 20):02}:{rng.choice((0, 15, 30, 45)):02}"),
    )
    return _write(world, rng, "mail_schedule", "schedule", when)


def mail_delete(world: World, rng: random.Random) -> Assignment:
    """Delete one message."""
    row = drawn_row(world, "message", _INBOX, rng)
    sender, subject = row.values["sender"], row.values["subject"]
    return Assignment(
        "mail_delete",
        _APP,
        TaskClass.DELETE,
        (("sender", Slot(sender)), ("subject", Slot(subject))),
        RowsAreMoved("message", (("sender", sender), ("subject", subject)), _INBOX, "bin", world.account),
        Way(Shape.DEED, "inbox", "message", subject, end="delete", shown_in="inbox", on_page=rng.random() < 0.5),
    )


def _busy_sender(world: World, rng: random.Random) -> str:
    """Return somebody who wrote several of the messages in the inbox."""
    senders = [row.values["sender"] for row in world.rows("message") if row.state == "inbox"]
    return rng.choice(sorted({sender for sender in senders if senders.count(sender) > 1}))


def mail_delete_all(world: World, rng: random.Random) -> Assignment:
    """Delete all messages of one sender."""
    sender = _busy_sender(world, rng)
    return Assignment(
        "mail_delete_all",
        _APP,
        TaskClass.DELETE,
        (("sender", Slot(sender)),),
        RowsAreMoved("message", (("sender", sender),), _INBOX, "bin", world.account),
        Way(Shape.CLEAR, "inbox", "message", end="delete", filters=(("sender", sender),), shown_in="inbox"),
    )


def mail_ask_sender(world: World, rng: random.Random) -> Assignment:
    """Say who sent a message."""
    row = drawn_row(world, "message", _INBOX, rng)
    subject = row.values["subject"]
    return Assignment(
        "mail_ask_sender",
        _APP,
        TaskClass.QUERY,
        (("subject", Slot(subject)),),
        AnswerIs("message", (("subject", subject),), _INBOX, "sender", world.account),
        Way(Shape.LOOK_UP, "inbox", "message", subject),
        Slot(row.values["sender"]),
    )


def mail_ask_count(world: World, rng: random.Random) -> Assignment:
    """Count the messages of one sender."""
    sender = _busy_sender(world, rng)
    count = sum(row.state == "inbox" and row.values["sender"] == sender for row in world.rows("message"))
    return Assignment(
        "mail_ask_count",
        _APP,
        TaskClass.QUERY,
        (("sender", Slot(sender)),),
        AnswerIs("message", (("sender", sender),), _INBOX, None, world.account),
        Way(Shape.COUNT, "inbox", "message", filters=(("sender", sender),)),
        Slot(str(count), SlotKind.NUMBER),
    )


MAIL_KINDS = (
    AssignmentKind("mail_send", _APP, TaskClass.SEND, mail_send),
    AssignmentKind("mail_draft", _APP, TaskClass.CREATE_EDIT, mail_draft),
    AssignmentKind("mail_schedule", _APP, TaskClass.SEND, mail_schedule),
    AssignmentKind("mail_delete", _APP, TaskClass.DELETE, mail_delete),
    AssignmentKind("mail_delete_all", _APP, TaskClass.DELETE, mail_delete_all),
    AssignmentKind("mail_ask_sender", _APP, TaskClass.QUERY, mail_ask_sender),
    AssignmentKind("mail_ask_count", _APP, TaskClass.QUERY, mail_ask_count),
)
"""All tasks on mail."""
