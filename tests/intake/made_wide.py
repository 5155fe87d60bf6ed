"""Planted logs of which one structure after the other is made wide: every list, object, text and element."""

import json
import re
from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.discover import is_picture

Place = tuple[str | int, ...]
Widen = Callable[[int], str]
"""Returns the text of a file in which one structure has so many items."""

_MOST_LINES = 12
_XML = re.compile(r"<(\w[\w-]*)\b[^<>]*/>|<(\w[\w-]*)\b[^<>]*>[^<>]*</\2>")


def widenings(log: Path) -> Iterator[tuple[str, Path, Widen]]:
    """Yield a name, the file and what makes one of its structures wide, for every structure of a log."""
    files = [log] if log.is_file() else sorted(one for one in log.rglob("*") if one.is_file())
    for file in files:
        if is_picture(file.name):
            continue
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        for name, widen in _of_text(text):
            yield f"{file.name} {name}", file, widen


def _of_text(text: str) -> Iterator[tuple[str, Widen]]:
    try:
        document: Any = json.loads(text)
    except ValueError:
        yield from _of_lines(text)
        return
    yield from _of_value(document, lambda value: json.dumps(value))


def _of_lines(text: str) -> Iterator[tuple[str, Widen]]:
    lines = text.splitlines()
    parsed = False
    for at, line in enumerate(lines[:_MOST_LINES]):
        try:
            value: Any = json.loads(line)
        except ValueError:
            continue
        parsed = True

        def written(value: Any, at: int = at) -> str:
            return "\n".join([*lines[:at], json.dumps(value), *lines[at + 1 :]]) + "\n"

        yield from ((f"line {at + 1}{name}", widen) for name, widen in _of_value(value, written))
    if parsed:
        return
    found = _XML.search(text)
    if found is not None:
        before, one, after = text[: found.start()], found.group(), text[found.end() :]
        yield "elements", lambda count: before + one * count + after
        tag = found.group(1) or found.group(2)
        yield "nested", lambda count: before + _nested(one, tag, count) + after
    yield "text", lambda count: text * (count // 10)


def _nested(one: str, tag: str, count: int) -> str:
    depth = 150
    row = f"<{tag}>" * depth + one + f"</{tag}>" * depth
    return row * max(count // depth, 1)


def _of_value(document: Any, written: Callable[[Any], str]) -> Iterator[tuple[str, Widen]]:
    for place in _places(document, ()):
        name = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in place)
        yield name, lambda count, place=place: written(_replaced(document, place, count))


def _places(value: Any, place: Place) -> Iterator[Place]:
    if isinstance(value, dict):
        yield place
        for key, held in cast(dict[str, Any], value).items():
            yield from _places(held, (*place, key))
    elif isinstance(value, list):
        yield place
        for at, held in enumerate(cast(list[Any], value)[:8]):
            yield from _places(held, (*place, at))
    elif isinstance(value, str) and value:
        yield place


def _replaced(value: Any, place: Place, count: int) -> Any:
    if not place:
        return _widened(value, count)
    copied: Any = copy(value)
    copied[place[0]] = _replaced(copied[place[0]], place[1:], count)
    return copied


def _widened(value: Any, count: int) -> Any:
    if isinstance(value, dict):
        given = cast(dict[str, Any], value)
        held = next(iter(given.values()), "x")
        return {**given, **{f"{next(iter(given), 'key')}_{at}": held for at in range(count)}}
    if isinstance(value, list):
        items = cast(list[Any], value) or [{}]
        return items * max(count // len(items), 1)
    inner = _inner_json(value)
    if inner is not None:
        return json.dumps(_widened(inner, count))
    return value + (" " + value) * (count // 2)


def _inner_json(text: str) -> Any:
    """Return what a text holds as JSON, such as the arguments of a call, where that can be made wide."""
    try:
        value: Any = json.loads(text)
    except ValueError:
        return None
    return cast(Any, value) if isinstance(value, dict | list) else None
