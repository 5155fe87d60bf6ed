"""Audit records made for tests: what was read and found is given, and the decision is that of a real policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tracewitness.asking.vote import Ballots, Share
from tracewitness.auditing.deciding import decide_findings
from tracewitness.findings.causes import Gap
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import (
    AnswerCheck,
    Basis,
    Claim,
    Declared,
    FieldName,
    FieldValue,
    Language,
    StepPart,
    TaskClass,
    Triage,
)
from tracewitness.findings.records import Citation, ClaimFinding, Evidence, FieldFinding, TaskFinding, TraceFinding
from tracewitness.policy.table import DecisionTable, compile_policy
from tracewitness.store.record import AuditRecord, BallotNote, Makers, ModelUse, PromptUse, ProseSide
from tracewitness.store.store import Store, open_store
from tracewitness.values.digests import digest_text
from tracewitness.wiring.policies import find_policy

TABLES: Mapping[str, DecisionTable] = {
    name: compile_policy(find_policy(name)) for name in ("default", "paper", "low-load", "final-state")
}
_AT = (Citation(1, StepPart.AFTER),)


@dataclass(frozen=True)
class Case:
    """A run: how its report was read, what each field came to, and what models voted."""

    run_id: str
    claim: Claim = Claim.SUCCESS
    value: FieldValue = FieldValue.YES
    fields: Mapping[FieldName, FieldValue] = field(default_factory=dict[FieldName, FieldValue])
    task: str = ""
    agent: str = "agent"
    task_class: TaskClass = TaskClass.CREATE_EDIT
    declared: Declared = Declared.NONE
    gaps: tuple[Gap, ...] = ()
    audited: bool = True
    votes: Sequence[tuple[str, tuple[str, ...]]] = ()
    shares: Sequence[tuple[str, tuple[tuple[str, float], ...]]] = ()
    content: str = ""
    of_runs: int = 0
    language: Language = Language.EN
    steps: int = 5


def record_of(case: Case, policy: str = "default", model: str = "", extractor: str = "") -> AuditRecord:
    """Return the record of a case, decided by a built-in policy."""
    table = TABLES[policy]
    task = TaskFinding(case.task_class, digest_text("rule"), False, 1, case.language)
    claim = ClaimFinding(case.claim, Basis.PERFORMED, (ClaimCause.ASSERTED_DONE,), case.language)
    trace = TraceFinding((_evidence(case, bool(model)),), case.gaps)
    check = AnswerCheck.NOT_ASKED
    decision = decide_findings(table, task, claim, trace, check, quarantined=False)
    return AuditRecord(
        run_id=case.run_id,
        run_digest=digest_text(case.run_id + case.content),
        task_digest=digest_text(case.task),
        trace_digest=digest_text(case.run_id),
        report_digest=digest_text(case.run_id),
        audited_at="2026-01-31T09:00:00Z",
        makers=_makers(table, model, extractor or ("model" if model else "rules")),
        origin_path=case.run_id,
        triage=Triage.AUDIT_TARGET if case.audited else Triage.NOT_AUDITABLE_NO_REPORT,
        task=task,
        claim=claim if case.audited else None,
        trace=trace if case.audited else None,
        answer_check=check,
        decision=decision if case.audited else None,
        agent=case.agent,
        ballots=tuple(_ballots(case)),
        task_key=digest_text(case.task or case.run_id),
        steps=case.steps,
        declared=case.declared,
    )


def _evidence(case: Case, by_model: bool) -> Evidence:
    values = {name: case.fields.get(name, case.value) for name in FieldName}
    cause = EvidenceCause.MODEL_READ if by_model else EvidenceCause.SUPPORTED
    found = [FieldFinding(value, cause, _AT) for value in values.values()]
    return Evidence(*found, prior_state=FieldFinding(FieldValue.NO, EvidenceCause.NOT_YET_TRUE, _AT))


def _ballots(case: Case) -> Sequence[BallotNote]:
    voted = [Ballots(subject, 0, labels, runs=case.of_runs) for subject, labels in case.votes]
    weighed = [
        Ballots(subject, 0, (shares[0][0],), tuple(Share(label, share) for label, share in shares))
        for subject, shares in case.shares
    ]
    return [
        BallotNote(ProseSide.REPORT if one.subject == "claim" else ProseSide.TRACE, one) for one in (*voted, *weighed)
    ]


def _makers(table: DecisionTable, model: str, extractor: str) -> Makers:
    prompts = (PromptUse("evidence/1", digest_text("prompt")),)
    return Makers(
        tool_version="0",
        claim_reader="rules",
        claim_reader_digest=digest_text("reader"),
        extractor=extractor,
        extractor_digest=digest_text("extractor"),
        class_rule_digest=digest_text("rule"),
        policy_name=table.policy.name,
        policy_version=table.policy.version,
        policy_digest=table.ref.digest,
        format_name="neutral",
        models=(ModelUse(ProseSide.TRACE, model, "{}", prompts),) if model else (),
    )


def store_of(path: Path, cases: Sequence[Case], policy: str = "default", model: str = "", extractor: str = "") -> Store:
    """Return an open store of the records of some cases, made where it is not there."""
    store = open_store(path)
    records = [record_of(case, policy, model, extractor) for case in cases]
    store.append_many(records, per_transaction=1_000)
    return store


def settled(case: Case) -> Case:
    """Return a case that triage sorted out."""
    return replace(case, audited=False)
