"""The elements of a long JSON list, one at a time, whatever the size of the file.

For logs that are one JSON document of any size: a list (``key=None``), or an object with the list under a top-level
key. Plain and gzip-compressed files alike::

    stream = JsonStream.of(candidate, "history")
    for place, value in stream:  # ("history[0]", {...}), ("history[1]", {...}), ...
        ...
    stream.others  # {"usage": {...}}: what stands beside the list, whole once the loop has ended
    stream.encoding  # as ``reading_files.decode`` names it

A document so short that detection has read the whole is not read again. Of a longer one, one element at a time is in
memory, so keep of it only what the run needs. Pictures in base64 come as
:class:`tracewitness.intake.inline.InlinePicture`: their beginning, with the digest of the whole, which the functions of
``inline`` understand. The JSON is read as ``reading_files.parse_json`` reads that of logs (no key twice, no endless
nesting, NaN is None, no lone surrogates), and errors name line, column and key in the same way. No element, and no
value beside the list, may be longer than ``limits.line``.

Where the file breaks off, the elements ahead of that come first, and then the error.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError
from tracewitness.intake.json_text import Chunks, JsonText
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import open_unpacked


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
        self._known: Candidate | None = None
        self.others: dict[str, Any] = {}
        self.encoding = "utf-8"

    @classmethod
    def of(cls, candidate: Candidate, key: str | None = None) -> "JsonStream":
        """Return the elements of a list in a candidate; see the class."""
        stream = cls(candidate.path, candidate.limits, key)
        stream._known = None if candidate.is_sketch else candidate
        return stream

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Yield place and value of every element.

        Raises:
            BadRunError: The document has no such list.
            BadJsonError: The JSON is damaged or breaks off.
            TooLargeError: A value is longer than ``limits.line``, or more than ``limits.unpacked`` would be unpacked.
            IntakeError: The file cannot be read, is empty, or its encoding cannot be told.
        """
        self.others = {}
        if self._known is not None:
            yield from self._parsed(self._known)
            return
        with open_unpacked(self._path) as (source, compressed):
            chunks = Chunks(source, self._path, self._limits.unpacked if compressed else None)
            text = JsonText(chunks, self._limits.line)
            try:
                yield from self._document(text)
            except IntakeError as error:
                raise error.at(str(self._path)) from error.__cause__
            finally:
                self.encoding = chunks.encoding

    def _parsed(self, candidate: Candidate) -> Iterator[tuple[str, Any]]:
        """Yield the elements out of a document that is in memory."""
        listed: Any = candidate.document
        self.encoding = candidate.encoding
        if self._key is not None and isinstance(listed, dict):
            whole = cast(dict[str, Any], listed)
            self.others = {key: value for key, value in whole.items() if key != self._key}
            listed = whole.get(self._key)
        elif self._key is not None:
            listed = None
        if not isinstance(listed, list):
            raise _no_list(self._key)
        name = self._key or ""
        yield from ((f"{name}[{at}]", value) for at, value in enumerate(cast(list[Any], listed)))

    def _document(self, text: JsonText) -> Iterator[tuple[str, Any]]:
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

    def _members(self, text: JsonText, key: str) -> Iterator[tuple[str, Any]]:
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


def _elements(text: JsonText, name: str) -> Iterator[tuple[str, Any]]:
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
