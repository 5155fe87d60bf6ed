"""Driving an asynchronous batch from code that is not asynchronous."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

from tracewitness.auditing.many_runs import Pace, audit_many_async
from tracewitness.auditing.one_run import Run
from tracewitness.auditing.outcome import Audit, Item
from tracewitness.judges.book import Book
from tracewitness.judges.judge import Judge
from tracewitness.judges.many import Course, Judged, judge_many
from tracewitness.judges.showing import Showing
from tracewitness.store.store import Store
from tracewitness.wiring.choices import ModelChoice
from tracewitness.wiring.judging import Court, opened_judges
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


class JudgeBatch:
    """Judges with a model, for code that is not asynchronous. Made by ``judge_batch``."""

    def __init__(self, court: Court, at_once: int, runner: asyncio.Runner) -> None:
        self.court = court
        self._at_once = at_once
        self._runner = runner

    def judge(
        self, runs: Iterable[Run], book: Book | None, *, retry_failed: bool = False
    ) -> Iterator[tuple[Judged, ...]]:
        """Yield what the judges say of runs, in order; see ``judge_many``.

        It ends early where the budget is used up or the endpoint stays out of reach.
        """
        court = self.court
        course = Course(self._at_once, lambda: court.budget.stopped is not None, retry_failed)
        return _driven(judge_many(runs, court.benches, court.askers, book=book, course=course), self._runner)


@contextmanager
def judge_batch(
    choice: ModelChoice, seats: Sequence[tuple[Judge, Showing]], store: Store | None, *, rehearse: bool = False
) -> Generator[JudgeBatch]:
    """Give judges with the chosen model; see ``opened_judges`` for what it raises."""
    with asyncio.Runner() as runner:
        judges = opened_judges(choice, seats, store, rehearse=rehearse)
        court = runner.run(_entered(judges))
        try:
            yield JudgeBatch(court, choice.at_once, runner)
        finally:
            runner.run(_left(judges))


async def _entered(models: AbstractAsyncContextManager[T]) -> T:
    return await models.__aenter__()


async def _left(models: AbstractAsyncContextManager[object]) -> None:
    await models.__aexit__(None, None, None)


def _driven(outcomes: AsyncGenerator[T], runner: asyncio.Runner) -> Iterator[T]:
    """Yield what an asynchronous iterator yields, running the loop in between only while something is waited for."""
    try:
        while (outcome := runner.run(_next(outcomes))) is not None:
            yield outcome
    finally:
        runner.run(_closed(outcomes))


async def _next(outcomes: AsyncGenerator[T]) -> T | None:
    return await anext(outcomes, None)


async def _closed(outcomes: AsyncGenerator[T]) -> None:
    await outcomes.aclose()
