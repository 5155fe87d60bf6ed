"""The tools that a text of the agent calls: Python code of early versions, or blocks of function calls of later ones.

The code is taken apart, never run: comments, strings that are printed and every other word of it are narration.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from tracewitness.intake.calls import Call

_LONGEST = 50_000
_INVOKE, _END = '<invoke name="', "</invoke>"
_PARAMETER, _VALUE_END = '<parameter name="', "</parameter>"
_ARGUMENTS = (
    "tap_by_index index",
    "tap index",
    "click index",
    "long_press index",
    "tap_by_coordinates x y",
    "click_at x y",
    "long_press_at x y",
    "input_text text",
    "type text index",
    "type_text text index",
    "swipe start_x start_y end_x end_y",
    "drag start_x start_y end_x end_y",
    "press_key keycode",
    "press_button button",
    "system_button button",
    "start_app package activity",
    "open_app text",
    "back",
    "wait duration",
    "remember information",
    "complete success reason",
)
_TOOLS = {line.split()[0]: tuple(line.split()[1:]) for line in _ARGUMENTS}
"""The tools with the names of their arguments in order; other functions of the code act on no screen."""


def calls_in(code: str) -> list[Call]:
    """Return the calls of tools in a text, in order."""
    if _INVOKE in code:
        return list(_invoked(code[:_LONGEST]))
    try:
        tree = ast.parse(code) if len(code) <= _LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return list(_called(tree)) if tree is not None else []


def _called(tree: ast.AST) -> Iterator[Call]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node) in _TOOLS]
    for node in sorted(found, key=lambda one: (one.lineno, one.col_offset)):
        name = _name(node)
        arguments = {key: _literal(value) for key, value in zip(_TOOLS[name], node.args, strict=False)}
        arguments |= {word.arg: _literal(word.value) for word in node.keywords if word.arg}
        yield Call(name, {key: value for key, value in arguments.items() if value is not None})


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _literal(node: ast.expr) -> Any:
    """Return a number, a text or a truth value that is written out; None for whatever has to be worked out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool):
        return node.value
    return None


def _invoked(code: str) -> Iterator[Call]:
    for part in code.split(_INVOKE)[1:]:
        name, _, rest = part.partition('"')
        body = rest.partition(_END)[0]
        arguments = dict[str, Any]()
        for given in body.split(_PARAMETER)[1:]:
            key, _, behind = given.partition('"')
            arguments[key] = _value(behind.partition(">")[2].partition(_VALUE_END)[0])
        if name:
            yield Call(name, arguments)


def _value(written: str) -> Any:
    bare = written.strip()
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) < 10 else written


def written_code(code: str, calls: Sequence[Call], remark: str) -> str:
    """Return a text that makes these calls, in the notation of another one, with a remark and nothing else in it."""
    if _INVOKE in code:
        return "\n".join((remark, *map(_as_block, calls)))
    comment = " ".join(remark.split())
    lines = (f"{one.name}({', '.join(f'{key}={value!r}' for key, value in one.arguments.items())})" for one in calls)
    return "\n".join((f"# {comment}", *lines))


def _as_block(call: Call) -> str:
    given = (f'{_PARAMETER}{key}">{value}{_VALUE_END}' for key, value in call.arguments.items())
    return f'{_INVOKE}{call.name}">{"".join(given)}{_END}'
