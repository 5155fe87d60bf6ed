"""The JSON values of a log of spans or events: one document, or a value a line; a damaged line costs no other one."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError, TooLargeError
from tracewitness.intake.reading_files import Line, decode, lines_of, parse_json, size_words
from tracewitness.values.plurals import plural


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
        document = candidate.document
        return Log([("", document)], candidate.encoding)
    reading = _Lines(candidate)
    reading.read()
    return reading.log()


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
