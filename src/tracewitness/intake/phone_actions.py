"""Actions on a phone as agents of the Mobile-Agent kind write them: a name, and a point, a text or a button."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from tracewitness.intake.action_kinds import kind_of
from tracewitness.intake.calls import Call, action_of, point_of
from tracewitness.intake.elements import Element, element_at
from tracewitness.intake.finishing import FINISH_KINDS
from tracewitness.intake.own_words import Hidden
from tracewitness.trace_side.trace import Action

_ENDS = ("coordinate2", "end_coordinate")
_OPENS = frozenset({"open", "open_app"})


def phone_action(
    call: Call, elements: Iterable[Element] = (), kinds: frozenset[str] = FINISH_KINDS
) -> tuple[Action, tuple[Hidden, ...]]:
    """Return the action of a call on a phone, and what of its arguments is the agent's own words.

    Args:
        call: The call: ``click`` with ``coordinate``, ``swipe`` with ``coordinate`` and ``coordinate2``,
            ``system_button`` with ``button``, ``open`` or ``open_app`` with ``text``, and the like.
        elements: What the screen shows, in the units of the call's points; a point is named by what it lies on.
        kinds: The kinds by which agents end a run.
    """
    action, hidden = action_of(call, _target(call, elements), kinds=kinds)
    if call.name in _OPENS:
        return replace(action, kind=kind_of("open_app")), hidden
    button = call.arguments.get("button")
    if action.kind == "press_key" and isinstance(button, str) and button.casefold() in ("back", "home"):
        return replace(action, kind=kind_of(button), text=None), hidden
    return action, hidden


def _target(call: Call, elements: Iterable[Element]) -> str | None:
    text = call.arguments.get("text")
    if call.name in _OPENS and isinstance(text, str):
        return text
    start, end = point_of(call.arguments), _end_of(call.arguments)
    if start is None:
        return None
    if end is not None:
        return f"from ({start[0]:g}, {start[1]:g}) to ({end[0]:g}, {end[1]:g})"
    found = element_at(*start, elements)
    return found.label if found else None


def _end_of(arguments: Mapping[str, Any]) -> tuple[float, float] | None:
    for key in _ENDS:
        pair = arguments.get(key)
        if isinstance(pair, list):
            found = point_of({"point": cast(list[Any], pair)})
            if found:
                return found
    return None
