"""Finding a text that is longer than is read, before the document that it stands in is read into memory."""

import re
from pathlib import Path

from tracewitness.intake.errors import TooLargeError
from tracewitness.intake.limits import MEBIBYTE
from tracewitness.intake.reading_files import open_unpacked, size_words

LONGEST_TEXT = 32 * MEBIBYTE
"""Longest text in a document that is read as a whole; no screenshot is as long in base64."""

_CHUNK = MEBIBYTE
_WHOLE_STRINGS = re.compile(rb'(?:[^"]*+"(?:[^"\\]++|\\.)*+")*+[^"]*+', re.DOTALL)
_INSIDE = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)


def refuse_long_texts(path: Path) -> None:
    """Refuse a JSON file in which a string is longer than is read, in little memory.

    Raises:
        TooLargeError: One is; the error says on which line it begins.
        UnreadableError: The file cannot be read.
    """
    lines, inside, carried = 1, 0, b""
    with open_unpacked(path) as (source, _):
        while chunk := source.read(_CHUNK):
            text, carried = carried + chunk, b""
            at = 0
            if inside:
                at = _end_of(_INSIDE, text)
                inside += at
                if text[at : at + 1] == b'"' and inside <= LONGEST_TEXT:
                    inside, at = 0, at + 1
            if not inside:
                at = _end_of(_WHOLE_STRINGS, text, at)
                lines += text.count(b"\n", 0, at)
                if at < len(text):
                    at += 1  # behind the quotation mark of a string that goes on in the next chunk
                    end = _end_of(_INSIDE, text, at)
                    inside, at = 1 + end - at, end
            carried = text[at:]
            if inside > LONGEST_TEXT:
                problem = f"a text larger than the limit of {size_words(LONGEST_TEXT)}"
                raise TooLargeError(problem, "leave it out of the log", path=str(path), where=f"line {lines}")


def _end_of(pattern: re.Pattern[bytes], text: bytes, at: int = 0) -> int:
    found = pattern.match(text, at)
    return found.end() if found is not None else at
