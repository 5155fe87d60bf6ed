import asyncio
import multiprocessing
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from auditing_samples import rules, saved, unsaved

from tracewitness.auditing.many_runs import Sharing, audit_many, audit_many_async
from tracewitness.auditing.outcome import Audit, Audited, Item
from tracewitness.auditing.setup import Setup
from tracewitness.auditing.summary import Summary
from tracewitness.findings.labels import Disposition, Triage
from tracewitness.intake.errors import FailureKind, IntakeFailure
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.store.store import Store, open_store

FAILURE = IntakeFailure(FailureKind.EMPTY, "nothing.json", "", "the file is blank", "leave it out")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "audits.db") as opened:
        yield opened


def batch(count: int = 6) -> list[Item]:
    runs: list[Item] = [(saved if n % 2 else unsaved)(f"run-{n}").build() for n in range(count)]
    return [*runs[:2], FAILURE, *runs[2:]]


def told(outcomes: Iterable[Audit]) -> list[tuple[str, str | None]]:
    return [
        (each.path, None)
        if isinstance(each, IntakeFailure)
        else (each.record.run_id, each.record.decision.disposition if each.record.decision else None)
        for each in outcomes
    ]


def test_records_come_in_the_order_of_the_runs_with_failures_in_their_midst() -> None:
    outcomes = told(audit_many(batch(), rules()))
    assert [name for name, _ in outcomes] == ["run-0", "run-1", "nothing.json", "run-2", "run-3", "run-4", "run-5"]
    assert [disposition for _, disposition in outcomes[:3]] == [Disposition.FLAG, Disposition.PASS, None]


def test_each_record_is_in_the_store_before_the_next_run_is_read(store: Store) -> None:
    def watched() -> Iterator[Item]:
        for n, item in enumerate([saved("a").build(), saved("b").build(), saved("c").build()]):
            assert store.stats().audits == n
            yield item

    list(audit_many(watched(), rules(), store=store))
    assert store.stats().audits == 3


def test_a_second_start_takes_up_where_the_first_one_stopped(store: Store) -> None:
    for _, outcome in zip(range(3), audit_many(batch(), rules(), store=store), strict=False):
        del outcome
    again = list(audit_many(batch(), rules(), store=store))
    assert [each.resumed for each in again if isinstance(each, Audited)] == [True, True, False, False, False, False]
    assert told(again) == told(audit_many(batch(), rules()))
    assert store.stats().audits == 6


def test_fresh_another_policy_and_another_report_are_audited_again(store: Store) -> None:
    run = saved("a")

    def resumed(setup: Setup, built: Item, *, fresh: bool = False) -> bool:
        (outcome,) = audit_many([built], setup, store=store, fresh=fresh)
        assert isinstance(outcome, Audited)
        return outcome.resumed

    assert not resumed(rules(), run.build())
    assert resumed(rules(), run.build())
    assert not resumed(rules(), run.build(), fresh=True)
    assert not resumed(rules("paper"), run.build())
    assert not resumed(rules(), run.report("It failed.").build())


def test_what_triage_sorted_out_is_taken_up_by_audit_all(store: Store) -> None:
    settled = saved("a").harness(HarnessStatus.PASSED).build()
    list(audit_many([settled], rules(), store=store))
    (outcome,) = audit_many([settled], rules(audit_all=True), store=store)
    assert isinstance(outcome, Audited)
    assert not outcome.resumed
    assert outcome.record.decision is not None


def test_processes_give_the_same_records_in_the_same_order() -> None:
    items = batch(40)
    alone = list(audit_many(items, rules()))
    shared = list(audit_many(items, rules(), sharing=Sharing(2, partial(rules))))
    assert told(shared) == told(alone)
    assert [each.record.record_id for each in shared if isinstance(each, Audited)] == [
        each.record.record_id for each in alone if isinstance(each, Audited)
    ]


def test_processes_are_started_only_where_they_are_asked_for_or_a_batch_takes_long() -> None:
    def children(jobs: int | None) -> int:
        outcomes = audit_many(batch(20), rules(), sharing=Sharing(jobs, partial(rules)))
        next(outcomes)
        return len(multiprocessing.active_children())

    assert (children(None), children(1)) == (0, 0)
    assert children(2) == 2


def test_the_asynchronous_batch_is_the_same(store: Store) -> None:
    async def run() -> list[Audit]:
        return [outcome async for outcome in audit_many_async(batch(40), rules(), store=store)]

    assert told(asyncio.run(run())) == told(audit_many(batch(40), rules()))
    assert store.stats().audits == 40


def test_loads_are_counted_within_the_targets_and_within_the_full_stream() -> None:
    settled = [saved(f"s{n}").harness(HarnessStatus.PASSED).build() for n in range(2)]
    summary = Summary()
    for outcome in audit_many([*batch(2), *settled, saved("t").harness(HarnessStatus.TIMEOUT).build()], rules()):
        summary.add(outcome.record if isinstance(outcome, Audited) else outcome)
    assert (summary.runs, summary.audited, summary.failures) == (5, 2, 1)
    assert summary.triage[Triage.SETTLED_PASSED] == 2
    assert summary.triage[Triage.NOT_AUDITABLE_TIMEOUT] == 1
    assert summary.load_of_targets == 0.5
    assert summary.load_of_stream == 0.2


def test_an_empty_batch_has_no_load() -> None:
    assert Summary().load_of_targets is None
    assert Summary().load_of_stream is None
