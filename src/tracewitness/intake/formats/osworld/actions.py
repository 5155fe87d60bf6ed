"""What the field ``action`` says, in all the forms that the agents of this family write it.

It is a pyautogui snippet, one of the words DONE, FAIL and WAIT, a text action, a call of a tool server (``MCP:...``),
or an object: of the action space computer_13, of OpenAI's or Anthropic's computer use, or a tool call. Objects carry
words of the agent beside the call (``raw_response``), and snippets carry them as comments and docstrings.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.formats.osworld.ending_calls import ending_call
from tracewitness.intake.grammars import pyautogui, ui_tars
from tracewitness.intake.grammars.gestures import Deed
from tracewitness.intake.written_objects import written_object

ENDING = re.compile(r"\A\s*(DONE|FAIL|INFEASIBLE|CALL_USER|TERMINATE)\b(?!\(|\s*[.=\[])")
_ENDINGS = {"DONE": "done", "FAIL": "fail", "INFEASIBLE": "infeasible", "CALL_USER": "terminate"}
_WAIT = re.compile(r"\A\s*WAIT\b(?!\(|\s*[.=\[])")
_FENCE = re.compile(r"\A\s*```[a-z]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_ASIDE = frozenset(
    "raw_response response message pending_checks pending_safety_checks acknowledged_safety_checks call_id id "
    "action_space command status caller finish_reason text_response".split()
)
SPOKEN = ("raw_response", "response", "message")
_ARGUMENTS = ("input", "arguments", "parameters", "args", "action_inputs", "params")
_NAMES = ("action_type", "type", "function", "name", "tool", "tool_name")
_DEEPEST = 4


@dataclass(slots=True)
class Acted:
    """An action as its calls.

    Attributes:
        deeds: The calls in order, each with its code where it was code.
        words: What the agent says in the action, by place.
        unreadable: Whether words could not be told from code in it, so that nothing of it is kept.
    """

    deeds: list[Deed] = field(default_factory=list[Deed])
    words: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    unreadable: bool = False


def acted(action: Any) -> Acted:
    """Return the calls of an action; one that does nothing is a pause."""
    told = Acted()
    _add(told, action, "", 0)
    if not told.deeds:
        told.deeds.append(Deed(Call("wait", {}), ""))
    return told


def _add(told: Acted, action: Any, place: str, depth: int) -> None:
    if depth > _DEEPEST:
        told.unreadable = True
    elif isinstance(action, list):
        for at, one in enumerate(cast(list[Any], action)):
            _add(told, one, f"{place}[{at}]", depth + 1)
    elif isinstance(action, dict):
        _add_object(told, cast(dict[str, Any], action), place, depth)
    elif isinstance(action, str):
        _add_text(told, action, place, depth)
    elif action is not None:
        told.unreadable = True


def _add_text(told: Acted, text: str, place: str, depth: int) -> None:
    ending = ENDING.match(text)
    if ending is not None:
        told.deeds.append(Deed(Call(_ENDINGS.get(ending.group(1), "terminate"), {}), ""))
        _say(told, place, text[ending.end() :])
    elif _WAIT.match(text):
        told.deeds.append(Deed(Call("wait", {}), ""))
    elif text.startswith("MCP:"):
        name, _, arguments = text.removeprefix("MCP:").partition(":")
        told.deeds.append(Deed(call_of(name, arguments), ""))
    elif (found := written_object(text)) is not None:
        _add_object(told, found, place, depth + 1)
    else:
        _add_code(told, text, place)


def _add_code(told: Acted, text: str, place: str) -> None:
    fenced = _FENCE.match(text)
    code = fenced.group(1) if fenced else text
    parsed = ui_tars.parse(code) if "_box=" in code or "point=" in code or code.startswith("Action:") else None
    if parsed is not None:
        told.deeds += [Deed(one, "") for one in parsed.calls]
        _say(told, place, parsed.words)
        return
    if (ending := ending_call(code)) is not None:
        ahead, call = ending
        if ahead.strip():
            _add_code(told, ahead, place)
        told.deeds.append(Deed(call, ""))
        return
    snippet = pyautogui.snippet(code)
    if snippet is None:
        told.unreadable = True
        told.deeds.append(Deed(Call(pyautogui.CODE, {}), ""))
        _say(told, place, text)
        return
    told.deeds += snippet.deeds
    _say(told, place, snippet.words)


def _add_object(told: Acted, action: Mapping[str, Any], place: str, depth: int) -> None:
    for key in SPOKEN:
        if key in action:
            _say(told, f"{place}.{key}", action[key])
    inner = action.get("action")
    if isinstance(inner, dict | list) or (isinstance(inner, str) and ("action_space" in action or "call_id" in action)):
        _add(told, inner, f"{place}.action", depth + 1)
        return
    call = _call(action)
    if call is None:
        told.unreadable = True
        told.deeds.append(Deed(Call("action", {}), ""))
    elif (ending := ENDING.match(call.name.upper())) is not None:
        told.deeds.append(Deed(Call(_ENDINGS.get(ending.group(1), "terminate"), call.arguments), ""))
    else:
        told.deeds.append(Deed(call, ""))


def _call(action: Mapping[str, Any]) -> Call | None:
    """Return the call of an object: a tool call, an action with parameters, or one whose arguments stand beside it."""
    if isinstance(action.get("function"), dict):
        return _call(cast(dict[str, Any], action["function"]))
    if isinstance(action.get("action"), str):
        return call_of("computer", _without(action, ()))
    given = next((key for key in _ARGUMENTS if isinstance(action.get(key), dict | str)), None)
    names = ("name", *_NAMES) if given in ("input", "arguments") else _NAMES
    named = next((key for key in names if isinstance(action.get(key), str) and action[key]), None)
    if named is None:
        return None
    arguments = action[given] if given is not None else _without(action, (named,))
    name = str(action[named])
    return call_of(name.casefold() if name.isupper() else name, arguments)


def _without(action: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in action.items() if key not in _ASIDE and key not in keys}


def _say(told: Acted, place: str, words: Any) -> None:
    text = words if isinstance(words, str) else "" if words is None else json.dumps(words, ensure_ascii=False)
    if text.strip():
        told.words.append((place, text.strip()))


def drag_target(call: Call) -> str | None:
    """Return ``from (1, 2) to (3, 4)`` for a call that drags, however it names the points."""
    arguments = call.arguments
    path = arguments.get("path")
    points: list[Any] = [arguments.get(key) for key in ("start", "start_coordinate", "start_box")]
    points += [arguments.get(key) for key in ("coordinate", "end_box")] + [[arguments.get("x"), arguments.get("y")]]
    if isinstance(path, list) and path:
        points = [cast(list[Any], path)[0], cast(list[Any], path)[-1]]
    told = list(_told(points))
    return f"from {told[0]} to {told[-1]}" if len(told) > 1 else None


def _told(points: list[Any]) -> Iterator[str]:
    for point in points:
        if isinstance(point, dict):
            keys = cast(dict[str, Any], point)
            point = [keys.get("x"), keys.get("y")]
        pair = cast(list[Any], point) if isinstance(point, list) else []
        if len(pair) == 2 and all(isinstance(one, int | float) and abs(one) < 1e7 for one in pair):
            yield f"({pair[0]:g}, {pair[1]:g})"
