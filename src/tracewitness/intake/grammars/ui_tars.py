"""The text actions of UI-TARS and its kin: ``Thought: ...`` and then ``Action: click(start_box='(240,180)')``.

The text is a model's. A thought may hold a line that looks like an action, so the last line that begins one counts, as
in the parser of the framework. Coordinates keep the units of the log (pixels, 0 to 1000, or 0 to 1).
"""

import re
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.grammars.parsed import Parsed

_NAMES = frozenset(
    "click left_single left_double right_single double_click right_click middle_click drag select hotkey press "
    "keydown keyup release type scroll wait finished call_user long_press open_app press_home press_back open_url "
    "hover mouse_move navigate navigate_back".split()
)
_ACTION = re.compile(r"^[ \t*]*Action[ \t*]*:[ \t*]*", re.MULTILINE)
_LABEL = re.compile(r"^[ \t*]*(?:Thought|Reflection|Action_Summary|Action)[ \t*]*:[ \t*]*", re.MULTILINE)
_CALL = re.compile(r"([A-Za-z_]{1,30})\s*\(")
_OPENING = re.compile(r"\s*(?:```\s*)?([A-Za-z_]{1,30})\s*\(")
_SPLIT = re.compile(r"\)[ \t]*\n\s*(?=[A-Za-z_]{1,30}\s*\()")
_ARGUMENT = re.compile(r"(?:^|,)\s*([A-Za-z_]{1,30})\s*=\s*(['\"])")
_STRICT = re.compile(
    r"\s*(?:[A-Za-z_]{1,30}\s{0,9}=\s{0,9}(?:'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|[\w.\[\], -]{0,80})"
    r"\s{0,9},?\s{0,9}){0,12}\)",
    re.DOTALL,
)
_QUOTED_END = re.compile(r"['\"](?=\s{0,9}\))")
_MORE = re.compile(r"['\"]\s{0,9}\)")
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_BOXES = ("box", "point", "coord", "coordinate", "position")
_RENAMED = {"start_point": "start_box", "end_point": "end_box"}
_ESCAPES = {"\\n": "\n", "\\'": "'", '\\"': '"', "\\t": "\t"}
_ESCAPED = re.compile(r"\\[nt'\"]")


def parse(text: str) -> Parsed | None:
    """Return the calls of a text; None where it holds none of the grammar."""
    mark = _mark(text)
    if mark is None:
        return None
    calls, behind = _calls(text[mark[1] :])
    words = (_LABEL.sub("", one).strip() for one in (text[: mark[0]], *behind))
    return Parsed(calls, "\n".join(filter(None, words)))


def acting_part(text: str) -> str | None:
    """Return the part of a text that holds its calls; None where it holds none of the grammar."""
    mark = _mark(text)
    return None if mark is None else text[mark[1] :]


def _mark(text: str) -> tuple[int, int] | None:
    """Return where the label of the last action begins and ends."""
    marks = [(0, 0), *((found.start(), found.end()) for found in _ACTION.finditer(text))]
    return next((mark for mark in reversed(marks) if _begins(text, mark[1])), None)


def _begins(text: str, start: int) -> bool:
    """Tell whether a call of the grammar stands at a place."""
    opening = _OPENING.match(text, start)
    return opening is not None and opening.group(1).casefold() in _NAMES


def _calls(written: str) -> tuple[tuple[Call, ...], list[str]]:
    """Return the calls that a text begins with, one a line or with blank lines between, and the words behind them."""
    body = written.strip().removeprefix("```").removesuffix("```").strip()
    pieces = [f"{piece})" for piece in _SPLIT.split(body)]
    pieces[-1] = pieces[-1][:-1]
    calls, words = list[Call](), list[str]()
    for piece in map(str.strip, pieces):
        opening = _CALL.match(piece)
        name = opening.group(1).casefold() if opening else ""
        if opening is None or name not in _NAMES:
            words.append(piece)
            continue
        end = _end(piece, opening.end())
        inside, behind = piece[opening.end() : end], piece[end:].removeprefix(")").strip().removesuffix("```")
        told = _arguments(inside)
        calls.append(Call(name, told))
        words += [behind.strip()] if told or inside.strip() == "" else [inside, behind.strip()]
    return tuple(calls), words


def _end(piece: str, start: int) -> int:
    """Return where the arguments of a call end: by the rules of Python where they keep to these, else leniently."""
    strict = _STRICT.match(piece, start)
    if strict is not None and not _MORE.search(piece, strict.end(), _line_end(piece, strict.end())):
        return strict.end() - 1
    quoted = [found.start() for found in _QUOTED_END.finditer(piece, start)]
    end = quoted[-1] + 1 if quoted else piece.rfind(")")
    return end if end >= start else len(piece)


def _line_end(piece: str, start: int) -> int:
    end = piece.find("\n", start)
    return end if end >= 0 else len(piece)


def _arguments(inside: str) -> dict[str, Any]:
    """Return the arguments; a value ends at the last quotation mark before the next argument, as models escape few."""
    marks = list(_ARGUMENT.finditer(inside))
    arguments: dict[str, Any] = {}
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(inside)
        value = inside[mark.end() : end].rstrip()
        value = value.removesuffix(mark.group(2))
        key = _RENAMED.get(mark.group(1), mark.group(1))
        arguments[key] = _box(value) if key.endswith(_BOXES) else _unescaped(value)
    return arguments


def _box(value: str) -> list[float] | str:
    """Return the point of a box, which may be given by its corners; the text where it holds no numbers."""
    numbers = [float(found) for found in _NUMBER.findall(value[:400])]
    if len(numbers) >= 4:
        return [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
    return numbers[:2] if len(numbers) >= 2 else value


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda found: _ESCAPES[found.group()], value)
