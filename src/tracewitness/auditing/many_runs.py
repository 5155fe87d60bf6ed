"""Audits of many runs: one by one into the store, resumed where they stopped, and no bad run takes another down."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from tracewitness.auditing.one_run import audit_run, audit_run_async, identify, is_audited, makers_of
from tracewitness.auditing.outcome import Audit, Audited, Item
from tracewitness.auditing.pool import Pool
from tracewitness.auditing.setup import Setup
from tracewitness.intake.errors import IntakeFailure
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


async def audit_many_async(
    items: Iterable[Item], setup: Setup, *, store: Store | None = None, fresh: bool = False
) -> AsyncIterator[Audit]:
    """Audit runs in order inside a running event loop, several at a time; otherwise equal to ``audit_many``."""
    known = None if fresh else store
    source = iter(items)
    while batch := list(islice(source, _AT_ONCE)):
        resumed = [_resume(item, setup, known) for item in batch]
        for outcome in await asyncio.gather(*(_one_async(item, setup) for item in resumed)):
            _keep([outcome], store, once=not fresh)
            yield outcome


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


def _resume(item: Item, setup: Setup, store: Store | None) -> Item | Audited:
    """Return the audit that is in the store already; else the item itself."""
    if store is None or isinstance(item, IntakeFailure):
        return item
    found = store.find_existing(identify(item).run, makers_of(item, setup).key())
    if found is None or (found.decision is not None) != is_audited(found.triage, setup):
        return item
    return Audited(found, resumed=True)


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
