"""Audits of many runs: one by one into the store, resumed where they stopped, and no bad run takes another down."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass

from tracewitness.auditing.one_run import audit_run, audit_run_async, identify, is_audited, makers_of
from tracewitness.auditing.outcome import Audit, Audited, Item
from tracewitness.auditing.pool import Pool
from tracewitness.auditing.setup import Setup
from tracewitness.auditing.side_by_side import side_by_side
from tracewitness.intake.errors import IntakeFailure
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import Store

_AT_ONCE = 16
"""Runs that an asynchronous batch audits at the same time."""


_PATIENCE_SECONDS = 3.0
"""Longer than it takes to start the processes, so that a short batch never waits for them."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """How processes share a batch.

    Attributes:
        jobs: How many; 1 for this process alone. None: this process alone at first, and one process per processor for
            the rest of a batch that takes longer than it takes to start them.
        factory: Makes the setup inside each process; it must be picklable and equal to that of this process.
    """

    jobs: int | None
    factory: Callable[[], Setup]


def audit_many(
    items: Iterable[Item],
    setup: Setup,
    *,
    store: Store | None = None,
    fresh: bool = False,
    sharing: Sharing | None = None,
) -> Iterator[Audit]:
    """Audit runs in order, appending each record to the store before it is yielded.

    A crash loses at most the runs in flight: one, or with several processes those handed to them and not yet returned.
    Where several batches go through the same runs into one store at once, some are audited twice and none is stored
    twice (unless ``fresh`` asks for it): the second record of a run by the same makers is left out.

    Args:
        items: The runs, with the inputs that could not be read in their midst; taken one by one.
        setup: With what to audit.
        store: Where records go; None keeps none.
        fresh: Audit also the runs whose audit by the same makers is in the store already.
        sharing: How processes share the work; None audits here alone. The order of what is yielded stays the same.

    Raises:
        StoreError: The store cannot be written.
    """
    known = None if fresh or store is None or store.stats().audits == 0 else store
    source = (_resume(item, setup, known) for item in items)
    for outcomes in _outcomes(source, setup, sharing):
        _keep(outcomes, store, once=not fresh)
        yield from outcomes


@dataclass(frozen=True, slots=True)
class Pace:
    """How an asynchronous batch goes.

    Attributes:
        at_once: Most runs audited at the same time.
        stop: Asked before each run; True ends the batch after the runs in flight.
        retry_failed: Audit again also the runs whose audit failed for a cause that does not pass by itself.
    """

    at_once: int = _AT_ONCE
    stop: Callable[[], bool] = bool
    retry_failed: bool = False


_PACE = Pace()


async def audit_many_async(
    items: Iterable[Item], setup: Setup, *, store: Store | None = None, fresh: bool = False, pace: Pace = _PACE
) -> AsyncGenerator[Audit]:
    """Audit runs inside a running event loop, several at a time; they are yielded in the order of the runs.

    A record is in the store as soon as its audit is over, whatever comes of those before it. Otherwise equal to
    ``audit_many``.

    Args:
        items: The runs, with the inputs that could not be read in their midst; taken as room becomes free.
        setup: With what to audit.
        store: Where records go; None keeps none.
        fresh: Audit also the runs whose audit by the same makers is in the store already.
        pace: How many at once, when to stop, and whether to try failed ones again.

    Raises:
        StoreError: The store cannot be written.
    """
    batch = _Batch(setup, store, fresh, pace)
    async with aclosing(side_by_side(items, batch.audit, pace.at_once, pace.stop)) as done:
        async for one in done:
            yield one


class _Batch:
    """The runs of one asynchronous batch."""

    def __init__(self, setup: Setup, store: Store | None, fresh: bool, pace: Pace) -> None:
        self._setup = setup
        self._store = store
        self._fresh = fresh
        self._retry_failed = pace.retry_failed
        self._room = asyncio.Semaphore(pace.at_once)

    async def audit(self, item: Item) -> Audit:
        async with self._room:
            known = None if self._fresh else self._store
            outcome = await _one_async(_resume(item, self._setup, known, self._retry_failed), self._setup)
            _keep([outcome], self._store, once=not (self._fresh or self._retry_failed))
            return outcome


def _outcomes(source: Iterator[Item | Audited], setup: Setup, sharing: Sharing | None) -> Iterator[list[Audit]]:
    """Yield the outcomes in order, together where they came back together."""
    jobs = 1 if sharing is None else sharing.jobs or os.cpu_count() or 1
    patience = 0.0 if sharing is not None and sharing.jobs is not None else _PATIENCE_SECONDS
    started = time.monotonic()
    if jobs == 1 or patience:
        for item in source:
            yield [_one(item, setup)]
            if jobs > 1 and time.monotonic() - started > patience:
                break
        else:
            return
    assert sharing is not None  # more than one job is only ever asked for by it
    with Pool(jobs, sharing.factory) as pool:
        yield from pool.map(source)


def _resume(item: Item, setup: Setup, store: Store | None, retry_failed: bool = False) -> Item | Audited:
    """Return the audit that is in the store already; else the item itself."""
    if store is None or isinstance(item, IntakeFailure):
        return item
    found = store.find_existing(identify(item).run, makers_of(item, setup).key())
    if found is None or (found.decision is not None) != is_audited(found.triage, setup):
        return item
    if retry_failed and failed(found):
        return item
    return Audited(found, resumed=True)


def failed(record: AuditRecord) -> bool:
    """Return whether a component of an audit gave no answer."""
    return any(half is not None and half.unavailable is not None for half in (record.claim, record.trace))


def _one(item: Item | Audited, setup: Setup) -> Audit:
    return item if isinstance(item, Audited | IntakeFailure) else Audited(audit_run(item, setup))


async def _one_async(item: Item | Audited, setup: Setup) -> Audit:
    return item if isinstance(item, Audited | IntakeFailure) else Audited(await audit_run_async(item, setup))


def _keep(outcomes: list[Audit], store: Store | None, *, once: bool) -> None:
    if store is None:
        return
    records = [each.record for each in outcomes if isinstance(each, Audited) and not each.resumed]
    if records:
        store.append_many(records, per_transaction=len(records), once=once)
