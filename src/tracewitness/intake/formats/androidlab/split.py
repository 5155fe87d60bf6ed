"""Sorting an AndroidLab run into planes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from tracewitness.intake.action_kinds import kind_of
from tracewitness.intake.calls import Call, action_of, final_words
from tracewitness.intake.elements import Element, element_at
from tracewitness.intake.finishing import FINISH, without_final_words
from tracewitness.intake.formats.androidlab.lines import TraceLog, Turn
from tracewitness.intake.formats.androidlab.screens import Screen, Screens
from tracewitness.intake.kept_back import Fields, kept_back
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.untyped import text_of
from tracewitness.report_side.report import Report
from tracewitness.trace_side.trace import Action, Step

_HIDDEN: Fields = {
    "prompt": (Plane.NARRATION, LeakRoute.ECHO),
    "current_response": (Plane.NARRATION, LeakRoute.THOUGHTS),
    "response": (Plane.NARRATION, LeakRoute.THOUGHTS),
    "command": (Plane.GRADING, LeakRoute.GRADING_ECHO),
}
_CALL_API = "call_api"
_EQUAL_ACTIONS = 5


@dataclass(slots=True)
class Told:
    """A run sorted into planes."""

    steps: tuple[Step, ...] = ()
    report: Report = field(default_factory=lambda: Report(None))
    ended: bool = False
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])


def split(log: TraceLog, screens: Screens, finish_kinds: frozenset[str]) -> Told:
    """Sort a run. What was recorded before a step is also what the step before it led to."""
    told = Told()
    before = [screens.before(one.record) for one in log.turns]
    steps = list[Step]()
    for at, one in enumerate(log.turns):
        _hide(one, told)
        adjacent = at + 1 < len(log.turns) and log.turns[at + 1].index == one.index + 1
        following = before[at + 1] if adjacent else Screen(None)
        if at == len(log.turns) - 1 and one.operation != FINISH:
            following = screens.trailing(one.index + 1)
        action = _action(one, before[at], finish_kinds, told)
        steps.append(Step(one.index, action, before[at].seen, following.seen))
    kept, lost = without_final_words(steps, lambda at: f"line {log.turns[at].line}, parsed_action", finish_kinds)
    told.steps = tuple(replace(one, after=None) if one.action.kind == FINISH else one for one in kept)
    told.stripped += [one for one in lost if one.characters]
    told.ended = any(step.action.kind == FINISH for step in told.steps)
    told.report = _report(log, told.steps)
    return told


def _action(one: Turn, screen: Screen, finish_kinds: frozenset[str], told: Told) -> Action:
    where = f"line {one.line}, parsed_action"
    if not one.action:
        return Action("unparsed", executed=False)
    if one.action.casefold() == _CALL_API:
        size = size_of(one.arguments)
        told.stripped.append(Stripped(f"{where}.kwargs", Plane.NARRATION, LeakRoute.THOUGHTS, size))
        return Action(_CALL_API)
    call = Call(FINISH if one.operation == FINISH else one.action, one.arguments)
    action, hidden = action_of(call, _target(one, screen.elements), kinds=finish_kinds)
    told.stripped += [
        Stripped(f"{where}.kwargs.{lost.key}", lost.plane, lost.route, lost.characters) for lost in hidden
    ]
    return action


def _target(one: Turn, elements: Sequence[Element]) -> str | None:
    if kind_of(one.action) == "open_app":
        return next((text for key in ("package", "app", "app_name") if (text := text_of(one.arguments.get(key)))), None)
    corners = _numbers(one.arguments.get("element"))
    if len(corners) not in (2, 4):
        return None
    found = next((e for e in elements if corners == [e.box.left, e.box.top, e.box.right, e.box.bottom]), None)
    x, y = (corners[0] + corners[-2]) / 2, (corners[1] + corners[-1]) / 2
    found = found or element_at(x, y, elements)
    return found.label if found else f"({x:g}, {y:g})"


def _numbers(value: Any) -> list[float]:
    given = cast(list[Any], value) if isinstance(value, list) else []
    good = all(isinstance(one, int | float) and not isinstance(one, bool) for one in given)
    return [float(one) for one in given] if good else []


def _hide(one: Turn, told: Told) -> None:
    told.stripped += kept_back(one.record, f"line {one.line}", _HIDDEN)
    words = text_of(one.record.get("current_response")).strip()
    if words and one.operation != FINISH:
        told.narration.append(Narrated(one.index, words))


def _report(log: TraceLog, steps: Sequence[Step]) -> Report:
    ends = [one for one, step in zip(log.turns, steps, strict=True) if step.action.kind == FINISH]
    texts = [text for one in ends if (text := final_words(Call(one.action, one.arguments)))]
    return Report("\n\n".join(dict.fromkeys(texts)) or None)


def was_stopped(log: TraceLog) -> bool:
    """Tell whether the last actions are those at which the tool ends a run by itself."""
    last = [(one.action, one.arguments) for one in log.turns[-_EQUAL_ACTIONS:]]
    return len(log.turns) > _EQUAL_ACTIONS and all(one == last[0] for one in last)
