"""Sorting the steps of an experiment into planes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call, action_of, final_words
from tracewitness.intake.finishing import FINISH, without_final_words
from tracewitness.intake.formats.agentlab.actions import MESSAGES, NAMES, Written, parse
from tracewitness.intake.formats.agentlab.pages import Page
from tracewitness.intake.formats.agentlab.steps import LoggedStep
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.own_words import Hidden
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.untyped import text_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step

_QUOTING = frozenset({"NameError", "ParseException", "SyntaxError", "IndentationError", "ValueError"})
"""Errors with which the parser of actions quotes them."""

_LONGEST_KIND = 100


@dataclass(slots=True)
class Told:
    """A run sorted into planes."""

    steps: tuple[Step, ...] = ()
    report: Report = field(default_factory=lambda: Report(None))
    ended: bool = False
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    gaps: list[Gap] = field(default_factory=list[Gap])
    notices: list[str] = field(default_factory=list[str])


def split(logged: Sequence[LoggedStep], folder: RunFolder, names: frozenset[str], finish_kinds: frozenset[str]) -> Told:
    """Sort a run: every call of an action is a step.

    What the browser showed before an action is also what the one before led to.
    """
    told, extra, steps, calls, places = Told(), 0, list[Step](), list[Call | None](), list[str]()
    seen = _observations(logged, folder, names, told)
    for at, one in enumerate(logged):
        told.stripped += one.stripped
        following = at + 1 if at + 1 < len(logged) and logged[at + 1].number == one.number + 1 else None
        if one.action is None:
            continue
        written = parse(one.action)
        added = _steps_of(one, written, one.number + extra, told)
        extra += len(added) - 1  # a number that several calls share moves those of later steps on
        error = logged[following].error if following is not None else ""
        if error:
            added[-1] = replace(added[-1], error=_error(error, written))
        added[0] = replace(added[0], before=seen[at])
        added[-1] = replace(added[-1], after=seen[following] if following is not None else None)
        steps += [replace(step, time=_time(logged, at, following)) for step in added]
        calls += written.calls or [None]
        places += [f"step_{one.number}.pkl.gz: action"] * len(added)
    told.steps, lost = without_final_words(steps, lambda at: places[at], finish_kinds)
    told.stripped += [one for one in lost if one.characters]
    ends = [at for at, one in enumerate(told.steps) if one.action.kind == FINISH]
    told.ended = bool(ends)
    told.report = _report([call for at in ends if (call := calls[at]) is not None])
    return told


def _steps_of(one: LoggedStep, written: Written, index: int, told: Told) -> list[Step]:
    """Return the steps of an action, one a call, the first of them with this number."""
    words = "\n".join(filter(None, (one.thought, written.words)))
    if words:
        told.narration.append(Narrated(index, words))
    where = f"step_{one.number}.pkl.gz: action"
    if written.words:
        told.stripped.append(Stripped(where, Plane.NARRATION, LeakRoute.THOUGHTS, len(written.words)))
    if not written.calls:
        code = written.code
        action = Action("unparsed", executed=False) if code is None else Action("run_script", raw=code)
        return [Step(index, action)]
    steps, labels = list[Step](), one.page.labels()
    for at, call in enumerate(written.calls):
        action, hidden = _action(call, labels)
        told.stripped += [Stripped(f"{where}.{part.key}", part.plane, part.route, part.characters) for part in hidden]
        steps.append(Step(index + at, action))
    return steps


def _action(call: Call, labels: Mapping[str, str]) -> tuple[Action, tuple[Hidden, ...]]:
    """Return the action of a call, its target by the name of the element that its id stands for."""
    ids = [text_of(call.arguments.get(key)) for key in ("bid", "from_bid", "to_bid")]
    target = " to ".join(labels.get(one, one) for one in ids if one) or None
    action, hidden = action_of(call, target)
    if call.name in NAMES:
        action = replace(action_of(Call(NAMES[call.name], call.arguments), target)[0], raw=action.raw)
    return action, hidden


def _error(error: str, written: Written) -> str:
    """Return what an action failed with; of an error that quotes what the agent wrote the kind alone."""
    kind = error.split(":", 1)[0].strip()
    quotes = not written.calls or kind in _QUOTING or any(call.name in MESSAGES for call in written.calls)
    return kind[:_LONGEST_KIND] if quotes else error


def _time(logged: Sequence[LoggedStep], at: int, following: int | None) -> str | None:
    begun = logged[following].begun if following is not None else None
    return begun or logged[at].decided


def _report(calls: Sequence[Call]) -> Report:
    texts = list(dict.fromkeys(text for call in calls if (text := final_words(call))))
    flags = [DeclaredStatus.FAILURE if call.name == "report_infeasible" else None for call in calls]
    return Report("\n\n".join(texts) or None, next(filter(None, reversed(flags)), None))


def _observations(
    logged: Sequence[LoggedStep], folder: RunFolder, names: frozenset[str], told: Told
) -> list[Observation | None]:
    pictures = [_picture(one, folder, names) for one in logged]
    if any(picture is not None for picture in pictures):
        missing = [
            f"screenshot_step_{one.number}.png"
            for one, picture in zip(logged, pictures, strict=True)
            if picture is None or picture.digest is None
        ]
        notice = missing_notice("screenshot", missing)
        if notice:
            told.notices.append(notice)
            told.gaps.append(Gap.UNREADABLE_OBSERVATION)
    if any(one.page.cut for one in logged):
        told.notices.append("a page is larger than is read, and is cut")
        told.gaps.append(Gap.UNREADABLE_OBSERVATION)
    return [_seen(one.page, picture) for one, picture in zip(logged, pictures, strict=True)]


def _picture(one: LoggedStep, folder: RunFolder, names: frozenset[str]) -> Screenshot | None:
    for suffix in ("png", "jpg"):
        name = f"screenshot_step_{one.number}.{suffix}"
        if name in names:
            return folder.screenshot(name)
    return one.page.picture


def _seen(page: Page, picture: Screenshot | None) -> Observation | None:
    if not (page.tree or page.url or page.tabs or picture):
        return None
    return Observation(page.tabs, page.tree, page.url, picture)
