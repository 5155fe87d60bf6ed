"""The text actions of Open-AutoGLM: ``<think>...</think><answer>do(action="Tap", element=[x,y])</answer>``.

A run ends with ``finish(message="...")``. The first words of the user are the task with the screen as JSON behind it,
later ones the screen alone. Points count from 0 to 999.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from tracewitness.intake.calls import Call
from tracewitness.intake.grammars.opening import Opening
from tracewitness.intake.grammars.parsed import Parsed

_LONGEST = 20_000
_TAGS = (("<answer>", "</answer>"), ("<ans>", "</ans>"))
_CALL = re.compile(r"(do|finish)\s{0,5}\(")
_ACTION = re.compile(r"action\s{0,5}=\s{0,5}([\"'])([A-Za-z_ ]{1,30})\1")
_WORDS = re.compile(r"(text|message|app|instruction)\s{0,5}=\s{0,5}[\"']")
_SCREEN = re.compile(r"\n\n(\{\"current_app\".{0,2000}\})\s{0,20}\Z", re.DOTALL)
_HEADING = "** Screen Info **"
_NAMES = {"take_over": "ask_user", "interact": "ask_user", "note": "note", "call_api": "note", "enter": "press_enter"}


def parse(text: str) -> Parsed | None:
    """Return the call of a text; None where it holds none of the grammar."""
    before, written, behind = _carried(text)
    opening = _CALL.match(written)
    if opening is None:
        return None
    call = _call(opening.group(1), written[:_LONGEST])
    words = "\n".join(filter(None, (before.strip(), behind.strip())))
    return None if call is None else Parsed((call,), words)


def opening(text: str) -> Opening | None:
    """Return the task, or an empty one in later turns, with the screen that stands behind it."""
    if text.lstrip().startswith(_HEADING):
        return Opening("", text.lstrip().removeprefix(_HEADING).strip())
    screen = _SCREEN.search(text)
    return Opening(text[: screen.start()].strip(), screen.group(1)) if screen else None


def _carried(text: str) -> tuple[str, str, str]:
    """Return what stands ahead of the action, the action, and what stands behind it."""
    for begin, end in _TAGS:
        start = text.rfind(begin)
        if start >= 0:
            stop = text.find(end, start)
            stop = stop if stop >= 0 else len(text)
            return text[:start], text[start + len(begin) : stop].strip(), text[stop + len(end) :]
    found = list(_CALL.finditer(text))
    start = found[-1].start() if found and not text.startswith(("do(", "finish(")) else 0
    return text[:start], text[start:].strip(), ""


def _call(verb: str, written: str) -> Call | None:
    arguments = _arguments(written) or dict(_loosely(written))
    if verb == "finish":
        return Call("finish", arguments)
    action = arguments.pop("action", None)
    if not isinstance(action, str):
        return None
    name = action.strip().casefold().replace(" ", "_")
    return Call(_NAMES.get(name, name), dict(_renamed(arguments)))


def _renamed(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in arguments.items():
        listed = cast(list[Any], value) if isinstance(value, list) else []
        if key == "element" and len(listed) == 4 and all(isinstance(one, int | float) for one in listed):
            yield "coordinate", [(listed[0] + listed[2]) / 2, (listed[1] + listed[3]) / 2]
        elif key == "element" or key == "start":
            yield ("coordinate" if key == "element" else "start_coordinate"), value
        else:
            yield ("agent_note" if key == "message" else key), value


def _arguments(written: str) -> dict[str, Any] | None:
    """Return the arguments of a call that is Python by its form; it is parsed as data and never run."""
    try:
        tree = ast.parse(written, mode="eval").body
        if not isinstance(tree, ast.Call) or tree.args:
            return None
        return {word.arg: _plain(ast.literal_eval(word.value)) for word in tree.keywords if word.arg}
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(one) for one in cast(list[Any], value)]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _loosely(written: str) -> Iterator[tuple[str, Any]]:
    """Yield action and words of a call whose words hold quotation marks or line ends that Python does not take."""
    action = _ACTION.search(written)
    if action:
        yield "action", action.group(2)
    words = _WORDS.search(written, action.end() if action else 0)
    if words:
        end = max(written.rfind('"'), written.rfind("'"))
        yield words.group(1), written[words.end() : end if end >= words.end() else len(written)]
