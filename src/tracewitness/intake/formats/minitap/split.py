"""Sorting a trace of mobile-use into planes."""

from dataclasses import dataclass, field, replace
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.bare_answers import FAILED, bare_answer
from tracewitness.intake.calls import Call, action_of, call_of
from tracewitness.intake.finishing import FINISH, without_final_words
from tracewitness.intake.formats.minitap.outcomes import Outcome, outcome_of
from tracewitness.intake.formats.minitap.records import Record, RecordLog
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.untyped import object_of, text_of
from tracewitness.report_side.report import Report
from tracewitness.trace_side.trace import USER_SAYS, Action, Observation, Step

_LAST_SPEAKER = "orchestrator"
ON_THE_WAY = ("Starting the ", "==== ", "No subgoal to examine")
THOUGHT = "agent_thought"
_NAMES = {"focus_and_input_text": "type", "long_press_on": "long_press", "open_link": "goto"}


@dataclass(slots=True)
class Told:
    """A run sorted into planes."""

    steps: list[Step] = field(default_factory=list[Step])
    report: Report = field(default_factory=lambda: Report(None))
    ended: bool = False
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    gaps: set[Gap] = field(default_factory=set[Gap])
    places: list[str] = field(default_factory=list[str])
    waiting: dict[str, tuple[int, Call]] = field(default_factory=dict[str, tuple[int, Call]])


def split(log: RecordLog, finish_kinds: frozenset[str]) -> Told:
    """Sort a run. Calls and their messages are the steps; where the log has none, the sentences of the tools are."""
    told = Told()
    called = any(one.calls for one in log.records)
    closing = _closing(log)
    for one in log.records:
        _keep_back(one, told, closing)
        for call in one.calls:
            _call(one, call, finish_kinds, told)
        if one.kind == "tool":
            _answer(one, told, finish_kinds)
        elif not called:
            outcome = outcome_of(one.thoughts)
            if outcome is not None:
                _outcome(one, outcome, told)
            elif one.speaker == "executor":
                told.gaps.add(Gap.MISSING_STEPS)  # some tools leave nothing but the agent's thought
    if closing is not None:
        told.steps.append(Step(len(told.steps) + 1, Action(FINISH), time=closing.time))
        told.places.append(closing.place)
        told.report = Report(closing.thoughts[-1].strip() or None)
    kept, lost = without_final_words(told.steps, lambda at: told.places[at], finish_kinds)
    told.steps = list(kept)
    told.stripped += [one for one in lost if one.characters]
    told.ended = any(one.action.kind == FINISH for one in kept)
    return told


def _closing(log: RecordLog) -> Record | None:
    """Return the record that ends the run: after it the tool hands its last thought to the user as the result.

    Wherever the run goes on, another agent speaks next; so the orchestrator speaks last only at the end.
    """
    last = log.records[-1] if log.records else None
    if last is None or Gap.LOG_CUT_OFF in log.gaps or last.speaker != _LAST_SPEAKER or not last.thoughts:
        return None
    return None if last.thoughts[-1].startswith(ON_THE_WAY) else last


def _keep_back(one: Record, told: Told, closing: Record | None) -> None:
    words = "\n".join(one.thoughts)
    if not words:
        return
    report = one is closing
    plane = Plane.REPORT if report else Plane.NARRATION
    route = LeakRoute.FINAL_REPORT if report else LeakRoute.THOUGHTS
    told.stripped.append(Stripped(f"{one.place}.content", plane, route, len(words)))
    thoughts = one.thoughts[:-1] if report or outcome_of(one.thoughts) else one.thoughts
    if "".join(thoughts).strip():
        told.narration.append(Narrated(len(told.steps) + 1, "\n".join(thoughts)))


def _call(one: Record, given: dict[str, Any], kinds: frozenset[str], told: Told) -> None:
    call = call_of(text_of(given.get("name")), given.get("args"), text_of(given.get("id")) or None)
    thought = text_of(call.arguments.get(THOUGHT))
    place = f"{one.place}.tool_calls"
    if thought:
        told.narration.append(Narrated(len(told.steps) + 1, thought))
        told.stripped.append(Stripped(f"{place}.{THOUGHT}", Plane.NARRATION, LeakRoute.THOUGHTS, len(thought)))
    own = {key: value for key, value in call.arguments.items() if key != THOUGHT}
    target = object_of(own.get("target"))
    label = text_of(target.get("text")) or text_of(target.get("resource_id")) or None
    action, hidden = action_of(Call(_NAMES.get(call.name, call.name), own), label, kinds=kinds)
    told.stripped += [Stripped(f"{place}.{lost.key}", lost.plane, lost.route, lost.characters) for lost in hidden]
    if call.id is not None:
        told.waiting[call.id] = len(told.steps), call
    told.steps.append(Step(len(told.steps) + 1, action, time=one.time))
    told.places.append(place)


def _answer(one: Record, told: Told, kinds: frozenset[str]) -> None:
    called = told.waiting.get(one.answers)
    if called is None:
        told.gaps.add(Gap.MISSING_STEPS)
        return
    at, call = called
    words = bare_answer(call, one.text, failed=one.failed, kinds=kinds)
    if len(words) < len(one.text.strip()):
        lost = len(one.text) - len(words)
        told.stripped.append(Stripped(f"{one.place}.content", Plane.NARRATION, LeakRoute.ECHO, lost))
    if one.failed:
        told.steps[at] = replace(told.steps[at], error=words or FAILED)
    elif words:
        line = words if words.startswith(USER_SAYS) else f"result: {words}"
        told.steps[at] = replace(told.steps[at], after=Observation(text=line))


def _outcome(one: Record, outcome: Outcome, told: Told) -> None:
    after = None if outcome.failed else Observation(text=f"result: {outcome.words}")
    error = outcome.words if outcome.failed else None
    told.steps.append(Step(len(told.steps) + 1, outcome.action, None, after, error, one.time))
    told.places.append(f"{one.place}.content")
