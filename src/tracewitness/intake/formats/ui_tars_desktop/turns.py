"""The turns of a run: screens and words of the user from ``human``, answers of the model from ``gpt``."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.grammars import ui_tars
from tracewitness.intake.inline import inline_digest
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of
from tracewitness.trace_side.trace import Screenshot

PLACEHOLDER = "<image>"
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,12})?")
_ENDS_FOR_USER = "call_user"
_LATEST = 1e14
_SIDES = (("start_box", "start_coords"), ("end_box", "end_coords"))


@dataclass(frozen=True, slots=True)
class Told:
    """A turn.

    Attributes:
        where: Its place in the data.
        human: Whether it is by the user or the screen.
        words: What the user says; what the model says beside its calls.
        calls: What the model calls.
        screenshot: The screen.
        time: When it began.
        unreadable: Whether it is an answer of the model in which no action can be told.
    """

    where: str
    human: bool
    words: str = ""
    calls: tuple[Call, ...] = ()
    screenshot: Screenshot | None = None
    time: str | None = None
    unreadable: bool = False


def turns_of(run: Mapping[str, Any], prefix: str) -> Iterator[Told]:
    """Yield the turns; ``prefix`` is the place of the run in its file."""
    size: tuple[float, float] | None = None
    for at, turn in enumerate(objects_of(run.get("conversations"))):
        where = f"{prefix}conversations[{at}]"
        size = _size(turn) or size
        time = _time(turn)
        if turn.get("from") == "human":
            yield Told(where, True, _said(turn), screenshot=_screenshot(turn, where), time=time)
        elif turn.get("from") == "gpt":
            calls, words = _acted(turn, size)
            yield Told(where, False, words, calls, time=time, unreadable=not calls)


def _said(turn: Mapping[str, Any]) -> str:
    value = text_of(turn.get("value")).strip()
    return "" if value == PLACEHOLDER else value


def _screenshot(turn: Mapping[str, Any], where: str) -> Screenshot | None:
    picture = text_of(turn.get("screenshotBase64"))
    if not picture and turn.get("value") != PLACEHOLDER:
        return None
    return Screenshot(f"!{where}.screenshotBase64", inline_digest(picture) if picture else None)


def _acted(turn: Mapping[str, Any], size: tuple[float, float] | None) -> tuple[tuple[Call, ...], str]:
    """Return the calls of an answer, as the tool parsed them or else as the answer is written, and the words in it."""
    value = text_of(turn.get("value"))
    written = ui_tars.parse(value)
    parsed = [one for one in objects_of(turn.get("predictionParsed")) if text_of(one.get("action_type"))]
    if not parsed:
        return (written.calls, written.words) if written else ((), value.strip())
    calls = tuple(Call(text_of(one["action_type"]), _inputs(one, size)) for one in parsed)
    told = [text_of(one.get(key)).strip() for one in parsed for key in ("reflection", "thought")]
    words = "\n".join(dict.fromkeys(filter(None, told)))
    return calls, words or (written.words if written else "")


def _inputs(parsed: Mapping[str, Any], size: tuple[float, float] | None) -> dict[str, Any]:
    given = object_of(parsed.get("action_inputs"))
    told = {key: value for key, value in given.items() if value not in (None, "", [])}
    for box, coords in _SIDES:
        point = _point(told.pop(coords, None)) or _scaled(_box(told.get(box)), size)
        if point is not None:
            told[box] = point
    return told


def _point(value: Any) -> list[float] | None:
    pair = [one for one in list_of(value) if isinstance(one, int | float) and abs(one) < 1e7]
    return [round(float(one), 1) for one in pair] if len(pair) == 2 else None


def _box(value: Any) -> list[float] | None:
    """Return the middle of a box that is written as a list of two or four numbers."""
    numbers = [float(one) for one in _NUMBER.findall(text_of(value)[:400])]
    if len(numbers) >= 4:
        return [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
    return numbers[:2] if len(numbers) >= 2 else None


def _scaled(point: list[float] | None, size: tuple[float, float] | None) -> list[float] | None:
    """Return a point in pixels where it is a share of a screen of known size; else as the log has it."""
    if point is None or size is None or not all(0 <= one <= 1 for one in point):
        return point
    return [float(round(point[0] * size[0])), float(round(point[1] * size[1]))]


def _size(turn: Mapping[str, Any]) -> tuple[float, float] | None:
    size = object_of(object_of(turn.get("screenshotContext")).get("size"))
    width, height = size.get("width"), size.get("height")
    if isinstance(width, int | float) and isinstance(height, int | float) and 0 < width < 1e5 and 0 < height < 1e5:
        return float(width), float(height)
    return None


def _time(turn: Mapping[str, Any]) -> str | None:
    start = object_of(turn.get("timing")).get("start")
    if not isinstance(start, int | float) or isinstance(start, bool) or not 0 < start < _LATEST:
        return None
    return datetime.fromtimestamp(start / 1000, UTC).isoformat()


def ends_for_user(call: Call) -> bool:
    """Tell a call by which the agent hands the task back to its user; it takes no arguments."""
    return call.name.casefold() == _ENDS_FOR_USER
