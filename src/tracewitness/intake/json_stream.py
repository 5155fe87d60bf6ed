"""The elements of a long JSON list, one at a time, whatever the size of the file.

For logs that are one JSON document of any size: a list (``key=None``), or an object with the list under a top-level
key. Plain and gzip-compressed files alike::

    stream = JsonStream(candidate.path, options.limits, "history")
    for place, value in stream:  # ("history[0]", {...}), ("history[1]", {...}), ...
        ...
    stream.others  # {"usage": {...}}: what stands beside the list, whole once the loop has ended
    stream.encoding  # as ``reading_files.decode`` names it

One element at a time is in memory, so keep of it only what the run needs. Pictures in base64 come as
:class:`tracewitness.intake.inline.InlinePicture`: their beginning, with the digest of the whole, which the functions of
``inline`` understand. The JSON is read as ``reading_files.parse_json`` reads that of logs (no key twice, no endless
nesting, NaN is None, no lone surrogates), and errors name line, column and key in the same way. No element, and no
value beside the list, may be longer than ``limits.line``.

Where the file breaks off, the elements ahead of that come first, and then the error.
"""

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from tracewitness.intake.errors import BadJsonError, BadRunError, EmptyError, IntakeError, TooLargeError
from tracewitness.intake.inline import PICTURE_MARKS, InlinePicture, is_inline_picture
from tracewitness.intake.limits import MEBIBYTE, Limits
from tracewitness.intake.reading_files import (
    LENIENT,
    decode,
    may_hold_surrogates,
    object_of,
    open_unpacked,
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


class JsonStream:
    """The elements of a list in a JSON file. See the module.

    Args:
        path: The file.
        limits: Bounds on what is read.
        key: The top-level key that the list stands under; None where the document is the list.

    Attributes:
        others: The values of the other top-level keys, as far as they were met.
        encoding: The encoding found so far.
    """

    def __init__(self, path: Path, limits: Limits, key: str | None = None) -> None:
        self._path = path
        self._limits = limits
        self._key = key
        self.others: dict[str, Any] = {}
        self.encoding = "utf-8"

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Yield place and value of every element.

        Raises:
            BadRunError: The document has no such list.
            BadJsonError: The JSON is damaged or breaks off.
            TooLargeError: A value is longer than ``limits.line``, or more than ``limits.unpacked`` would be unpacked.
            IntakeError: The file cannot be read, is empty, or its encoding cannot be told.
        """
        self.others = {}
        with open_unpacked(self._path) as (source, compressed):
            chunks = _Chunks(source, self._path, self._limits.unpacked if compressed else None)
            text = _Text(chunks, self._limits.line)
            try:
                yield from self._document(text)
            except IntakeError as error:
                raise error.at(str(self._path)) from error.__cause__
            finally:
                self.encoding = chunks.encoding

    def _document(self, text: "_Text") -> Iterator[tuple[str, Any]]:
        opening = text.next_mark()
        if not opening:
            raise EmptyError("the file is blank", "record the run again or leave the file out")
        if opening == "[" and self._key is None:
            yield from _elements(text, "")
        elif opening == "{" and self._key is not None:
            yield from self._members(text, self._key)
        else:
            raise _no_list(self._key)
        if text.next_mark():
            raise text.damaged("text behind the end of the document")

    def _members(self, text: "_Text", key: str) -> Iterator[tuple[str, Any]]:
        text.take("{")
        found = False
        while not (text.next_mark() == "}" and not self.others and not found):
            name = text.name()
            if name in self.others or (found and name == key):
                raise text.damaged(f"key {name!r} stands twice in one object")
            if name == key and text.next_mark() == "[":
                found = True
                yield from _elements(text, key)
            else:
                self.others[name] = text.value(name)
            if text.take(",}") == "}":
                break
        else:
            text.take("}")
        if not found:
            raise _no_list(key)


def _no_list(key: str | None) -> BadRunError:
    expected = "a list" if key is None else f"an object with a list under the key {key}"
    return BadRunError(f"expected {expected}", "check the file")


def _elements(text: "_Text", name: str) -> Iterator[tuple[str, Any]]:
    text.take("[")
    if text.next_mark() == "]":
        text.take("]")
        return
    at = 0
    while True:
        place = f"{name}[{at}]"
        yield place, text.value(place)
        at += 1
        if text.take(",]") == "]":
            return


class _Chunks:
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
        return self._decoded(content) if content else (self._decoder.decode(b"", True) or None)

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


class _Text:
    """The text read but not yet used, and the place in the file where it begins."""

    def __init__(self, chunks: _Chunks, longest: int) -> None:
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
