"""How many calls are made at once, and how a failed one is tried again."""

import asyncio
import random
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from asking_remote import OPTIONS, named, question, with_asker
from fake_endpoint import Call, FakeEndpoint, Fault, Faults, Reply, failure, obedient

from tracewitness.asking.port import Answer, Unavailable
from tracewitness.backends.failures import Failure
from tracewitness.backends.limiting import EndpointLimit, limit_of
from tracewitness.backends.options import RetryPlan
from tracewitness.backends.remote import RemoteAsker
from tracewitness.backends.retrying import call_again
from tracewitness.findings.causes import UnavailableCause

_AGAIN = Failure(UnavailableCause.TRANSPORT, "HTTP 500", again=True)


def test_one_limit_for_an_endpoint_and_the_smallest_number_counts() -> None:
    one = limit_of("http://a/v1", 8)
    assert limit_of("http://a/v1", 3) is one
    assert (one.most, one.allowed) == (3, 3)
    assert limit_of("http://b/v1", 0).most == 1


def test_never_more_at_once_than_allowed_and_in_order() -> None:
    order: list[int] = []

    async def run() -> int:
        limit, most = EndpointLimit(5), 0

        async def work(number: int) -> None:
            nonlocal most
            async with limit.slot():
                order.append(number)
                most = max(most, limit.running)
                await asyncio.sleep(0)

        await asyncio.gather(*(work(number) for number in range(1000)))
        assert limit.running == 0
        return most

    started = time.monotonic()
    assert asyncio.run(run()) == 5
    assert order == list(range(1000))
    assert time.monotonic() - started < 5


def test_overload_halves_once_for_a_round_and_successes_bring_it_back() -> None:
    async def run() -> None:
        limit = EndpointLimit(16)
        async with limit.slot() as one, limit.slot() as two:
            limit.overloaded(one)
            limit.overloaded(two)
        assert limit.allowed == 8
        for _ in range(10):
            async with limit.slot() as slot:
                limit.overloaded(slot)
        assert limit.allowed == 1
        limit.succeeded()
        assert limit.allowed == 2
        limit.succeeded()
        assert limit.allowed == 2
        for _ in range(1000):
            limit.succeeded()
        assert limit.allowed == 16

    asyncio.run(run())


def test_a_pause_holds_back_everyone() -> None:
    async def run() -> list[float]:
        limit, began = EndpointLimit(4), time.monotonic()
        async with limit.slot() as slot:
            limit.overloaded(slot, 0.3)

        async def enter() -> float:
            async with limit.slot():
                return time.monotonic() - began

        return list(await asyncio.gather(*(enter() for _ in range(10))))

    assert min(asyncio.run(run())) >= 0.29


def test_a_cancelled_call_gives_its_place_on() -> None:
    async def run() -> None:
        limit = EndpointLimit(1)
        gate = asyncio.Event()

        async def hold() -> None:
            async with limit.slot():
                await gate.wait()

        holding = asyncio.create_task(hold())
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(hold()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        gate.set()
        holding.cancel()
        await asyncio.sleep(0)
        # Let in, and cancelled before it could go on.
        waiting[1].cancel()
        await asyncio.wait_for(waiting[2], 2)
        await asyncio.gather(holding, *waiting, return_exceptions=True)
        assert limit.running == 0

    asyncio.run(run())


def test_a_limit_outlives_its_event_loop() -> None:
    limit = EndpointLimit(1)

    async def work() -> None:
        async def one() -> None:
            async with limit.slot():
                await asyncio.sleep(0)

        await asyncio.gather(*(one() for _ in range(5)))

    for _ in range(3):
        asyncio.run(work())
    assert limit.running == 0


def _failing(times: int) -> tuple[Callable[[], Awaitable[str | Failure]], list[int]]:
    made: list[int] = []

    async def call() -> str | Failure:
        made.append(len(made))
        return _AGAIN if len(made) <= times else "done"

    return call, made


@pytest.mark.parametrize(("failures", "reply", "calls"), [(0, "done", 1), (2, "done", 3), (3, _AGAIN, 3)])
def test_so_many_calls_and_no_more(failures: int, reply: str | Failure, calls: int) -> None:
    plan = RetryPlan(attempts=3, first_wait=0.001, longest_wait=0.001)
    call, made = _failing(failures)
    assert asyncio.run(call_again(call, plan, EndpointLimit(1), random.Random(0))) == reply
    assert len(made) == calls


def test_no_waiting_beyond_the_time_for_all_calls() -> None:
    plan = RetryPlan(attempts=100, first_wait=1000, longest_wait=1000, total=1.0)
    call, made = _failing(100)
    assert asyncio.run(call_again(call, plan, EndpointLimit(1), random.Random(0))) == _AGAIN
    assert len(made) == 1


def _all(count: int) -> Callable[[RemoteAsker], Awaitable[list[Answer | Unavailable]]]:
    async def use(asker: RemoteAsker) -> list[Answer | Unavailable]:
        return list(await asyncio.gather(*(asker.ask(question(run_number=number)) for number in range(count))))

    return use


def test_the_endpoint_never_gets_more_than_its_limit_and_few_connections() -> None:
    with FakeEndpoint(latency=0.005) as fake:
        replies = with_asker(named(fake.url), _all(60), options=replace(OPTIONS, concurrency=7))
    assert all(isinstance(reply, Answer) for reply in replies)
    assert fake.most_at_once == 7
    assert fake.connections <= 8


def test_an_overloaded_endpoint_is_sent_fewer_calls() -> None:
    at_once: list[int] = []

    def script(call: Call) -> Reply:
        at_once.append(fake.running)
        return failure(429, headers={"Retry-After": "0"}) if len(fake.calls) < 40 else obedient(call)

    with FakeEndpoint(script, latency=0.005) as fake:
        plan = RetryPlan(attempts=50, first_wait=0.001, longest_wait=0.002)
        replies = with_asker(named(fake.url), _all(50), options=replace(OPTIONS, concurrency=32, retries=plan))
    assert all(isinstance(reply, Answer) for reply in replies)
    # On a busy machine single calls of the first round are still under way later, so the middle counts.
    assert max(at_once[:30]) > 16 >= statistics.median(at_once[45:75])


def test_rate_limits_cost_calls_and_no_answers() -> None:
    faults = Faults(0.3, (Fault.RATE_LIMIT,), seed=1)
    plan = RetryPlan(attempts=30, first_wait=0.001, longest_wait=0.002)
    with FakeEndpoint(faults=faults) as fake:
        replies = with_asker(named(fake.url), _all(100), options=replace(OPTIONS, retries=plan))
    assert all(isinstance(reply, Answer) for reply in replies)
    assert len(fake.calls) == 100 + fake.faults.count(Fault.RATE_LIMIT)
