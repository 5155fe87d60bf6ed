"""What an agent of UFO did in a step: functions on controls, with what they returned."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.formats.ufo.keys import first_object, objects
from tracewitness.intake.formats.ufo.log import Record
from tracewitness.intake.own_words import is_narrating
from tracewitness.intake.untyped import list_of, object_of, text_of

_FAILED = frozenset({"failure", "failed", "error"})
_RENAMED = {"keyboard_input": {"keys": "text"}}
_NAMES = {"select_application_window": "switch_app", "set_focus": "switch_app", "launch_application": "open_app"}


@dataclass(frozen=True, slots=True)
class Deed:
    """A function that was carried out.

    Attributes:
        call: The call.
        target: The control, or the window.
        result: What it returned.
        error: What the environment called an error.
    """

    call: Call
    target: str | None = None
    result: str = ""
    error: str | None = None


def deeds_of(record: Record) -> list[Deed]:
    """Return what was done in a step; nothing where the agent only spoke."""
    fields = record.fields
    listed = [one for one in objects(fields.get("action")) if text_of(one.get("function")).strip()]
    if listed:
        return [_deed(one, (one.get("result"), one.get("results")), fields) for one in listed]
    # Beside a function of the line itself, "result" is the model's and "results" what was returned.
    return [_deed(fields, (fields.get("results"),), {})] if text_of(fields.get("function")).strip() else []


def _deed(action: Mapping[str, Any], results: tuple[Any, ...], line: Mapping[str, Any]) -> Deed:
    function = text_of(action.get("function")).strip()
    renamed = _RENAMED.get(function, {})
    arguments = {renamed.get(key, key): value for key, value in object_of(action.get("arguments")).items()}
    if listed := list_of(action.get("arguments")):
        arguments["input"] = listed
    result = first_object(*results)
    plain = next((text for one in results if (text := text_of(one).strip())), "")
    answer = "" if is_narrating(function) else plain or _returned(result)
    problem = text_of(result.get("error")).strip()
    failed = bool(problem) or text_of(result.get("status")).casefold() in _FAILED
    error = (problem or "the log says that it failed") if failed else None
    return Deed(Call(_NAMES.get(function, function), arguments), _target(action, arguments, line), answer, error)


def _returned(result: Mapping[str, Any]) -> str:
    value = result.get("result", result.get("returnvalue"))
    return value.strip() if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _target(action: Mapping[str, Any], arguments: Mapping[str, Any], line: Mapping[str, Any]) -> str | None:
    """Return the name of the control, as the tool found it; else as the agent called it."""
    target, log = first_object(action.get("target")), first_object(action.get("controllog"))
    names = (target.get("name"), log.get("controltext"), action.get("controltext"), arguments.get("name"))
    beside = line.get("controltext") if not target else None
    return next((text for one in (*names, beside) if (text := text_of(one).strip())), None)
