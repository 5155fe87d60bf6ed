"""The audit of one run. Apart from intake, judges and testing, this is the only place that opens a sealed run.

The claim reader is called with the report and nothing else, the extractor with the task and the trace and nothing
else; what they found meets in the answer check and in the policy, after both have finished.
"""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import TypeAlias

from tracewitness.asking.dialogue import Dialogue, settle, settle_async
from tracewitness.auditing.answer_check import Witness, check_answer
from tracewitness.auditing.deciding import decide_findings
from tracewitness.auditing.mentions import Mentions, Shown
from tracewitness.auditing.recording import clauses_left_out, task_left_unread, written
from tracewitness.auditing.setup import Setup
from tracewitness.auditing.sides import ReportSide, TraceSide, out_of_time, read_task_safely, report_side, trace_side
from tracewitness.auditing.spoken_answers import Spoken
from tracewitness.auditing.watchdog import within
from tracewitness.findings.labels import AnswerCheck, Declared, Triage
from tracewitness.findings.records import TaskFinding
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.planes import Narrated
from tracewitness.intake.sealed import SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import Report
from tracewitness.report_side.reported_answers import ASSERTING
from tracewitness.store.codec import encode
from tracewitness.store.record import AuditRecord, Makers, ProseSide, StrippedNote, keep
from tracewitness.task_side.goal import Superlative
from tracewitness.task_side.task import Task
from tracewitness.trace_side.exhibits import Exhibits, Told
from tracewitness.trace_side.heard import words_of_users
from tracewitness.trace_side.redacting import known_passwords, redact_extraction
from tracewitness.trace_side.trace import Trace
from tracewitness.values.digests import Digest, digest_json
from tracewitness.values.redaction import Redacted, counted, redact

Run: TypeAlias = SealedRun
"""A run as the rest of auditing passes it on, unopened."""

_COMPUTED = (Superlative.COUNT, Superlative.SUM)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a run is known by: digests of its planes, and the digest over all of them with its id."""

    run: Digest
    task: Digest
    trace: Digest
    report: Digest


def audit_run(run: SealedRun, setup: Setup) -> AuditRecord:
    """Audit one run. A reader's failure makes the audit unavailable with REVIEW; it never raises and never decides.

    So does an audit that takes longer than the setup allows.
    """
    return within(setup.seconds, lambda: settle(_audit(run, setup), setup.askers), lambda: _given_up(run, setup))


async def audit_run_async(run: SealedRun, setup: Setup) -> AuditRecord:
    """Audit one run inside a running event loop; equal to ``audit_run`` in everything but time.

    Here the limit of the setup holds while a model is waited for.
    """
    try:
        async with asyncio.timeout(setup.seconds):
            return await settle_async(_audit(run, setup), setup.askers, apart=setup.slow_reading)
    except TimeoutError:
        return _given_up(run, setup)


def read_report_alone(run: SealedRun, setup: Setup) -> ReportSide:
    """Run the report side of a run and nothing else."""
    return settle(report_side(run.report, setup.claim_reader), setup.askers)


def read_trace_alone(run: SealedRun, setup: Setup) -> TraceSide:
    """Run the trace side of a run and nothing else."""
    return settle(_traced(run, setup), setup.askers)


@dataclass(frozen=True, slots=True)
class Halves:
    """Both halves of a run, opened for isolation, with what intake put where."""

    run_id: str
    task: Task
    trace: Trace
    report: Report
    stripped: tuple[StrippedNote, ...]


def halves(run: SealedRun) -> Halves:
    """Open a run. For isolation alone, which must change one half to show that the other side does not see it."""
    return Halves(run.run_id, run.task, run.trace, run.report, _stripped(run))


def with_halves(
    run: SealedRun, *, trace: Trace | None = None, report: Report | None = None, narration: str | None = None
) -> SealedRun:
    """Return the run with another trace, another report, or the same words told at every step."""
    told = run.narration
    if narration is not None:
        told = tuple(Narrated(step.index, narration) for step in run.trace.steps)
    return replace(run, trace=trace or run.trace, report=report or run.report, narration=told)


def _stripped(run: SealedRun) -> tuple[StrippedNote, ...]:
    return tuple(StrippedNote(one.where, one.plane, one.route, one.characters) for one in run.stripped)


def identify(run: SealedRun) -> Identity:
    """Return what a run is known by. The place it was read from is no part of it."""
    task, trace, report = (digest_json(encode(half)) for half in (run.task, run.trace, run.report))
    hidden = [[told.step, told.text] for told in run.narration]
    whole = digest_json([run.run_id, task, trace, report, hidden, run.harness, run.extra_json])
    return Identity(whole, task, trace, report)


def makers_of(run: SealedRun, setup: Setup) -> Makers:
    """Return who makes the record of a run with this setup."""
    return setup.makers(run.origin.format_name, run.origin.format_version, run.origin.encoding)


def is_audited(outcome: Triage, setup: Setup) -> bool:
    """Tell whether a run goes on to the audit after triage."""
    return setup.audit_all or outcome is Triage.AUDIT_TARGET


def _audit(run: SealedRun, setup: Setup) -> Dialogue[AuditRecord]:
    started = time.perf_counter()
    outcome = triage(run)
    if is_audited(outcome, setup):
        reported = yield from report_side(run.report, setup.claim_reader)
        traced = yield from _traced(run, setup)
        record = _decided(_undecided(run, setup, outcome, traced.task.finding), reported, traced, run, setup)
    else:
        record = _undecided(run, setup, outcome, read_task_safely(run.task)[0].finding)
    return replace(record, seconds=time.perf_counter() - started)


def _traced(run: SealedRun, setup: Setup) -> Dialogue[TraceSide]:
    return trace_side(run.task, run.trace, setup.extractor, _exhibits(run, setup))


def _exhibits(run: SealedRun, setup: Setup) -> Exhibits:
    """Return what goes along with the trace: its pictures, read when asked for; narration if the user admits it."""
    told = tuple(Told(one.step, one.text) for one in run.narration) if setup.admit_narration else ()
    return Exhibits(RunPictures(run.origin), told)


def _given_up(run: SealedRun, setup: Setup) -> AuditRecord:
    """Return the record of a run whose audit took too long: both components are unavailable, which is no verdict."""
    reported, traced = out_of_time(run.task)
    record = _decided(_undecided(run, setup, triage(run), traced.task.finding), reported, traced, run, setup)
    told = f"the audit took longer than {setup.seconds:g} seconds and was given up"
    return replace(record, notices=(*record.notices, told), seconds=setup.seconds or 0.0)


def _decided(record: AuditRecord, reported: ReportSide, traced: TraceSide, run: SealedRun, setup: Setup) -> AuditRecord:
    claim, finding = reported.reading.finding, traced.extraction.finding
    seen = traced.extraction.trace or run.trace
    check = _answer_check(reported, traced, run.task, seen)
    quarantined = bool(run.quarantined)
    decision = decide_findings(setup.table, record.task, claim, finding, check, quarantined=quarantined)
    said = written(_instruction(run), reported, traced, redact_extraction(traced.extraction, seen))
    unread = (task_left_unread(run.task), clauses_left_out(reported.reading))
    remarks = (reported.failure, traced.failure, *unread, counted(said.redacted))
    return replace(
        record,
        claim=said.claim,
        trace=said.trace,
        answer_check=check,
        decision=decision,
        notices=(*run.notices, *filter(None, remarks)),
        clauses=said.clauses,
        answers=said.answers,
        ballots=said.ballots,
        prose=said.prose,
        quarantined=quarantined,
    )


def _instruction(run: SealedRun) -> Redacted:
    """Return the instruction as it is kept. A password that the agent typed may stand there without a word for it."""
    return redact(run.task.instruction, known_passwords(run.trace))


def _undecided(run: SealedRun, setup: Setup, outcome: Triage, task: TaskFinding) -> AuditRecord:
    identity = identify(run)
    instruction = _instruction(run)
    return AuditRecord(
        run_id=run.run_id,
        run_digest=identity.run,
        task_digest=identity.task,
        trace_digest=identity.trace,
        report_digest=identity.report,
        audited_at=setup.timestamp(),
        makers=makers_of(run, setup),
        origin_path=run.origin.path,
        triage=outcome,
        task=task,
        claim=None,
        trace=None,
        answer_check=AnswerCheck.NOT_ASKED,
        decision=None,
        agent=run.origin.agent,
        source=run.origin.source,
        stripped=_stripped(run),
        notices=(*run.notices, *filter(None, (task_left_unread(run.task), counted(instruction.counts)))),
        prose=(keep(ProseSide.TASK, instruction.text),),
        task_key=run.task.key,
        steps=len(run.trace.steps),
        declared=_declared(run.report),
    )


def _declared(report: Report) -> Declared:
    return Declared(report.declared_status.value) if report.declared_status else Declared.NONE


def _answer_check(reported: ReportSide, traced: TraceSide, task: Task, trace: Trace) -> AnswerCheck:
    goals = traced.task.goals
    finding = traced.extraction.finding
    witness = Witness(
        answers=tuple(part.answers for part in finding.parts if part.answers),
        shown=Shown(trace, traced.task.finding.language),
        named=Mentions(f"{task.instruction}\n{words_of_users(trace)}", traced.task.finding.language).hold,
        whole=not finding.gaps,
        computed=any(goal.superlative in _COMPUTED for goal in goals),
    )
    spoken = Spoken(tuple(c.text for c in reported.reading.clauses if c.signal in ASSERTING))
    return check_answer(traced.task.finding.task_class, reported.reading.finding.answers, witness, spoken)
