"""A thousand questions at once keep an endpoint busy."""

import asyncio
import math
import random
import time
from dataclasses import replace

import pytest
from asking_remote import OPTIONS, named, question, with_asker
from fake_endpoint import FakeEndpoint

from tracewitness.asking.port import Answer, Unavailable
from tracewitness.backends.failures import Failure
from tracewitness.backends.limiting import EndpointLimit
from tracewitness.backends.options import RetryPlan
from tracewitness.backends.remote import RemoteAsker
from tracewitness.backends.retrying import call_again

_CALLS = 1000
_LIMIT = 64


def _ideal(latency: float) -> float:
    return math.ceil(_CALLS / _LIMIT) * latency


async def _through_limits_and_retries(latency: float) -> float:
    async def call() -> str | Failure:
        await asyncio.sleep(latency)
        return "done"

    limit, plan, chance = EndpointLimit(_LIMIT), RetryPlan(), random.Random(0)
    started = time.monotonic()
    await asyncio.gather(*(call_again(call, plan, limit, chance) for _ in range(_CALLS)))
    return time.monotonic() - started


async def _through_nothing_but_a_semaphore(latency: float) -> float:
    places = asyncio.Semaphore(_LIMIT)

    async def call() -> None:
        async with places:
            await asyncio.sleep(latency)

    started = time.monotonic()
    await asyncio.gather(*(call() for _ in range(_CALLS)))
    return time.monotonic() - started


def test_limits_and_retries_keep_it_nine_tenths_busy() -> None:
    # Other work on the machine slows both down alike, and only ever adds time: the best of some tries count.
    ours: list[float] = []
    bare: list[float] = []
    for _ in range(8):
        bare.append(asyncio.run(_through_nothing_but_a_semaphore(0.02)))
        ours.append(asyncio.run(_through_limits_and_retries(0.02)))
    assert min(bare) >= _ideal(0.02)
    assert min(bare) / min(ours) >= 0.9


def _busy(latency: float) -> float:
    async def use(asker: RemoteAsker) -> tuple[float, list[Answer | Unavailable]]:
        await asker.ask(question())
        started = time.monotonic()
        replies = await asyncio.gather(*(asker.ask(question(run_number=number)) for number in range(_CALLS)))
        return time.monotonic() - started, list(replies)

    with FakeEndpoint(latency=latency) as fake:
        seconds, replies = with_asker(named(fake.url), use, options=replace(OPTIONS, concurrency=_LIMIT, timeout=60.0))
    assert all(isinstance(reply, Answer) for reply in replies)
    assert _LIMIT // 2 < fake.most_at_once <= _LIMIT
    return _ideal(latency) / seconds


@pytest.mark.slow
def test_with_the_client_library_it_is_busy_at_the_pace_of_a_model() -> None:
    # The library takes two milliseconds of the processor for a call, and the server of the test as many: alone on a
    # machine it is nine tenths, beside other work less.
    assert any(_busy(0.5) >= 0.6 for _ in range(3))
