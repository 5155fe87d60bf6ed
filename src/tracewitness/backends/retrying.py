"""A failed call is tried again: few times, in bounded time, after waits that are spread at random."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tracewitness.backends.failures import Failure
from tracewitness.backends.limiting import EndpointLimit
from tracewitness.backends.options import RetryPlan

T = TypeVar("T")


async def call_again(
    call: Callable[[], Awaitable[T | Failure]], plan: RetryPlan, limit: EndpointLimit, chance: random.Random
) -> T | Failure:
    """Make a call within an endpoint's limit, and again where that may help.

    Args:
        call: Makes the call; returns a failure rather than raising.
        plan: How often and how long.
        limit: The endpoint's limit; a place is held only while a call is under way.
        chance: Where the random waits come from.

    Returns:
        What the call returned, or the last failure.
    """
    started = time.monotonic()
    attempt = 0
    while True:
        attempt += 1
        async with limit.slot() as slot:
            reply = await call()
            if not isinstance(reply, Failure):
                limit.succeeded()
                return reply
            if reply.overloaded:
                limit.overloaded(slot, min(reply.wait or 0.0, plan.longest_pause))
        wait = _wait(reply, plan, attempt, chance)
        if not reply.again or attempt >= plan.attempts or wait is None:
            return reply
        if time.monotonic() - started + wait > plan.total:
            return reply
        await asyncio.sleep(wait)


def _wait(failure: Failure, plan: RetryPlan, attempt: int, chance: random.Random) -> float | None:
    """Return how long to wait; None where the endpoint asks for longer than is waited."""
    if failure.wait is not None and failure.wait > plan.longest_pause:
        return None
    spread = chance.uniform(0.0, min(plan.longest_wait, plan.first_wait * 2 ** (attempt - 1)))
    return spread if failure.wait is None else failure.wait + spread
