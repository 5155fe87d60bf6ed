"""One file or folder that may hold runs, looked at once for all readers."""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.archives import is_archive
from tracewitness.intake.errors import (
    BadJsonError,
    EmptyError,
    IntakeError,
    TooLargeError,
    UnreadableError,
    UnsafeArchiveError,
)
from tracewitness.intake.json_sketch import is_long, lines_follow, sketch_of
from tracewitness.intake.limits import MEBIBYTE, Limits
from tracewitness.intake.long_texts import refuse_long_texts
from tracewitness.intake.paths import is_there
from tracewitness.intake.reading_files import (
    ConstantError,
    Line,
    decode,
    lines_of,
    parse_json,
    peek,
    read_bytes,
    refuse_wide,
)

LOG_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".ndjson")
"""How the name of a file ends that says it is JSON; such a file is looked at in a searched folder."""

_SAMPLED_LINES = 20
_KEPT_BYTES = MEBIBYTE


class Shape(StrEnum):
    """What a candidate looks like from outside."""

    FOLDER = "folder"
    JSON = "json"
    JSON_LINES = "json_lines"
    OTHER = "other"


@dataclass
class Candidate:
    """A file or folder with what its first bytes show; everything is read lazily and once.

    Attributes:
        path: The file or folder.
        name: How the user named it (or the path below the folder the user named); used in every message.
        limits: Bounds on what is read.
    """

    path: Path
    name: str
    limits: Limits = field(default_factory=Limits)
    _known_objects: tuple[dict[str, Any], ...] | None = field(default=None, init=False, repr=False, compare=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of the entries of a folder; empty for a file.

        Raises:
            UnreadableError: The folder cannot be listed.
        """
        if not self.path.is_dir():
            return frozenset()
        return names_in(self.path, self.name)

    @cached_property
    def files(self) -> frozenset[str]:
        """Names of the plain files in a folder, for detection: a folder that is called as a log is none.

        Raises:
            UnreadableError: The folder cannot be listed.
        """
        return frozenset(name for name in self.names if is_there(self.path / name))

    @cached_property
    def shape(self) -> Shape:
        """What the candidate looks like.

        Raises:
            IntakeError: The file cannot be opened, is empty, is a Git LFS pointer or UTF-16.
        """
        if self.path.is_dir():
            return Shape.FOLDER
        head = peek(self.path)
        refuse_wide(head, self.name)
        head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if not head:
            raise EmptyError("the file is blank", "record the run again or leave the file out", path=self.name)
        if self._is_lines_by_name:
            return Shape.JSON_LINES
        if head[:1] not in (b"{", b"["):
            return Shape.OTHER
        return Shape.JSON_LINES if self._begins_with_a_line() else Shape.JSON

    @property
    def _is_lines_by_name(self) -> bool:
        return self.path.name.endswith((".jsonl", ".jsonl.gz", ".ndjson"))

    def _begins_with_a_line(self) -> bool:
        """Tell whether the first line that is not blank is a JSON object, and more follows."""
        if not lines_follow(self.path, self.limits.line):
            return False
        try:
            first = next(lines_of(self.path, self.limits), None)
        except TooLargeError:
            return False
        return first is not None and isinstance(_parsed(first), dict)

    @cached_property
    def sample(self) -> Any:
        """The first JSON value of a file, for detection; None for a folder and for what is no JSON by name or content.

        Of a long document it is only a sketch (see ``is_sketch``). Of objects one after the other (as exporters print
        them to a console) it is the first one; readers that know no such series refuse the file.

        Raises:
            IntakeError: The JSON is damaged, too large, or its encoding cannot be told.
        """
        if self.shape is Shape.JSON or (self.shape is Shape.OTHER and self.path.name.endswith(LOG_SUFFIXES)):
            try:
                return sketch_of(self.path, self.name) if self.is_sketch else self.document
            except BadJsonError as error:
                first = first_of_series(error)
                if first is None:
                    raise
                return first
        if self.shape is Shape.JSON_LINES:
            return self._first_good_line()
        return None

    @cached_property
    def is_sketch(self) -> bool:
        """Whether ``sample`` is the beginning of a long document: lists end early, and later keys are not there."""
        return self.shape in (Shape.JSON, Shape.OTHER) and is_long(self.path)

    @cached_property
    def is_archive(self) -> bool:
        """Whether the file begins as a zip file does."""
        return self.shape is Shape.OTHER and is_archive(peek(self.path, 4))

    def trouble(self, met: IntakeError) -> IntakeError | None:
        """Return what is wrong with the file itself, after a format met an error at it; None where nothing is.

        A folder, a document that parses and lines that can be read are in order, whatever a format made of them. Of a
        zip file, what is damaged or unsafe in it is believed.

        Args:
            met: The error; it is believed where a document is too long to be looked through once more.
        """
        try:
            if self.shape is Shape.JSON_LINES:
                deque(self.objects(), maxlen=0)
            elif self.is_archive:
                return met if isinstance(met, UnreadableError | TooLargeError | UnsafeArchiveError) else None
            elif self.is_sketch:
                _ = self.document
        except IntakeError as error:
            too_long = self.is_sketch and isinstance(error, TooLargeError)
            return error if not too_long else met if isinstance(met, BadJsonError) else None
        return None

    def _first_good_line(self) -> Any:
        found = next(self.objects(), None)
        if found is not None:
            return found
        decode(peek(self.path), self.name)  # where the file is no text, that is the trouble, and not its first line
        for line in lines_of(self.path, self.limits):
            try:
                parse_json(decode(line.content).text, line.number)
            except IntakeError as error:
                raise error.at(self.name) from None
            break
        raise BadJsonError("no line holds a JSON object", "check the file", path=self.name)

    def objects(self) -> Iterator[dict[str, Any]]:
        """Yield the JSON objects among the first lines, so that a damaged or odd line does not hide what others are.

        Every format asks for them, so short ones are kept once they were all read.
        """
        if self._known_objects is not None:
            yield from self._known_objects
            return
        found: list[dict[str, Any]] = []
        seen = 0
        for line in lines_of(self.path, self.limits):
            value = _parsed(line)
            seen += len(line.content)
            if isinstance(value, dict):
                found = [*found, cast(dict[str, Any], value)] if seen <= _KEPT_BYTES else []
                yield cast(dict[str, Any], value)
            if line.number >= _SAMPLED_LINES:
                break
        if seen <= _KEPT_BYTES:
            self._known_objects = tuple(found)

    @cached_property
    def _parsed_document(self) -> tuple[Any, str, BadJsonError | None]:
        """The value, the encoding, and what strict JSON does not have in it."""
        way_out = "write one run per line (.jsonl), which is streamed"
        if self.is_sketch:
            refuse_long_texts(self.path)
        read = decode(read_bytes(self.path, self.limits.document, way_out), self.name)
        try:
            return parse_json(read.text, strict=True), read.encoding, None
        except BadJsonError as error:
            if not isinstance(error.__cause__, ConstantError):
                raise
            return parse_json(read.text), read.encoding, error

    @property
    def document(self) -> Any:
        """The whole file as one JSON value; the text itself is not kept. NaN and infinities are None.

        Raises:
            IntakeError: The JSON is damaged, too large, or not text.
        """
        return self._parsed_document[0]

    @property
    def strict_document(self) -> Any:
        """The whole file as one value of JSON as it is written down, without NaN and infinities.

        Raises:
            IntakeError: The JSON is damaged, too large, or not text.
        """
        value, _, beyond = self._parsed_document
        if beyond is not None:
            raise beyond
        return value

    @property
    def encoding(self) -> str:
        """The encoding of a file that is read as one document."""
        return self._parsed_document[1]


def names_in(folder: Path, name: str) -> frozenset[str]:
    """Return the names of a folder's entries.

    Raises:
        UnreadableError: The folder cannot be listed.
    """
    try:
        return frozenset(entry.name for entry in folder.iterdir())
    except OSError as error:
        raise UnreadableError(f"cannot be listed ({error.strerror})", "check its rights", path=name) from error


def first_of_series(error: BadJsonError) -> Any:
    """Return the object behind which another one begins on a line of its own; None where the trouble is another.

    Args:
        error: What came of parsing the whole as one value.
    """
    cause = error.__cause__
    if not isinstance(cause, json.JSONDecodeError) or not cause.doc.startswith("\n{", max(cause.pos - 1, 0)):
        return None
    try:
        first: Any = parse_json(cause.doc[: cause.pos])
    except IntakeError:
        return None
    return cast(dict[str, Any], first) if isinstance(first, dict) else None


def _parsed(line: Line) -> Any:
    try:
        return parse_json(decode(line.content).text, line.number)
    except IntakeError:
        return None
