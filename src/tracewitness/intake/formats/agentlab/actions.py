"""The actions of BrowserGym: calls such as ``click('a51')`` in a text, found as its parser finds them.

The parser takes every call of a function that it knows and skips whatever stands between; all of that is narration.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tracewitness.intake.calls import Call
from tracewitness.intake.code.python_code import bare_code, written_code
from tracewitness.intake.finishing import bare

_SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "send_msg_to_user": ("text",),
    "report_infeasible": ("reason",),
    "noop": ("wait_ms",),
    "fill": ("bid", "value", "enable_autocomplete_menu"),
    "check": ("bid",),
    "uncheck": ("bid",),
    "select_option": ("bid", "options"),
    "click": ("bid", "button", "modifiers"),
    "dblclick": ("bid", "button", "modifiers"),
    "hover": ("bid",),
    "press": ("bid", "key"),
    "focus": ("bid",),
    "clear": ("bid",),
    "drag_and_drop": ("from_bid", "to_bid"),
    "scroll": ("delta_x", "delta_y"),
    "scroll_at": ("x", "y", "dx", "dy"),
    "mouse_move": ("x", "y"),
    "mouse_up": ("x", "y", "button"),
    "mouse_down": ("x", "y", "button"),
    "mouse_click": ("x", "y", "button"),
    "mouse_dblclick": ("x", "y", "button"),
    "mouse_drag_and_drop": ("from_x", "from_y", "to_x", "to_y"),
    "keyboard_press": ("key",),
    "keyboard_up": ("key",),
    "keyboard_down": ("key",),
    "keyboard_type": ("text",),
    "keyboard_insert_text": ("text",),
    "goto": ("url",),
    "go_back": (),
    "go_forward": (),
    "new_tab": (),
    "tab_close": (),
    "tab_focus": ("index",),
    "upload_file": ("bid", "file"),
    "mouse_upload_file": ("x", "y", "file"),
}
"""Parameters of the functions, in order; ``key_comb`` of ``press`` is called ``key``."""

NAMES: Mapping[str, str] = {
    "mouse_dblclick": "double_click",
    "mouse_drag_and_drop": "drag",
    "mouse_upload_file": "upload",
    "keyboard_up": "press_key",
    "keyboard_down": "press_key",
    "keyboard_type": "type",
    "keyboard_insert_text": "type",
}
"""What functions do that are called otherwise here."""

_RENAMED = {"key_comb": "key"}

MESSAGES = frozenset({"send_msg_to_user", "report_infeasible"})

_OPENING = re.compile(rf"(?<![\w.])({'|'.join(_SIGNATURES)})\s{{0,5}}\(")
_MARKS = re.compile(r"['\"()#\n]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST = 100_000
_LONGEST_CALL = 20_000
_MOST_CALLS = 200


@dataclass(frozen=True, slots=True)
class Written:
    """An action as an agent wrote it, taken apart.

    Attributes:
        calls: The calls in it.
        code: Other code in it without its words, where the whole is code of Python.
        words: What stands around.
    """

    calls: tuple[Call, ...]
    code: str | None
    words: str


def parse(written: str) -> Written:
    """Take an action apart."""
    text = written[:_LONGEST]
    calls, words, end = list[Call](), list[str](), 0
    for start, stop, call in _calls(text):
        calls.append(call)
        words.append(text[end:start])
        end = stop
    words.append(written[end:])
    around = "\n".join(filter(None, (one.strip().strip("`") for one in words)))
    return Written(tuple(calls), None if calls else _code(text), around)


def _calls(text: str) -> Iterator[tuple[int, int, Call]]:
    at, ended = 0, 0
    for _ in range(_MOST_CALLS):
        found = _OPENING.search(text, at)
        if found is None:
            return
        if _is_comment(text, ended, found.start()):
            at = found.end()
            continue
        stop = _closing(text, found.end())
        call = _call(text[found.start() : stop]) if stop is not None else None
        at = found.end()
        if call is not None and stop is not None:
            yield found.start(), stop, call
            at = ended = stop


def _is_comment(text: str, ended: int, at: int) -> bool:
    """Tell whether a comment was begun on a line behind the call that ended there."""
    start = max(ended, at - _LONGEST_CALL)
    return "#" in text[max(start, text.rfind("\n", start, at) + 1) : at]


def _closing(text: str, at: int) -> int | None:
    """Return where the bracket that is open ends, strings skipped."""
    depth, end = 1, min(len(text), at + _LONGEST_CALL)
    while at < end:
        mark = _MARKS.search(text, at, end)
        if mark is None:
            return None
        sign, at = mark.group(), mark.end()
        if sign in "'\"":
            closed = _end_of_string(text, sign, at - 1, end)
            if closed is None:
                return None
            at = closed
        elif sign in "()":
            depth += 1 if sign == "(" else -1
            if depth == 0:
                return at
        elif sign == "#":
            line = text.find("\n", at, end)
            at = line if line >= 0 else end
    return None


def _end_of_string(text: str, quote: str, start: int, end: int) -> int | None:
    closing = quote * 3 if text.startswith(quote * 3, start) else quote
    at = start + len(closing)
    while at < end:
        if text[at] == "\\":
            at += 2
        elif text.startswith(closing, at):
            return at + len(closing)
        else:
            at += 1
    return None


def _call(written: str) -> Call | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a string is for its author to hear of
            node = ast.parse(written.strip(), mode="eval").body
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        given: list[Any] = [ast.literal_eval(one) for one in node.args]
        named: dict[str, Any] = {one.arg: ast.literal_eval(one.value) for one in node.keywords if one.arg}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    names = _SIGNATURES[node.func.id]
    arguments = dict(zip(names, given, strict=False))
    arguments |= {_RENAMED.get(key, key): value for key, value in named.items()}
    return Call(node.func.id, {key: _plain(value) for key, value in arguments.items()})


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_plain(str(one)) for one in cast(list[Any], value)]
    return _plain(str(value))


def _code(text: str) -> str | None:
    """Return other code of Python; none that says something to the user, as the words cannot be told from it."""
    read = bare_code(text)
    if read is None or not read.statements:
        return None
    nodes = [node for statement in read.statements for node in ast.walk(statement)]
    if not any(isinstance(node, ast.Call) for node in nodes):
        return None
    names = [bare(node.id) for node in nodes if isinstance(node, ast.Name)]
    if any(bare(name) in names for name in MESSAGES):
        return None
    return written_code(*read.statements) or None
