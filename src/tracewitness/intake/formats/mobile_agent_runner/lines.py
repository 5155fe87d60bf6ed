"""The lines of ``action.jsonl`` as calls."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call
from tracewitness.intake.errors import BadRunError, EmptyError
from tracewitness.intake.finishing import bare
from tracewitness.intake.formats.mobile_agent_runner.detect import is_action, is_tool_call
from tracewitness.intake.grammars.qwen import NAMES
from tracewitness.intake.json_lines import JsonLines
from tracewitness.intake.limits import Limits

MOBILE_AGENT, GUI_OWL = "Mobile-Agent-v3", "GUI-Owl"


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """One line: its number and its call; ``call`` is None where it is no action."""

    line: int
    call: Call | None


@dataclass(slots=True)
class ActionLog:
    """A log: its calls, what was wrong with the others, and which runner wrote it.

    Attributes:
        invented: The line on which the runner itself wrote that the run ends, after an answer; None where it did not.
    """

    calls: list[LoggedCall] = field(default_factory=list[LoggedCall])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    encodings: set[str] = field(default_factory=set[str])
    dialect: str = MOBILE_AGENT
    invented: LoggedCall | None = None


def read_actions(path: Path, name: str, limits: Limits) -> ActionLog:
    """Read a log. A damaged line in it is a gap; neither it nor a cut-off last line loses the others.

    Raises:
        EmptyError: It has no lines: the run ended before its first action.
        BadJsonError: No line can be read.
        BadRunError: It has more lines than are read.
        UnknownEncodingError: The encoding of a line cannot be told.
    """
    log, lines = ActionLog(), JsonLines(path, name, limits)
    for number, value in lines.values():
        if len(log.calls) >= limits.steps:
            raise BadRunError(f"more than {limits.steps} actions", "split the log", where=f"line {number}")
        log.calls.append(_logged(value, number, log))
    if not log.calls:
        raise lines.damaged[0][1] if lines.damaged else EmptyError("no action in it", "leave the run out", path=name)
    log.encodings = lines.encodings
    log.gaps.update(lines.gaps())
    log.notices += [f"log {notice}" for notice in lines.notices()]
    _take_out_invented(log)
    return log


def _logged(value: Any, number: int, log: ActionLog) -> LoggedCall:
    keys = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    if is_tool_call(keys):
        log.dialect = GUI_OWL
        keys = cast(dict[str, Any], keys["arguments"])
    if not is_action(keys) or not bare(keys["action"]):
        log.notices.append(f"log line {number}: no action")
        return LoggedCall(number, None)
    name = str(keys["action"]).strip()
    return LoggedCall(number, Call(NAMES.get(name) or name, {key: keys[key] for key in keys if key != "action"}))


def _take_out_invented(log: ActionLog) -> None:
    """Take out the end that GUI-Owl's runner writes by itself in the round after an answer, always with success."""
    if log.dialect != GUI_OWL or len(log.calls) < 2:
        return
    answer, end = log.calls[-2].call, log.calls[-1].call
    if answer is not None and end is not None and (answer.name, end.name) == ("answer", "terminate"):
        log.invented = log.calls.pop()
