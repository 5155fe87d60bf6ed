"""Sorting the steps of a Mobile-Agent-v3 run into planes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call, declared_status, final_words
from tracewitness.intake.finishing import FINISH, is_finish_like, without_final_words
from tracewitness.intake.formats.mobile_agent_v3.folder import RunFiles, StepFiles
from tracewitness.intake.formats.mobile_agent_v3.response import Decision, decision_of, finish_thought, is_finished
from tracewitness.intake.phone_actions import phone_action
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step

_NOT_SENT = frozenset({"long_press", "enter"})
"""Actions that the tool offers the model and logs, and for which it sends nothing to the device."""

_HIDDEN = {
    "manager": (Plane.NARRATION, LeakRoute.CARRIED_MEMORY),
    "operator": (Plane.NARRATION, LeakRoute.THOUGHTS),
    "reflector": (Plane.NARRATION, LeakRoute.SELF_ASSESSMENT),
    "notekeeper": (Plane.NARRATION, LeakRoute.CARRIED_MEMORY),
}


@dataclass(slots=True)
class Told:
    """A run sorted into planes."""

    steps: tuple[Step, ...] = ()
    report: Report = field(default_factory=lambda: Report(None))
    ended: bool = False
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])


def split(files: RunFiles, finish_kinds: frozenset[str]) -> Told:
    """Sort a run.

    A step is an operator's answer. One without (the answer could not be used, so that nothing was done) is of the kind
    ``unparsed``; the last one, where the manager's plan says so, is the end of the run.
    """
    told = Told()
    decisions = [_decision(step) for step in files.steps]
    screens = _screens(files, decisions, told)
    steps, places = list[Step](), list[str]()
    for at, (step, decision) in enumerate(zip(files.steps, decisions, strict=True)):
        _hide(step, decision, told)
        action = _action(step, decision, at == len(files.steps) - 1, finish_kinds, told)
        if action is not None:
            before, after = screens[at]
            steps.append(Step(step.number, action, before, None if action.kind == FINISH else after))
            places.append(f"step_{step.number}/operator.json.response")
    kept, lost = without_final_words(steps, lambda at: places[at], finish_kinds)
    told.steps = tuple(replace(one, after=None) if one.action.kind == FINISH else one for one in kept)
    told.stripped += [one for one in lost if one.characters]
    told.ended = any(one.action.kind == FINISH for one in told.steps)
    told.report = _report(files, decisions, finish_kinds) if told.ended else Report(None)
    return told


def _decision(step: StepFiles) -> Decision | None:
    operator = step.answers.get("operator")
    return decision_of(operator.response) if operator is not None else None


def _call(decision: Decision) -> Call | None:
    given = decision.action
    if given is None:
        return None
    return Call(given["action"].strip(), {key: value for key, value in given.items() if key != "action"})


def _action(step: StepFiles, decision: Decision | None, last: bool, kinds: frozenset[str], told: Told) -> Action | None:
    if decision is None:
        return _without_operator(step, last, told)
    call = _call(decision)
    if call is None:
        return Action("unparsed", executed=False)
    action, hidden = phone_action(call, kinds=kinds)
    where = f"step_{step.number}/operator.json.response.Action"
    told.stripped += [Stripped(f"{where}.{one.key}", one.plane, one.route, one.characters) for one in hidden]
    if call.name in _NOT_SENT or str(call.arguments.get("button", "")).casefold() in _NOT_SENT:
        told.notices.append(f"step {step.number}: the tool logs this action and sends nothing to the device")
        return replace(action, executed=False)
    return action


def _without_operator(step: StepFiles, last: bool, told: Told) -> Action | None:
    manager = step.answers.get("manager")
    if "operator" in step.damaged or (manager is None and step.damaged):
        told.gaps.add(Gap.LOG_CUT_OFF if last else Gap.MISSING_STEPS)
        return None
    if manager is not None and last and is_finished(manager.response):
        return Action(FINISH)
    if last:
        told.gaps.add(Gap.LOG_CUT_OFF)
        told.notices.append(f"step {step.number} has no action: its answer could not be used, or the run stopped in it")
    return Action("unparsed", executed=False)


def _screens(
    files: RunFiles, decisions: Sequence[Decision | None], told: Told
) -> list[tuple[Observation | None, Observation | None]]:
    """Return what was seen before and after each step.

    Every action that was carried out adds one picture to ``images/``, and the first step one more. Where they are
    not that many, nobody can tell which is missing, and the pictures in the messages are taken.
    """
    done = [_is_done(step, decision) for step, decision in zip(files.steps, decisions, strict=True)]
    if len(files.pictures) == sum(done) + 1:
        seen, shown = list[tuple[Observation | None, Observation | None]](), 0
        for acted in done:
            follower = files.pictures[shown + 1] if acted else None
            seen.append((_seen(files.pictures[shown]), _seen(follower)))
            shown += acted
        _note_unreadable(files.pictures, told)
        return seen
    told.notices.append(f"images/ holds {len(files.pictures)} pictures, {sum(done) + 1} were expected")
    inline = [_inline(step) for step in files.steps]
    if any(before is None and after is None for before, after in inline):
        told.gaps.add(Gap.UNREADABLE_OBSERVATION)
    return inline


def _is_done(step: StepFiles, decision: Decision | None) -> bool:
    """Tell whether a step led to another picture: one that acted, or whose operator's file is damaged."""
    if decision is None:
        return "operator" in step.damaged
    call = _call(decision)
    return call is not None and not is_finish_like(call.name)


def _inline(step: StepFiles) -> tuple[Observation | None, Observation | None]:
    operator, reflector = step.answers.get("operator") or step.answers.get("manager"), step.answers.get("reflector")
    before = operator.pictures[0] if operator and operator.pictures else None
    after = reflector.pictures[1] if reflector and len(reflector.pictures) > 1 else None
    return _seen(before), _seen(after)


def _seen(picture: Screenshot | None) -> Observation | None:
    return Observation(screenshot=picture) if picture is not None else None


def _note_unreadable(pictures: Sequence[Screenshot], told: Told) -> None:
    lost = [one.name for one in pictures if one.digest is None]
    if lost:
        told.notices.append(f"{lost[0]} is missing or cannot be read")
        told.gaps.add(Gap.UNREADABLE_OBSERVATION)


def _hide(step: StepFiles, decision: Decision | None, told: Told) -> None:
    """Keep what the roles said from the trace side."""
    finished = decision is None and (manager := step.answers.get("manager")) and is_finished(manager.response)
    for role, answer in step.answers.items():
        plane, route = _HIDDEN[role]
        words = decision.words if role == "operator" and decision is not None else answer.response
        if role == "manager" and finished:
            plane, route = Plane.REPORT, LeakRoute.FINAL_REPORT
        where = f"step_{step.number}/{role}.json"
        if words:
            told.stripped.append(Stripped(f"{where}.response", plane, route, len(words)))
            told.narration += [Narrated(step.number, words)] if plane is Plane.NARRATION else []
        if answer.prompt:
            told.stripped.append(Stripped(f"{where}.messages", Plane.NARRATION, LeakRoute.ECHO, len(answer.prompt)))


def _report(files: RunFiles, decisions: Sequence[Decision | None], kinds: frozenset[str]) -> Report:
    """Return the answer, or the thought with which the manager called the request finished, which declares success."""
    calls = list(_final_calls(decisions, kinds))
    texts = list(dict.fromkeys(text for call in calls if (text := final_words(call))))
    flags = [flag for call in calls if (flag := declared_status(call.arguments))]
    manager = files.steps[-1].answers.get("manager")
    if decisions[-1] is None and manager is not None and is_finished(manager.response):
        return Report("\n\n".join([*texts, finish_thought(manager.response)]) or None, DeclaredStatus.SUCCESS)
    return Report("\n\n".join(texts) or None, flags[-1] if flags else None)


def _final_calls(decisions: Sequence[Decision | None], kinds: frozenset[str]) -> Iterator[Call]:
    """Yield the calls that end the run: those at its end that only say something."""
    ending = list[Call]()
    for decision in reversed(decisions):
        call = _call(decision) if decision is not None else None
        if call is not None and not is_finish_like(call.name, kinds):
            break
        if call is not None:
            ending.append(call)
    yield from reversed(ending)
