"""Sorting the lines of a traj.jsonl into planes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tracewitness.intake.bare_answers import FAILED, bare_answer, shown_answer
from tracewitness.intake.calls import action_of, declared_status, final_words, point_of
from tracewitness.intake.elements import element_at
from tracewitness.intake.finishing import FINISH, without_final_words
from tracewitness.intake.formats.osworld.actions import Acted, acted, drag_target
from tracewitness.intake.formats.osworld.closing import closing_words, was_cut_short
from tracewitness.intake.formats.osworld.code_agent import code_run
from tracewitness.intake.formats.osworld.log import Record, time_of
from tracewitness.intake.formats.osworld.screens import Screen
from tracewitness.intake.grammars.gestures import Deed
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.untyped import object_of, text_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Observation, Step

KEPT = frozenset(
    "step_num action_timestamp action screenshot_file screenshot accessibility_tree window_title window_names_str "
    "computer_clipboard terminal instruction initial_state step_status exec_result exec_ok".split()
)
GRADING = frozenset("reward done info score result rewards evaluation eval_result judge success".split())
_ASSESSING = frozenset(
    "reflection reflection_thoughts evaluation_previous_goal verification executor_reflection".split()
)
_FLAGS = {"done": DeclaredStatus.SUCCESS, "fail": DeclaredStatus.FAILURE, "infeasible": DeclaredStatus.FAILURE}


@dataclass(frozen=True, slots=True)
class Beat:
    """A line with its action taken apart, and the screens around it."""

    record: Record
    acted: Acted
    before: Screen
    after: Observation | None

    @property
    def carried_out(self) -> bool:
        """Whether the log does not say that the action failed to be carried out."""
        return self.record.fields.get("step_status") is not False


@dataclass(frozen=True, slots=True)
class Split:
    """The lines sorted.

    Attributes:
        steps: The steps: one a call, several where a line holds several.
        report: The report.
        narration: The agent's words.
        stripped: What was kept from the trace side.
        ended: Whether the agent ended the run.
    """

    steps: tuple[Step, ...]
    report: Report
    narration: tuple[Narrated, ...]
    stripped: tuple[Stripped, ...]
    ended: bool


def beats_of(records: Sequence[Record], screens: Sequence[Screen], afters: Sequence[Observation | None]) -> list[Beat]:
    """Return the lines with the screens before and after each."""
    return [
        Beat(record, _acted(record.fields), screen, after)
        for record, screen, after in zip(records, screens, afters, strict=True)
    ]


def _acted(fields: Mapping[str, Any]) -> Acted:
    """Return the action of a line, behind what a coding agent ran while it was decided."""
    told = acted(fields["action"])
    told.deeds[:0] = code_run(fields)
    return told


def split(beats: Sequence[Beat], kinds: frozenset[str]) -> Split:
    """Sort lines into planes.

    Args:
        beats: The lines.
        kinds: The kinds by which agents end a run.
    """
    sorting = _Sorting(kinds, _numbered(beats))
    for at, beat in enumerate(beats):
        sorting.add(at, beat)
    return sorting.end(beats)


def _numbered(beats: Sequence[Beat]) -> bool:
    """Tell whether the numbers of the log can number the steps: they increase, and no line holds several calls."""
    steps = [beat.record.step for beat in beats]
    rising = all(later > earlier for earlier, later in zip(steps, steps[1:], strict=False))
    return rising and all(len(beat.acted.deeds) == 1 for beat in beats)


class _Sorting:
    def __init__(self, kinds: frozenset[str], numbered: bool) -> None:
        self._kinds = kinds
        self._numbered = numbered
        self._steps: list[Step] = []
        self._deeds: list[tuple[Beat, Deed]] = []
        self._narration: list[Narrated] = []
        self._stripped: list[Stripped] = []

    def add(self, at: int, beat: Beat) -> None:
        first = len(self._steps)
        for number, deed in enumerate(beat.acted.deeds):
            last = number == len(beat.acted.deeds) - 1
            self._step(beat, deed, first=number == 0, last=last)
        index = self._steps[first].index
        self._narration += [Narrated(index, words) for _, words in beat.acted.words]
        told = _spoken(beat.record.fields)
        self._narration += [Narrated(index, told)] if told else []

    def _step(self, beat: Beat, deed: Deed, *, first: bool, last: bool) -> None:
        action, hidden = action_of(deed.call, _target(deed, beat.before), executed=beat.carried_out, kinds=self._kinds)
        where = f"{beat.record.where}.action"
        self._stripped += [Stripped(f"{where}.{one.key}", one.plane, one.route, one.characters) for one in hidden]
        if action.raw is not None and (deed.code or deed.call.name == "code"):
            action = replace(action, raw=deed.code or None)
        index = beat.record.step if self._numbered else len(self._steps) + 1
        before = beat.before.observation if first else None
        after, error = self._shown(beat) if last else (None, None)
        time = time_of(beat.record)
        self._steps.append(Step(index, action, before, after, error, time))
        self._deeds.append((beat, deed))

    def _shown(self, beat: Beat) -> tuple[Observation | None, str | None]:
        """Return what was seen after a line, and its error, without what agents said in them."""
        answer, error = _answer(beat.record.fields), _error(beat.record.fields)
        bare, bare_error = answer, error or ""
        for deed in beat.acted.deeds:
            bare = bare_answer(deed.call, bare, kinds=self._kinds)
            bare_error = bare_answer(deed.call, bare_error, failed=True, kinds=self._kinds)
        if (lost := len(answer) + len(error or "") - len(bare) - len(bare_error)) > 0:
            where = f"{beat.record.where}.exec_result"
            self._stripped.append(Stripped(where, Plane.NARRATION, LeakRoute.ECHO, lost))
        return _seen_after(beat, bare), bare_error or (FAILED if error else None)

    def end(self, beats: Sequence[Beat]) -> Split:
        places = [f"{beat.record.where}.action" for beat, _ in self._deeds]
        steps, lost = without_final_words(self._steps, lambda at: places[at], self._kinds)
        ends = [at for at, step in enumerate(steps) if step.action.kind == FINISH]
        closing = {id(self._deeds[at][0]) for at in ends}
        for beat in beats:
            self._stripped += _kept_from(beat, closing=id(beat) in closing)
        told = (*self._stripped, *(one for one in lost if one.characters))
        report = self._report(ends)
        final = report.text is not None
        narration = [one for one in self._narration if not (final and ends and one.step == steps[ends[-1]].index)]
        return Split(steps, report, tuple(narration), told, bool(ends))

    def _report(self, ends: Sequence[int]) -> Report:
        if not ends:
            return Report(None)
        beat, deed = self._deeds[ends[-1]]
        if was_cut_short(beat.record.fields, deed.call.name):
            return Report(None)
        words = final_words(deed.call) or closing_words(beat.record.fields, beat.acted.words)
        flag = declared_status(deed.call.arguments) or _FLAGS.get(deed.call.name)
        return Report(words, flag)


def _target(deed: Deed, before: Screen) -> str | None:
    """Return the widget under the point of a call, or its number among the marked ones; None where neither is told."""
    if (between := drag_target(deed.call)) is not None:
        return between
    point = point_of(deed.call.arguments)
    found = element_at(*point, before.elements) if point is not None else None
    if found is not None:
        return found.label
    mark = deed.call.arguments.get("mark")
    return f"mark {str(mark)[:20]}" if mark is not None else None


def _seen_after(beat: Beat, answer: str) -> Observation | None:
    """Return what was seen after a line, with what a tool server answered."""
    if not answer:
        return beat.after
    seen = beat.after or Observation()
    return replace(seen, text="\n".join(filter(None, (seen.text, shown_answer(answer)))))


def _answer(fields: Mapping[str, Any]) -> str:
    result = object_of(fields.get("exec_result"))
    return text_of(result.get("result")).strip() if fields.get("exec_ok") is not False else ""


def _error(fields: Mapping[str, Any]) -> str | None:
    if fields.get("step_status") is False:
        return "the log says that the step failed"
    result = object_of(fields.get("exec_result"))
    told = text_of(result.get("error")).strip()
    return (told or FAILED) if fields.get("exec_ok") is False else None


def _spoken(fields: Mapping[str, Any]) -> str:
    """Return what the agent says in a line beside its action."""
    told = [value for key, value in fields.items() if key not in KEPT | GRADING]
    return "\n".join(text.strip() for text in told if isinstance(text, str) and text.strip())


def _kept_from(beat: Beat, *, closing: bool) -> Iterator[Stripped]:
    for place, words in beat.acted.words:
        plane = Plane.REPORT if closing else Plane.NARRATION
        route = LeakRoute.FINAL_REPORT if closing else LeakRoute.THOUGHTS
        yield Stripped(f"{beat.record.where}.action{place}", plane, route, size_of(words))
    for key, value in beat.record.fields.items():
        if key in KEPT or value is None or value in ("", [], {}):
            continue
        yield Stripped(f"{beat.record.where}.{key[:60]}", *_plane_of(key, closing), size_of(value))


def _plane_of(key: str, closing: bool) -> tuple[Plane, LeakRoute]:
    if key in GRADING:
        return Plane.GRADING, LeakRoute.GRADING_ECHO
    if key in _ASSESSING:
        return Plane.NARRATION, LeakRoute.SELF_ASSESSMENT
    if closing:
        return Plane.REPORT, LeakRoute.FINAL_REPORT
    return (Plane.NARRATION, LeakRoute.ECHO if key == "user_question" else LeakRoute.THOUGHTS)
