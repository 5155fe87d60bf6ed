"""The tasks of an execution: what was done on the device, what a model planned, and how it ended."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from tracewitness.intake.bare_answers import FAILED, bare_answer
from tracewitness.intake.calls import Call, action_of, call_of
from tracewitness.intake.finishing import FINISH, bare
from tracewitness.intake.formats.midscene.screens import Screens
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import USER_SAYS, Action, Observation, Step
from tracewitness.values.digests import canonical_json

ACTING = frozenset({"Action", "Action Space"})
SAYING = frozenset(map(bare, ("Print_Assert_Result", "Finished", "Finalize", "Error", "AssertFailed")))
"""Actions of Midscene with which an agent only says how it went."""

_DONE = ("finished", "failed")
_CONTINUES = ("more_actions_needed_by_instruction", "shouldContinuePlanning")
CLOSING_WORDS = ("finalizeMessage", "output", "log")


@dataclass(slots=True)
class Told:
    """An execution, sorted."""

    steps: list[Step] = field(default_factory=list[Step])
    places: list[str] = field(default_factory=list[str])
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    said: list[str] = field(default_factory=list[str])
    flag: DeclaredStatus | None = None
    ended: bool = False

    @property
    def report(self) -> Report:
        """What the agent said in the end; nothing where it did not end."""
        return Report("\n\n".join(dict.fromkeys(self.said)) or None, self.flag) if self.ended else Report(None)


def told_by(tasks: list[dict[str, Any]], screens: Screens) -> Told:
    """Return what the tasks of an execution tell."""
    told = Told()
    last_plan = max((at for at, task in enumerate(tasks) if _is_plan(task)), default=-1)
    told.ended = last_plan >= 0 and _ends(tasks[last_plan]) and not any(map(_failed, tasks[last_plan:]))
    for at, task in enumerate(tasks):
        where = f"tasks[{at}]"
        acts = text_of(task.get("type")) in ACTING
        if acts and bare(text_of(task.get("subType"))) in SAYING:
            _say(told, task, where)
        elif acts:
            _act(told, task, where, screens)
        else:
            _plan(told, task, where, final=told.ended and at == last_plan)
    if told.ended:
        told.places.append(f"tasks[{last_plan}]")
        seen = screens.before(tasks[last_plan])
        told.steps.append(Step(len(told.steps) + 1, Action(FINISH), seen, time=_time(tasks[last_plan])))
    return told


def _is_plan(task: dict[str, Any]) -> bool:
    return task.get("type") == "Planning" and task.get("subType") != "Locate"


def _failed(task: dict[str, Any]) -> bool:
    return task.get("status") == "failed"


def _ends(task: dict[str, Any]) -> bool:
    output = object_of(task.get("output"))
    return any(output.get(key) is False for key in _CONTINUES)


def _say(told: Told, task: dict[str, Any], where: str) -> None:
    for key, value in object_of(task.get("param")).items():
        told.stripped.append(Stripped(f"{where}.param.{key}", Plane.REPORT, LeakRoute.FINISH_ARGUMENTS, size_of(value)))
        if isinstance(value, str) and value.strip():
            told.said.append(value.strip())
        elif key == "result" and isinstance(value, bool):
            told.flag = DeclaredStatus.SUCCESS if value else DeclaredStatus.FAILURE


def _act(told: Told, task: dict[str, Any], where: str, screens: Screens) -> None:
    name = text_of(task.get("subType")) or "action"
    given = task.get("param")
    call = call_of(name, {"input": given} if isinstance(given, str) else given)
    described = text_of(object_of(call.arguments.get("locate")).get("description"))
    target = described or (given if isinstance(given, str) else None)
    action, hidden = action_of(call, target or None, executed=text_of(task.get("status")) in _DONE)
    told.stripped += [Stripped(f"{where}.param.{one.key}", one.plane, one.route, one.characters) for one in hidden]
    output = task.get("output")
    given_back = "" if output in (None, "", {}, []) else output if isinstance(output, str) else canonical_json(output)
    shown = _answered(told, call, given_back, f"{where}.output", failed=False)
    error = _answered(told, call, _error(task), f"{where}.errorMessage", failed=True) or FAILED
    told.places.append(where)
    told.steps.append(
        Step(
            len(told.steps) + 1,
            action,
            screens.before(task),
            _with_words(screens.after(task), shown),
            error if _failed(task) else None,
            _time(task),
        )
    )


def _answered(told: Told, call: Call, text: str, where: str, *, failed: bool) -> str:
    """Return what of an answer is the environment's."""
    kept = bare_answer(call, text, failed=failed)
    if len(kept) < len(text):
        told.stripped.append(Stripped(where, Plane.NARRATION, LeakRoute.ECHO, len(text) - len(kept)))
    return kept


def _with_words(seen: Observation | None, words: str) -> Observation | None:
    if not words:
        return seen
    line = words if words.startswith(USER_SAYS) else f"result: {words}"
    return replace(seen, text=line) if seen is not None else Observation(line)


def _error(task: dict[str, Any]) -> str:
    if not _failed(task):
        return ""
    told = text_of(task.get("errorMessage")) or text_of(object_of(task.get("error")).get("message"))
    return told or text_of(task.get("error"))


def _time(task: dict[str, Any]) -> str | None:
    start = object_of(task.get("timing")).get("start")
    if not isinstance(start, int | float) or isinstance(start, bool):
        return None
    try:
        return datetime.fromtimestamp(start / 1000, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _plan(told: Told, task: dict[str, Any], where: str, *, final: bool) -> None:
    """Put what a model planned, located or read off a screen where it belongs: none of it is of the environment."""
    output = object_of(task.get("output"))
    if final:
        success = output.get("finalizeSuccess")
        if isinstance(success, bool) and told.flag is None:
            told.flag = DeclaredStatus.SUCCESS if success else DeclaredStatus.FAILURE
        told.said += filter(None, (text_of(output.get(key)).strip() for key in CLOSING_WORDS))
    words = "\n".join(filter(None, (text_of(task.get("thought")), text_of(output.get("log")))))
    if words and not final:
        told.narration.append(Narrated(len(told.steps) + 1, words))
    told.stripped += _hidden(task, where, final=final)


def _hidden(task: dict[str, Any], where: str, *, final: bool) -> Iterator[Stripped]:
    for key in ("output", "thought", "log", "reasoning_content", "errorMessage"):
        value = task.get(key)
        if value:
            final_words = final and key == "output"
            plane = Plane.REPORT if final_words else Plane.NARRATION
            route = LeakRoute.FINAL_REPORT if final_words else LeakRoute.THOUGHTS
            yield Stripped(f"{where}.{key}", plane, route, size_of(value))


def instruction_of(execution: dict[str, Any]) -> str:
    """Return what a user asked of an execution; empty where it is a step of a script."""
    for task in objects_of(list_of(execution.get("tasks"))):
        asked = text_of(object_of(task.get("param")).get("userInstruction")).strip()
        if asked and _is_plan(task):
            return asked
    return ""
