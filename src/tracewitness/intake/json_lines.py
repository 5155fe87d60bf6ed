"""The lines of a log of JSON Lines, of which a damaged one costs itself alone."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import IntakeError, LfsPointerError, UnknownEncodingError
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import Line, decode, lines_of, parse_json, refuse_lfs


@dataclass(slots=True)
class JsonLines:
    """Reads a log line by line, and keeps what was wrong with some of them.

    Attributes:
        path: The file.
        name: How the user named it.
        limits: Bounds on what is read.
        encodings: The text encodings that were used.
        damaged: The lines that could not be read, with why.
        last: The number of the last line, as far as the log was read.
    """

    path: Path
    name: str
    limits: Limits
    encodings: set[str] = field(default_factory=set[str])
    damaged: list[tuple[Line, IntakeError]] = field(default_factory=list[tuple[Line, IntakeError]])
    last: int = 0

    def values(self) -> Iterator[tuple[int, Any]]:
        """Yield the number and the value of every line that can be read.

        Raises:
            LfsPointerError: The file begins as a Git LFS pointer; one further on costs its own lines alone.
            UnknownEncodingError: The encoding of a line cannot be told.
            TooLargeError: A line, or the whole, is too long.
        """
        for line in lines_of(self.path, self.limits):
            if not self.last:
                refuse_lfs(line.content, self.path)
            self.last = line.number
            if self._is_of_pointer(line):
                continue
            try:
                read = decode(line.content, self.name, max(self.encodings - {"utf-8"}, default=""))
                value = parse_json(read.text, line.number)
            except UnknownEncodingError as error:
                raise error.at(self.name, f"line {line.number}") from None
            except IntakeError as error:
                self.damaged.append((line, error.at(self.name)))
                continue
            self.encodings.add(read.encoding)
            yield line.number, value

    def _is_of_pointer(self, line: Line) -> bool:
        """Tell the lines of a Git LFS pointer that stands in the midst of a log, and note it once as damage."""
        try:
            refuse_lfs(line.content, self.path)
        except IntakeError as error:
            self.damaged.append((line, error.at(self.name, f"line {line.number}")))
            return True
        behind = bool(self.damaged) and isinstance(self.damaged[-1][1], LfsPointerError)
        return behind and line.content.startswith((b"oid sha256:", b"size "))

    def gaps(self) -> Iterator[Gap]:
        """Yield the gap that each damaged line is: a cut-off log where it is the last, else missing steps."""
        for line, _ in self.damaged:
            yield Gap.LOG_CUT_OFF if line.number == self.last else Gap.MISSING_STEPS

    def notices(self) -> Iterator[str]:
        """Yield what is wrong with each damaged line."""
        return (f"{error.where}: {error.problem}" for _, error in self.damaged)
