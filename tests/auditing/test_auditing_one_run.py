import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from asked_readers import AskedClaimReader, AskedExtractor
from auditing_samples import all_yes, rules, saved, unsaved

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.port import Askers, Question, Side
from tracewitness.auditing.one_run import Run, audit_run, audit_run_async
from tracewitness.auditing.readers import Maker
from tracewitness.auditing.setup import Setup
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.decision import DecisionCause
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import Claim, Disposition, TaskClass, TraceState, Triage
from tracewitness.intake.planes import Echo
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.report_side.by_rules import ClaimReading
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.store.record import AuditRecord, ProseSide
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task
from tracewitness.testing import RunBuilder, ScriptedAsker, canary, sightings
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.trace import Trace
from tracewitness.values.digests import digest_text


def outcome(record: AuditRecord) -> tuple[Claim | None, TraceState | None, Disposition | None]:
    decision = record.decision
    return (
        record.claim.claim if record.claim else None,
        decision.trace_state if decision else None,
        decision.disposition if decision else None,
    )


def asked(asker: ScriptedAsker) -> Setup:
    return replace(rules(), claim_reader=AskedClaimReader(), extractor=AskedExtractor(), askers=Askers.both(asker))


def test_a_saved_change_that_is_reported_passes() -> None:
    assert outcome(audit_run(saved().build(), rules())) == (Claim.SUCCESS, TraceState.COMPLETED, Disposition.PASS)


def test_an_abandoned_change_that_is_reported_as_done_is_flagged() -> None:
    record = audit_run(unsaved().build(), rules())
    assert outcome(record) == (Claim.SUCCESS, TraceState.NOT_COMPLETED, Disposition.FLAG)


def test_a_record_names_its_makers_and_keeps_each_text_on_its_side() -> None:
    record = audit_run(unsaved().build(), rules())
    assert (record.makers.claim_reader, record.makers.extractor) == ("rules", "rules")
    assert (record.makers.policy_name, record.makers.format_name) == ("default", "neutral")
    sides = {side: " ".join(kept.text for kept in record.prose if kept.side is side) for side in ProseSide}
    assert "Change the phone number" in sides[ProseSide.TASK]
    assert "Orin Vale is now" in sides[ProseSide.REPORT]
    assert "is now" not in sides[ProseSide.TRACE]
    assert "I am sure" not in " ".join(sides.values())


@pytest.mark.parametrize(
    ("run", "triage"),
    [
        (saved().harness(HarnessStatus.PASSED), Triage.SETTLED_PASSED),
        (saved().harness(HarnessStatus.TIMEOUT), Triage.NOT_AUDITABLE_TIMEOUT),
        (saved().report(None), Triage.NOT_AUDITABLE_NO_REPORT),
        (RunBuilder().task("Save it").finish().report("Done."), Triage.NOT_AUDITABLE_EMPTY_TRACE),
    ],
)
def test_what_triage_sorts_out_has_no_decision_unless_all_is_audited(run: RunBuilder, triage: Triage) -> None:
    record = audit_run(run.build(), rules())
    assert (record.triage, record.claim, record.trace, record.decision) == (triage, None, None, None)
    assert audit_run(run.build(), rules(audit_all=True)).decision is not None


class Broken:
    """A reader of either side that fails, quoting what it was reading."""

    maker = Maker("broken", digest_text("broken"))

    def read(self, report: Report) -> Dialogue[ClaimReading]:
        raise RuntimeError(f"cannot read {report.text}")

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        raise RuntimeError(f"cannot read {trace}")


def test_a_failing_claim_reader_gives_review_and_never_a_verdict() -> None:
    record = audit_run(saved().build(), replace(rules(), claim_reader=Broken()))
    assert record.decision is not None and record.claim is not None
    assert record.decision.disposition is Disposition.REVIEW
    assert record.decision.cause is DecisionCause.CLAIM_UNAVAILABLE
    assert record.claim.unavailable is UnavailableCause.INTERNAL
    assert "the claim reader failed: RuntimeError" in record.notices


def test_a_failing_extractor_gives_review_and_its_message_is_kept_out_of_the_record() -> None:
    record = audit_run(unsaved().build(), replace(rules(), extractor=Broken()))
    assert record.decision is not None and record.trace is not None
    assert record.decision.disposition is Disposition.REVIEW
    assert record.trace.unavailable is UnavailableCause.INTERNAL
    assert "the evidence extractor failed: RuntimeError" in record.notices
    assert not any("cannot read" in notice for notice in record.notices)


class CrossAsking(AskedClaimReader):
    """A claim reader that asks in the name of the other side."""

    def read(self, report: Report) -> Dialogue[ClaimReading]:
        yield (Question(Side.TRACE, "test/1", "", "", "{}"),)
        raise AssertionError("never answered")


def test_a_question_in_the_name_of_the_other_side_is_never_asked() -> None:
    asker = ScriptedAsker(all_yes)
    record = audit_run(saved().build(), replace(asked(asker), claim_reader=CrossAsking(), extractor=rules().extractor))
    assert record.claim is not None and record.claim.unavailable is UnavailableCause.INTERNAL
    assert asker.questions == []


def test_a_trace_that_repeats_the_report_is_for_review_whatever_was_found() -> None:
    run = replace(saved().build(), quarantined=(Echo("step 3, action", 8),))
    record = audit_run(run, rules())
    assert record.decision is not None and record.trace is not None
    assert (record.decision.disposition, record.decision.cause) == (Disposition.REVIEW, DecisionCause.QUARANTINED)
    assert record.trace == (audit_run(saved().build(), rules()).trace)


def test_models_are_asked_three_times_each_where_they_agree_and_their_answers_are_kept() -> None:
    asker = ScriptedAsker(all_yes)
    record = audit_run(saved().build(), asked(asker))
    assert outcome(record) == (Claim.SUCCESS, TraceState.COMPLETED, Disposition.PASS)
    assert [question.side for question in asker.questions] == [Side.REPORT] * 3 + [Side.TRACE] * 3
    assert [answer.question for answer in record.answers] == list(asker.cache_keys())
    assert all(record.text(answer.raw, answer.side) for answer in record.answers)
    assert [(use.side, use.model) for use in record.makers.models] == [
        (ProseSide.REPORT, "scripted"),
        (ProseSide.TRACE, "scripted"),
    ]


@pytest.mark.parametrize("cause", list(UnavailableCause))
def test_a_model_that_is_down_gives_review_with_its_cause(cause: UnavailableCause) -> None:
    def script(question: Question) -> dict[str, Any] | UnavailableCause:
        return cause if question.side is Side.TRACE else all_yes(question)

    record = audit_run(saved().build(), asked(ScriptedAsker(script)))
    assert record.decision is not None
    assert record.decision.disposition is Disposition.REVIEW
    assert record.decision.evidence_unavailable is cause


def questions_of(run: Run) -> tuple[ScriptedAsker, AuditRecord]:
    asker = ScriptedAsker(all_yes)
    return asker, audit_run(run, asked(asker))


def keys(asker: ScriptedAsker, side: Side) -> list[str]:
    return [question.cache_key(asker.model) for question in asker.questions if question.side is side]


def test_a_canary_in_the_report_or_the_narration_is_seen_in_no_question_of_the_trace_side() -> None:
    told = canary("report"), canary("narration")
    plain, _ = questions_of(unsaved().build())
    run = unsaved().report(f"Done. {told[0]}", DeclaredStatus.FAILURE).step("wait", narration=told[1])
    marked, record = questions_of(run.build())
    of_trace = [question for question in marked.questions if question.side is Side.TRACE]
    assert of_trace
    assert sightings(told[0], of_trace) == []
    assert sightings(told[1], marked.questions) == []
    assert sightings(told[0], marked.questions) != []
    assert all(told[0] not in kept.text for kept in record.prose if kept.side is not ProseSide.REPORT)
    silent, _ = questions_of(unsaved().step("wait").build())
    assert keys(marked, Side.TRACE) == keys(silent, Side.TRACE) != keys(plain, Side.TRACE)


def test_a_canary_in_the_trace_is_seen_in_no_question_of_the_report_side() -> None:
    token = canary("trace")
    plain, _ = questions_of(unsaved().build())
    marked, _ = questions_of(unsaved().step("click", token, text=token, after=f"toast '{token}'").build())
    of_report = [question for question in marked.questions if question.side is Side.REPORT]
    assert sightings(token, of_report) == []
    assert sightings(token, marked.questions) != []
    assert keys(marked, Side.REPORT) == keys(plain, Side.REPORT)


@pytest.mark.parametrize("run", [saved(), unsaved(), unsaved().report(None)])
def test_the_asynchronous_audit_gives_the_same_record(run: RunBuilder) -> None:
    for setup in (rules(), asked(ScriptedAsker(all_yes))):
        here = audit_run(run.build(), setup)
        there = asyncio.run(audit_run_async(run.build(), setup))
        assert there.record_id == here.record_id
        assert there.prose == here.prose


def test_a_task_too_long_to_be_read_whole_is_never_taken_for_done() -> None:
    told = "Change the phone number of the contact 'Orin Vale' to 555-0142." + f"\n{'q' * 1_000}" * 13
    whole, cut = (audit_run(saved().task(words).build(), rules()) for words in (told[:63], told))
    assert outcome(whole) == (Claim.SUCCESS, TraceState.COMPLETED, Disposition.PASS)
    assert outcome(cut) == (Claim.SUCCESS, TraceState.UNKNOWN, Disposition.REVIEW)
    assert cut.trace is not None
    assert any(part.final_support.cause is EvidenceCause.TASK_CUT for part in cut.trace.parts)
    assert "the task is 13,076 characters long; its first 8,000 were read" in cut.notices
    assert whole.notices == ()
