"""Calls of tools as models and tracers write them down, and values that stand in a text."""

import json
from typing import Any, cast

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of
from tracewitness.intake.written_objects import written_object

_CALLS = frozenset(
    {
        "tool_call",
        "tool_use",
        "tool-call",
        "function_call",
        "functionCall",
        "computer_call",
        "custom_tool_call",
        "function",
    }
)


_OPENINGS = ('{"', '[{"', '["', "{'", "[{'", "['")


def call_in(item: dict[str, Any]) -> Call | None:
    """Return the call that an object is, in any notation; None where it is none."""
    for wrapper in ("tool_call", "function_call", "functionCall"):
        inner = item.get(wrapper)
        if isinstance(inner, dict):
            return call_in({"type": "tool_call", **cast(dict[str, Any], inner)})
    kind = text_of(item.get("type"))
    function = object_of(item.get("function"))
    if not function and kind not in _CALLS and not _looks_like_call(item):
        return None
    if "description" in function or ("parameters" in function and "arguments" not in function):
        return None  # the definition of a tool
    named = [function.get("name"), *(item.get(key) for key in ("name", "toolName", "tool_name"))]
    name = next((one for one in named if isinstance(one, str) and one), "computer" if kind == "computer_call" else "")
    given = [function.get("arguments"), *(item.get(key) for key in ("arguments", "args", "input", "action"))]
    arguments = next((one for one in given if one is not None), None)
    ids = [item.get(key) for key in ("call_id", "tool_call_id", "toolCallId", "id")]
    call_id = next((one for one in ids if isinstance(one, str) and one), None)
    return call_of(name, arguments_of(arguments), call_id) if name else None


def _looks_like_call(item: dict[str, Any]) -> bool:
    given = "args" in item or "arguments" in item
    return isinstance(item.get("name"), str) and given and "role" not in item


def arguments_of(value: Any) -> Any:
    """Return the arguments of a call: objects as they are, texts that are JSON or Python literals of one as objects.

    The wrappers ``{"input": ...}``, ``{"args": [...], "kwargs": {...}}`` of tracing decorators are taken off.
    """
    if isinstance(value, str):
        value = parsed(value)
    keys = object_of(value)
    if set(keys) == {"input"} and isinstance(keys["input"], str | dict):
        inner = arguments_of(keys["input"])
        return object_of(inner) or keys
    if keys and set(keys) <= {"args", "kwargs"} and isinstance(keys.get("kwargs"), dict):
        named = object_of(keys["kwargs"])
        return {**named, "args": keys["args"]} if keys.get("args") else named
    return value


def parsed(text: str) -> Any:
    """Return the object or list that a text writes down, as JSON or as Python prints it; else the text itself."""
    bare = text.strip()
    if bare.startswith("{"):
        found = written_object(bare)
        return text if found is None else found
    if bare.startswith("["):
        held = written_object(f'{{"listed": {bare}}}')
        return text if held is None else list_of(held.get("listed"))
    return text


def is_cut_off(value: Any) -> bool:
    """Tell whether a value is a text of JSON without its end, as tracers leave it that bound the length of values."""
    if not isinstance(value, str):
        return False
    bare = value.strip()
    return bare.startswith(_OPENINGS) and not bare.endswith(("}", "]")) and isinstance(parsed(bare), str)


def listed_calls(keys: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the calls that stand beside the content of a message, as they are written."""
    for name in ("tool_calls", "toolCalls"):
        listed = objects_of(keys.get(name))
        if listed:
            return listed
    single = keys.get("function_call")
    return [cast(dict[str, Any], single)] if isinstance(single, dict) else []


def opened(value: Any) -> Any:
    """Return a value out of the texts of JSON that it was put in, once or several times; empty ones are none."""
    found = said(value)
    return None if found == "" else found


def said(value: Any) -> Any:
    """Return a value out of the texts of JSON that it was put in; an empty text is what an agent said as well."""
    for _ in range(3):
        if not isinstance(value, str):
            break
        inner = _unquoted(value) if value.startswith('"') else parsed(value)
        if inner is value or inner == value:
            break
        value = inner
    return value


def _unquoted(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
