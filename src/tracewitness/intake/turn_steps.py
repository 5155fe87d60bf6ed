"""Steps that are put together while a conversation is read: what was called, and what answered it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call
from tracewitness.intake.finishing import DEEDS, FINISH, bare
from tracewitness.intake.own_words import asks
from tracewitness.intake.quoting import MOST, without_quotes
from tracewitness.intake.roles import Role, role_of
from tracewitness.intake.turns import Result
from tracewitness.trace_side.trace import USER_SAYS, Action, Observation, Step

ATTEMPT = "attempt to finish"
"""The kind of a call by which the agent meant to end, and after which the run went on."""
_SAYING = frozenset({Role.ENDS, Role.MAY_END, Role.UNDECIDED, Role.NOTES})


@dataclass(slots=True)
class Told:
    """One step.

    Attributes:
        action: What was done.
        where: Its place in the log.
        call: The call it comes from; None for words.
        beside: The agent's words in the turn of a call.
        time: When.
        before: What was observed before it and is no answer to an earlier call.
        seen: What was observed after it.
        replies: What a call that says something was answered, kept apart until it is known whether it ended the run.
        errors: What the environment called an error.
        answered: Whether the log holds an answer.
        said: Words of its call that are kept from the trace and would be no chance in an answer.
        role: What its call is one of; None for words.
    """

    action: Action
    where: str
    call: Call | None = None
    beside: str = ""
    time: str | None = None
    before: list[Observation] = field(default_factory=list[Observation])
    seen: list[Observation] = field(default_factory=list[Observation])
    replies: list[tuple[Result, str]] = field(default_factory=list[tuple[Result, str]])
    errors: list[str] = field(default_factory=list[str])
    answered: bool = False
    said: tuple[str, ...] = ()
    role: Role | None = None

    def says(self) -> bool:
        """Tell whether the call is one that may only say something, so that its answer may repeat it."""
        return self.role in _SAYING

    def shows(self) -> bool:
        """Tell whether what answered the call holds any words."""
        return any(result.text.strip() for result, _ in self.replies)

    def step(self, index: int, replied: Iterable[Observation | None] = ()) -> Step:
        """Return the step."""
        after = joined([*filter(None, replied), *self.seen])
        return Step(index, self.action, joined(self.before), after, "\n".join(self.errors) or None, self.time)


@dataclass(slots=True)
class Steps:
    """The steps so far, and how results find them."""

    kinds: frozenset[str]
    told: list[Told] = field(default_factory=list[Told])
    waiting: list[Observation] = field(default_factory=list[Observation])
    gaps: list[Gap] = field(default_factory=list[Gap])
    _by_id: dict[str, int] = field(default_factory=dict[str, int])
    _saying: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _recent: int = 0
    _open: int = 0
    _answers_by_id: bool = False
    _went_on: bool = False

    def begin_turn(self) -> None:
        """Say that what comes next are the calls of a new turn."""
        self._recent = len(self.told)
        self._went_on = False

    def add(self, one: Told) -> None:
        """Add a step; what waits for it was observed before it."""
        one.before, self.waiting = [*self.waiting, *one.before], []
        if one.call is not None:
            one.role = role_of(one.call.name, one.call.arguments, self.kinds)
            self._note_id(one, one.call.id)
        self.told.append(one)

    def _note_id(self, one: Told, call_id: str | None) -> None:
        """Note whom an id names: the latest step, but for one that only says something beside one that acts.

        What one of them said counts as said by the other as well: nobody knows which of the two is answered first.
        """
        if call_id is None:
            return
        known, at = self._by_id.get(call_id), len(self.told)
        if known is None or known < self._recent:
            self._by_id[call_id], self._saying[call_id] = at, []
            return
        first = self.told[known]
        if one.said is not first.said and len(first.said) <= MOST:
            first.said = (*first.said, *one.said)
        one.said = first.said
        says = one.says() and not first.says()
        self._saying[call_id] += [at] if says else [known] if first.says() and not one.says() else []
        self._by_id[call_id] = known if says else at

    def went_on(self) -> None:
        """Say that something came after the latest calls."""
        self._went_on = True

    def show(self, seen: Observation | None) -> None:
        """Put an observation after the latest step; where that has one, or there is none, before the next step."""
        if seen is not None:
            free = bool(self.told) and not self.told[-1].seen and not self.told[-1].replies
            (self.told[-1].seen if free else self.waiting).append(seen)

    def end(self) -> None:
        """Put what waits for a step that does not come after the latest one."""
        if self.told:
            self.told[-1].seen += self.waiting

    def answered_by(self, result: Result) -> Told | None:
        """Return the step that a result answers, and mark it as answered; None where that call is not in the log.

        It is found by its id, the latest where an id is used again; else it is the first of the latest turn's calls
        that has no answer yet, or the last of them. A result whose call is not there is a gap.
        """
        self._answers_by_id = self._answers_by_id or result.call_id is not None
        at = self._place(result.call_id)
        if at is None:
            self.gaps.append(Gap.MISSING_STEPS)
            return None
        others = self._saying.get(result.call_id or "")
        if others and self.told[at].answered:  # an id that was used twice in one turn, and answered twice
            at = others.pop(0)
            self.told[at].answered = True
            return self.told[at]
        for one in self._with_the_same_id(at):
            one.answered = True
        return self.told[at]

    def _place(self, call_id: str | None) -> int | None:
        if call_id is not None and self._by_id:
            return self._by_id.get(call_id)
        end = len(self.told)
        self._open = max(self._open, self._recent)
        while self._open < end and (self.told[self._open].call is None or self.told[self._open].answered):
            self._open += 1
        if self._open < end:
            return self._open
        return next((at for at in range(end - 1, self._recent - 1, -1) if self.told[at].call is not None), None)

    def _with_the_same_id(self, at: int) -> Iterator[Told]:
        """Yield the step at a place, and those ahead of it of the same call (one call may hold several actions)."""
        yield self.told[at]
        call = self.told[at].call
        while at > 0 and call is not None and call.id is not None:
            at -= 1
            before = self.told[at].call
            if before is None or before.id != call.id or self.told[at].answered:
                return
            yield self.told[at]

    def unanswered(self) -> Iterator[Gap]:
        """Yield the gaps that calls without an answer leave."""
        cut_off = not self._went_on
        for at, one in enumerate(self.told):
            if one.call is None or one.answered or one.says():
                continue
            if at >= self._recent and cut_off:
                yield Gap.LOG_CUT_OFF
            elif self._answers_by_id and one.call.id is not None:
                yield Gap.UNREADABLE_OBSERVATION

    def drafted(self) -> tuple[Step, ...]:
        """Return the steps as far as they decide which of them ends the run."""
        return tuple(
            one.step(at + 1, (of_result(result) for result, _ in one.replies if _is_deed(one)))
            for at, one in enumerate(self.told)
        )

    def attempts(self, endings: Sequence[bool], drafted: Sequence[Step]) -> Iterator[Step]:
        """Yield the steps, each end that something was done after as an attempt: a harness may refuse an end."""
        acted = [at for at, ends in enumerate(endings) if not ends and drafted[at].action.executed]
        last = max(acted, default=-1)
        for at, step in enumerate(drafted):
            attempted = at < last and step.action.kind == FINISH and self.told[at].call is not None
            yield replace(step, action=replace(step.action, kind=ATTEMPT)) if attempted else step

    def endings(self) -> list[bool]:
        """Tell of every step whether it may end the run.

        One that may as well be an act is no end where something comes after it: an act, or the agent's closing words.
        One that may be either, and carries nothing that would tell, is an act where it was answered as well.
        """
        found, followed = [False] * len(self.told), False
        for at in range(len(self.told) - 1, -1, -1):
            one = self.told[at]
            acted = one.role is Role.MAY_END and one.call is not None and not one.call.arguments and one.shows()
            undecided = one.role is Role.UNDECIDED or acted
            found[at] = one.action.kind == FINISH or (one.says() and one.role is not Role.NOTES)
            found[at] = found[at] and not (undecided and followed)
            followed = followed or one.call is None or not found[at]
        return found

    def finished(self, drafted: Sequence[Step]) -> Iterator[tuple[Step, list[tuple[Result, str]]]]:
        """Yield the steps with the answers that belong to the environment, and what of the answers is kept out.

        Args:
            drafted: The steps with their final actions.
        """
        for at, (one, step) in enumerate(zip(self.told, drafted, strict=True)):
            replied: list[Observation | None] = []
            hidden: list[tuple[Result, str]] = []
            for result, where in one.replies:
                heard = _is_heard(one, step, result)
                kept = without_quotes(result.text, one.said) if heard else ""
                replied.append(_reply(one, replace(result, text=kept)) if heard else without_words(result))
                if len(kept) < len(result.text):
                    lost = "\n".join(one.said) if heard else result.text
                    hidden.append((replace(result, text=lost), where))
            one.action = step.action
            yield one.step(at + 1, replied), hidden


def _is_heard(one: Told, step: Step, reply: Result) -> bool:
    """Tell whether an answer to a call that says something is the environment's own word."""
    if one.call is None or step.action.kind == FINISH or reply.hidden:
        return False
    return one.role is Role.MAY_END or (one.role is not Role.UNDECIDED and asks(one.call.name))


def _reply(one: Told, reply: Result) -> Observation | None:
    """Return what answered a call; what a person who was asked says is marked as theirs."""
    if one.role is not Role.NOTES or reply.failed:
        return of_result(reply)
    return seen(said_by_user(reply.text), reply)


def _is_deed(one: Told) -> bool:
    return one.call is not None and bare(one.call.name) in DEEDS


def of_result(result: Result) -> Observation | None:
    """Return what a result shows."""
    text = "" if result.failed else result.text.strip()
    return seen(f"result: {text}" if text else "", result)


def without_words(result: Result) -> Observation | None:
    """Return what a result shows besides its words."""
    return seen("", result)


def seen(text: str, shown: Result) -> Observation | None:
    """Return an observation; None where it is empty."""
    if not (text or shown.screenshot or shown.url or shown.ui_tree):
        return None
    return Observation(text or None, shown.ui_tree, shown.url, shown.screenshot)


def said_by_user(words: str) -> str:
    """Return the words of a user with every line marked as such, so that none of it passes for the environment's."""
    return "\n".join(f"{USER_SAYS}{line.strip()}" for line in words.splitlines() if line.strip())


def joined(parts: Sequence[Observation]) -> Observation | None:
    """Return observations at the same place as one: all words, and the latest picture, dump and address."""
    if len(parts) < 2:
        return parts[0] if parts else None
    text = "\n".join(one.text for one in parts if one.text) or None
    later = parts[::-1]
    return Observation(
        text,
        next((one.ui_tree for one in later if one.ui_tree), None),
        next((one.url for one in later if one.url), None),
        next((one.screenshot for one in later if one.screenshot), None),
    )
