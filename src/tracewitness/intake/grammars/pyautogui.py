"""pyautogui code as calls, without running it.

A snippet often holds several calls, and one call of a person takes several of pyautogui (move there, then click; hold
ctrl, press s, let go). :mod:`tracewitness.intake.grammars.gestures` puts those together; what is no plain call of a
known name stays code.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.code.python_code import bare_code, written_code
from tracewitness.intake.code.python_names import dotted_name
from tracewitness.intake.grammars.gestures import Deed, gestures
from tracewitness.intake.grammars.parsed import Parsed

CODE = "code"
"""The name of a call that is code: it may do anything."""

_MODULES = frozenset({"pyautogui", "pg", "gui", "pyperclip", "time", "computer", "keyboard", "mouse"})
_SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "click": ("x", "y", "clicks", "interval", "button"),
    "leftclick": ("x", "y"),
    "rightclick": ("x", "y"),
    "middleclick": ("x", "y"),
    "doubleclick": ("x", "y"),
    "tripleclick": ("x", "y"),
    "moveto": ("x", "y"),
    "move": ("dx", "dy"),
    "moverel": ("dx", "dy"),
    "dragto": ("x", "y", "duration"),
    "drag": ("dx", "dy"),
    "dragrel": ("dx", "dy"),
    "mousedown": ("x", "y", "button"),
    "mouseup": ("x", "y", "button"),
    "scroll": ("amount", "x", "y"),
    "vscroll": ("amount", "x", "y"),
    "hscroll": ("amount", "x", "y"),
    "write": ("text",),
    "typewrite": ("text",),
    "press": ("keys", "presses"),
    "keydown": ("keys",),
    "keyup": ("keys",),
    "sleep": ("seconds",),
    "copy": ("text",),
    "paste": (),
    "screenshot": (),
    "wait": (),
    "singleclick": (),
    "moveid": ("mark",),
    "moveabs": ("x", "y"),
    "openprogram": ("app",),
    "switchtoapplication": ("app",),
    "copytext": ("text",),
}
_ALIASES = {
    "message": "text",
    "key": "keys",
    "id": "mark",
    "program_name": "app",
    "application_name": "app",
    "tween": "",
    "logscreenshot": "",
    "_pause": "",
}
_HARMLESS = frozenset({"position", "size", "onscreen"})

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Snippet:
    """Code as what it does.

    Attributes:
        deeds: The calls in order, each with its code; one named ``code`` for what is no call of a known name.
        words: Comments, docstrings and strings that stood in it.
    """

    deeds: tuple[Deed, ...]
    words: str


def parse(text: str) -> Parsed | None:
    """Return the calls of a snippet; None where it is no Python."""
    found = snippet(text)
    return None if found is None else Parsed(tuple(one.call for one in found.deeds), found.words)


def snippet(code: str) -> Snippet | None:
    """Return what code does; None where it is no Python, so that words cannot be told from it."""
    bare = bare_code(code)
    if bare is None:
        return None
    try:
        return Snippet(tuple(gestures(_deeds(bare.statements))), bare.words)
    except RecursionError:
        return None


def _deeds(statements: tuple[ast.stmt, ...]) -> Iterator[Deed]:
    known: Values = {}
    rest: list[ast.stmt] = []
    for one in statements:
        found = _read(one, known)
        if found is None:
            rest.append(one)
            continue
        if rest and found:
            yield _code(rest)
            rest = []
        yield from found
    if rest:
        yield _code(rest)


def _code(statements: list[ast.stmt]) -> Deed:
    code = written_code(*statements)
    return Deed(Call(CODE, {CODE: code}), code)


def _read(one: ast.stmt, known: Values) -> list[Deed] | None:
    """Return the deeds of a statement: none for one that does nothing by itself; None for any other code."""
    if isinstance(one, ast.Import | ast.ImportFrom | ast.Pass):
        return []
    if isinstance(one, ast.Assign):
        return _assigned(one, known)
    if not isinstance(one, ast.Expr) or not isinstance(one.value, ast.Call):
        return None
    call = one.value
    module, _, name = dotted_name(call.func).rpartition(".")
    name = name.replace("_", "").casefold()
    if module.split(".", 1)[0] not in _MODULES:
        return None
    if name in _HARMLESS:
        return []
    arguments = _arguments(call, name, known)
    return None if arguments is None else [Deed(Call(name, arguments), written_code(one))]


def _assigned(one: ast.Assign, known: Values) -> list[Deed] | None:
    """Remember a variable that holds a plain value; settings of pyautogui do nothing."""
    target = one.targets[0] if len(one.targets) == 1 else None
    if isinstance(target, ast.Attribute) and dotted_name(target).startswith(("pyautogui.", "pg.")):
        return []
    found, value = _value(one.value, known)
    if not found:
        return None
    if isinstance(target, ast.Name):
        known[target.id] = value
        return []
    if isinstance(target, ast.Tuple) and isinstance(value, list) and len(target.elts) == len(value):  # pyright: ignore[reportUnknownArgumentType]
        names = [part.id for part in target.elts if isinstance(part, ast.Name)]
        known |= dict(zip(names, value, strict=False))  # pyright: ignore[reportUnknownArgumentType]
        return [] if len(names) == len(target.elts) else None
    return None


def _arguments(call: ast.Call, name: str, known: Values) -> dict[str, Any] | None:
    if name == "hotkey":
        return _hotkey(call, known)
    names = _SIGNATURES.get(name)
    if names is None:
        return None
    given = [_value(one, known) for one in call.args]
    named = [(one.arg or "", *_value(one.value, known)) for one in call.keywords]
    if not all(found for found, _ in given) or not all(key and found for key, found, _ in named):
        return None
    arguments = dict(zip(names, _spread([value for _, value in given], names), strict=False))
    for key, _, value in named:
        renamed = "amount" if key == "clicks" and "amount" in names else _ALIASES.get(key.casefold(), key)
        if renamed:
            arguments[renamed] = value
    return {key: value for key, value in arguments.items() if key not in ("duration", "interval")}


def _hotkey(call: ast.Call, known: Values) -> dict[str, Any] | None:
    given = [_value(one, known) for one in call.args]
    if not given or not all(found for found, _ in given):
        return None
    values = _spread([value for _, value in given], ("keys",) if len(given) > 1 else ("keys", "more"))
    return {"keys": [str(one) for one in values]}


def _spread(values: list[Any], names: tuple[str, ...]) -> list[Any]:
    """Return a first argument that is a pair as two: ``click((100, 200))``."""
    first: Any = values[0] if values else None
    if isinstance(first, list) and names[:1] != ("text",) and (len(names) > 1 and names[1] != "presses"):
        return [*first, *values[1:]]  # pyright: ignore[reportUnknownVariableType]
    return values


def _value(node: ast.expr, known: Values) -> tuple[bool, Any]:
    """Return whether an expression is a plain value, and the value; a tuple is a list."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, bytes) and node.value is not ..., node.value
    if isinstance(node, ast.Name) and node.id in known:
        return True, known[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found, value = _value(node.operand, known)
        return (True, -value) if found and isinstance(value, int | float) else (False, None)
    if isinstance(node, ast.Tuple | ast.List):
        parts = [_value(one, known) for one in node.elts]
        return all(found for found, _ in parts), [value for _, value in parts]
    return False, None
