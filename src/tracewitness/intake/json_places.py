"""Places in JSON text: line, column and full key path of an offset, for errors."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# A text that does not end is one mark as well: else every quotation mark in it would be tried as its beginning.
_MARKS = re.compile(r'"(?:[^"\\]++|\\.)*+("?)|[{}\[\],]', re.DOTALL)
_LONGEST_KEY = 60


@dataclass(slots=True)
class _Frame:
    """An object or list that is open: the key or index at hand, and the keys met so far."""

    at: str | int | None
    keys: set[str] = field(default_factory=set[str])


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of an object: where it stands, and whether the object has it already."""

    offset: int
    path: str
    again: bool


def place_of(text: str, offset: int, first_line: int = 1) -> str:
    """Return an offset as ``line 3, column 17, key steps[2].action.raw``; without key where it stands in none.

    Args:
        text: The JSON text; it may be damaged behind the offset.
        offset: The place, in characters.
        first_line: The line of the file on which the text starts.
    """
    frames: list[_Frame] = []
    for _ in _keys(text[:offset], frames):
        pass
    return _told(text, offset, first_line, _path(frames))


def key_given_twice(text: str, first_line: int = 1) -> str:
    """Return the place of the first key that its object has already; an empty text where there is none."""
    again = next((key for key in _keys(text, []) if key.again), None)
    return _told(text, again.offset, first_line, again.path) if again else ""


def key_path(parts: tuple[int | str, ...]) -> str:
    """Return a place such as ``steps[2].action.kind``; indexes count from 0."""
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part[:_LONGEST_KEY]}"
    return path.removeprefix(".")


def _told(text: str, offset: int, first_line: int, path: str) -> str:
    line = first_line + text.count("\n", 0, offset)
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return f"line {line}, column {column}" + (f", key {path}" if path else "")


def _path(frames: list[_Frame]) -> str:
    return key_path(tuple(frame.at for frame in frames if frame.at is not None))


def _keys(text: str, frames: list[_Frame]) -> Iterator[_Key]:
    """Yield the keys in order; ``frames`` then holds what is open where the text ends."""
    for mark in _MARKS.finditer(text):
        token = mark.group()
        top = frames[-1] if frames else None
        if token == "{":
            frames.append(_Frame(None))
        elif token == "[":
            frames.append(_Frame(0))
        elif token in "}]":
            del frames[-1:]
        elif token == ",":
            _advance(top)
        elif mark.group(1) and top is not None and top.at is None:
            yield _named(top, token, mark.start(), frames)


def _advance(top: _Frame | None) -> None:
    if top is not None:
        top.at = top.at + 1 if isinstance(top.at, int) else None


def _named(top: _Frame, token: str, offset: int, frames: list[_Frame]) -> _Key:
    try:
        name = str(json.loads(token))
    except ValueError:
        name = token[1:-1]
    again = name in top.keys
    top.keys.add(name)
    top.at = name
    return _Key(offset, _path(frames), again)
