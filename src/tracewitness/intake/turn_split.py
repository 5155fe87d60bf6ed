"""Sorting the turns of a conversation into planes.

The task is the first words of the user. An agent's calls are the steps; what answers them is what was observed after
them. What a user says later is an observation after the step before. The agent's own words are narration, but those of
its last turn, which are the report where it called nothing more, as are the arguments of a call that ends the run.
A conversation that ends with a call, or with what answers one, has no report.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call, action_of, declared_status, final_words
from tracewitness.intake.finishing import FINISH, FINISH_KINDS, is_finish_like, only_says, without_final_words
from tracewitness.intake.own_words import is_narrating, size_of
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step

RESPOND = "respond"
"""The kind of a step at which the agent spoke to its user and was answered."""


@dataclass(slots=True)
class Conversation:
    """Turns sorted into planes.

    Attributes:
        task: The first words of the user; None where there are none.
        steps: One a call, numbered from 1; one of kind ``respond`` for words that the user answered; one of kind
            ``finish`` where the agent ended.
        report: The report.
        narration: The agent's words at the steps.
        stripped: What was kept from the trace side.
        gaps: The gaps that the turns show; :func:`tracewitness.intake.gaps.known_gaps` adds those of the steps.
        ended: Whether the agent ended the run itself.
    """

    task: str | None = None
    steps: tuple[Step, ...] = ()
    report: Report = field(default_factory=lambda: Report(None))
    narration: tuple[Narrated, ...] = ()
    stripped: tuple[Stripped, ...] = ()
    gaps: tuple[Gap, ...] = ()
    ended: bool = False


def split_turns(
    turns: Iterable[Turn], *, task: str | None = None, finish_kinds: frozenset[str] = FINISH_KINDS
) -> Conversation:
    """Sort turns into planes.

    Args:
        turns: The turns in order.
        task: The instruction where the log holds it elsewhere; the first words of the user are an observation then.
        finish_kinds: The kinds by which agents end a run, as ``finishing.bare`` writes them.
    """
    sorting = _Sorting(finish_kinds, task, task is not None)
    told = list(turns)
    last = max((at for at, turn in enumerate(told) if _acts_or_speaks(turn)), default=-1)
    for at, turn in enumerate(told):
        sorting.add(turn, last=at == last)
    return sorting.end()


def _acts_or_speaks(turn: Turn) -> bool:
    return turn.speaker is Speaker.AGENT and not turn.copied and bool(turn.calls or turn.text.strip())


@dataclass(slots=True)
class _Sorting:
    kinds: frozenset[str]
    task: str | None
    task_elsewhere: bool
    steps: list[Step] = field(default_factory=list[Step])
    places: list[str] = field(default_factory=list[str])
    calls: list[Call | None] = field(default_factory=list[Call | None])
    answered: list[bool] = field(default_factory=list[bool])
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    closing: str | None = None
    first_seen: Observation | None = None
    gaps: list[Gap] = field(default_factory=list[Gap])

    def add(self, turn: Turn, *, last: bool) -> None:
        if turn.copied:
            self._strip(turn.where, "", turn.text + turn.reasoning, Plane.NARRATION, LeakRoute.ECHO)
        elif turn.speaker is Speaker.SYSTEM:
            self._strip(turn.where, "content", turn.text, Plane.TASK, LeakRoute.NONE)
        elif turn.speaker is Speaker.AGENT:
            self._add_agent(turn, last=last)
        else:
            self._add_seen(turn)

    def _add_agent(self, turn: Turn, *, last: bool) -> None:
        self._strip(turn.where, "reasoning", turn.reasoning, Plane.NARRATION, LeakRoute.THOUGHTS)
        spoken = turn.text.strip()
        words = "\n".join(filter(None, (turn.reasoning.strip(), spoken)))
        if last and not turn.calls:
            self._strip(turn.where, "text", spoken, Plane.REPORT, LeakRoute.FINAL_REPORT)
            self.closing = spoken or None
            words = turn.reasoning.strip()
            self._step(Action(FINISH), turn, None)
        elif turn.calls:
            self._strip(turn.where, "text", spoken, Plane.NARRATION, LeakRoute.THOUGHTS)
            for at, call in enumerate(turn.calls):
                self._call(call, turn, at, words if at == 0 else "")
            return
        else:
            self._strip(turn.where, "text", spoken, Plane.NARRATION, LeakRoute.FINAL_REPORT)
            if not spoken:
                self._narrate(len(self.steps) + 1, words)
                return
            self._step(Action(RESPOND), turn, None)
        self._narrate(len(self.steps), words)

    def _call(self, call: Call, turn: Turn, at: int, words: str) -> None:
        action, hidden = action_of(call, kinds=self.kinds)
        where = f"{turn.where}.calls[{at}]"
        self.stripped += [Stripped(f"{where}.{one.key}", one.plane, one.route, one.characters) for one in hidden]
        self._step(action, turn, call, where)
        self._narrate(len(self.steps), words)

    def _step(self, action: Action, turn: Turn, call: Call | None, where: str = "") -> None:
        before, self.first_seen = self.first_seen, None
        self.steps.append(Step(len(self.steps) + 1, action, before, time=turn.time))
        self.places.append(where or turn.where)
        self.calls.append(call)
        self.answered.append(call is None)

    def _add_seen(self, turn: Turn) -> None:
        for result in turn.results:
            self._answer(result, turn.where)
        text = turn.text.strip()
        if not text and turn.screenshot is None:
            return
        if turn.speaker is Speaker.USER and text and self.task is None and not self.steps:
            self.task, text = text, ""
        seen = _seen(f"user: {text}" if text and turn.speaker is Speaker.USER else text, turn.screenshot)
        if seen is None:
            return
        if self.steps:
            self._show(len(self.steps) - 1, seen)
        else:
            self.first_seen = _joined(self.first_seen, seen)

    def _answer(self, result: Result, where: str) -> None:
        at = self._answered_step(result)
        if at is None:
            self.gaps.append(Gap.MISSING_STEPS)
            if self.steps:
                at = len(self.steps) - 1
            else:
                self.first_seen = _joined(self.first_seen, _of_result(result))
                return
        call = self.calls[at]
        self.answered[at] = True
        if call is not None and (only_says(call.name, self.kinds) or is_narrating(call.name)):
            plane = Plane.REPORT if only_says(call.name, self.kinds) else Plane.NARRATION
            self._strip(where, "result", result.text, plane, LeakRoute.ECHO)
        elif result.hidden:
            self._strip(where, "result", result.text, Plane.NARRATION, LeakRoute.SELF_ASSESSMENT)
            self._show(at, _seen("", result.screenshot, result.url, result.ui_tree))
        else:
            if result.failed:
                self.steps[at] = replace(self.steps[at], error=result.text.strip() or "the log says that it failed")
            self._show(at, _of_result(result))

    def _answered_step(self, result: Result) -> int | None:
        """Return the step a result answers: by id, else the first call that has no answer yet."""
        for at in range(len(self.steps) - 1, -1, -1):
            call = self.calls[at]
            if call is not None and result.call_id is not None and call.id == result.call_id:
                return at
        if result.call_id is not None and any(call is not None and call.id for call in self.calls):
            return None
        return next((at for at, done in enumerate(self.answered) if not done), None)

    def _show(self, at: int, seen: Observation | None) -> None:
        if seen is not None:
            self.steps[at] = replace(self.steps[at], after=_joined(self.steps[at].after, seen))

    def _strip(self, where: str, key: str, words: str, plane: Plane, route: LeakRoute) -> None:
        if words.strip():
            self.stripped.append(Stripped(f"{where}.{key}" if key else where, plane, route, size_of(words)))

    def _narrate(self, step: int, words: str) -> None:
        if words:
            self.narration.append(Narrated(step, words))

    def end(self) -> Conversation:
        steps, lost = without_final_words(self._unanswered(), lambda at: self.places[at], self.kinds)
        ends = [at for at, step in enumerate(steps) if step.action.kind == FINISH]
        report = self._report(ends)
        stripped = (*self.stripped, *(one for one in lost if one.characters))
        gaps = tuple(dict.fromkeys(self.gaps))
        return Conversation(self.task, steps, report, tuple(self.narration), stripped, gaps, bool(ends))

    def _unanswered(self) -> Sequence[Step]:
        """Return the steps; a call that ends the log and has no answer is not known to have been carried out."""
        for at in range(len(self.steps) - 1, -1, -1):
            call = self.calls[at]
            if self.answered[at] or call is None or is_finish_like(call.name, self.kinds):
                break
            self.steps[at] = replace(self.steps[at], action=replace(self.steps[at].action, executed=False))
            self.gaps.append(Gap.LOG_CUT_OFF)
        return self.steps

    def _report(self, ends: Sequence[int]) -> Report:
        calls = [call for at in ends if (call := self.calls[at]) is not None]
        said = [text for call in calls if (text := final_words(call))]
        texts = list(dict.fromkeys([*said, *filter(None, [self.closing])]))
        flags = [flag for call in calls if (flag := declared_status(call.arguments))]
        return Report("\n\n".join(texts) or None, _last(flags))


def _last(flags: list[DeclaredStatus]) -> DeclaredStatus | None:
    return flags[-1] if flags else None


def _of_result(result: Result) -> Observation | None:
    text = "" if result.failed else result.text.strip()
    return _seen(f"result: {text}" if text else "", result.screenshot, result.url, result.ui_tree)


def _seen(
    text: str, screenshot: Screenshot | None, url: str | None = None, ui_tree: str | None = None
) -> Observation | None:
    if not (text or screenshot or url or ui_tree):
        return None
    return Observation(text or None, ui_tree, url, screenshot)


def _joined(first: Observation | None, then: Observation | None) -> Observation | None:
    """Return two observations after the same step as one: all words, and the later picture, dump and address."""
    if first is None or then is None:
        return then or first
    text = "\n".join(_texts(first, then)) or None
    return Observation(text, then.ui_tree or first.ui_tree, then.url or first.url, then.screenshot or first.screenshot)


def _texts(*seen: Observation) -> Iterator[str]:
    return (one.text for one in seen if one.text)
