"""Finds the line on which each key of a TOML text stands, which the standard parser does not tell."""

import re
from collections.abc import Iterator
from typing import Final

_KEY: Final = r"""(?:"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[A-Za-z0-9_-]+)"""
_DOTTED: Final = re.compile(rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*")
_SINGLE: Final = re.compile(_KEY)
_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
# The pieces of a value: strings and comments are passed over whole, so that a bracket or a line feed inside one counts
# for nothing.
_PIECE: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?!")'
    r"|'''.*?'''(?!')"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|[\[\]{}\n]"
    r"|[^\"'\#\[\]{}\n]+",
    re.DOTALL,
)

KeyPath = tuple[str | int, ...]
"""A place in a TOML document: keys, and indexes (from 0) into arrays of tables."""


def lines_of_keys(text: str) -> dict[KeyPath, int]:
    """Return the line (from 1) of every table header and every key at the start of a statement.

    The text must be one that ``tomllib`` accepts; keys inside inline tables and arrays have no line of their own.
    """
    lines: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    line, seen = 1, 0
    for position, header, keys in _statements(text):
        line, seen = line + text.count("\n", seen, position), position
        path = _resolve(keys, counts, array=header == "[[") if header else (*table, *keys)
        if header:
            table = path
        lines.setdefault(path, line)
    return lines


def line_of(lines: dict[KeyPath, int], path: KeyPath) -> int:
    """Return the line of a place, or of the nearest place around it that has one; 1 for the document itself."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 1


def _statements(text: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield position, header mark (empty for a key) and keys of every statement."""
    position = _skip(_BLANK, text, 0)
    while position < len(text):
        mark = "[[" if text.startswith("[[", position) else "[" if text[position] == "[" else ""
        start = _skip(_BLANK, text, position + len(mark))
        found = _DOTTED.match(text, start)
        if found is None:
            return
        yield position, mark, tuple(_bare(key) for key in _SINGLE.findall(found.group()))
        # After a header nothing can follow on its line but spaces and a comment, which may hold anything.
        end = _end_of_line(text, found.end()) if mark else _end_of_value(text, found.end())
        position = _skip(_BLANK, text, max(end, position + 1))


def _end_of_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _end_of_value(text: str, position: int) -> int:
    depth = 0
    while position < len(text):
        piece = _PIECE.match(text, position)
        if piece is None:
            return len(text)
        position = piece.end()
        if piece.group() == "\n" and depth == 0:
            return position
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(piece.group(), 0)
    return position


def _resolve(keys: tuple[str, ...], counts: dict[KeyPath, int], *, array: bool) -> KeyPath:
    """Return the path of a table header; an array of tables met on the way stands for its latest entry."""
    path: KeyPath = ()
    for place, key in enumerate(keys):
        path = (*path, key)
        if array and place == len(keys) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position


def _bare(key: str) -> str:
    return key[1:-1] if key[0] in "\"'" else key
