"""Work on many things inside an event loop, several at a time, with what comes of it in order."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def side_by_side(
    items: Iterable[T], work: Callable[[T], Awaitable[R]], at_once: int, stop: Callable[[], bool]
) -> AsyncGenerator[R]:
    """Yield what comes of each item, in the order of the items.

    Args:
        items: The items; taken as room becomes free, and at most twice ``at_once`` ahead.
        work: Works on one; it sees to it itself that no more than ``at_once`` are under way.
        at_once: Most items worked on at the same time.
        stop: Asked before each item; True ends it after those that were taken.
    """

    async def one(item: T) -> R:
        return await work(item)

    source = iter(items)
    waiting: deque[asyncio.Task[R]] = deque()
    try:
        while True:
            while len(waiting) < 2 * at_once and not stop():
                try:
                    item = next(source)
                except StopIteration:
                    break
                waiting.append(asyncio.create_task(one(item)))
                await asyncio.sleep(0)  # so that the first ones are under way while the next ones are read
            if not waiting:
                return
            yield await waiting.popleft()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
