"""A budget of tokens and money, and a model that stops when it is used up.

What a call may cost at most is set aside before it is made, so that calls in flight together never overrun the budget,
and what it did cost takes the place of that afterwards.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from tracewitness.asking.port import Answer, Asker, AskerAround, Question, Unavailable
from tracewitness.findings.causes import UnavailableCause

MICROUSD = 1_000_000
"""Millionths of a US dollar in one."""

_MOST_REASONS = 10
_TOO_LITTLE_LEFT = "the rest of the budget does not carry this question"

PICTURE_TOKENS = 1500
"""What a picture is taken to cost before it is sent."""


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a model in US dollars per million tokens: of the question, of the answer."""

    input_usd: float
    output_usd: float

    def microusd(self, input_tokens: int, output_tokens: int) -> int:
        """Return what so many tokens cost, in millionths of a US dollar, rounded to the nearest."""
        return round(input_tokens * self.input_usd + output_tokens * self.output_usd)


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls cost.

    Attributes:
        calls: How many were made, failed ones included.
        failed: How many of them gave no answer.
        input_tokens: Tokens of the questions.
        output_tokens: Tokens of the answers.
        microusd: Millionths of a US dollar, as far as prices are known.
        unpriced: How many calls have no known price.
    """

    calls: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    microusd: int = 0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        """Return the tokens of questions and answers."""
        return self.input_tokens + self.output_tokens

    def plus(self, reply: Answer | Unavailable) -> "Spent":
        """Return the sum with one more call."""
        return replace(
            self,
            calls=self.calls + 1,
            failed=self.failed + isinstance(reply, Unavailable),
            input_tokens=self.input_tokens + reply.input_tokens,
            output_tokens=self.output_tokens + reply.output_tokens,
            microusd=self.microusd + (reply.microusd or 0),
            unpriced=self.unpriced + (reply.microusd is None),
        )


class Stopped(StrEnum):
    """What ends a batch before its last run."""

    BUDGET = "budget"
    ENDPOINT = "endpoint"


UNREACHED = 20
"""Calls in a row that may fail to reach an endpoint, each after its retries, before it is given up."""

_NO_ENDPOINT = frozenset({UnavailableCause.TRANSPORT, UnavailableCause.REJECTED})


@dataclass(slots=True)
class Budget:
    """What may be spent in all, and what was.

    Attributes:
        tokens: Most tokens; None for no limit.
        microusd: Most millionths of a US dollar; None for no limit. A call without a known price counts as free.
        spent: What was spent.
        refused: How many questions were not asked for want of budget.
        reasons: Why calls brought no answer, each in one line, and how often; the first few kinds.
        unreached: How many calls in a row, up to now, did not reach the endpoint or were turned away there.
    """

    tokens: int | None = None
    microusd: int | None = None
    spent: Spent = Spent()
    refused: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    unreached: int = 0
    _held_tokens: int = 0
    _held_microusd: int = 0

    @property
    def stopped(self) -> Stopped | None:
        """Return what ends the batch: a used-up budget, or an endpoint that is out of reach; None where it goes on."""
        if self.used_up:
            return Stopped.BUDGET
        return Stopped.ENDPOINT if self.unreached >= UNREACHED else None

    @property
    def used_up(self) -> bool:
        """Return whether a question was refused: the budget does not carry the batch any further."""
        return self.refused > 0

    def hold(self, tokens: int, microusd: int) -> bool:
        """Set aside the most that a call may cost; False, and nothing set aside, where that is not left."""
        over_tokens = self.tokens is not None and self.spent.tokens + self._held_tokens + tokens > self.tokens
        over_money = self.microusd is not None and self.spent.microusd + self._held_microusd + microusd > self.microusd
        if over_tokens or over_money:
            self.refused += 1
            return False
        self._held_tokens += tokens
        self._held_microusd += microusd
        return True

    def release(self, tokens: int, microusd: int) -> None:
        """Give back what was set aside for a call that is over."""
        self._held_tokens -= tokens
        self._held_microusd -= microusd

    def settle(self, reply: Answer | Unavailable) -> None:
        """Count what a call cost, and why it brought no answer."""
        self.spent = self.spent.plus(reply)
        turned_away = isinstance(reply, Unavailable) and reply.cause in _NO_ENDPOINT
        self.unreached = self.unreached + 1 if turned_away else 0
        if isinstance(reply, Unavailable):
            reason = f"{reply.cause.sentence} ({reply.detail})" if reply.detail else reply.cause.sentence
            if reason in self.reasons or len(self.reasons) < _MOST_REASONS:
                self.reasons[reason] += 1


TokenCounter = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Tariff:
    """How the cost of a question is told before it is asked.

    Attributes:
        count: Counts the tokens of a text.
        price: The model's price; None where it is not known.
        thinking_tokens: Tokens that the model may think beside those of its answer.
    """

    count: TokenCounter
    price: Price | None = None
    thinking_tokens: int = 0

    def most_tokens(self, question: Question) -> tuple[int, int]:
        """Return the tokens of a question, and the most of its answer."""
        texts = sum(self.count(text) for text in (question.system, question.user, question.schema))
        return texts + PICTURE_TOKENS * len(question.pictures), question.answer_tokens + self.thinking_tokens

    def most_microusd(self, question: Question) -> int:
        """Return the most that a question may cost, in millionths of a US dollar; 0 where no price is known."""
        return self.price.microusd(*self.most_tokens(question)) if self.price is not None else 0

    def counted(self, question: Question, reply: Answer | Unavailable) -> Answer | Unavailable:
        """Return a reply with its tokens told as far as they can be, where the endpoint does not say what it used."""
        if not isinstance(reply, Answer) or reply.input_tokens or reply.output_tokens:
            return reply
        asked, answered = self.most_tokens(question)[0], self.count(reply.raw)
        microusd = reply.microusd if self.price is None else self.price.microusd(asked, answered)
        return replace(reply, input_tokens=asked, output_tokens=answered, microusd=microusd)

    def broken_off(self, question: Question) -> Unavailable:
        """Return what a call counts as that never came to its end: it may have to be paid for in full."""
        tokens = self.most_tokens(question)
        microusd = None if self.price is None else self.price.microusd(*tokens)
        return Unavailable(UnavailableCause.INTERNAL, "the call was broken off", *tokens, microusd)


class BudgetedAsker(AskerAround):
    """A model that is asked only as long as the budget lasts, and whose calls are counted.

    Args:
        asker: The model.
        budget: What may be spent, and what was; several models may share it.
        tariff: How the cost of a question is told beforehand.
    """

    def __init__(self, asker: Asker, budget: Budget, tariff: Tariff) -> None:
        super().__init__(asker)
        self._budget = budget
        self._tariff = tariff

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Ask, unless what the answer may cost at most is not left."""
        if self._budget.stopped is Stopped.ENDPOINT:
            return Unavailable(UnavailableCause.TRANSPORT, "the endpoint was given up", microusd=0)
        tokens, microusd = sum(self._tariff.most_tokens(question)), self._tariff.most_microusd(question)
        if not self._budget.hold(tokens, microusd):
            return Unavailable(UnavailableCause.BUDGET, _TOO_LITTLE_LEFT, microusd=0)
        reply: Answer | Unavailable = self._tariff.broken_off(question)
        try:
            reply = await self._asker.ask(question)
            return reply
        finally:
            self._budget.settle(self._tariff.counted(question, reply))
            self._budget.release(tokens, microusd)
