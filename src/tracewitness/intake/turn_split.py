"""Sorting the turns of a conversation into planes.

The task is the first words of the user. An agent's calls are the steps; what answers them is what was observed after
them. What a user says later is an observation after the step before, each line marked as a user's: a user repeats what
the agent told them, so it is no evidence. The agent's own words are narration, but for the words with which the log
ends: those are the report, as are the arguments of a call that ends the run. A conversation that ends with a call, with
what answers one, or with the user has no report.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call, declared_by, final_words
from tracewitness.intake.doubting import doubted
from tracewitness.intake.finishing import FINISH, FINISH_KINDS, without_final_words
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.quoting import without_quotes, worth_quoting
from tracewitness.intake.retold_past import without_own_past
from tracewitness.intake.turn_answers import Answers
from tracewitness.intake.turn_calls import told_of
from tracewitness.intake.turn_steps import Steps, Told, said_by_user, seen
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Step

RESPOND = "speak"
"""The kind of a step at which the agent spoke to its user and was answered; no kind by which agents end a run."""
_FAR_BEHIND = 50
"""Turns without words or deeds between what an agent says and what would be an answer to it."""


@dataclass(slots=True)
class Conversation:
    """Turns sorted into planes.

    Attributes:
        task: The first words of the user; None where there are none.
        steps: One a call, numbered from 1; one of kind ``speak`` for words that the user answered; one of kind
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
    turns: Iterable[Turn],
    *,
    task: str | None = None,
    finish_kinds: frozenset[str] = FINISH_KINDS,
    user_ends: bool = False,
) -> Conversation:
    """Sort turns into planes.

    Args:
        turns: The turns in order.
        task: The instruction where the log holds it elsewhere; the first words of the user are an observation then.
        finish_kinds: The kinds by which agents end a run, as ``finishing.bare`` writes them.
        user_ends: Whether in logs of this kind the user ends the conversation, so that the agent's words before the
            user's last ones are the report. By default a log that ends with the user broke off.
    """
    told = list(turns)
    sorting = _Sorting(Steps(finish_kinds), task, any(turn.results for turn in told))
    closing = _closing(told, user_ends)
    sorting.note_cut(told)
    answered = _answered(told)
    for at, turn in enumerate(told):
        sorting.add(turn, closing=at >= closing, answered=answered[at])
    return sorting.end()


def _closing(told: Sequence[Turn], user_ends: bool) -> int:
    """Return where the words with which the agent ends the log begin; the end of the log where there are none."""
    end = len(told)
    while user_ends and end > 0 and (told[end - 1].speaker is Speaker.USER or _is_silent(told[end - 1])):
        end -= 1
    begin = end
    while begin > 0 and (_only_speaks(told[begin - 1]) or _is_silent(told[begin - 1])):
        begin -= 1
    return begin if any(_only_speaks(turn) for turn in told[begin:end]) else len(told)


def _only_speaks(turn: Turn) -> bool:
    return turn.speaks and not turn.copied and not turn.cut


def _is_silent(turn: Turn) -> bool:
    """Tell whether a turn neither acts, speaks nor shows anything: nothing but thoughts, instructions or copies."""
    if turn.copied or turn.speaker is Speaker.SYSTEM:
        return True
    return not (turn.calls or turn.results or turn.text.strip() or turn.screenshot or turn.speaks)


def _answered(told: Sequence[Turn]) -> list[bool]:
    """Tell of every turn whether the next one in which anything happens, not far behind it, is one of the user."""
    answered, following = [False] * len(told), len(told) + _FAR_BEHIND
    by_user = False
    for at in range(len(told) - 1, -1, -1):
        answered[at] = by_user and following - at < _FAR_BEHIND
        if not _is_silent(told[at]):
            following, by_user = at, told[at].speaker is Speaker.USER
    return answered


@dataclass(slots=True)
class _Sorting:
    steps: Steps
    task: str | None
    tools_answer: bool
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    closing: list[str] = field(default_factory=list[str])
    closed: bool = False
    spoken: str = ""
    answers: Answers = field(init=False)

    def __post_init__(self) -> None:
        self.answers = Answers(self.steps, self.stripped)

    def note_cut(self, told: Sequence[Turn]) -> None:
        """Note the gap that the last words of the agent leave where the model was stopped in the midst of them."""
        last = next((turn for turn in reversed(told) if turn.speaker is Speaker.AGENT and not turn.copied), None)
        if last is not None and last.cut:
            self.steps.gaps.append(Gap.LOG_CUT_OFF)

    def add(self, turn: Turn, *, closing: bool, answered: bool) -> None:
        if turn.copied:
            self._strip(turn.where, "", _all_words(turn), Plane.NARRATION, LeakRoute.ECHO)
        elif turn.speaker is Speaker.SYSTEM:
            self._strip(turn.where, "content", turn.text, Plane.TASK, LeakRoute.NONE)
        elif turn.speaker is not Speaker.AGENT:
            self._add_seen(turn)
        else:
            self.spoken = "" if turn.calls else turn.text
            self._strip(turn.where, "reasoning", turn.reasoning, Plane.NARRATION, LeakRoute.THOUGHTS)
            if turn.calls:
                self._add_calls(turn)
            else:
                self._add_words(turn, closing=closing, answered=answered)

    def _add_words(self, turn: Turn, *, closing: bool, answered: bool) -> None:
        spoken = turn.text.strip()
        if not turn.speaks:
            self._narrate(turn.reasoning.strip(), ahead=True)
            return
        self.steps.went_on()
        if closing:
            self._strip(turn.where, "text", spoken, Plane.REPORT, LeakRoute.FINAL_REPORT)
            if not self.closed:
                self.closed = True
                self._step(Told(Action(FINISH), turn.where, time=turn.time))
            self.closing += [spoken] if spoken else []
            self._narrate(turn.reasoning.strip())
            return
        self._strip(turn.where, "text", spoken, Plane.NARRATION, LeakRoute.FINAL_REPORT)
        if answered:
            self._step(Told(Action(RESPOND), turn.where, time=turn.time))
        self._narrate(_words(turn), ahead=not answered)

    def _add_calls(self, turn: Turn) -> None:
        self.steps.begin_turn()
        for at, call in enumerate(turn.calls):
            self._add_call(call, f"{turn.where}.calls[{at}]", turn.text.strip() if at == 0 else "", turn)
            if at == 0:
                self._narrate(_words(turn))
        self._strip(turn.where, "text", turn.text, Plane.NARRATION, LeakRoute.THOUGHTS)

    def _add_call(self, call: Call, where: str, beside: str, turn: Turn) -> None:
        told, stripped = told_of(call, where, turn, beside, self.steps.kinds)
        self.stripped += stripped
        for one in told:
            self.steps.add(one)
        self.answers.meet(call, where)

    def _step(self, one: Told) -> None:
        self.steps.begin_turn()
        self.steps.went_on()
        self.steps.add(one)

    def _add_seen(self, turn: Turn) -> None:
        for result in turn.results:
            self.answers.add(result, turn.where)
        text = self._unquoted(
            self._without_past(self.answers.bare(turn.text, f"{turn.where}.text").strip(), turn), turn
        )
        if turn.speaker is Speaker.USER and text and self.task is None:
            self.task, text = text, ""
        said = self._said(text) if text and turn.speaker is Speaker.USER else text
        shown = seen(said, Result(screenshot=turn.screenshot))
        if shown is not None:
            self.steps.went_on()
            self.steps.show(shown)

    def _without_past(self, text: str, turn: Turn) -> str:
        """Return words of a user without what a prompt in their name tells of the agent's own past."""
        kept, past = without_own_past(text) if turn.speaker is Speaker.USER else (text, "")
        self._strip(turn.where, "text", past, Plane.NARRATION, LeakRoute.CARRIED_MEMORY)
        return kept

    def _unquoted(self, text: str, turn: Turn) -> str:
        """Return words of a user without those of the agent just before: programs quote what they cannot read."""
        said = worth_quoting([self.spoken], ()) if turn.speaker is Speaker.USER else ()
        kept = without_quotes(text, said)
        if len(kept) < len(text):
            self.stripped.append(Stripped(f"{turn.where}.text", Plane.NARRATION, LeakRoute.ECHO, len(text) - len(kept)))
        return kept

    def _said(self, text: str) -> str:
        """Return the words of a user; where no tool ever answers, what follows a call is the environment's."""
        shown = not self.tools_answer and bool(self.steps.told) and self.steps.told[-1].call is not None
        return f"user: {text}" if shown else said_by_user(text)

    def _strip(self, where: str, key: str, words: str, plane: Plane, route: LeakRoute) -> None:
        if words.strip():
            self.stripped.append(Stripped(f"{where}.{key}" if key else where, plane, route, size_of(words)))

    def _narrate(self, words: str, *, ahead: bool = False) -> None:
        """Keep words at the latest step, or at the one that comes next."""
        if words:
            self.narration.append(Narrated(max(len(self.steps.told) + ahead, 1), words))

    def end(self) -> Conversation:
        self.steps.end()
        endings = self.steps.endings()
        drafted, lost = without_final_words(
            self.steps.drafted(), lambda at: self.steps.told[at].where, self.steps.kinds, endings.__getitem__
        )
        steps = tuple(self._kept(tuple(self.steps.attempts(endings, drafted))))
        gaps = dict.fromkeys((*self.steps.gaps, *self.steps.unanswered(), *doubted(self.steps.told, self.task or "")))
        ends = [one for one, step in zip(self.steps.told, steps, strict=True) if step.action.kind == FINISH]
        report = self._report([one for one in ends if one.call is not None])
        last = max(len(steps), 1)
        narration = tuple(one if one.step <= last else replace(one, step=last) for one in self.narration)
        stripped = (*self.stripped, *(one for one in lost if one.characters))
        return Conversation(self.task, steps, report, narration, stripped, tuple(gaps), bool(ends))

    def _kept(self, drafted: Sequence[Step]) -> Iterator[Step]:
        for step, hidden in self.steps.finished(drafted):
            plane = Plane.REPORT if step.action.kind == FINISH else Plane.NARRATION
            for result, where in hidden:
                self._strip(where, "result", result.text, plane, LeakRoute.ECHO)
            yield step

    def _report(self, ends: Sequence[Told]) -> Report:
        """Return the report of calls that end the run, or of the words beside them where they say nothing."""
        calls = [one.call for one in ends if one.call is not None]
        said = [text for call in calls if (text := final_words(call))]
        if not said and not self.closing:
            said = [one.beside for one in ends[:1] if one.beside]
            self.narration = [one for one in self.narration if one.text not in said]
        flags = [flag for call in calls if (flag := declared_by(call))]
        return Report("\n\n".join(dict.fromkeys([*said, *self.closing])) or None, _last(flags))


def _words(turn: Turn) -> str:
    return "\n".join(filter(None, (turn.reasoning.strip(), turn.text.strip())))


def _all_words(turn: Turn) -> str:
    calls = [str(dict(call.arguments)) for call in turn.calls]
    return "\n".join(filter(None, (turn.text, turn.reasoning, *calls, *(one.text for one in turn.results))))


def _last(flags: list[DeclaredStatus]) -> DeclaredStatus | None:
    return flags[-1] if flags else None
