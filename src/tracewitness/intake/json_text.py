"""JSON text that is read on as it is needed: its marks, keys and values one after the other, with their places."""

import codecs
import json
import re
from pathlib import Path
from typing import Any, BinaryIO, cast

from tracewitness.intake.errors import BadJsonError, EmptyError, IntakeError, TooLargeError
from tracewitness.intake.inline import PICTURE_MARKS, InlinePicture, is_inline_picture
from tracewitness.intake.json_weight import refuse_countless
from tracewitness.intake.limits import MEBIBYTE
from tracewitness.intake.reading_files import (
    LENIENT,
    decode,
    may_hold_surrogates,
    object_of,
    parse_json,
    refuse_lfs,
    size_words,
    without_surrogates,
)

_CHUNK = 2 * MEBIBYTE
_SPACES = re.compile(r"[ \t\r\n]*+")
_LONGEST_TOKEN = 16
"""A literal or escape that the end of the text read so far cuts in two begins at most so far ahead of it."""
_NUMBER_GOES_ON = 3
"""Behind a number, ``.``, ``e`` or ``e+`` may stand at the end of the text read so far, and its digits come later."""
_SHORT = 256


class Chunks:
    """Reads a file on as text."""

    def __init__(self, source: BinaryIO, path: Path, most: int | None) -> None:
        self._source = source
        self._path = path
        self._left = most
        self._most = most
        self._first = True
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self.encoding = "utf-8"

    def read(self, size: int) -> str | None:
        """Return the next piece of text; None at the end."""
        content = self._source.read(size)
        if self._left is not None:
            self._left -= len(content)
            if self._left < 0:
                raise TooLargeError(f"larger than the limit of {size_words(self._most or 0)}", "unpack it and split it")
        if self._first:
            self._first = False
            if not content:
                raise EmptyError("the file is empty", "record the run again or leave the file out")
            refuse_lfs(content[:64], self._path)
            decode(content[:4096].rpartition(b'"')[0], self._path)  # whatever is no text at all, or UTF-16, is refused
        return self._decoded(content) if content else self._last()

    def _last(self) -> str | None:
        """Return what is left at the end; half a character, where the file breaks off in one, is none."""
        try:
            return self._decoder.decode(b"", True) or None
        except UnicodeDecodeError:
            return None

    def _decoded(self, content: bytes) -> str:
        """Decode on; where this is no UTF-8, the first piece that is not says what else it is, as in a whole file."""
        state = self._decoder.getstate()
        try:
            return self._decoder.decode(content)
        except UnicodeDecodeError:
            if self.encoding != "utf-8":
                raise
        whole = (state[0] or b"") + content
        at = whole.rfind(b'"') + 1 or len(whole)  # a quotation mark is a character of its own in all of them
        self.encoding = decode(whole[:at], self._path).encoding
        name = "gb18030" if self.encoding == "gb18030" else "utf-8-sig"
        self._decoder = codecs.getincrementaldecoder(name)("replace")
        return self._decoder.decode(whole)


class JsonText:
    """The text read but not yet used, and the place in the file where it begins."""

    def __init__(self, chunks: Chunks, longest: int) -> None:
        self._chunks = chunks
        self._longest = longest
        self._text = ""
        self._at = 0
        self._line, self._column = 1, 0
        self._decoder = LENIENT
        self._surrogates = False

    def next_mark(self) -> str:
        """Return the next character that is no space, and stay there; an empty text at the end."""
        while True:
            spaces = _SPACES.match(self._text, self._at)
            self._at = spaces.end() if spaces else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(""):
                return ""

    def take(self, expected: str) -> str:
        """Go behind the next mark, which must be one of these, and return it."""
        mark = self.next_mark()
        if not mark or mark not in expected:
            raise self.damaged(f"expected {' or '.join(expected)}")
        self._at += 1
        return mark

    def name(self) -> str:
        """Return the next key, and go behind its colon."""
        if self.next_mark() != '"':
            raise self.damaged("expected a key")
        name = str(self.value(""))
        self.take(":")
        return name

    def value(self, place: str) -> Any:
        """Return the next value, and go behind it."""
        self.next_mark()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._is_cut(error) and self._more(place):
                    continue
                raise self._trouble(place) from None
            except (IntakeError, RecursionError, ValueError):
                raise self._trouble(place) from None
            if end > len(self._text) - _NUMBER_GOES_ON and not isinstance(value, str | list | dict):
                if self._more(place):
                    continue  # it may be a number that was cut in two
            self._at = end
            return cast(Any, without_surrogates(value) if self._surrogates else value)

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        return error.pos >= len(self._text) - _LONGEST_TOKEN or error.msg.startswith("Unterminated string")

    def damaged(self, problem: str) -> BadJsonError:
        """Return the error for what stands here."""
        if not self.next_mark():
            return BadJsonError(
                "the JSON ends in the middle of a value", "the log was cut off; record it again", where=self._where()
            )
        return BadJsonError(f"not valid JSON ({problem})", "check the file", where=self._where())

    def _where(self) -> str:
        self._let_go()
        return f"line {self._line}, column {self._column + 1}"

    def _trouble(self, place: str) -> IntakeError:
        """Return what is wrong with the value that stands here, as it is told of a whole text."""
        self._let_go()
        try:
            parse_json(" " * self._column + self._text, self._line)
        except IntakeError as error:
            line, key, path = error.where.partition(", key ")
            inner = path if path.startswith("[") or not path else f".{path}"
            error.where = f"{line}, key {place}{inner}" if place else f"{line}{key}{path}"
            return error
        return self.damaged("a value that cannot be read")

    def _let_go(self) -> None:
        """Drop the text that was used, and count its lines."""
        lines = self._text.count("\n", 0, self._at)
        last = self._text.rfind("\n", 0, self._at) + 1
        self._line += lines
        self._column = self._at - last if lines else self._column + self._at
        self._text, self._at = self._text[self._at :], 0

    def _more(self, place: str) -> bool:
        """Read on; False at the end of the file, and then nothing has changed."""
        added = self._chunks.read(max(_CHUNK, len(self._text) - self._at))
        if added is None:
            return False
        self._let_go()
        if len(self._text) > self._longest:
            where = f"{self._where()}, key {place}" if place else self._where()
            problem = f"a value larger than the limit of {size_words(self._longest)}"
            raise TooLargeError(problem, "leave the file out", where=where)
        self._text += added
        try:
            refuse_countless(self._text)
        except TooLargeError as error:
            raise error.at(where=f"{self._where()}, key {place}" if place else self._where()) from None
        self._surrogates = may_hold_surrogates(self._text)
        pictures = any(mark in self._text for mark in PICTURE_MARKS)
        self._decoder = _SHRINKING if pictures else LENIENT
        return True


def _shrunk_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = object_of(pairs)
    for key, value in pairs:
        if isinstance(value, str):
            if len(value) > _SHORT:
                found[key] = _shrunk(value)
        elif isinstance(value, list) and value and isinstance(value[0], str):
            found[key] = [_shrunk(item) if isinstance(item, str) else item for item in value]  # pyright: ignore[reportUnknownVariableType]
    return found


def _shrunk(text: str) -> str:
    return InlinePicture.of(text) if len(text) > _SHORT and is_inline_picture(text) else text


_SHRINKING = json.JSONDecoder(
    object_pairs_hook=_shrunk_object, parse_constant=LENIENT.parse_constant, parse_float=LENIENT.parse_float
)
