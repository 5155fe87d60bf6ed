"""The lines of a traj.jsonl: one an executed action, and what its runner adds beside them."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, EmptyError
from tracewitness.intake.formats.osworld.detect import is_error
from tracewitness.intake.json_lines import JsonLines
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import peek
from tracewitness.intake.sealed import HarnessStatus

_WAA = frozenset({"plan_result", "window_title", "accessibility_tree", "computer_clipboard", "screenshot"})
_STAMP = re.compile(r"\d{8}@\d{6}\d{0,6}")
_DEEPEST = 64
_NO_ACTION = frozenset({"", "__init__", "init", "reset"})


@dataclass(frozen=True, slots=True)
class Record:
    """A line: its number in the file, the number of its step, and its fields."""

    line: int
    step: int
    fields: dict[str, Any]

    @property
    def where(self) -> str:
        """The place of the line, for notes and errors."""
        return f"line {self.line}"


@dataclass(slots=True)
class Log:
    """A traj.jsonl as read.

    Attributes:
        records: The lines of executed actions.
        start: The line of the first screen, which holds no action.
        instruction: The instruction, where any line holds it.
        ended: What the runner says of the end, by a line of its own.
        error_lines: The numbers and sizes of such lines.
        gaps: What is missing.
        notices: What a person should know.
        encodings: The text encodings that were used.
        whole_before: Whether every line holds what was seen before its action (WindowsAgentArena).
    """

    records: list[Record] = field(default_factory=list[Record])
    start: Record | None = None
    instruction: str | None = None
    ended: HarnessStatus | None = None
    error_lines: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    encodings: set[str] = field(default_factory=set[str])
    whole_before: bool = False


def read_log(path: Path, name: str, limits: Limits) -> Log:
    """Return the lines of a log. A damaged one costs itself alone.

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
    if not log.records and log.start is None and log.ended is None:
        if lines.damaged:
            raise lines.damaged[0][1]
        raise EmptyError("the log holds no step", "the run made none; leave it out", path=name)
    _tell_missing(log)
    log.whole_before = _is_waa(log)
    return log


def _is_waa(log: Log) -> bool:
    told = [one.fields for one in log.records] or ([log.start.fields] if log.start else [])
    return any(_WAA & one.keys() for one in told) and not any("screenshot_file" in one for one in told)


def _add(log: Log, value: Any, number: int, limits: Limits) -> None:
    fields = cast(dict[str, Any], value) if isinstance(value, dict) else None
    if fields is None or _is_deep(fields):
        log.gaps.add(Gap.MISSING_STEPS)
        log.notices.append(f"line {number} is {'no JSON object' if fields is None else 'nested too deeply'}")
        return
    told = fields.get("instruction")
    if log.instruction is None and isinstance(told, str) and told.strip():
        log.instruction = told.strip()
    if is_error(fields):
        text = str(fields["Error"])
        log.ended = HarnessStatus.TIMEOUT if "time limit" in text.casefold() else HarnessStatus.ERROR
        log.error_lines.append((number, len(text)))
        return
    log.ended = None  # a runner that was started again went on
    _add_step(log, fields, number, limits)


def _add_step(log: Log, fields: dict[str, Any], number: int, limits: Limits) -> None:
    step, action = fields.get("step_num"), fields.get("action")
    known = isinstance(step, int) and not isinstance(step, bool) and 0 <= step <= limits.steps
    record = Record(number, step if known and isinstance(step, int) else 0, fields)
    if action is None or (isinstance(action, str) and action.strip() in _NO_ACTION):
        if not log.records and log.start is None:
            log.start = record
            return
        log.notices.append(f"line {number} holds no action")
        log.gaps.add(Gap.MISSING_STEPS)
        return
    if not known:
        log.notices.append(f"line {number} has no step number that can be used")
        log.gaps.add(Gap.MISSING_STEPS)
    if known and log.records and record.step <= 1 < log.records[-1].step:
        _begin_again(log, number)
    if len(log.records) >= limits.steps:
        raise BadRunError(f"more than {limits.steps} steps", "split the log", where=f"line {number}")
    log.records.append(record)


def _begin_again(log: Log, number: int) -> None:
    """Leave out the lines of an earlier attempt: a harness sets the machine back before it tries a task again."""
    lines = f"lines {log.records[0].line} to {number - 1}"
    log.notices.append(f"{lines} are of an earlier attempt in the same folder, which is no part of this run")
    log.records.clear()
    log.start = None


def _is_deep(value: Any) -> bool:
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        level = [
            item
            for one in level
            for item in (cast(dict[str, Any], one).values() if isinstance(one, dict) else cast(list[Any], one))
            if isinstance(item, dict | list)
        ]
        if not level:
            return False
    return True


def time_of(record: Record) -> str | None:
    """Return the time of a line in ISO 8601, in the unnamed zone of the machine; None where it is written otherwise."""
    stamp = record.fields.get("action_timestamp")
    if not isinstance(stamp, str) or not _STAMP.fullmatch(stamp):
        return None
    try:
        year, month, day = int(stamp[:4]), int(stamp[4:6]), int(stamp[6:8])
        hour, minute, second = int(stamp[9:11]), int(stamp[11:13]), int(stamp[13:15])
        return datetime(year, month, day, hour, minute, second, int(stamp[15:].ljust(6, "0"))).isoformat()
    except ValueError:
        return None


def _tell_missing(log: Log) -> None:
    steps = [one.step for one in log.records]
    if steps and (steps[0] > 1 or any(later - earlier > 1 for earlier, later in zip(steps, steps[1:], strict=False))):
        log.gaps.add(Gap.MISSING_STEPS)
