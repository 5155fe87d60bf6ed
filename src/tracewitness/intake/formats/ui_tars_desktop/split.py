"""Sorting the turns of a run into planes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tracewitness.intake.calls import Call, action_of, final_words
from tracewitness.intake.finishing import FINISH, without_final_words
from tracewitness.intake.formats.ui_tars_desktop.turns import Told, ends_for_user
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.turn_steps import said_by_user
from tracewitness.intake.untyped import list_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step

_HIDDEN = {
    "systemPrompt": (Plane.TASK, LeakRoute.NONE),
    "status": (Plane.REPORT, LeakRoute.FINISH_ARGUMENTS),
    "errMsg": (Plane.GRADING, LeakRoute.NONE),
    "error": (Plane.GRADING, LeakRoute.NONE),
}


@dataclass(slots=True)
class Split:
    """The turns sorted."""

    steps: tuple[Step, ...]
    report: Report
    narration: tuple[Narrated, ...]
    stripped: tuple[Stripped, ...]
    ended: bool
    unreadable: int
    missing: tuple[str, ...]


@dataclass(slots=True)
class _Sorting:
    steps: list[Step] = field(default_factory=list[Step])
    calls: list[tuple[Call | None, str]] = field(default_factory=list[tuple[Call | None, str]])
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    missing: list[str] = field(default_factory=list[str])
    seen: Observation | None = None
    unreadable: int = 0


def split(run: Mapping[str, Any], turns: Sequence[Told], instruction: str, kinds: frozenset[str]) -> Split:
    """Sort turns into planes."""
    sorting = _Sorting()
    sorting.stripped += _hidden(run)
    for at, turn in enumerate(turns):
        if turn.human:
            _see(sorting, turn, instruction if at == 0 else None)
        else:
            _act(sorting, turn, kinds)
    steps, lost = without_final_words(sorting.steps, lambda at: sorting.calls[at][1], kinds)
    ends = [at for at, step in enumerate(steps) if step.action.kind == FINISH]
    stripped = (*sorting.stripped, *(one for one in lost if one.characters))
    report = _report([call for at in ends if (call := sorting.calls[at][0]) is not None])
    return Split(
        steps,
        report,
        tuple(sorting.narration),
        stripped,
        bool(ends),
        sorting.unreadable,
        tuple(sorting.missing),
    )


def _see(sorting: _Sorting, turn: Told, instruction: str | None) -> None:
    """Take a screen, or words of the user, as what followed the step before; the instruction is told apart."""
    shot = turn.screenshot
    if shot is not None and shot.digest is None:
        sorting.missing.append(shot.name)
        shot = None
    words = "" if turn.words == instruction else turn.words
    if not words and shot is None:
        sorting.seen = None if turn.screenshot is not None else sorting.seen
        return
    seen = Observation(said_by_user(words) or None, None, None, shot)
    if sorting.steps:
        last = sorting.steps[-1]
        sorting.steps[-1] = replace(last, after=_joined(last.after, seen))
        seen = _joined(last.after, seen)
    else:
        seen = _joined(sorting.seen, seen)
    sorting.seen = seen


def _joined(first: Observation | None, then: Observation) -> Observation:
    if first is None:
        return then
    text = "\n".join(filter(None, (first.text, then.text))) or None
    picture: Screenshot | None = then.screenshot or first.screenshot
    return Observation(text, None, None, picture)


def _act(sorting: _Sorting, turn: Told, kinds: frozenset[str]) -> None:
    if turn.words:
        sorting.stripped.append(
            Stripped(f"{turn.where}.value", Plane.NARRATION, LeakRoute.THOUGHTS, size_of(turn.words))
        )
    first = len(sorting.steps) + 1
    for at, call in enumerate(turn.calls):
        where = f"{turn.where}.predictionParsed[{at}]"
        ended = Call("terminate", {}) if ends_for_user(call) else call
        action, hidden = action_of(ended, _drag(call), kinds=kinds)
        sorting.stripped += [Stripped(f"{where}.{one.key}", one.plane, one.route, one.characters) for one in hidden]
        _step(sorting, action, call, where, turn.time)
    if turn.unreadable:
        sorting.unreadable += 1
        _step(sorting, Action("unparsed", executed=False), None, turn.where, turn.time)
    if turn.words:
        sorting.narration.append(Narrated(first, turn.words))


def _step(sorting: _Sorting, action: Action, call: Call | None, where: str, time: str | None) -> None:
    sorting.steps.append(Step(len(sorting.steps) + 1, action, sorting.seen, time=time))
    sorting.calls.append((call, where))
    sorting.seen = None


def _drag(call: Call) -> str | None:
    """Return ``from (1, 2) to (3, 4)`` where a call has both ends."""
    ends = [list_of(call.arguments.get(key)) for key in ("start_box", "end_box")]
    return "from {} to {}".format(*(f"({x:g}, {y:g})" for x, y in ends)) if all(len(one) == 2 for one in ends) else None


def _report(calls: Sequence[Call]) -> Report:
    """Return the report: the content of ``finished``; without any, that it says so is the flag."""
    done = [call for call in calls if not ends_for_user(call)]
    texts = [text for call in done if (text := final_words(call))]
    if texts:
        return Report("\n\n".join(dict.fromkeys(texts)))
    return Report(None, DeclaredStatus.SUCCESS if done else None)


def _hidden(run: Mapping[str, Any]) -> Iterator[Stripped]:
    for key, (plane, route) in _HIDDEN.items():
        if run.get(key) not in (None, ""):
            yield Stripped(key, plane, route, size_of(run[key]))
