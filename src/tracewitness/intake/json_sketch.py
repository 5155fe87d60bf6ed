"""The beginning of a long JSON document as a value of its own, so that telling what it is never reads the whole."""

import os
import re
from pathlib import Path
from typing import Any

from tracewitness.intake.limits import MEBIBYTE
from tracewitness.intake.reading_files import decode, open_unpacked, parse_json

SKETCHED_FROM = 16 * MEBIBYTE
"""A document longer than this is only sketched for detection."""

_HEAD = 4 * MEBIBYTE
_PIECE = MEBIBYTE
_MARKS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\],]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}


def is_long(path: Path) -> bool:
    """Tell whether a file, unpacked where it is compressed, is longer than what is read for detection.

    Raises:
        UnreadableError: It cannot be read.
    """
    with open_unpacked(path) as (source, compressed):
        if not compressed:
            return os.fstat(source.fileno()).st_size > SKETCHED_FROM
        left = SKETCHED_FROM
        while left >= 0 and (piece := source.read(_PIECE)):
            left -= len(piece)
        return left < 0


def sketch_of(path: Path, name: str) -> Any:
    """Return what the beginning of a document holds: as the whole, but lists and objects end where the beginning does.

    Raises:
        IntakeError: The beginning is no JSON, or its encoding cannot be told.
    """
    with open_unpacked(path) as (source, _):
        head = source.read(_HEAD)
    # A comma is a character of its own in every encoding that is read; behind the last one a character may be cut.
    text = decode(head[: head.rfind(b",") + 1] or head, name).text
    return parse_json(completed(text))


def completed(text: str) -> str:
    """Return the beginning of a JSON text up to the last comma between two values, with what is open closed there."""
    opened: list[str] = []
    end, open_there = 0, ""
    for mark in _MARKS.finditer(text):
        token = mark.group()
        if token in _CLOSING:
            if not opened:
                end, open_there = mark.end(), token
            opened.append(token)
        elif token in ("}", "]"):
            del opened[-1:]
        elif token == ",":
            end, open_there = mark.start(), "".join(opened)
    return text[:end] + "".join(_CLOSING[one] for one in reversed(open_there))


def lines_follow(path: Path, longest: int) -> bool:
    """Tell whether anything stands below the first line that is not blank, holding no more than a piece of the file.

    Args:
        path: The file.
        longest: Most bytes of the first line; False where it is longer.

    Raises:
        UnreadableError: It cannot be read.
    """
    begun, seen, ended = False, 0, False
    with open_unpacked(path) as (source, _):
        while piece := source.read(_PIECE):
            if not begun:
                piece = piece.lstrip()
                begun = bool(piece)
            if not ended:
                first, ended, piece = _parted(piece)
                seen += first
                if seen > longest:
                    return False
            if ended and piece.strip():
                return True
    return False


def _parted(piece: bytes) -> tuple[int, bool, bytes]:
    """Return how many bytes belong to the first line, whether it ends here, and what stands behind it."""
    end = piece.find(b"\n")
    return (len(piece), False, b"") if end < 0 else (end, True, piece[end + 1 :])
