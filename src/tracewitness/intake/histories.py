"""Records of a conversation inside a value: what frameworks hand to tools, or take from them, beside their own words.

LangGraph puts its state, with all messages so far, among the arguments of a tool and lets a tool answer with a command
that changes it. Whatever such a record says was said by the agent or to it, so it is neither an action nor evidence.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, cast

from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.intake.written_objects import written_object

_AGENTS = frozenset({"assistant", "ai", "model"})
_ROLES = frozenset({*_AGENTS, "system", "developer", "user", "human", "tool", "function"})
_CLASSES = ("AIMessage", "HumanMessage", "SystemMessage", "ToolMessage", "FunctionMessage", "ChatMessage")
_STATES = frozenset({"state", "runtime", "tool_runtime", "config", "update", "callbacks", "run_manager", "store"})
_STATE_KEYS = frozenset(
    {"messages", "configurable", "langgraph_node", "stream_writer", "tool_call_id", "recursion_limit"}
)
_PRINTED = re.compile(r"\b(?:AI|Human|System)Message(?:Chunk)?\(content=('(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\")")
_HINTS = ('"content"', "'content'", '"parts"', "'parts'")
_DEEPEST = 60
_LONGEST = 4_000_000
"""Texts that are longer are no record of anybody's messages, but a dump of an environment."""


def is_message(value: Any) -> bool:
    """Tell whether a value is a message as models and frameworks record one."""
    keys = object_of(value)
    if "content" not in keys and "parts" not in keys:
        path = list_of(keys.get("id"))
        return "lc" in keys and bool(path) and text_of(path[-1]).startswith(_CLASSES)
    if text_of(keys.get("role")) in _ROLES:
        return True
    kind = text_of(keys.get("type"))
    return kind in ("ai", "human") or kind.startswith(_CLASSES) or "additional_kwargs" in keys


def _is_agents(value: Any) -> bool:
    """Tell whether a value is a message of an agent; those of others are only records beside one of an agent."""
    if not is_message(value):
        return False
    keys = object_of(value)
    path = list_of(keys.get("id"))
    kind = text_of(path[-1]) if "lc" in keys and path else text_of(keys.get("type"))
    return text_of(keys.get("role")) in _AGENTS or kind == "ai" or kind.startswith("AIMessage")


def is_state(key: str, value: Any) -> bool:
    """Tell whether an argument is the state of a framework: by its name, and by messages or settings in it."""
    keys = object_of(value)
    if key not in _STATES or not keys:
        return False
    return not _STATE_KEYS.isdisjoint(keys) or any(is_state(inner, item) for inner, item in keys.items())


def recorded(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield place and value of every record of a conversation below a value."""
    is_record = _records_of(value)
    for key, item in _items(value):
        if isinstance(key, str) and is_state(key, item):
            yield key, item
        elif is_record(item) or (depth >= _DEEPEST and isinstance(item, dict | list)):
            yield str(key), item
        else:
            yield from ((f"{key}.{place}", lost) for place, lost in recorded(item, depth + 1))


def without_records(value: Any, depth: int = 0) -> Any:
    """Return a value without the records of a conversation in it."""
    if not isinstance(value, dict | list):
        return cast(object, value)
    is_record = _records_of(value)
    kept = [
        (key, without_records(item, depth + 1))
        for key, item in _items(value)
        if not (isinstance(key, str) and is_state(key, item))
        and not is_record(item)
        and not (depth >= _DEEPEST and isinstance(item, dict | list))
    ]
    return dict(kept) if isinstance(value, dict) else [item for _, item in kept]


def _records_of(value: Any) -> Callable[[Any], bool]:
    """Return what tells the records in a value: beside a message of an agent in a list all messages are records."""
    return is_message if isinstance(value, list) and any(map(_is_agents, list_of(value))) else _is_agents


def _items(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from cast(dict[str, Any], value).items()
    elif isinstance(value, list):
        yield from enumerate(cast(list[Any], value))


def answer_in(text: str) -> str:
    """Return what a tool answered, without the records of a conversation around it.

    A command that changes the state of a graph holds the tool's own message among others: that one is the answer. Any
    other text keeps its form, but for the records that it loses.
    """
    if "Message" in text and "content=" in text:
        text = _PRINTED.sub("", text)
    if len(text) > _LONGEST or not text.lstrip().startswith(("{", "[")) or not any(one in text for one in _HINTS):
        return text
    held = written_object(text if text.lstrip().startswith("{") else f'{{"listed": {text.strip()}}}')
    if held is None:
        return text
    value = held if text.lstrip().startswith("{") else held.get("listed")
    command = _of_command(value)
    if command is not None:
        return command
    if is_message(value):
        keys = object_of(value)
        return text_of(keys.get("content")) if "tool_call_id" in keys else ""
    return json.dumps(without_records(value), ensure_ascii=False) if any(recorded({"": value})) else text


def _of_command(value: Any) -> str | None:
    """Return the words of the tool's messages in a command; None where a value is no command."""
    update = object_of(object_of(value).get("update"))
    messages = list_of(update.get("messages"))
    if not messages:
        return None
    held = [object_of(one.get("kwargs")) if "lc" in one else one for one in map(object_of, messages)]
    told = [one for one in held if "tool_call_id" in one]
    return "\n".join(text_of(one.get("content")) for one in told)
