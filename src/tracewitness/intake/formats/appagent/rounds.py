"""The rounds of an AppAgent log: lines checked, the task taken out, screens found."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, EmptyError
from tracewitness.intake.json_lines import JsonLines
from tracewitness.intake.limits import Limits

_TASK = "The task you need to complete is to "
_PAST = "Your past actions to proceed"
_NOW = "\nNow, given the"
_SUFFIX = re.compile(r"_(?:labeled|grid)\.png$|\.png$")


@dataclass(frozen=True, slots=True)
class Round:
    """One line of the log."""

    step: int
    prompt: str
    image: str
    response: str
    line: int


@dataclass(slots=True)
class Log:
    """The readable rounds of a log, with what was wrong with the others."""

    rounds: list[Round] = field(default_factory=list[Round])
    encodings: set[str] = field(default_factory=set[str])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])


def read_log(path: Path, name: str, limits: Limits) -> Log:
    """Read a log. A damaged line in it is a gap, a damaged last line a cut-off log; neither loses the other rounds.

    Raises:
        EmptyError: It has no lines.
        BadJsonError: No line can be read.
        BadRunError: A line has other keys, or the rounds are not in order.
        UnknownEncodingError: The encoding of a line cannot be told.
        TooLargeError: It has more rounds than are read.
    """
    log, lines = Log(), JsonLines(path, name, limits)
    for number, value in lines.values():
        _append(log, _round(value, number), limits)
    if not log.rounds and lines.damaged:
        raise lines.damaged[0][1]
    if not log.rounds:
        raise EmptyError("the log is empty", "the run made no round; leave it out", path=name)
    log.encodings = lines.encodings
    log.gaps.update(lines.gaps())
    log.notices += (f"log {notice}" for notice in lines.notices())
    return log


def _append(log: Log, one: Round, limits: Limits) -> None:
    where = f"line {one.line}"
    if log.rounds and one.step <= log.rounds[-1].step:
        problem = f"step {one.step} comes after step {log.rounds[-1].step}"
        raise BadRunError(problem, "one log holds two runs; split it", where=where)
    if len(log.rounds) >= limits.steps:
        raise BadRunError(f"more than {limits.steps} rounds", "split the log", where=where)
    log.rounds.append(one)


def _round(value: Any, number: int) -> Round:
    keys = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    step, texts = keys.get("step"), [keys.get(key) for key in ("prompt", "image", "response")]
    if not isinstance(step, int) or isinstance(step, bool) or not all(isinstance(text, str) for text in texts):
        raise BadRunError(
            "expected the keys step (integer), prompt, image, response (texts)",
            "check the line",
            where=f"line {number}",
        )
    prompt, image, response = cast(list[str], texts)
    return Round(step, prompt, image, response, number)


def task_of(log: Log) -> str | None:
    """Return the task sentence of the first prompt; None where there is none, or where it cannot be told.

    Documentation of the screen's elements, written by a model, stands ahead of the sentence and may hold one like it:
    the last one counts. The summary of past actions stands behind it. In the first round that summary is empty; where
    the log begins later, it is the agent's, and of several such sentences none is taken.
    """
    first = log.rounds[0]
    ahead, behind, _ = first.prompt.rpartition(_NOW)
    prompt = ahead if behind else first.prompt
    if first.step > 1 and prompt.count(_TASK) > 1:
        return None
    _, found, rest = prompt.rpartition(_TASK)
    task, ended, _ = rest.partition(_PAST)
    task = task.rstrip().removesuffix(".") if ended else task
    return task.strip() or None if found else None
