"""Sorting the lines of a response.log into planes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.intake.bare_answers import FAILED, bare_answer, shown_answer
from tracewitness.intake.calls import action_of
from tracewitness.intake.finishing import FINISH
from tracewitness.intake.formats.ufo.actions import Deed, deeds_of
from tracewitness.intake.formats.ufo.log import Record
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.turn_steps import said_by_user
from tracewitness.intake.untyped import list_of, text_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Observation, Step

KEPT = frozenset(
    "step roundstep round agentstep agent agentname action function arguments controllabel controltext request "
    "application applicationprocessname cleanscreenshotpath desktopscreenshotpath annotatedscreenshotpath "
    "concatscreenshotpath selectedcontrolscreenshotpath results controllog cost llmcost totaltime executiontimes "
    "timecost".split()
)
"""Fields that hold no words of the agent, by normal key."""
_FLAGS = {"FINISH": DeclaredStatus.SUCCESS, "FAIL": DeclaredStatus.FAILURE}
_SPOKEN = ("comment", "result", "message", "observation", "thought")
_GRADING = frozenset({"evaluation", "evaluationresult"})
_ASSESSING = frozenset({"actionsuccess", "functioncall", "actionrepresentation", "status"})


@dataclass(slots=True)
class Split:
    """The lines sorted."""

    steps: list[Step] = field(default_factory=list[Step])
    report: Report = field(default_factory=lambda: Report(None))
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    ended: bool = False


def split(
    records: Sequence[Record], before: Sequence[Observation | None], last: Observation | None, kinds: frozenset[str]
) -> Split:
    """Sort lines into planes; ``before`` holds the screen before each, ``last`` the one after all."""
    told = Split()
    closing = _closing(records)
    after = [*before[1:], last]
    asked = text_of(records[0].fields.get("request"))
    for at, record in enumerate(records):
        request = text_of(record.fields.get("request"))
        if request and request != asked:
            _ask(told, request)
            asked = request
        _act(told, record, before[at], after[at], kinds)
        told.stripped += _hidden(record, closing=record is closing)
        _narrate(told, record, closing=record is closing)
    if closing is not None:
        acted = bool(deeds_of(closing))
        seen = (_seen_last(told), None) if acted else (before[-1], last)
        told.steps.append(Step(len(told.steps) + 1, Action(FINISH), *seen))
        told.report = _report(closing)
        told.ended = True
    return told


def _closing(records: Sequence[Record]) -> Record | None:
    """Return the line that ends the run: the last, by the host agent where there is one."""
    last = records[-1]
    directed = any(record.is_host for record in records)
    return last if last.status in _FLAGS and (last.is_host or not directed) else None


def _act(
    told: Split, record: Record, before: Observation | None, after: Observation | None, kinds: frozenset[str]
) -> None:
    deeds = deeds_of(record)
    for number, deed in enumerate(deeds):
        _step(told, record, deed, number, kinds)
    if deeds:
        first, last = len(told.steps) - len(deeds), len(told.steps) - 1
        told.steps[first] = replace(told.steps[first], before=before)
        broken = "the log says that the step failed" if record.fields.get("error") else None
        ended = told.steps[last]
        told.steps[last] = replace(ended, after=_joined(ended.after, after), error=ended.error or broken)


def _step(told: Split, record: Record, deed: Deed, number: int, kinds: frozenset[str]) -> None:
    where = f"{record.where}.action[{number}]"
    action, hidden = action_of(deed.call, deed.target, kinds=kinds)
    told.stripped += [Stripped(f"{where}.{one.key}", one.plane, one.route, one.characters) for one in hidden]
    told.steps.append(Step(len(told.steps) + 1, action, None, *_answered(deed, kinds)))


def _answered(deed: Deed, kinds: frozenset[str]) -> tuple[Observation | None, str | None]:
    """Return what a call gave back, or the error that it ended with, without what the agent said in the call."""
    if deed.error is not None:
        return None, bare_answer(deed.call, deed.error, failed=True, kinds=kinds) or FAILED
    words = shown_answer(bare_answer(deed.call, deed.result, kinds=kinds)) if deed.result else ""
    return (Observation(words) if words else None), None


def _joined(first: Observation | None, then: Observation | None) -> Observation | None:
    if first is None or then is None:
        return then or first
    return replace(then, text="\n".join(filter(None, (first.text, then.text))) or None)


def _ask(told: Split, request: str) -> None:
    """Take a later request of the user as what was seen after the step before."""
    if told.steps:
        step = told.steps[-1]
        told.steps[-1] = replace(step, after=_joined(Observation(said_by_user(request)), step.after))


def _seen_last(told: Split) -> Observation | None:
    return told.steps[-1].after if told.steps else None


def _report(closing: Record) -> Report:
    texts = [_text(closing, key) for key in _SPOKEN]
    words = texts[0] or texts[1] or texts[2] or None
    return Report(words, _FLAGS[closing.status])


def _text(record: Record, key: str) -> str:
    value = record.fields.get(key)
    if isinstance(value, list):
        return "\n".join(one.strip() for one in list_of(value) if isinstance(one, str) and one.strip())
    return text_of(value).strip()


def _narrate(told: Split, record: Record, *, closing: bool) -> None:
    spoken = ("observation", "thought", "plan", "subtask", "currentsubtask")
    keys = spoken if closing else (*spoken, "message", "comment")
    words = "\n".join(filter(None, (_text(record, key) for key in keys)))
    if words:
        told.narration.append(Narrated(max(len(told.steps), 1), words))


def _hidden(record: Record, *, closing: bool) -> Iterator[Stripped]:
    for key, value in record.fields.items():
        if key in KEPT or value in (None, "", [], {}):
            continue
        yield Stripped(f"{record.where}.{key[:60]}", *_plane_of(key, closing), size_of(value))


def _plane_of(key: str, closing: bool) -> tuple[Plane, LeakRoute]:
    if key in _GRADING:
        return Plane.GRADING, LeakRoute.GRADING_ECHO
    if closing and key in (*_SPOKEN[:3], "status"):
        return Plane.REPORT, LeakRoute.FINAL_REPORT
    return Plane.NARRATION, LeakRoute.SELF_ASSESSMENT if key in _ASSESSING else LeakRoute.THOUGHTS
