"""Processes that share the work of a batch, with the results in the order of the runs."""

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from types import TracebackType
from typing import Self, TypeAlias

from tracewitness.auditing.hand_over import quicken_hand_over
from tracewitness.auditing.one_run import Run, audit_run
from tracewitness.auditing.outcome import Audit, Audited, Item
from tracewitness.auditing.setup import Setup

_CHUNK = 8
"""Runs handed to a process at a time: enough to make the hand-over cheap, few enough to lose little on a kill."""

_PARENT_CHECK_SECONDS = 1.0

_Chunk: TypeAlias = tuple[list[Item | Audited], Future[list[Audited]]]

_setups: list[Setup] = []
"""The setup of a worker process: made once, on its start."""


class Pool:
    """A pool of processes, each with its own setup. Use it as a context manager.

    Args:
        jobs: How many processes, 1 or more.
        factory: Makes the setup inside each process; it must be picklable.
    """

    def __init__(self, jobs: int, factory: Callable[[], Setup]) -> None:
        self._ahead = 2 * jobs
        quicken_hand_over()
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(jobs, context, _start, (factory, os.getpid()))

    def __enter__(self) -> Self:
        """Return the pool itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the processes, without doing work that nobody will ask for."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def map(self, items: Iterable[Item | Audited]) -> Iterator[list[Audit]]:
        """Audit the runs among the items in the processes, pass everything else on, and keep the order; by chunks.

        Only a few chunks are read ahead, so a batch of any length takes a bounded amount of memory.
        """
        source = iter(items)
        waiting: deque[_Chunk] = deque()
        while True:
            while len(waiting) < self._ahead and (chunk := list(islice(source, _CHUNK))):
                runs = [item for item in chunk if isinstance(item, Run)]
                waiting.append((chunk, self._executor.submit(_audit_chunk, runs)))
            if not waiting:
                return
            yield list(_merged(*waiting.popleft()))


def _merged(chunk: list[Item | Audited], future: Future[list[Audited]]) -> Iterator[Audit]:
    audited = iter(future.result())
    for item in chunk:
        yield next(audited) if isinstance(item, Run) else item


def _start(factory: Callable[[], Setup], parent: int) -> None:
    # The parent handles an interrupt for all; and where it is killed outright, its workers must not live on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    quicken_hand_over()
    _setups.append(factory())


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK_SECONDS)
    os._exit(1)


def _audit_chunk(runs: list[Run]) -> list[Audited]:
    return [Audited(audit_run(run, _setups[0])) for run in runs]
