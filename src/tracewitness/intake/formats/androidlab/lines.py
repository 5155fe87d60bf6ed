"""The lines of ``trace.jsonl``."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, EmptyError
from tracewitness.intake.json_lines import JsonLines
from tracewitness.intake.limits import Limits
from tracewitness.intake.untyped import object_of, text_of


@dataclass(frozen=True, slots=True)
class Turn:
    """One executed step: its number, its action with its arguments, and the whole line."""

    line: int
    index: int
    operation: str
    action: str
    arguments: dict[str, Any]
    record: dict[str, Any]


@dataclass(slots=True)
class TraceLog:
    """A log with what was wrong with some of its lines."""

    turns: list[Turn] = field(default_factory=list[Turn])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    encodings: set[str] = field(default_factory=set[str])


def read_trace(path: Path, name: str, limits: Limits) -> TraceLog:
    """Read a log. A damaged line in it is a gap; neither it nor a cut-off last line loses the others.

    Raises:
        EmptyError: It has no lines: no step was done.
        BadJsonError: No line can be read.
        BadRunError: The steps are not in order, or they are more than are read.
        UnknownEncodingError: The encoding of a line cannot be told.
    """
    log, lines = TraceLog(), JsonLines(path, name, limits)
    for number, value in lines.values():
        _append(log, _turn(object_of(value), number, len(log.turns)), limits)
    if not log.turns:
        raise lines.damaged[0][1] if lines.damaged else EmptyError("no step in it", "leave the run out", path=name)
    log.encodings = lines.encodings
    log.gaps.update(lines.gaps())
    log.notices += (f"log {notice}" for notice in lines.notices())
    return log


def _append(log: TraceLog, one: Turn, limits: Limits) -> None:
    where = f"line {one.line}"
    if log.turns and one.index <= log.turns[-1].index:
        problem = f"step {one.index} comes after step {log.turns[-1].index}"
        raise BadRunError(problem, "one log holds two runs; split it", where=where)
    if len(log.turns) >= limits.steps:
        raise BadRunError(f"more than {limits.steps} steps", "split the log", where=where)
    log.turns.append(one)


def _turn(record: dict[str, Any], line: int, otherwise: int) -> Turn:
    index, parsed = record.get("index"), object_of(record.get("parsed_action"))
    return Turn(
        line=line,
        index=index if isinstance(index, int) and not isinstance(index, bool) else otherwise,
        operation=text_of(parsed.get("operation")),
        action=text_of(parsed.get("action")).strip(),
        arguments=object_of(parsed.get("kwargs")),
        record=record,
    )


def task_of(log: TraceLog) -> str:
    """Return the instruction, which every line repeats."""
    return next((task for one in log.turns if (task := text_of(one.record.get("target")).strip())), "")
