"""Memory stays flat however many audits a batch with models has."""

import asyncio
import gc
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from auditing_samples import rules

from tracewitness.asking.port import Answer, Askers, Question
from tracewitness.asking.rehearsal import smallest
from tracewitness.asking.vote import VOTING
from tracewitness.auditing.kept_answers import KeptAnswers
from tracewitness.auditing.many_runs import Pace, audit_many_async
from tracewitness.auditing.model_readers import HybridExtractor, ModelClaimReader
from tracewitness.auditing.one_run import Run
from tracewitness.store.store import Store, open_store
from tracewitness.testing import RunBuilder
from tracewitness.trace_side.by_model import ModelOptions

_DIFFERENT = 20
"""Texts repeat, so that caches of bounded size are full early and what is left is what the audits leave behind."""


class SmallestAsker:
    """Answers with the smallest object that the schema allows, and remembers nothing."""

    model = "smallest"
    parameters = "{}"

    async def ask(self, question: Question) -> Answer:
        await asyncio.sleep(0)
        value: dict[str, Any] = smallest(json.loads(question.schema))
        return Answer(json.dumps(value), value, self.model, 10, 10, microusd=0)


def runs(count: int) -> Iterator[Run]:
    for place in range(count):
        number = place % _DIFFERENT
        yield (
            RunBuilder(f"r{place}")
            .task(f"Rename note {number} to 'Plan {number}'.")
            .step("type", target="field 'Title'", text=f"Plan {number}", after=f"field 'Title' = 'Plan {number}'")
            .step("click", target="Save", after=f"toast 'Saved'\nrow 'Plan {number}'")
            .report(f"Renamed note {number}.")
            .build()
        )


async def peaks(count: int, store: Store | None) -> tuple[int, int]:
    """Return the traced memory after a tenth of a batch, and at its end, in bytes."""
    asker = SmallestAsker() if store is None else KeptAnswers(SmallestAsker(), store)
    setup = replace(
        rules(),
        claim_reader=ModelClaimReader(VOTING),
        extractor=HybridExtractor(ModelOptions()),
        askers=Askers.both(asker),
    )
    early = done = 0
    async for _ in audit_many_async(runs(count), setup, store=store, pace=Pace(16)):
        done += 1
        if done == count // 10:
            gc.collect()
            early = tracemalloc.get_traced_memory()[0]
    gc.collect()
    assert done == count
    return early, tracemalloc.get_traced_memory()[0]


def assert_flat(count: int, store: Store | None = None) -> None:
    tracemalloc.start()
    try:
        early, late = asyncio.run(peaks(count, store))
    finally:
        tracemalloc.stop()
    # An audit's record alone takes several kilobytes.
    assert late - early < 500_000 + 100 * count


def test_hundreds_of_audits_leave_nothing_behind() -> None:
    assert_flat(600)


@pytest.mark.slow
def test_ten_thousand_audits_leave_nothing_behind() -> None:
    assert_flat(10_000)


@pytest.mark.slow
def test_two_thousand_stored_audits_leave_nothing_behind(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        assert_flat(2_000, store)
