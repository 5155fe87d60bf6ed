"""Sorting the rounds of a browser-use history into planes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, cast

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call, declared_by, final_words
from tracewitness.intake.code.arguments import spoken_by
from tracewitness.intake.code.printed import without_printed
from tracewitness.intake.finishing import FINISH, FINISH_KINDS, bare, without_final_words
from tracewitness.intake.formats.browser_use.actions import (
    KINDS,
    SortedResult,
    address,
    element_index,
    interacted_label,
    listed_label,
    point,
    sort_result,
    typed,
    written,
)
from tracewitness.intake.formats.browser_use.arguments import role, said_in, sort_arguments
from tracewitness.intake.formats.browser_use.history import NOTHING, Json, Round
from tracewitness.intake.histories import answer_in
from tracewitness.intake.own_words import Hidden, size_of
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.quoting import MOST, without_quotes, without_refused_arguments
from tracewitness.intake.roles import Role
from tracewitness.intake.turn_steps import ATTEMPT, said_by_user
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import USER_SAYS, Action, Observation, Step
from tracewitness.values.digests import canonical_json

_ROUTES = {
    "thinking": LeakRoute.THOUGHTS,
    "evaluation_previous_goal": LeakRoute.SELF_ASSESSMENT,
    "valuation_previous_goal": LeakRoute.SELF_ASSESSMENT,
}
_DONE = ("done", FINISH)
_ANSWERS = ("text", "data", "answer", "message", "result")
_NO_RESULT = SortedResult(None, None, ())


@dataclass(slots=True)
class Splitter:
    """Turns rounds into steps, one per action, numbered from 1; keeps account of what was hidden and what is missing.

    A step index is a running number, because one round may hold several actions; the action as logged and the round's
    place in the file are in the stripping record and in the reader's page.
    """

    finish_kinds: frozenset[str] = FINISH_KINDS
    steps: list[Step] = field(default_factory=list[Step])
    places: list[str] = field(default_factory=list[str])
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])

    def add(self, one: Round, before: Observation | None, after: Observation | None, *, last_round: bool) -> None:
        """Add a round: ``before`` is what was shown before it, ``after`` what was shown before the next one."""
        self._hide_words(one)
        if one.has_output and len(one.actions) > 1 and len(one.results) == 1 and one.results[0].get("error"):
            self.gaps.add(Gap.MISSING_STEPS)
            self.notices.append(
                f"{one.where}: one error for {len(one.actions)} actions; which were carried out is unknown"
            )
        performed = len(one.results) if one.has_output else 0
        for at, (name, _) in enumerate(one.actions):
            result = self._result(one, at, name)
            last = at == min(performed, len(one.actions)) - 1
            final = ends_run(one, at, last_round, self.finish_kinds)
            step = self._step(one, at, result, before, final)
            seen = _with_result(after if last and not final else None, result.shown)
            self.steps.append(replace(step, before=before if at == 0 else None, after=seen))
            self.places.append(f"{one.where}.model_output.action[{at}]")
        for at in range(len(one.actions), len(one.results)):
            self._result(one, at, FINISH)

    def end(self) -> None:
        """Say that no more rounds come: the words of actions that end the run, whatever their name, are stripped."""
        steps, final_words = without_final_words(self.steps, lambda at: self.places[at], self.finish_kinds)
        self.steps = list(steps)
        self.stripped.extend(final_words)

    def _step(self, one: Round, at: int, result: SortedResult, before: Observation | None, final: bool) -> Step:
        name, arguments = one.actions[at]
        kept, hidden = sort_arguments(name, arguments, final=final, kinds=self.finish_kinds)
        self._record(one, f"model_output.action[{at}]", hidden)
        executed = at < len(one.results) and name != NOTHING
        if final and not executed and not any(result.get("is_done") for result in one.results):
            action = Action(ATTEMPT, executed=False)  # browser-use takes ``done`` behind other actions for none
        elif final:
            action = Action(FINISH)
        else:
            target = _target(one, at, kept, before)
            action = Action(KINDS.get(name, name), target, typed(name, kept), written(name, kept), executed)
        return Step(len(self.steps) + 1, action, error=result.error, time=_iso(one.time))

    def _result(self, one: Round, at: int, name: str) -> SortedResult:
        """Sort result ``at``. Without a model output there was no action, and its error may quote the model: hidden."""
        if at >= len(one.results):
            return _NO_RESULT
        arguments: Json = one.actions[at][1] if at < len(one.actions) else {}
        sorted_result = sort_result(name, one.results[at], self.finish_kinds, arguments)
        self._record(one, f"result[{at}]", sorted_result.hidden)
        if at < len(one.actions):
            return self._without_own_words(one, at, sorted_result)
        for words in (sorted_result.error, sorted_result.shown):
            if words:
                hidden = Hidden("error", Plane.NARRATION, LeakRoute.ECHO, len(words))
                self._record(one, f"result[{at}]", (hidden,))
        return sorted_result

    def _without_own_words(self, one: Round, at: int, result: SortedResult) -> SortedResult:
        """Return a result without what is quoted of its action, or was printed by the code in it."""
        name, arguments = one.actions[at]
        printed, said = spoken_by(name, arguments), said_in(name, arguments, self.finish_kinds)
        own = role(name, arguments, self.finish_kinds)
        if len(said) > MOST or own is Role.DELEGATES:
            self.gaps.add(Gap.UNREADABLE_OBSERVATION if len(said) > MOST else Gap.MISSING_STEPS)

        def bare_text(text: str | None, *, failed: bool) -> str:
            kept = without_refused_arguments(answer_in(text or ""), failed=failed)
            return without_quotes(without_printed(kept, printed), said)

        error, shown = bare_text(result.error, failed=True), bare_text(result.shown, failed=False)
        lost = len(result.error or "") + len(result.shown or "") - len(error) - len(shown)
        if lost:
            self._record(one, f"result[{at}]", (Hidden("quoted", Plane.NARRATION, LeakRoute.ECHO, lost),))
        failed = error or ("the log says that it failed" if result.error else None)
        # Only what a person answered is still there of an action by which the agent speaks.
        answer = said_by_user(shown) if own is Role.NOTES else shown
        return replace(result, error=failed, shown=answer or None)

    def _hide_words(self, one: Round) -> None:
        said = dict(one.output)
        nested = said.pop("current_state", None)
        if isinstance(nested, dict):
            said.update({f"current_state.{key}": value for key, value in cast(dict[str, Any], nested).items()})
        texts = {
            key: value if isinstance(value, str) else canonical_json(value) for key, value in said.items() if value
        }
        for key, text in texts.items():
            route = _ROUTES.get(key.rsplit(".", 1)[-1], LeakRoute.CARRIED_MEMORY)
            self.stripped.append(Stripped(f"{one.where}.model_output.{key}", Plane.NARRATION, route, len(text)))
        if one.message:
            size = len(one.message) - len(one.salvage.text or "")
            self.stripped.append(Stripped(f"{one.where}.state_message", Plane.NARRATION, LeakRoute.ECHO, size))
        if texts:
            words = "\n".join(f"{key.rsplit('.', 1)[-1]}: {text}" for key, text in texts.items())
            self.narration.append(Narrated(len(self.steps) + 1, words))

    def _record(self, one: Round, place: str, hidden: Sequence[Hidden]) -> None:
        for item in hidden:
            where = f"{one.where}.{place}.{item.key}"
            self.stripped.append(Stripped(where, item.plane, item.route, item.characters))


def ends_run(one: Round, at: int, last_round: bool, kinds: frozenset[str] = FINISH_KINDS) -> bool:
    """Tell whether an action ends the run: it is ``done``, its result says so, or the run's last result does.

    Results may be fewer than actions, so in the last round the last action may be the one that a final result is of.
    Tools of the user may end a run and leave no such result; the last action of the run is one where its name says so.
    """
    if bare(one.actions[at][0]) in _DONE:
        return True
    if at < len(one.results) and one.results[at].get("is_done"):
        return True
    if not last_round or at != len(one.actions) - 1:
        return False
    return any(result.get("is_done") for result in one.results) or _closing(one, kinds) is not None


def _closing(one: Round, kinds: frozenset[str]) -> Call | None:
    """Return the last call of a round where it is one by which agents end, and it was carried out."""
    if not one.actions or len(one.results) != len(one.actions) or one.results[-1].get("error"):
        return None
    name, arguments = one.actions[-1]
    return Call(name, arguments) if role(name, arguments, kinds) is Role.ENDS else None


def closing_report(last: Round, kinds: frozenset[str]) -> Report | None:
    """Return what an agent says in a call of its user's tools with which the run ends; None where it makes none."""
    call = _closing(last, kinds)
    if call is None or any(result.get("is_done") for result in last.results):
        return None
    return Report(final_words(call), declared_by(call))


def _with_result(seen: Observation | None, shown: str | None) -> Observation | None:
    """Return an observation with what the tool answered as its first line."""
    if not shown:
        return seen
    line = shown if shown.startswith(USER_SAYS) else f"result: {shown}"
    if seen is None:
        return Observation(text=line)
    return replace(seen, text=f"{line}\n{seen.text}" if seen.text else line)


def _target(one: Round, at: int, arguments: Json, before: Observation | None) -> str | None:
    index = element_index(arguments)
    if index is None:
        return address(arguments) or point(arguments)
    elements = one.state.get("interacted_element")
    listed = cast(list[Any], elements) if isinstance(elements, list) else []
    found = listed_label(before.ui_tree if before else None, index)
    return found or interacted_label(listed[at] if at < len(listed) else None)


def _iso(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (OverflowError, ValueError, OSError):
        return None


def report_of(rounds: Sequence[Round]) -> Report:
    """Return the report: the last final result, its text and its flag; both None where the agent never ended."""
    told = (said_at_the_end(one) for one in reversed(rounds))
    return next((report for report in told if report is not None), Report(None))


def said_at_the_end(one: Round) -> Report | None:
    """Return the last final result of a round as a report; None where the round has none."""
    for at, result in reversed(list(enumerate(one.results))):
        if result.get("is_done"):
            said: Json = one.actions[at][1] if at < len(one.actions) else {}
            return Report(_final_text(result, said), _flag(result, said))
    return None


def _final_text(result: Json, said: Json) -> str | None:
    for value in (result.get("extracted_content"), *(said.get(key) for key in _ANSWERS)):
        if value:
            return value if isinstance(value, str) else canonical_json(value)
    return None


def _flag(result: Json, said: Json) -> DeclaredStatus | None:
    for value in (result.get("success"), said.get("success")):
        if isinstance(value, bool):
            return DeclaredStatus.SUCCESS if value else DeclaredStatus.FAILURE
    return None


def other_keys(others: Json) -> Iterator[Stripped]:
    """Yield what stands beside the history (usage and the like); it is shown to nobody."""
    for key, value in others.items():
        yield Stripped(key, Plane.GRADING, LeakRoute.GRADING_ECHO, size_of(value))
