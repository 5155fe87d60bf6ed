"""What answered the calls of a conversation, brought to their steps, without what agents said in it."""

from dataclasses import dataclass, field, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call
from tracewitness.intake.code.arguments import spoken_by
from tracewitness.intake.code.printed import without_printed
from tracewitness.intake.delegating import hands_over
from tracewitness.intake.histories import answer_in
from tracewitness.intake.machine_words import is_retold_past, without_machine_words
from tracewitness.intake.model_made import answers_by_model, without_model_words
from tracewitness.intake.not_carried_out import was_not_carried_out
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.quoting import MOST, without_quotes, without_refused_arguments
from tracewitness.intake.roles import Role
from tracewitness.intake.turn_steps import Steps, Told, of_result, without_words
from tracewitness.intake.turns import Result

_FAILED = "the log says that it failed"
"""The error of a call that failed, where the words of the error are an agent's."""
_CLEARED = frozenset({"[Old tool result content cleared]", "[cleared]", "[cleared to save context]", "<MASKED>"})
"""What programs put in place of old answers that they take out of a conversation."""


@dataclass(slots=True)
class Answers:
    """Brings answers to the steps whose calls they answer.

    Attributes:
        steps: The steps so far.
        stripped: Where it is noted what was kept from the trace side.
        early: Answers whose calls were not met yet, by the ids of the calls.
    """

    steps: Steps
    stripped: list[Stripped]
    early: dict[str, Result] = field(default_factory=dict[str, Result])

    def add(self, result: Result, where: str) -> None:
        """Add an answer that stands in a turn at a place of the log."""
        told = self.bare(result.text, f"{where}.result")
        bare_text = without_refused_arguments(answer_in(told), failed=result.failed)
        self._note(f"{where}.result", LeakRoute.ECHO, len(told) - len(bare_text))
        self._answer(replace(result, text=bare_text), where)

    def meet(self, call: Call, where: str) -> None:
        """Bring an answer that stood ahead of its call to it, once the call is met; its picture was shown already."""
        early = self.early.pop(call.id or "", None)
        if early is not None:
            self._answer(replace(early, screenshot=None, url=None, ui_tree=None), where)

    def bare(self, text: str, where: str) -> str:
        """Return words of a user or the environment without those that a program put in for the agent."""
        kept = "" if is_retold_past(text) else without_machine_words(text)
        self._note(where, LeakRoute.CARRIED_MEMORY, len(text) - len(kept))
        return kept

    def _answer(self, result: Result, where: str) -> None:
        if result.text.strip() in _CLEARED:
            self.steps.gaps.append(Gap.UNREADABLE_OBSERVATION)
            result = replace(result, text="")
        one = self.steps.answered_by(result)
        self.steps.went_on()
        if one is None:
            self._show(result, where)
            return
        if was_not_carried_out(result.text):
            one.action = replace(one.action, executed=False)
        if one.says():
            one.replies.append((result, where))
            return
        result = self._of_call(one, result, where)
        if result.failed:
            one.errors.append(("" if result.hidden else result.text.strip()) or _FAILED)
        shown = without_words(result) if result.hidden else of_result(result)
        one.seen += [shown] if shown else []
        self._hide(result, where)

    def _show(self, result: Result, where: str) -> None:
        """Show what answers no call of the log; that may have been one that only says something."""
        if result.call_id is not None:
            self.early[result.call_id] = result
            result = replace(result, hidden=True)
        self.steps.show(without_words(result) if result.hidden else of_result(result))
        self._hide(result, where)

    def _of_call(self, one: Told, result: Result, where: str) -> Result:
        """Return an answer as that of its call: without what the call said, and all of it hidden of another agent."""
        if one.call is None:
            return result
        if one.role is Role.DELEGATES:
            if not result.inside and not hands_over(one.call.name, one.call.arguments):
                self.steps.gaps.append(Gap.MISSING_STEPS)
            return replace(result, hidden=True)
        if answers_by_model(one.call.name, one.call.arguments):
            self.steps.gaps += [] if result.failed else [Gap.UNREADABLE_OBSERVATION]
            return replace(result, hidden=result.hidden or not result.failed)
        found = without_model_words(one.call.name, result.text)
        kept = without_printed(found, spoken_by(one.call.name, one.call.arguments))
        if len(one.said) > MOST:
            self.steps.gaps.append(Gap.UNREADABLE_OBSERVATION)
        kept = without_quotes(kept, one.said)
        self._note(f"{where}.result", LeakRoute.ECHO, len(result.text) - len(kept))
        return replace(result, text=kept)

    def _hide(self, result: Result, where: str) -> None:
        if result.hidden and result.text.strip():
            size = size_of(result.text)
            self.stripped.append(Stripped(f"{where}.result", Plane.NARRATION, LeakRoute.SELF_ASSESSMENT, size))

    def _note(self, where: str, route: LeakRoute, lost: int) -> None:
        if lost > 0:
            self.stripped.append(Stripped(where, Plane.NARRATION, route, lost))
