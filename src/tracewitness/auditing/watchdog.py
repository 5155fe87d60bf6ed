"""A limit on the time that one run may take, so that no run holds up the others of a batch.

It rests on an alarm of the operating system, which Python takes only in its main thread, between two of its own steps
and inside a regular expression. So it holds on POSIX systems, in the main thread of this process and of every process
that shares a batch; elsewhere (Windows, other threads) it is without effect.
"""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

_AGAIN_SECONDS = 0.5


class OutOfTimeError(BaseException):
    """The time is over. No reader's own handling of its failures may catch it, so it is no ``Exception``."""


def is_effective() -> bool:
    """Return whether a limit holds here."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def within(seconds: float | None, work: Callable[[], T], instead: Callable[[], T]) -> T:
    """Return what ``work`` returns or, where it takes longer than so many seconds, what ``instead`` returns.

    ``None`` sets no limit.
    """
    if seconds is None or not is_effective():
        return work()
    try:
        with _alarm(seconds):
            return work()
    except OutOfTimeError:
        return instead()


@contextmanager
def _alarm(seconds: float) -> Generator[None]:
    previous = signal.signal(signal.SIGALRM, _raise)
    try:
        # It goes off again and again, because Python drops what is raised while it clears an object away.
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, previous)


def _raise(number: int, frame: FrameType | None) -> None:
    raise OutOfTimeError
