"""How many calls are made at once, and how a failed one is tried again."""

import asyncio
import random
import statistics
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any

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


# --- several event loops -------------------------------------------------------------------------------------------


def in_threads(count: int, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run the same work in threads, each with an event loop of its own; fail where one of them hangs."""
    threads = [threading.Thread(target=lambda: asyncio.run(work()), daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for ever"


@pytest.mark.parametrize("most", [1, 2, 5])
def test_one_limit_serves_the_event_loops_of_several_threads(most: int) -> None:
    limit = EndpointLimit(most)
    seen: list[int] = []

    async def call() -> None:
        async with limit.slot():
            seen.append(limit.running)
            await asyncio.sleep(0.001)

    async def calls() -> None:
        await asyncio.gather(*(call() for _ in range(20)))

    in_threads(4, calls)
    assert len(seen) == 80
    assert max(seen) <= most
    assert limit.running == 0


def test_a_pause_ends_for_every_event_loop_though_the_one_that_was_turned_away_is_gone() -> None:
    limit = EndpointLimit(1)

    async def turned_away() -> None:
        async with limit.slot() as slot:
            limit.overloaded(slot, 0.3)

    async def call() -> None:
        async with limit.slot():
            pass

    asyncio.run(turned_away())
    in_threads(3, call)
    assert limit.running == 0


def test_a_loop_that_is_given_up_hands_its_turn_on() -> None:
    limit = EndpointLimit(1)

    async def given_up() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05), limit.slot():
                pass

    async def scene() -> None:
        async with limit.slot():
            await asyncio.to_thread(in_threads, 3, given_up)
        async with limit.slot():
            pass

    asyncio.run(scene())
    assert limit.running == 0
