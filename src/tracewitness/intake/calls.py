"""A call of a tool as an action: what was acted on, what was typed, and no word in which the agent explains itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard, cast

from tracewitness.intake.action_kinds import is_known, kind_of
from tracewitness.intake.code.arguments import bare_arguments, runs_code
from tracewitness.intake.finishing import FINISH_KINDS, bare
from tracewitness.intake.histories import is_state, recorded, without_records
from tracewitness.intake.model_made import is_told_model
from tracewitness.intake.own_words import Hidden, explained, explains, is_entry, size_of, without_explanations
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.roles import ANSWERS, FLAGS, SAYING, Role, role_of
from tracewitness.intake.spoken_names import words_of
from tracewitness.intake.written_objects import written_object
from tracewitness.report_side.report import DeclaredStatus
from tracewitness.trace_side.trace import Action

_JSON = json.JSONEncoder(ensure_ascii=False)
_DEVICES = frozenset({"computer", "computer_use", "computer_call", "mobile_use", "mobile", "browser", "browser_action"})
_INNER = ("action", "action_type", "type", "command")
_TYPED: Mapping[str, tuple[str, ...]] = {
    "type": ("text", "value", "content", "input_text"),
    "press_key": ("keys", "key", "text", "button", "keycode"),
    "select": ("option", "options", "value", "text"),
    "search": ("query", "text"),
}
_TARGETS = ("element", "target", "selector", "url", "app_name", "app", "path", "file_path", "ref", "bid", "index")
_POINTS = ("coordinate", "coordinates", "point", "position", "start_box", "start_coordinate")
_PURPOSES = frozenset(
    {"purpose", "objective", "motivation", "expectation", "expectedoutcome", "expectedresult", "because"}
    | set("zweck objetivo propósito finalidad objectif scopo cel цель 目的".split())
)
_LOOKING = frozenset(
    "get list find search read look lookup fetch show check calculate query view describe browse "
    "suchen lesen holen buscar consultar leer ver chercher rechercher lire voir cercare leggere "
    "искать 查询 搜索".split()
)
_NESTED = (dict, list)
_NUMBER = (int, float)
_DESCRIBING = frozenset({"description", "comment", "comments", "message", "stepdescription", "actiondescription"})
_FAR = 1e9
"""No screen has a point as far out; JSON holds integers that no float can."""
_YES = frozenset({"true", "success", "complete", "completed", "done", "succeeded", "yes"})
_NO = frozenset(
    {"false", "failure", "failed", "infeasible", "fail", "incomplete", "no", "error", "partial", "impossible"}
)
_ACTING = frozenset({Role.ACTS, Role.MAY_END})
_ROUTES = {
    Role.ENDS: LeakRoute.FINISH_ARGUMENTS,
    Role.UNDECIDED: LeakRoute.FINISH_ARGUMENTS,
    Role.NOTES: LeakRoute.CARRIED_MEMORY,
}
_GIVEN = frozenset(
    map(bare, ("params", "parameters", "arguments", "args", "kwargs", "input", "tool_input", "action_input"))
)
"""Arguments that hold arguments, so that a text in them may be an object of those."""
_DEEPEST_TEXT = 8
_LONGEST_TEXT = 100_000
"""Longest text of an argument in which an object is looked for."""

UNREADABLE = "arguments that are no JSON"
"""The key of arguments that began as an object and cannot be read."""

_FAILING = frozenset(map(bare, ("fail", "give_up", "infeasible", "report_infeasible", "report_failure")))


@dataclass(frozen=True, slots=True)
class Call:
    """A call as a log holds it.

    Attributes:
        name: The tool.
        arguments: Its arguments; what is no JSON object stands under the key ``input``.
        id: The id by which its result refers to it.
    """

    name: str
    arguments: Mapping[str, Any]
    id: str | None = None


def call_of(name: str, arguments: Any, call_id: str | None = None) -> Call:
    """Return a call; arguments may be an object, JSON text of one, or any other value.

    A device tool (``computer``, ``mobile_use``) names the action in an argument; that action is the call then.
    """
    given = _object(arguments)
    if name.casefold() in _DEVICES:
        for key in _INNER:
            inner, rest = given.get(key), {other: value for other, value in given.items() if other != key}
            if isinstance(inner, str) and inner:
                return Call(inner, rest, call_id)
            if isinstance(inner, dict) and isinstance(cast(dict[str, Any], inner).get("type"), str):
                told = cast(dict[str, Any], inner)
                return Call(
                    told["type"], {**rest, **{at: value for at, value in told.items() if at != "type"}}, call_id
                )
    return Call(name, given, call_id)


def _object(arguments: Any) -> dict[str, Any]:
    if isinstance(arguments, str):
        try:
            parsed: Any = json.loads(arguments)
        except (ValueError, RecursionError):
            return _unparsed(arguments)
        # JSON that was put into a text twice; a plain text that was given as JSON stays one.
        arguments = written_object(parsed) or parsed if isinstance(parsed, str) else parsed
    if isinstance(arguments, dict):
        return cast(dict[str, Any], arguments)
    return {} if arguments is None else {"input": arguments}


def _unparsed(text: str) -> dict[str, Any]:
    """Return arguments that are no JSON: a dict of Python, a plain text, or an object that cannot be read any more.

    In the last there is no telling which of its words explain, so none of them is kept.
    """
    bare_text = text.strip()
    if not bare_text:
        return {}
    found = written_object(bare_text)
    if found is not None:
        return found
    return {UNREADABLE: text} if bare_text.startswith("{") else {"input": text}


def action_of(
    call: Call, target: str | None = None, *, executed: bool = True, kinds: frozenset[str] = FINISH_KINDS
) -> tuple[Action, tuple[Hidden, ...]]:
    """Return the action of a call, and what of its arguments is the agent's own words.

    Args:
        call: The call.
        target: The widget acted on, where the caller could tell it.
        executed: Whether it was carried out.
        kinds: The kinds by which agents end a run; such a call keeps no arguments, wherever it stands.
    """
    kept, lost = own_arguments(call, kinds)
    role = role_of(call.name, call.arguments, kinds)
    plane = Plane.REPORT if role is Role.ENDS else Plane.NARRATION
    route = _ROUTES.get(role, LeakRoute.THOUGHTS)
    hidden = tuple(Hidden(key, plane, route, size_of(value)) for key, value in lost)
    if role not in _ACTING:
        return Action(call.name, executed=executed), hidden
    kind = kind_of(call.name)
    return Action(kind, target or _target(kept), _typed(kind, kept), written(call.name, kept), executed), hidden


def own_arguments(call: Call, kinds: frozenset[str] = FINISH_KINDS) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """Return the arguments of a call that act, and place and value of those in which the agent speaks."""
    role = role_of(call.name, call.arguments, kinds)
    if role not in _ACTING:
        return {}, list(call.arguments.items())
    kept: dict[str, Any] = {}
    lost: list[tuple[str, Any]] = []
    below: list[tuple[str, Any]] = []
    speaking = SAYING if role is Role.MAY_END else frozenset[str]()
    for key, value in call.arguments.items():
        if key == UNREADABLE or key in speaking or _explains(call.name, key) or is_state(key, value):
            lost.append((key, value))
            continue
        opened = _opened(value) if bare(key) in _GIVEN else value
        if isinstance(opened, _NESTED):
            bare_value = without_records(without_explanations(opened))
            below += [(f"{key}.{place}", held) for place, held in (*explained(opened), *recorded(opened))]
            kept[key] = bare_value if isinstance(value, _NESTED) or bare_value != opened else value
        else:
            kept[key] = value
    executed, said = bare_arguments(call.name, kept)
    return executed, [*lost, *below, *((place, "\n".join(words)) for place, words in said)]


def _explains(name: str, key: str) -> bool:
    """Tell whether an argument explains; what an entry of a calendar or of a tracker is called does not.

    A tap has no description or message but the agent's own, and neither has a command that is run.
    What a look-up is for is said to nobody but the agent; what a payment is for is not.
    """
    on_screen = is_known(name) or runs_code(name)
    if on_screen and (bare(key) in _DESCRIBING or bare(key) in _PURPOSES):
        return True
    if is_told_model(name, key):
        return True
    if bare(key) in _PURPOSES and not _LOOKING.isdisjoint(words_of(name)):
        return True
    return explains(key) and not (key == "summary" and is_entry(name))


def _opened(value: Any, depth: int = 0) -> Any:
    """Return a value out of the text of an object that it was put in, once or several times."""
    if depth > _DEEPEST_TEXT:
        return value
    if isinstance(value, str) and value.lstrip().startswith("{") and len(value) <= _LONGEST_TEXT:
        found = written_object(value)
        return value if found is None else _opened(found, depth + 1)
    if isinstance(value, dict):
        held = cast(dict[str, Any], value)
        return {key: _opened(item, depth + 1) if bare(key) in _GIVEN else item for key, item in held.items()}
    return value


def written(name: str, arguments: Mapping[str, Any]) -> str:
    """Return an action as it is logged, on one line."""
    return _dumped({name: arguments})


def _typed(kind: str, arguments: Mapping[str, Any]) -> str | None:
    for key in _TYPED.get(kind, ()):
        value = arguments.get(key)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
            return str(value)
        if isinstance(value, list) and value:
            return "+".join(str(part) for part in cast(list[Any], value))
    return None


def _target(arguments: Mapping[str, Any]) -> str | None:
    for key in _TARGETS:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip():
            return value
    found = point_of(arguments)
    return f"({found[0]:g}, {found[1]:g})" if found else None


def point_of(arguments: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the point that arguments name, in whatever units the log uses; None where they name none."""
    for key in _POINTS:
        pair = arguments.get(key)
        if isinstance(pair, list):
            listed = cast(list[Any], pair)
            if len(listed) >= 2 and _is_coordinate(listed[0]) and _is_coordinate(listed[1]):
                return float(listed[0]), float(listed[1])
    x, y = arguments.get("x"), arguments.get("y")
    return (float(x), float(y)) if _is_coordinate(x) and _is_coordinate(y) else None


def _is_coordinate(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, _NUMBER) and not isinstance(value, bool) and abs(value) < _FAR


def final_words(call: Call) -> str | None:
    """Return what a call that ends the run says; None where it says nothing."""
    texts = [text for key in ANSWERS if isinstance(text := call.arguments.get(key), str) and text.strip()]
    if texts:
        return "\n\n".join(dict.fromkeys(texts))
    other = {
        key: value
        for key, value in call.arguments.items()
        if key not in FLAGS and not explains(key) and value not in (None, "", [], {})
    }
    for key in ("input", UNREADABLE):
        if set(other) == {key} and isinstance(other[key], str):
            return other[key]
    return _dumped(other) if other else None


def declared_status(arguments: Mapping[str, Any]) -> DeclaredStatus | None:
    """Return the agent's own flag in the arguments of a call that ends the run."""
    for key in FLAGS:
        value = arguments.get(key)
        word = str(value).strip().casefold() if isinstance(value, str | bool) else ""
        if word in _YES:
            return DeclaredStatus.SUCCESS
        if word in _NO:
            return DeclaredStatus.FAILURE
    return None


def declared_by(call: Call) -> DeclaredStatus | None:
    """Return the agent's own flag in a call that ends the run: in its arguments, or a failure by its very name."""
    by_name = DeclaredStatus.FAILURE if bare(call.name) in _FAILING else None
    return declared_status(call.arguments) or by_name


def _dumped(value: Any) -> str:
    try:
        return _JSON.encode(value)
    except RecursionError:
        return _JSON.encode(without_explanations(value))
