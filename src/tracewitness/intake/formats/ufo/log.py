"""The lines of a response.log: one a step of an agent, host and app agents mixed."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, EmptyError
from tracewitness.intake.formats.ufo.detect import is_line
from tracewitness.intake.formats.ufo.keys import normalised
from tracewitness.intake.json_lines import JsonLines
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import peek
from tracewitness.intake.untyped import text_of


@dataclass(frozen=True, slots=True)
class Record:
    """A line: its number in the file, the number that names its files, its fields by normal keys."""

    line: int
    step: int | None
    fields: dict[str, Any]

    @property
    def where(self) -> str:
        """The place of the line, for notes and errors."""
        return f"line {self.line}"

    @property
    def status(self) -> str:
        """The status that the agent gave, in capitals."""
        return text_of(self.fields.get("status")).strip().upper()

    @property
    def is_host(self) -> bool:
        """Whether the line is by an agent that directs others."""
        return "APPAGENT" not in text_of(self.fields.get("agent")).upper().replace("_", "")


@dataclass(slots=True)
class Log:
    """A response.log as read."""

    records: list[Record] = field(default_factory=list[Record])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    encodings: set[str] = field(default_factory=set[str])


def read_log(path: Path, name: str, limits: Limits) -> Log:
    """Return the lines of a log. UFO writes some that are no JSON; each costs itself alone.

    Raises:
        IntakeError: The log cannot be read, or no line of it can.
    """
    log, lines = Log(), JsonLines(path, name, limits)
    peek(path)
    for number, value in lines.values():
        _add(log, value, number, limits)
    log.encodings = lines.encodings
    log.gaps.update(lines.gaps())
    log.notices += lines.notices()
    if not log.records:
        if lines.damaged:
            raise lines.damaged[0][1]
        raise EmptyError("the log holds no step of an agent", "the run made none; leave it out", path=name)
    return log


def _add(log: Log, value: Any, number: int, limits: Limits) -> None:
    if not isinstance(value, dict) or not is_line(cast(dict[str, Any], value)):
        log.gaps.add(Gap.MISSING_STEPS)
        log.notices.append(f"line {number} is no step of an agent")
        return
    if len(log.records) >= limits.steps:
        raise BadRunError(f"more than {limits.steps} steps", "split the log", where=f"line {number}")
    fields = normalised(cast(dict[str, Any], value))
    step = fields.get("step")
    known = isinstance(step, int) and not isinstance(step, bool) and 0 <= step <= limits.steps
    log.records.append(Record(number, step if known and isinstance(step, int) else None, fields))
