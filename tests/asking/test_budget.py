"""A budget that calls share: what is set aside, what is spent, what is refused."""

import asyncio
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.asking.budget import PICTURE_TOKENS, Budget, BudgetedAsker, Price, Spent, Tariff
from tracewitness.asking.port import Answer, Picture, Question, Side, Unavailable
from tracewitness.findings.causes import UnavailableCause
from tracewitness.testing import ScriptedAsker
from tracewitness.values.digests import digest_bytes

PRICE = Price(3.0, 15.0)


@dataclass(frozen=True)
class Call:
    """One call: how long its question is, what its answer costs of what it may, how long it takes, whether it fails."""

    length: int
    most: int
    share: float
    pauses: int
    fails: bool


CALLS = st.builds(Call, st.integers(0, 200), st.integers(1, 200), st.floats(0, 1), st.integers(0, 4), st.booleans())


class Scripted:
    """Costs what the call says; its question is the number of the call."""

    model = "scripted"
    parameters = "{}"

    def __init__(self, calls: list[Call], budget: Budget) -> None:
        self.calls = calls
        self.budget = budget
        self.asked = 0

    async def ask(self, question: Question) -> Answer | Unavailable:
        call = self.calls[question.run_number]
        self.asked += 1
        for _ in range(call.pauses):
            await asyncio.sleep(0)
        used = int(call.most * call.share)
        cost = PRICE.microusd(call.length, used)
        if call.fails:
            return Unavailable(UnavailableCause.REFUSED, "", call.length, used, cost)
        return Answer("{}", {}, self.model, call.length, used, microusd=cost)


def question(call: Call, number: int = 0) -> Question:
    return Question(Side.TRACE, "p", "", "x" * call.length, "", number, answer_tokens=call.most)


@settings(max_examples=150, deadline=None)
@given(st.lists(CALLS, max_size=12), st.none() | st.integers(0, 1500), st.none() | st.integers(0, 15_000))
def test_calls_in_flight_together_never_overrun_it(calls: list[Call], tokens: int | None, microusd: int | None) -> None:
    budget = Budget(tokens, microusd)
    inner = Scripted(calls, budget)
    asker = BudgetedAsker(inner, budget, Tariff(len, PRICE))

    async def ask_all() -> list[Answer | Unavailable]:
        return await asyncio.gather(*(asker.ask(question(call, at)) for at, call in enumerate(calls)))

    replies = asyncio.run(ask_all())
    assert tokens is None or budget.spent.tokens <= tokens
    assert microusd is None or budget.spent.microusd <= microusd
    refused = [r for r in replies if isinstance(r, Unavailable) and r.cause is UnavailableCause.BUDGET]
    assert budget.refused == len(refused) == len(calls) - inner.asked
    assert budget.spent.calls == inner.asked
    failed = [r for r in replies if isinstance(r, Unavailable) and r.cause is UnavailableCause.REFUSED]
    assert budget.spent.failed == len(failed)
    assert budget.used_up == bool(refused)
    # Nothing stays set aside: what is left can be spent to the last token and cent.
    if not refused:
        assert budget.hold((tokens or 0) - budget.spent.tokens if tokens is not None else 0, 0)
    if tokens is None and microusd is None:
        assert not refused


def test_what_is_set_aside_is_missing_until_the_call_is_over() -> None:
    call = Call(50, 50, 0.1, 3, False)
    budget = Budget(160)
    asker = BudgetedAsker(Scripted([call] * 3, budget), budget, Tariff(len))

    async def ask_two_then_one() -> list[Answer | Unavailable]:
        together = await asyncio.gather(asker.ask(question(call, 0)), asker.ask(question(call, 1)))
        return [*together, await asker.ask(question(call, 2))]

    first, second, third = asyncio.run(ask_two_then_one())
    assert isinstance(first, Answer) and isinstance(third, Answer)
    assert isinstance(second, Unavailable) and second.cause is UnavailableCause.BUDGET
    assert (budget.spent.calls, budget.spent.tokens, budget.refused) == (2, 110, 1)


def test_a_refused_question_costs_nothing_and_is_not_asked() -> None:
    asker = ScriptedAsker([{}])
    budget = Budget(10)
    reply = asyncio.run(BudgetedAsker(asker, budget, Tariff(len)).ask(question(Call(50, 50, 1, 0, False))))
    assert isinstance(reply, Unavailable) and (reply.cause, reply.microusd) == (UnavailableCause.BUDGET, 0)
    assert asker.questions == [] and budget.spent == Spent()


@pytest.mark.parametrize("price", [None, PRICE])
def test_a_budget_also_ends_where_the_endpoint_does_not_say_what_it_used(price: Price | None) -> None:
    calls, budget = [Call(0, 10, 0.0, 0, False)] * 20, Budget(200)
    asked = [replace(question(call, number), user="x" * 50) for number, call in enumerate(calls)]
    asker = Scripted(calls, budget)
    guarded = BudgetedAsker(asker, budget, Tariff(len, price))
    replies = [asyncio.run(guarded.ask(each)) for each in asked]
    assert asker.asked == 3 and budget.used_up
    assert budget.spent.tokens == 3 * 52
    assert budget.spent.microusd == (0 if price is None else 3 * price.microusd(50, 2))
    assert {reply.input_tokens for reply in replies} == {0}, "a record holds only what the endpoint said"


def test_failed_calls_are_counted_with_what_they_cost() -> None:
    call = Call(50, 40, 0.5, 0, True)
    budget = Budget()
    asyncio.run(BudgetedAsker(Scripted([call], budget), budget, Tariff(len, PRICE)).ask(question(call)))
    assert budget.spent == Spent(1, 1, 50, 20, 450, 0)


def test_a_call_that_is_broken_off_counts_as_paid_for_in_full() -> None:
    """Whoever gives up waiting does not know what the other end still does, and charges for."""
    call = Call(50, 40, 0.5, 4, False)
    budget = Budget(100)
    asker = BudgetedAsker(Scripted([call], budget), budget, Tariff(len, PRICE))

    async def give_up() -> None:
        task = asyncio.create_task(asker.ask(question(call)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(give_up())
    assert budget.spent == Spent(1, 1, 50, 40, 750, 0)
    assert not budget.hold(11, 0)
    assert budget.hold(10, 0)


def test_calls_without_a_price_are_counted_as_such() -> None:
    budget = Budget(microusd=0)
    asker = BudgetedAsker(ScriptedAsker([{}, UnavailableCause.TIMEOUT]), budget, Tariff(len))
    for _ in range(2):
        asyncio.run(asker.ask(question(Call(40, 1, 1, 0, False))))
    assert (budget.spent.calls, budget.spent.failed, budget.spent.unpriced) == (2, 1, 2)
    assert not budget.used_up


def test_pictures_are_taken_into_account_beforehand() -> None:
    shown = Picture(digest_bytes(b"x"), "image/png", b"x")
    asked = Question(Side.TRACE, "p", "ab", "cde", "f", pictures=(shown, shown), answer_tokens=7)
    assert Tariff(len).most_tokens(asked) == (6 + 2 * PICTURE_TOKENS, 7)
