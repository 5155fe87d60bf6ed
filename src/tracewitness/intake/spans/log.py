"""The JSON values of a log of spans or events: one document, or a value a line; a damaged line costs no other one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape, first_of_series
from tracewitness.intake.errors import BadJsonError, IntakeError, TooLargeError
from tracewitness.intake.reading_files import (
    LENIENT,
    Line,
    decode,
    lines_of,
    parse_json,
    read_bytes,
    size_words,
    without_surrogates,
)
from tracewitness.values.plurals import plural

_OBJECT = re.compile(r"^\{", re.MULTILINE)
_MOST_FAILURES = 100


@dataclass(slots=True)
class Log:
    """The values of a log.

    Attributes:
        values: Each with its place: empty for a whole document, else ``line 3``.
        encoding: The encoding that was used.
        gaps: What is missing of it.
        notices: What a person should know of it.
    """

    values: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    encoding: str = "utf-8"
    gaps: tuple[Gap, ...] = ()
    notices: tuple[str, ...] = ()


def read_log(candidate: Candidate) -> Log:
    """Read all values of a log; spans of one trace may stand anywhere in it, so it is bounded as a document is.

    Raises:
        IntakeError: It cannot be read, or no line of it holds JSON.
    """
    if candidate.shape is not Shape.JSON_LINES:
        try:
            document = candidate.document
        except BadJsonError as error:
            if candidate.shape is Shape.JSON and first_of_series(error) is None:
                raise
            return _series(candidate, error)
        return Log([("", document)], candidate.encoding)
    reading = _Lines(candidate)
    reading.read()
    return reading.log()


def _series(candidate: Candidate, error: BadJsonError) -> Log:
    """Read objects one after the other, as exporters print them to a console, perhaps between other words.

    Raises:
        BadJsonError: There is none.
    """
    read = decode(read_bytes(candidate.path, candidate.limits.document), candidate.name)
    values: list[tuple[str, Any]] = []
    failures, cut_off = 0, False
    for begin, end, value in pieces_of(read.text):
        if end == begin:
            failures, cut_off = failures + 1, _OBJECT.search(read.text, begin + 1) is None
        else:
            values.append((f"value {len(values) + 1}", value))
    if not values:
        raise error
    lost = failures - cut_off
    gaps = ((Gap.LOG_CUT_OFF,) if cut_off else ()) + ((Gap.MISSING_STEPS,) if lost else ())
    notices = ("the last value of the log is cut off",) if cut_off else ()
    if lost:
        notices = (*notices, f"{plural(lost, 'value')} of the log cannot be read")
    return Log(values, read.encoding, gaps, notices)


def pieces_of(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield begin, end and value of the objects in a text, each at the beginning of a line.

    Where one cannot be read, its end is its beginning.
    """
    at, failures = 0, 0
    while failures < _MOST_FAILURES and (begin := _OBJECT.search(text, at)) is not None:
        try:
            value, at = LENIENT.raw_decode(text, begin.start())
            yield begin.start(), at, without_surrogates(value)
        except (ValueError, RecursionError, IntakeError):
            failures, at = failures + 1, begin.end()
            yield begin.start(), begin.start(), None


@dataclass(slots=True)
class _Lines:
    candidate: Candidate
    values: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    encoding: str = "utf-8"
    damaged: list[IntakeError] = field(default_factory=list[IntakeError])
    cut_off: bool = False

    def read(self) -> None:
        limit, size = self.candidate.limits.document, 0
        for line in lines_of(self.candidate.path, self.candidate.limits):
            size += len(line.content)
            if size > limit:
                problem = f"larger than the limit of {size_words(limit)} for a log whose runs stand all over it"
                raise TooLargeError(problem, "split it by trace", path=self.candidate.name)
            self._add(line)
        if not self.values and self.damaged:
            raise self.damaged[0].at(self.candidate.name)

    def _add(self, line: Line) -> None:
        place = f"line {line.number}"
        self.cut_off = False
        try:
            read = decode(line.content, self.candidate.name, self.encoding)
            self.values.append((place, parse_json(read.text, line.number)))
            self.encoding = read.encoding if read.encoding != "utf-8" else self.encoding
        except IntakeError as error:
            self.damaged.append(error.at(where=place))
            self.cut_off = not line.ended

    def log(self) -> Log:
        """Return what was read."""
        gaps = [Gap.LOG_CUT_OFF] if self.cut_off else []
        notices = ["the last line of the log is cut off"] if self.cut_off else []
        lost = len(self.damaged) - self.cut_off
        if lost:
            gaps.append(Gap.MISSING_STEPS)
            notices.append(f"{plural(lost, 'line')} of the log cannot be read")
        return Log(self.values, self.encoding, tuple(gaps), tuple(notices))


def flattened(log: Log) -> Iterator[tuple[str, Any]]:
    """Yield the values of a log with their places; those of a list one by one."""
    for place, value in log.values:
        if isinstance(value, list):
            yield from ((f"{place}[{at}]" if place else f"[{at}]", one) for at, one in enumerate(value))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        else:
            yield place, value
