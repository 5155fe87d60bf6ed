"""Sorting a web run of Mobile-Agent-v3.5 into planes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.action_kinds import kind_of
from tracewitness.intake.calls import Call, action_of, declared_status, final_words
from tracewitness.intake.finishing import FINISH, without_final_words
from tracewitness.intake.formats.mobile_agent_web.entries import Entry, WebLog
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.report_side.report import Report
from tracewitness.trace_side.trace import Action, Observation, Step

INVENTED = "Terminated due to step limit. Insufficient information to answer."
"""The answer that the tool writes by itself where the agent has none at the step limit."""

_PICTURES = ("trajectory/{}_full_screenshot.png", "trajectory_som/screenshot{}.png")
_WINDOW = "WINDOW"
_KINDS = {"goback": kind_of("go_back"), "wikipedia": kind_of("goto")}


@dataclass(slots=True)
class Told:
    """A run sorted into planes."""

    steps: tuple[Step, ...] = ()
    report: Report = field(default_factory=lambda: Report(None))
    ended: bool = False
    limited: bool = False
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    missing: list[str] = field(default_factory=list[str])
    gaps: set[Gap] = field(default_factory=set[Gap])


def split(log: WebLog, folder: RunFolder, finish_kinds: frozenset[str]) -> Told:
    """Sort a run. What is seen before a step is also what the step before it led to."""
    told = Told()
    seen = [_seen(one, folder, told) for one in log.entries]
    steps = list[Step]()
    for at, one in enumerate(log.entries):
        adjacent = at + 1 < len(log.entries) and log.entries[at + 1].number == one.number + 1
        after = seen[at + 1] if adjacent else None
        action = _action(one, finish_kinds, told)
        steps.append(Step(one.number, action, seen[at], after, one.error or None, one.time))
        if one.thought:
            told.narration.append(Narrated(one.number, one.thought))
            where = f"{one.place}.info.action_text"
            told.stripped.append(Stripped(where, Plane.NARRATION, LeakRoute.THOUGHTS, len(one.thought)))
    kept, lost = without_final_words(steps, lambda at: f"{log.entries[at].place}.info.tool_call", finish_kinds)
    told.steps = kept
    told.stripped += [one for one in lost if one.characters]
    told.ended = any(step.action.kind == FINISH for step in kept)
    _report(log, kept, told)
    return told


def _seen(one: Entry, folder: RunFolder, told: Told) -> Observation | None:
    pictures = [folder.screenshot(name.format(one.number)) for name in _PICTURES]
    picture = next((found for found in pictures if found.digest is not None), None)
    if picture is None:
        told.missing.append(pictures[0].name)
        told.gaps.add(Gap.UNREADABLE_OBSERVATION)
    tree = "\n".join(f"[{label}] {line}" for label, line in one.elements.items()) or None
    if picture is None and tree is None and not one.url:
        return None
    return Observation(ui_tree=tree, url=one.url or None, screenshot=picture)


def _action(one: Entry, finish_kinds: frozenset[str], told: Told) -> Action:
    if one.call is None:
        return Action("unparsed", executed=False)
    action, hidden = action_of(one.call, _target(one, one.call), kinds=finish_kinds)
    where = f"{one.place}.info.tool_call"
    told.stripped += [Stripped(f"{where}.{lost.key}", lost.plane, lost.route, lost.characters) for lost in hidden]
    return replace(action, kind=_KINDS.get(one.call.name, action.kind))


def _target(one: Entry, call: Call) -> str | None:
    """Return the marked element that a label names, else the page's own element, else an address."""
    label = call.arguments.get("label")
    if label == _WINDOW:
        return "window"
    if label is not None:
        return one.elements.get(str(label)) or one.html or f"label {label}"
    address = call.arguments.get("text")
    return address if call.name == "goto" and isinstance(address, str) else None


def _report(log: WebLog, steps: Sequence[Step], told: Told) -> None:
    calls = [one.call for one, step in zip(log.entries, steps, strict=True) if step.action.kind == FINISH and one.call]
    texts = list(dict.fromkeys(text for call in calls if (text := final_words(call))))
    limit = log.meta.get("max_iter")
    told.limited = isinstance(limit, int) and bool(steps) and steps[-1].index >= limit
    if any(call.arguments.get("text") == INVENTED for call in calls):
        told.limited = True
        told.report = Report(None)
        return
    flags = [flag for call in calls if (flag := declared_status(call.arguments))]
    told.report = Report("\n\n".join(texts) or None, flags[-1] if flags else None)
