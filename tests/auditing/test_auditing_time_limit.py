"""A run whose audit does not come to an end is given up as unavailable, and the others of its batch are not."""

import asyncio
import re
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
from asked_readers import AskedClaimReader, AskedExtractor
from auditing_samples import rules, saved

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.port import Answer, Askers, Question, Unavailable
from tracewitness.auditing.many_runs import Sharing, audit_many
from tracewitness.auditing.one_run import audit_run, audit_run_async
from tracewitness.auditing.outcome import Audited
from tracewitness.auditing.readers import RulesExtractor
from tracewitness.auditing.setup import Setup
from tracewitness.auditing.watchdog import OutOfTimeError, is_effective, within
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.decision import DecisionCause
from tracewitness.findings.labels import Claim, Disposition, TaskClass
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import open_store
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.trace import Trace

pytestmark = pytest.mark.skipif(not is_effective(), reason="needs the alarm of a POSIX system")

SECONDS = 0.3


class EndlessExtractor(RulesExtractor):
    """Never comes to an end with a run that looks for it, in the way that it says; catches what can be caught."""

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        while task.app is not None:
            try:
                self._hang(task.app)
            except Exception:
                continue
        return super().extract(task, goals, task_class, trace, exhibits)

    def _hang(self, how: str) -> None:
        if how == "sleep":
            time.sleep(60)
        elif how == "expression":
            re.fullmatch("(a|aa|a)+b", "a" * 60)
        sum(range(1000))


class SilentAsker:
    """A model that never answers."""

    model = "silent"
    parameters = "{}"

    async def ask(self, question: Question) -> Answer | Unavailable:
        await asyncio.sleep(60)
        raise AssertionError("nobody waits so long")


def endless(seconds: float | None = SECONDS) -> Setup:
    return replace(rules(), extractor=EndlessExtractor(), seconds=seconds)


def assert_given_up(record: AuditRecord, seconds: float = SECONDS) -> None:
    assert record.decision is not None
    assert (record.decision.disposition, record.decision.cause) == (
        Disposition.REVIEW,
        DecisionCause.BOTH_UNAVAILABLE,
    )
    assert record.claim is not None
    assert record.trace is not None
    assert (record.claim.claim, record.claim.unavailable) == (Claim.UNCLEAR, UnavailableCause.TIMEOUT)
    assert record.trace.unavailable is UnavailableCause.TIMEOUT
    assert f"the audit took longer than {seconds} seconds and was given up" in record.notices


@pytest.mark.parametrize("how", ["sleep", "loop", "expression"])
def test_a_run_that_takes_too_long_is_for_review_and_never_a_verdict(how: str) -> None:
    started = time.monotonic()
    record = audit_run(saved().task("Delete the note 'Plan'.", app=how).build(), endless())
    assert time.monotonic() - started < 10 * SECONDS
    assert_given_up(record)


# A process of its own reads its lexicons within its first run.
@pytest.mark.parametrize(("jobs", "seconds"), [(1, 1), (2, 5)])
def test_the_other_runs_of_the_batch_go_on(jobs: int, seconds: float) -> None:
    runs = [saved(f"run-{n}") for n in range(12)]
    runs[3] = runs[3].task("Delete the note 'Plan'.", app="loop")
    sharing = Sharing(jobs, partial(endless, seconds))
    outcomes = list(audit_many([run.build() for run in runs], endless(seconds), sharing=sharing))
    records = [each.record for each in outcomes if isinstance(each, Audited)]
    assert [record.run_id for record in records] == [f"run-{n}" for n in range(12)]
    assert_given_up(records.pop(3), seconds)
    assert {r.decision.disposition for r in records if r.decision is not None} == {Disposition.PASS}


def test_a_run_that_was_given_up_is_taken_up_again(tmp_path: Path) -> None:
    run = saved().task("Delete the note 'Plan'.", app="loop").build()
    with open_store(tmp_path / "audits.db") as store:
        for _ in range(2):
            (outcome,) = audit_many([run], endless(), store=store)
            assert isinstance(outcome, Audited)
            assert not outcome.resumed


def test_a_model_that_never_answers_is_not_waited_for_any_longer() -> None:
    setup = replace(
        rules(),
        claim_reader=AskedClaimReader(),
        extractor=AskedExtractor(),
        askers=Askers.both(SilentAsker()),
        seconds=SECONDS,
    )
    assert_given_up(audit_run(saved().build(), setup))
    assert_given_up(asyncio.run(audit_run_async(saved().build(), setup)))


def test_a_limit_leaves_no_trace_where_the_work_is_done_in_time() -> None:
    def no_alarm(*_: object) -> None:
        raise AssertionError("the alarm went off")

    previous = signal.signal(signal.SIGALRM, no_alarm)
    try:
        assert within(5.0, lambda: "done", lambda: "late") == "done"
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) is no_alarm
        assert within(0.05, partial(time.sleep, 5), lambda: None) is None
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) is no_alarm
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert not issubclass(OutOfTimeError, Exception)


def test_other_threads_have_no_limit_and_no_failure() -> None:
    told: list[str] = []
    thread = Thread(target=lambda: told.append(within(0.01, _slowly, lambda: "late")))
    thread.start()
    thread.join()
    assert told == ["done"]


def _slowly() -> str:
    time.sleep(0.1)
    return "done"
