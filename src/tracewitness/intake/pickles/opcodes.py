"""What each opcode does that is no plain literal."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from tracewitness.intake.errors import BadPickleError, IntakeError, UnsafePickleError
from tracewitness.intake.pickles.calls import called, filled
from tracewitness.intake.pickles.keys import as_set, checked_key, cost_of_members
from tracewitness.intake.pickles.values import Array, Blob, Stub
from tracewitness.intake.pickles.workspace import LEAVE_OUT, Workspace

_HIGHEST_PROTOCOL = 5


def _protocol(work: Workspace) -> None:
    version = work.source.number("<B")
    if version > _HIGHEST_PROTOCOL:
        raise BadPickleError(f"pickle protocol {version}, read are 0 to {_HIGHEST_PROTOCOL}", LEAVE_OUT)


def _frame(work: Workspace) -> None:
    work.source.number("<Q")  # a length that helps to read ahead; what is read does not rest on it


def _pop(work: Workspace) -> None:
    if work.stack:
        work.pop()
    else:
        work.marked()


def _pop_marked(work: Workspace) -> None:
    work.marked()


def _index_of_line(work: Workspace) -> int:
    written = work.source.line()
    if not written.isdigit() or len(written) > 10:
        raise BadPickleError("not a number", LEAVE_OUT)
    return int(written)


def _tuple_of(work: Workspace, count: int) -> None:
    items = [work.pop() for _ in range(count)]
    work.push_new(tuple(reversed(items)))


def _dict_of_marked(work: Workspace) -> None:
    items, made = work.marked(), dict[Any, Any]()
    work.push_new(made)
    _set_all(work, made, items)


def _append_all(work: Workspace, items: list[Any]) -> None:
    target = work.top()
    if isinstance(target, Stub):
        target.items = target.items or []
        target.items.extend(items)
    elif isinstance(target, list):
        cast(list[Any], target).extend(items)
    else:
        raise BadPickleError("appends to what is no list", LEAVE_OUT)


def _add_all(work: Workspace) -> None:
    items, target = work.marked(), work.top()
    if not isinstance(target, set):
        raise BadPickleError("adds to what is no set", LEAVE_OUT)
    members = cast(set[Any], target)
    for one in items:
        members.add(checked_key(one, len(members)))
    work.count(cost_of_members(members) if items else 0)


def _set_one(work: Workspace) -> None:
    value, key = work.pop(), work.pop()
    _set_on_top(work, [key, value])


def _set_on_top(work: Workspace, items: list[Any]) -> None:
    target = work.top()
    if isinstance(target, Stub):
        target.pairs = {} if target.pairs is None else target.pairs
        _set_all(work, target.pairs, items)
    elif isinstance(target, dict):
        _set_all(work, cast(dict[Any, Any], target), items)
    else:
        raise BadPickleError("sets a key in what is no dictionary", LEAVE_OUT)


def _set_all(work: Workspace, target: dict[Any, Any], items: list[Any]) -> None:
    if len(items) % 2:
        raise BadPickleError("a key without a value", LEAVE_OUT)
    for at in range(0, len(items), 2):
        key = checked_key(items[at], len(target))
        target[key] = items[at + 1]
        if not isinstance(key, str | bytes):
            work.count(len(target) >> 8)  # numbers may be chosen such that each is compared with all before


def _name_on_stack(work: Workspace) -> None:
    name, module = work.pop(), work.pop()
    work.name(module, name)


def _name_in_lines(work: Workspace) -> None:
    module, name = work.source.line(), work.source.line()
    work.name(module.decode("utf-8", "replace"), name.decode("utf-8", "replace"))


def _reduce(work: Workspace) -> None:
    arguments, of = work.pop(), work.pop()
    _call(work, of, arguments)


def _call(work: Workspace, of: Any, arguments: Any) -> None:
    given = cast(tuple[Any, ...], arguments) if isinstance(arguments, tuple) else ()
    work.count(sum(len(cast(list[Any], one)) for one in given if isinstance(one, list | tuple | set | frozenset)))
    _made(work, called(of, arguments))


def _object_with_names(work: Workspace) -> None:
    named, arguments, of = work.pop(), work.pop(), work.pop()
    if not isinstance(named, dict):
        raise BadPickleError("calls a class without a dictionary of arguments", LEAVE_OUT)
    _made(work, called(of, arguments, cast(dict[Any, Any], named) or None))


def _instance(work: Workspace) -> None:
    _name_in_lines(work)
    of = work.pop()
    _call(work, of, tuple(work.marked()))


def _object_of_marked(work: Workspace) -> None:
    items = work.marked()
    if not items:
        raise BadPickleError("makes an object of no class", LEAVE_OUT)
    _call(work, items[0], tuple(items[1:]))


def _made(work: Workspace, value: Any) -> None:
    if isinstance(value, set | frozenset):
        work.count(cost_of_members(cast(set[Any], value)))
    elif isinstance(value, bytes):
        work.source.keep(len(value))
    elif isinstance(value, Blob):
        work.source.keep(len(value.content or b""))
    elif isinstance(value, Array) and value.shape:
        work.fresh = value
    work.push_new(value)


def _build(work: Workspace) -> None:
    state, target = work.pop(), work.top()
    if isinstance(target, Array):
        work.fresh = filled(target, state)
    elif isinstance(target, Stub):
        _add_state(work, target, state)
    elif not isinstance(target, dict | list | set):
        raise BadPickleError("gives attributes to what is no object", LEAVE_OUT)


def _add_state(work: Workspace, target: Stub, state: Any) -> None:
    """Keep what an object's attributes would have been: as data, whatever they are called."""
    parts = cast(tuple[Any, ...], state) if isinstance(state, tuple) else (state,)
    given = [cast(dict[Any, Any], part) for part in parts if isinstance(part, dict) and part]
    if len(parts) > 2 or not all(part is None or isinstance(part, dict) for part in parts):
        target.rest = state
    elif not target.state and len(given) == 1:
        target.state = given[0]
    else:
        work.count(len(target.state) + sum(map(len, given)))
        target.state = {key: value for part in (target.state, *given) for key, value in part.items()}


def refusal(code: int) -> IntakeError:
    """Return the error for an opcode that is not carried out."""
    what = _REFUSED.get(code)
    if what is not None:
        return UnsafePickleError(f"the pickle refers to {what}, which no log does", LEAVE_OUT)
    return BadPickleError(f"0x{code:02x} is no instruction of a pickle", "the file is damaged or no pickle")


_REFUSED = {
    ord("P"): "an object kept elsewhere (persistent id)",
    ord("Q"): "an object kept elsewhere (persistent id)",
    0x82: "a register of extensions",
    0x83: "a register of extensions",
    0x84: "a register of extensions",
    0x97: "bytes kept elsewhere (out of band)",
    0x98: "bytes kept elsewhere (out of band)",
}

OPCODES: Mapping[int, Callable[[Workspace], None]] = {
    ord("("): Workspace.mark,
    ord("0"): _pop,
    ord("1"): _pop_marked,
    ord("2"): lambda work: work.stack.append(work.top()),
    0x80: _protocol,
    0x95: _frame,
    0x94: Workspace.remember,
    ord("p"): lambda work: work.remember(_index_of_line(work)),
    ord("q"): lambda work: work.remember(work.source.number("<B")),
    ord("r"): lambda work: work.remember(work.source.number("<I")),
    ord("g"): lambda work: work.recall(_index_of_line(work)),
    ord("h"): lambda work: work.recall(work.source.number("<B")),
    ord("j"): lambda work: work.recall(work.source.number("<I")),
    ord(")"): lambda work: work.push_new(()),
    0x85: lambda work: _tuple_of(work, 1),
    0x86: lambda work: _tuple_of(work, 2),
    0x87: lambda work: _tuple_of(work, 3),
    ord("t"): lambda work: work.push_new(tuple(work.marked())),
    ord("]"): lambda work: work.push_new([]),
    ord("l"): lambda work: work.push_new(work.marked()),
    ord("a"): lambda work: _append_all(work, [work.pop()]),
    ord("e"): lambda work: _append_all(work, work.marked()),
    ord("}"): lambda work: work.push_new({}),
    ord("d"): _dict_of_marked,
    ord("s"): _set_one,
    ord("u"): lambda work: _set_on_top(work, work.marked()),
    0x8F: lambda work: work.push_new(set()),
    0x90: _add_all,
    0x91: lambda work: _made(work, frozenset(as_set(work.marked()))),
    ord("c"): _name_in_lines,
    0x93: _name_on_stack,
    ord("R"): _reduce,
    0x81: _reduce,
    0x92: _object_with_names,
    ord("i"): _instance,
    ord("o"): _object_of_marked,
    ord("b"): _build,
}
"""By opcode."""
