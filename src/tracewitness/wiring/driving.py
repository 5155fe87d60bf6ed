"""Driving an asynchronous batch from code that is not asynchronous."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

from tracewitness.auditing.many_runs import Pace, audit_many_async
from tracewitness.auditing.outcome import Audit, Item
from tracewitness.store.store import Store
from tracewitness.wiring.choices import ModelChoice
from tracewitness.wiring.models import Auditor, opened_models
from tracewitness.wiring.models import Terms as Terms

T = TypeVar("T")


class ModelBatch:
    """Audits with models, for code that is not asynchronous. Made by ``model_batch``."""

    def __init__(self, auditor: Auditor, at_once: int, store: Store | None, runner: asyncio.Runner) -> None:
        self.auditor = auditor
        self._at_once = at_once
        self._store = store
        self._runner = runner

    def audit(self, items: Iterable[Item], *, fresh: bool = False, retry_failed: bool = False) -> Iterator[Audit]:
        """Yield the audits of runs in order; see ``audit_many_async``.

        It ends early where the budget is used up or the endpoint stays out of reach.
        """
        pace = Pace(self._at_once, lambda: self.auditor.budget.stopped is not None, retry_failed)
        return _driven(
            audit_many_async(items, self.auditor.setup, store=self._store, fresh=fresh, pace=pace), self._runner
        )


@contextmanager
def model_batch(choice: ModelChoice, terms: Terms) -> Generator[ModelBatch]:
    """Give what audits with the chosen models; see ``opened_models`` for what it raises."""
    with asyncio.Runner() as runner:
        models = opened_models(choice, terms)
        auditor = runner.run(_entered(models))
        try:
            yield ModelBatch(auditor, choice.at_once, None if terms.rehearse else terms.store, runner)
        finally:
            runner.run(_left(models))


async def _entered(models: AbstractAsyncContextManager[T]) -> T:
    return await models.__aenter__()


async def _left(models: AbstractAsyncContextManager[object]) -> None:
    await models.__aexit__(None, None, None)


def _driven(outcomes: AsyncGenerator[Audit], runner: asyncio.Runner) -> Iterator[Audit]:
    """Yield what an asynchronous iterator yields, running the loop in between only while something is waited for."""
    try:
        while (outcome := runner.run(_next(outcomes))) is not None:
            yield outcome
    finally:
        runner.run(_closed(outcomes))


async def _next(outcomes: AsyncGenerator[Audit]) -> Audit | None:
    return await anext(outcomes, None)


async def _closed(outcomes: AsyncGenerator[Audit]) -> None:
    await outcomes.aclose()
