"""What an agent did at a step: its action as the runner parsed it, or as the agent wrote it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.finishing import bare
from tracewitness.intake.formats.androidworld.episodes import Columns
from tracewitness.intake.formats.androidworld.ui_elements import Screen, is_element, label_of
from tracewitness.intake.own_words import Hidden
from tracewitness.intake.phone_actions import phone_action
from tracewitness.intake.pickles import Stub
from tracewitness.intake.pickles.plain import plain
from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.intake.written_objects import written_object
from tracewitness.trace_side.trace import Action

PARSED = ("action_output_json", "action", "android_action", "converted_action", "last_action")
"""Fields that hold an action as the runner parsed it."""

WRITTEN = "action_output"
"""The field that holds an action as the agent wrote it, with its reasons, where no parsed one was kept."""

ENDS = frozenset(map(bare, ("status", "answer", "done", "terminate")))
"""Actions that end a run and are not carried out on the device."""

ANSWERS = frozenset({"answer"})
"""The action whose text the benchmark writes across the screen."""

OWL = "action_response"
"""A field that GUI-Owl alone records."""

_NOTHING_DONE = frozenset(map(bare, ("unknown", "invalid")))


@dataclass(frozen=True, slots=True)
class Done:
    """The action of a step: its call (None where none could be parsed) and the field it came from."""

    call: Call | None
    field: str


def recorded(columns: Columns) -> str | None:
    """Return the field that holds the actions of an episode; None where the agent's actions were not recorded."""
    parsed = [name for name in PARSED if name in columns.lists]
    filled = [name for name in parsed if any(_call(one) is not None for one in columns.lists[name])]
    return next(iter((*filled, *parsed, *((WRITTEN,) if WRITTEN in columns.lists else ()))), None)


def done_at(columns: Columns, name: str, step: int) -> Done:
    """Return the action of a step."""
    value = columns.at(name, step)
    return Done(_written_call(text_of(value)) if name == WRITTEN else _call(value), name)


def _call(value: Any) -> Call | None:
    """Return the call of a ``JSONAction``, or of an object with ``action`` or ``action_type``, perhaps as JSON text."""
    if isinstance(value, str):
        value = written_object(value)
    fields = object_of(plain(value.state if isinstance(value, Stub) else value))
    for key in ("action_type", "action"):
        if isinstance(fields.get(key), str):
            arguments = {name: one for name, one in fields.items() if name != key and one is not None}
            return Call(fields[key], arguments)
    return None


def _written_call(written: str) -> Call | None:
    """Return the call in ``Reason: ... Action: {"action_type": ...}``, found as the runners find it.

    They want both a reason and an action, and take the first object behind the first ``Action:``.
    """
    reason, last = written.find("Reason:"), written.rfind("Action:")
    first = written.find("Action:")
    start = written.find("{", first)
    end = written.find("}", start)
    if min(reason, first, start, end) < 0 or not written[reason + len("Reason:") : last].strip():
        return None
    return _call(written_object(written[start : end + 1]))


def action_at(done: Done, screen: Screen | None, columns: Columns, step: int) -> tuple[Action, tuple[Hidden, ...]]:
    """Return the action of a step, and what of its arguments is the agent's own words."""
    call = done.call
    if call is None or bare(call.name) in _NOTHING_DONE:
        return Action("unparsed", executed=False), ()
    if bare(call.name) in ENDS:
        return Action("answer" if call.name in ANSWERS else "terminate"), ()
    action, hidden = phone_action(call, screen.elements if screen else ())
    target = _named(call.arguments, screen, list_of(columns.at("actionable_elements", step)))
    if target is None and call.name in ("scroll", "swipe"):
        target = _direction(call.arguments.get("direction"))
    if action.kind == "press_key" and action.text is None:
        action = replace(action, text=text_of(call.arguments.get("keycode")) or "Enter")
    return replace(action, target=target or action.target), hidden


def _direction(value: Any) -> str | None:
    """Return a direction, or the two points that runners of Mobile-Agent put there."""
    points = [one for one in list_of(value) if isinstance(one, int | float)]
    if len(points) == 4:
        return "from ({:g}, {:g}) to ({:g}, {:g})".format(*points)
    return text_of(value) or None


def _named(arguments: Mapping[str, Any], screen: Screen | None, offered: Sequence[Any]) -> str | None:
    """Return the label of the element that an action names by number, in the list that its agent was offered."""
    index = arguments.get("index")
    if not isinstance(index, int) or isinstance(index, bool):
        return None
    if offered:
        one = offered[index] if 0 <= index < len(offered) else None
        element = one.get("ui_element") if isinstance(one, Stub) else None
        return label_of(element, ()) if isinstance(element, Stub) and is_element(element) else None
    return screen.labels.get(index) if screen else None
