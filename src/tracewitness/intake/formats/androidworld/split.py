"""Sorting an episode into planes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call
from tracewitness.intake.finishing import FINISH, bare, without_final_words
from tracewitness.intake.formats.androidworld.actions import (
    ANSWERS,
    ENDS,
    OWL,
    PARSED,
    Done,
    action_at,
    done_at,
    recorded,
)
from tracewitness.intake.formats.androidworld.episodes import DATA, Episode
from tracewitness.intake.formats.androidworld.hidden import narration_of, stripped_of
from tracewitness.intake.formats.androidworld.screens import Seen, seen_in
from tracewitness.intake.formats.androidworld.ui_elements import Screens
from tracewitness.intake.pickles.plain import plain
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Step

_SUCCESS = frozenset(map(bare, ("complete", "completed", "task_complete", "success", "successful", "finished", "done")))
_FAILURE = frozenset(map(bare, ("infeasible", "failure", "failed", "fail", "incomplete", "impossible")))
_NOT_DONE = "the agent's tool took no screen after it: it was not carried out"


@dataclass(slots=True)
class Told:
    """An episode sorted into planes."""

    steps: tuple[Step, ...] = ()
    report: Report = field(default_factory=lambda: Report(None))
    ended: bool = False
    narration: tuple[Narrated, ...] = ()
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    gaps: list[Gap] = field(default_factory=list[Gap])
    notices: list[str] = field(default_factory=list[str])


def split(episode: Episode, screens: Screens, finish_kinds: frozenset[str]) -> Told:
    """Sort an episode.

    What was seen after an answer is left out: the benchmark writes the answer across the screen.
    """
    told, columns = Told(), episode.columns
    seen = seen_in(episode, screens)
    told.gaps += [gap for gap in Gap if gap in seen.gaps]
    told.notices += seen.notices
    name = recorded(columns)
    done = [done_at(columns, name, at) if name else None for at in range(len(columns.numbers))]
    if name is None and columns.numbers:
        told.gaps.append(Gap.MISSING_STEPS)
        told.notices.append("the record holds no actions, only what the screen showed")
    steps = [_step(episode, one, seen, at, told) for at, one in enumerate(done)]
    steps = _without_answer_screens(steps, done, told)
    places = [f"{DATA}.{name}[{at}]" for at in range(len(steps))]
    kept, lost = without_final_words(steps, lambda at: places[at], finish_kinds)
    told.steps = tuple(replace(one, after=None) if one.action.kind == FINISH else one for one in kept)
    ends = [at for at, one in enumerate(told.steps) if one.action.kind == FINISH]
    told.ended = bool(ends)
    told.report = _report(episode, done, ends)
    told.narration = tuple(narration_of(columns))
    told.stripped += [*lost, *stripped_of(episode, name), *_ends_stripped(done, name)]
    return told


def _step(episode: Episode, done: Done | None, seen: Seen, at: int, told: Told) -> Step:
    columns = episode.columns
    number, before, after = columns.numbers[at], seen.before[at], seen.after(at)
    if done is None:
        return Step(number, Action("unrecorded"), before, after)
    action, hidden = action_at(done, seen.screens[at], columns, at)
    where = f"{DATA}.{done.field}[{at}]"
    told.stripped += [Stripped(f"{where}.{one.key}", one.plane, one.route, one.characters) for one in hidden]
    if action.executed and _was_refused(done, seen, at):
        return Step(number, replace(action, executed=False), before, after, _NOT_DONE)
    return Step(number, action, before, after)


def _was_refused(done: Done, seen: Seen, at: int) -> bool:
    """Tell whether a step's record shows that its action was not carried out.

    M3A and T3A go on to the next step without a screen after the action where it names an element that is not there,
    or where the device refuses it. An action that ends the run has none either.
    """
    ends = done.call is None or bare(done.call.name) in ENDS
    return bool(seen.taken_after) and not seen.taken_after[at] and not ends


def _without_answer_screens(steps: Sequence[Step], done: Sequence[Done | None], told: Told) -> list[Step]:
    answered, kept = False, list[Step]()
    for step, one in zip(steps, done, strict=True):
        before = None if answered else step.before
        answered = answered or bool(one and one.call and one.call.name in ANSWERS)
        after = None if answered else step.after
        if (before, after) != (step.before, step.after):
            where = f"step {step.index}, the screen after the answer"
            told.stripped.append(Stripped(where, Plane.REPORT, LeakRoute.ECHO, 0))
        kept.append(replace(step, before=before, after=after))
    return kept


def _report(episode: Episode, done: Sequence[Done | None], ends: Sequence[int]) -> Report:
    """Return the report: the last answer, and the status with which the agent ended.

    An answer ahead of other actions counts where the agent ended the run later on.
    """
    if not ends:
        return Report(None)
    calls = [one.call for one in done if one is not None and one.call is not None]
    answers = [text_of(call.arguments.get("text")) for call in calls if call.name in ANSWERS]
    text = next((one for one in reversed(answers) if one.strip()), None)
    last = [one.call for at in ends if (one := done[at]) is not None and one.call is not None]
    if OWL in episode.columns.lists:
        return Report(text, _flag_of_owl(episode) if not answers else None)
    return Report(text, next(filter(None, map(_flag, reversed(last))), None))


def _flag_of_owl(episode: Episode) -> DeclaredStatus | None:
    """Return the flag in GUI-Owl's own last call.

    Its runner gives every parsed end the status of a complete task, and after an answer it makes up the end itself.
    """
    calls = list_of(object_of(episode.fields.get(DATA)).get("dummy_action"))
    arguments = object_of(object_of(plain(calls[-1] if calls else None)).get("arguments"))
    return _status(text_of(arguments.get("status")))


def _flag(call: Call) -> DeclaredStatus | None:
    if call.name in ANSWERS:
        return None
    said = text_of(call.arguments.get("goal_status")) or text_of(call.arguments.get("status"))
    # Mobile-Agent-v3 writes "done" where its plan says that it has finished.
    return _status(said) or (DeclaredStatus.SUCCESS if bare(call.name) == "done" else None)


def _status(said: str) -> DeclaredStatus | None:
    if bare(said) in _FAILURE:
        return DeclaredStatus.FAILURE
    return DeclaredStatus.SUCCESS if bare(said) in _SUCCESS else None


def _ends_stripped(done: Sequence[Done | None], name: str | None) -> Iterator[Stripped]:
    for at, one in enumerate(done):
        arguments = object_of(one.call.arguments) if one and one.call else {}
        if one and one.call and bare(one.call.name) in ENDS and name in PARSED:
            for key, value in arguments.items():
                size = len(value) if isinstance(value, str) else 1
                yield Stripped(f"{DATA}.{name}[{at}].{key}", Plane.REPORT, LeakRoute.FINISH_ARGUMENTS, size)
