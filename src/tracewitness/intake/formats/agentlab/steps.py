"""The step files of an experiment, read one by one, with what is kept of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from tracewitness.findings.causes import Gap
from tracewitness.intake.array_pictures import Picture, picture_of
from tracewitness.intake.errors import BadRunError, IntakeError, UnsafePickleError
from tracewitness.intake.formats.agentlab.detect import STEP
from tracewitness.intake.formats.agentlab.pages import Page, page_of
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.pickles import Array, Stub, read_pickle
from tracewitness.intake.pickles.plain import extent
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.untyped import object_of, text_of

_HIDDEN: Mapping[str, tuple[Plane, LeakRoute]] = {
    "agent_info": (Plane.NARRATION, LeakRoute.THOUGHTS),
    "obs.chat_messages": (Plane.NARRATION, LeakRoute.ECHO),
    "obs.last_action": (Plane.NARRATION, LeakRoute.ECHO),
    "reward": (Plane.GRADING, LeakRoute.GRADING_ECHO),
    "raw_reward": (Plane.GRADING, LeakRoute.GRADING_ECHO),
    "terminated": (Plane.GRADING, LeakRoute.GRADING_ECHO),
    "truncated": (Plane.GRADING, LeakRoute.GRADING_ECHO),
    "task_info": (Plane.GRADING, LeakRoute.GRADING_ECHO),
    "stats": (Plane.GRADING, LeakRoute.NONE),
}
_LATEST = 4e9
_NUMBER = 8


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """One step file.

    Attributes:
        number: Its number.
        page: What the browser showed before the action.
        action: The action as the agent wrote it; None where the agent gave none, as in the last file.
        goal: What was asked, where the observation says it.
        error: What the action of the step before failed with.
        thought: The agent's thought.
        decided, begun: When the agent had decided, and when the action of the step before was begun.
        truncated: Whether the harness says that the run was cut at its limit.
        version: The module of the class.
        unknown: Classes in the file that are no known data.
    """

    number: int
    page: Page
    action: str | None
    goal: str
    error: str
    thought: str
    decided: str | None
    begun: str | None
    truncated: bool
    version: str
    unknown: tuple[str, ...]
    stripped: tuple[Stripped, ...]


@dataclass(slots=True)
class StepFiles:
    """The steps that could be read, and what was wrong with the others."""

    steps: list[LoggedStep] = field(default_factory=list[LoggedStep])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])


def read_steps(folder: RunFolder, names: frozenset[str]) -> StepFiles:
    """Read the step files. A damaged one is a gap and loses none of the others.

    Raises:
        UnsafePickleError: One of them is an attack.
        IntakeError: None can be read.
        BadRunError: There are more than are read.
    """
    found, damaged = StepFiles(), list[tuple[int, IntakeError]]()
    numbered = sorted((int(match.group(1)), name) for name in names if (match := STEP.match(name)))
    if len(numbered) > folder.limits.steps:
        raise BadRunError(f"{len(numbered)} steps, at most {folder.limits.steps} are read", "split the run")
    for number, name in numbered:
        try:
            found.steps.append(_read_step(folder, name, number))
        except UnsafePickleError as error:
            raise error.at(where=name) from None
        except IntakeError as error:
            damaged.append((number, error.at(where=name)))
    if not found.steps and damaged:
        raise damaged[0][1]
    for number, error in damaged:
        last = not found.steps or number > found.steps[-1].number
        found.gaps.add(Gap.LOG_CUT_OFF if last else Gap.MISSING_STEPS)
        found.notices.append(f"{error.where}: {error.problem}")
    return found


def _read_step(folder: RunFolder, name: str, number: int) -> LoggedStep:
    pickled = read_pickle(folder.locate(name), folder.limits, note=_noted)
    record = pickled.value
    if not isinstance(record, Stub) or "obs" not in record.state:
        raise BadRunError("the pickle holds no StepInfo with an observation", "name a folder of AgentLab")
    seen, info = object_of(record.get("obs")), record.get("agent_info")
    action = record.get("action")
    times = record.get("profiling")
    return LoggedStep(
        number=number,
        page=page_of(seen, name, folder.limits),
        action=action if isinstance(action, str) else None,
        goal=text_of(seen.get("goal")).strip() or goal_in(seen.get("goal_object")),
        error=text_of(seen.get("last_action_error")).strip(),
        thought=text_of(_part(info, "think")).strip(),
        decided=_time(_part(times, "agent_stop")),
        begun=_time(_part(times, "action_exec_start")),
        truncated=record.get("truncated") is True,
        version=record.of.module,
        unknown=pickled.unknown,
        stripped=tuple(_stripped(record, seen, name)),
    )


def _noted(array: Array) -> Picture | bytes | None:
    """Keep a picture by its digest, and the few bytes of an array that holds a number."""
    content = array.content or b""
    return content if len(content) <= _NUMBER else picture_of(array)


def _part(value: Any, name: str) -> Any:
    """Return an attribute of an object, or an item of a dictionary; older versions have the one, newer the other."""
    if isinstance(value, Stub):
        return value.get(name)
    return cast(dict[Any, Any], value).get(name) if isinstance(value, dict) else None


def _time(value: Any) -> str | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < _LATEST:
        return None
    return datetime.fromtimestamp(value, UTC).isoformat()


def goal_in(messages: Any) -> str:
    """Return the words of a goal that is kept as messages of text and pictures."""
    if not isinstance(messages, list | tuple):
        return ""
    parts = (text_of(object_of(one).get("text")).strip() for one in cast(list[Any], messages)[:1000])
    return "\n".join(filter(None, parts))


def _stripped(record: Stub, seen: Mapping[Any, Any], name: str) -> list[Stripped]:
    values = {key: record.get(key) for key in _HIDDEN} | {f"obs.{key}": seen.get(key) for key in seen}
    return [
        Stripped(f"{name}: {key}", plane, route, size)
        for key, (plane, route) in _HIDDEN.items()
        if (size := extent(values.get(key)))
    ]
