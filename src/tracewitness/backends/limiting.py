"""How many calls an endpoint is sent at once: fewer when it says that it is overloaded, and none while it asks to wait.

One limit is shared by all models asked at an endpoint. It holds nothing of an event loop but the calls that wait.
"""

import asyncio
import time
from collections import deque
from weakref import WeakValueDictionary


class Slot:
    """One call's place at an endpoint, held while its block runs.

    Attributes:
        epoch: How often the endpoint had been slowed down when the call began.
    """

    __slots__ = ("_limit", "epoch")

    def __init__(self, limit: "EndpointLimit") -> None:
        self._limit = limit
        self.epoch = 0

    async def __aenter__(self) -> "Slot":
        """Wait for the place."""
        self.epoch = await self._limit.enter()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Give it on."""
        self._limit.leave()


class EndpointLimit:
    """The calls that an endpoint is sent at once.

    Attributes:
        most: Never more than this.
        allowed: How many are allowed now.
        running: How many are under way.
    """

    def __init__(self, most: int) -> None:
        self.most = max(1, most)
        self.allowed = self.most
        self.running = 0
        self._epoch = 0
        self._successes = 0
        self._resumes_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: deque[asyncio.Future[None]] = deque()

    def slot(self) -> Slot:
        """Return a place, to be held as an asynchronous context manager."""
        return Slot(self)

    def succeeded(self) -> None:
        """Count a success; a round of them allows one call more."""
        self._successes += 1
        if self._successes >= self.allowed and self.allowed < self.most:
            self.allowed += 1
            self._successes = 0

    def overloaded(self, slot: Slot, wait: float | None = None) -> None:
        """Allow half as many calls, once for all calls that were under way together, and pause the endpoint.

        Args:
            slot: The place of the call that the endpoint turned away.
            wait: How many seconds the endpoint asks to wait; None where it does not say.
        """
        if slot.epoch == self._epoch:
            self.allowed = max(1, self.allowed // 2)
            self._epoch += 1
            self._successes = 0
        if wait:
            self._resumes_at = max(self._resumes_at, time.monotonic() + wait)

    async def enter(self) -> int:
        """Wait for a place, and return how often the endpoint had been slowed down by then."""
        if not self._waiting and self._free():
            self.running += 1
            return self._epoch
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._wake()
        try:
            await place
        except asyncio.CancelledError:
            # Cancelled in the moment between being let in and going on: hand the place to the next one.
            if place.done() and not place.cancelled():
                self.running -= 1
                self._wake()
            raise
        return self._epoch

    def leave(self) -> None:
        """Give a place on to the next one who waits."""
        self.running -= 1
        self._wake()

    def _free(self) -> bool:
        return self.running < self.allowed and time.monotonic() >= self._resumes_at

    def _wake(self) -> None:
        while self._waiting and self._free():
            place = self._waiting.popleft()
            if not place.done():
                self.running += 1
                place.set_result(None)
        self._wake_later()

    def _wake_later(self) -> None:
        pause = self._resumes_at - time.monotonic()
        if not self._waiting or pause <= 0:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(pause, self._wake)


_LIMITS: WeakValueDictionary[str, EndpointLimit] = WeakValueDictionary()


def limit_of(endpoint: str, most: int) -> EndpointLimit:
    """Return the limit shared by all who ask at an endpoint; the smallest number that any of them gave counts.

    Args:
        endpoint: Its base URL.
        most: Most calls at once.
    """
    limit = _LIMITS.get(endpoint)
    if limit is None:
        limit = _LIMITS[endpoint] = EndpointLimit(most)
    limit.most = min(limit.most, max(1, most))
    limit.allowed = min(limit.allowed, limit.most)
    return limit
