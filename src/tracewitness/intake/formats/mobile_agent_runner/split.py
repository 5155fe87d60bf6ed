"""Sorting the actions of a run into planes."""

from dataclasses import dataclass, field, replace

from tracewitness.intake.calls import Call, declared_status, final_words
from tracewitness.intake.finishing import FINISH, bare, without_final_words
from tracewitness.intake.formats.mobile_agent_runner.lines import ActionLog
from tracewitness.intake.formats.mobile_agent_runner.screens import Screens
from tracewitness.intake.phone_actions import phone_action
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Step

_DONE = bare("done")


@dataclass(slots=True)
class Told:
    """A run sorted into planes."""

    steps: tuple[Step, ...] = ()
    report: Report = field(default_factory=lambda: Report(None))
    ended: bool = False
    stripped: list[Stripped] = field(default_factory=list[Stripped])


def split(log: ActionLog, screens: Screens, finish_kinds: frozenset[str]) -> Told:
    """Sort a run: every line is a step; lines that end the run keep that it ended, and their words are the report."""
    told, steps = Told(), list[Step]()
    for at, one in enumerate(log.calls):
        where = f"line {one.line}"
        action = Action("unparsed", executed=False)
        if one.call is not None:
            action, hidden = phone_action(one.call, kinds=finish_kinds)
            told.stripped += [
                Stripped(f"{where}.{lost.key}", lost.plane, lost.route, lost.characters) for lost in hidden
            ]
        steps.append(Step(at + 1, action, screens.before[at], screens.after[at]))
    kept, lost = without_final_words(steps, lambda at: f"line {log.calls[at].line}", finish_kinds)
    told.steps = tuple(replace(one, after=None) if one.action.kind == FINISH else one for one in kept)
    told.stripped += [one for one in lost if one.characters]
    ends = [at for at, one in enumerate(told.steps) if one.action.kind == FINISH]
    told.ended = bool(ends)
    told.report = _report([call for at in ends if (call := log.calls[at].call) is not None])
    _note_runner(told, log, screens)
    return told


def _report(calls: list[Call]) -> Report:
    texts = list(dict.fromkeys(text for call in calls if (text := final_words(call))))
    return Report("\n\n".join(texts) or None, next(filter(None, map(_flag, reversed(calls))), None))


def _flag(call: Call) -> DeclaredStatus | None:
    """Return the agent's flag; the runner writes ``done`` where the agent's plan says that it has finished."""
    return declared_status(call.arguments) or (DeclaredStatus.SUCCESS if bare(call.name) == _DONE else None)


def _note_runner(told: Told, log: ActionLog, screens: Screens) -> None:
    told.stripped.append(Stripped("the folder's name", Plane.TASK, LeakRoute.NONE, 0))
    if log.invented is not None and log.invented.call is not None:
        status = str(log.invented.call.arguments.get("status", ""))
        told.stripped.append(
            Stripped(f"line {log.invented.line}.status", Plane.GRADING, LeakRoute.GRADING_ECHO, len(status))
        )
    if screens.after_answer:
        told.stripped.append(Stripped("screenshot after the answer", Plane.REPORT, LeakRoute.ECHO, 0))
