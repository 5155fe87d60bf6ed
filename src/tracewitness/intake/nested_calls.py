"""Calls that stand in the arguments of a call: what was called there are actions of their own.

``multi_tool_use.parallel`` and the tools named ``batch`` carry a list of calls, agents that answer by a schema put all
that they do next into one call, and gateways of tools name the real tool in an argument. Such a call is unfolded into
its single calls, so that each of them is sorted by itself: an end among them is an end, and what it says is the report.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from tracewitness.intake.calls import UNREADABLE, Call, call_of
from tracewitness.intake.finishing import bare, own_name
from tracewitness.intake.own_words import explains
from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.intake.written_objects import written_object

_LISTS = frozenset(map(bare, ("tool_uses", "tool_calls", "function_calls", "invocations")))
"""Arguments that hold calls, whatever the tool is called."""
_ACTIONS = frozenset(map(bare, ("action", "actions", "calls")))
"""Arguments that hold calls where the tool is a wrapper, or where nothing else but explanations stands beside them."""
_WRAPPERS = frozenset(
    map(
        bare,
        ("parallel", "multi_tool_use", "batch", "batch_tool", "batch_tools", "agent_output", "parallel_tool_calls"),
    )
)
_GATEWAYS = frozenset(
    map(bare, ("use_mcp_tool", "call_tool", "call_mcp_tool", "use_tool", "invoke_tool", "run_tool", "execute_tool"))
)
NAMES = ("recipient_name", "tool_name", "toolName", "function_name", "name", "tool", "function")
GIVEN = ("parameters", "arguments", "args", "input", "tool_input", "tool_args", "kwargs", "params")
_SERVERS = frozenset(map(bare, ("server", "server_name", "server_id", "toolset")))
_NAME_SPACE = "functions."
_LONGEST_TEXT = 100_000
_DEEPEST = 4
"""Calls within calls within calls; nobody's agent goes deeper."""


def unfolded(calls: Iterable[Call], depth: int = 0) -> Iterator[Call]:
    """Yield calls, each that carries others as those others.

    All of them go on under the id of the one that carried them, as one result answers them all. One that only carries
    is left out. What is nested too deeply for anybody's agent is a call whose arguments cannot be read.

    Args:
        calls: The calls of a turn.
        depth: How deep they are nested already.
    """
    for call in calls:
        carried = _carried(call)
        if carried is None:
            yield call
        elif depth >= _DEEPEST:
            yield Call(call.name, {UNREADABLE: dict(call.arguments)}, call.id)
        else:
            yield from unfolded((replace(one, id=call.id) for one in carried), depth + 1)


def told_beside(call: Call) -> Iterator[tuple[str, Any]]:
    """Yield what stands beside the calls that a call carries: its thoughts, and the name of a server."""
    for key, value in call.arguments.items():
        if bare(key) not in (_LISTS | _ACTIONS | _SERVERS) and key not in (*NAMES, *GIVEN):
            yield key, value


def carried_under(call: Call) -> str | None:
    """Return the argument under which a call carries others; None where it carries none in a list."""
    wraps = own_name(call.name) in _WRAPPERS
    for key, value in call.arguments.items():
        name = bare(key)
        if name in _LISTS or (name in _ACTIONS and (wraps or _only_explains(call, key))):
            found = [_told(one, name) for one in _listed(value)]
            if found and None not in found:
                return key
    return None


def _listed(value: Any) -> list[Any]:
    """Return a list of calls, out of the text that it was put in; a single call is a list of one."""
    if isinstance(value, str) and value.lstrip().startswith("[") and len(value) <= _LONGEST_TEXT:
        return list_of(object_of(written_object(f'{{"listed": {value}}}')).get("listed"))
    return [value] if isinstance(value, dict) else list_of(value)


def _carried(call: Call) -> list[Call] | None:
    """Return the calls that a call carries; None where it carries none."""
    under = carried_under(call)
    if under is None:
        return _through_gateway(call) or _unread(call)
    return [one for value in _listed(call.arguments[under]) if (one := _told(value, bare(under))) is not None]


def _unread(call: Call) -> list[Call] | None:
    """Return a call that says that it carries others, and in which none can be read: nobody knows what they say."""
    if not any(bare(key) in _LISTS and value not in (None, "", [], {}) for key, value in call.arguments.items()):
        return None
    return [Call(call.name, {UNREADABLE: dict(call.arguments)}, call.id)]


def _told(value: Any, under: str) -> Call | None:
    return _named(value) or (_keyed(value) if under in _ACTIONS else None)


def _only_explains(call: Call, key: str) -> bool:
    """Tell whether nothing but explanations stands beside an argument, and at least one of them."""
    others = [other for other in call.arguments if other != key]
    return bool(others) and all(explains(other) or bare(other) == "currentstate" for other in others)


def _named(value: Any) -> Call | None:
    """Return the call that an object with a name and arguments is; None where it is none."""
    keys = object_of(value)
    held = object_of(keys.get("function")) or keys
    name = next((found for key in NAMES if (found := text_of(held.get(key)))), "")
    given = next((held[key] for key in GIVEN if isinstance(held.get(key), dict | str)), None)
    return call_of(name.removeprefix(_NAME_SPACE), given) if name and given is not None else None


def _keyed(value: Any) -> Call | None:
    """Return the call that an object is whose one key with a value is its name: ``{"click": {"index": 1}}``."""
    told = [(key, item) for key, item in object_of(value).items() if item is not None]
    return call_of(*told[0]) if len(told) == 1 else None


def _through_gateway(call: Call) -> list[Call] | None:
    """Return the call that a gateway of tools hands on: nothing but a server, a name and arguments stand in it."""
    if own_name(call.name) not in _GATEWAYS:
        return None
    inner = _named(dict(call.arguments))
    known = {*map(bare, (*NAMES, *GIVEN)), *_SERVERS}
    if inner is None or not all(bare(key) in known or explains(key) for key in call.arguments):
        return None
    return [inner]
