"""How many calls an endpoint is sent at once: fewer when it says that it is overloaded, and none while it asks to wait.

One limit is shared by all models asked at an endpoint, from whatever thread: it holds nothing of an event loop but the
calls that wait, and wakes each of them in its own.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
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
        self._armed: tuple[asyncio.Future[None], float] | None = None
        self._lock = threading.RLock()
        self._waiting: deque[asyncio.Future[None]] = deque()

    def slot(self) -> Slot:
        """Return a place, to be held as an asynchronous context manager."""
        return Slot(self)

    def succeeded(self) -> None:
        """Count a success; a round of them allows one call more."""
        with self._lock:
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
        with self._lock:
            if slot.epoch == self._epoch:
                self.allowed = max(1, self.allowed // 2)
                self._epoch += 1
                self._successes = 0
            if wait:
                self._resumes_at = max(self._resumes_at, time.monotonic() + wait)

    async def enter(self) -> int:
        """Wait for a place, and return how often the endpoint had been slowed down by then."""
        with self._lock:
            if not self._waiting and self._free():
                self.running += 1
                return self._epoch
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            self._wake()
        try:
            await place
        except asyncio.CancelledError:
            with self._lock:
                # Cancelled in the moment between being let in and going on: hand the place to the next one.
                if place.done() and not place.cancelled():
                    self.running -= 1
                self._wake()
            raise
        return self._epoch

    def leave(self) -> None:
        """Give a place on to the next one who waits."""
        with self._lock:
            self.running -= 1
            self._wake()

    def _free(self) -> bool:
        return self.running < self.allowed and time.monotonic() >= self._resumes_at

    def _wake(self) -> None:
        while self._waiting and self._free():
            place = self._waiting.popleft()
            if not place.done():
                self.running += 1
                _in_loop_of(place, partial(self._let_in, place), self._lost)
        self._wake_later()

    def _let_in(self, place: asyncio.Future[None]) -> None:
        if place.done():
            self._lost()
        else:
            place.set_result(None)

    def _lost(self) -> None:
        """Take back the place of one who waits no longer."""
        with self._lock:
            self.running -= 1
            self._wake()

    def _wake_later(self) -> None:
        """Have whoever waits first wake all at the end of the pause, in its own loop, which lives while it waits."""
        while self._waiting and self._waiting[0].done():
            self._waiting.popleft()
        pause = self._resumes_at - time.monotonic()
        if not self._waiting or pause <= 0 or self._armed == (self._waiting[0], self._resumes_at):
            return
        first = self._waiting[0]
        self._armed = (first, self._resumes_at)
        _in_loop_of(first, partial(self._arm, first, pause), partial(self._forget, first))

    def _arm(self, place: asyncio.Future[None], pause: float) -> None:
        place.get_loop().call_later(pause, self._rouse)

    def _rouse(self) -> None:
        with self._lock:
            self._wake()

    def _forget(self, place: asyncio.Future[None]) -> None:
        self._waiting.remove(place)
        self._wake_later()


def _in_loop_of(place: asyncio.Future[None], call: Callable[[], None], lost: Callable[[], None]) -> None:
    """Make a call in the event loop of one who waits, or tell that this loop is closed."""
    loop = place.get_loop()
    if loop is _running_loop():
        call()
        return
    try:
        loop.call_soon_threadsafe(call)
    except RuntimeError:
        lost()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


_LIMITS: WeakValueDictionary[str, EndpointLimit] = WeakValueDictionary()
_LIMITS_LOCK = threading.Lock()


def limit_of(endpoint: str, most: int) -> EndpointLimit:
    """Return the limit shared by all who ask at an endpoint; the smallest number that any of them gave counts.

    Args:
        endpoint: Its base URL.
        most: Most calls at once.
    """
    with _LIMITS_LOCK:
        limit = _LIMITS.get(endpoint)
        if limit is None:
            limit = _LIMITS[endpoint] = EndpointLimit(most)
        limit.most = min(limit.most, max(1, most))
        limit.allowed = min(limit.allowed, limit.most)
        return limit
