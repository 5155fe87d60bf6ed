"""Audit records for the tests of the store: one plain sample, and any record at all by hypothesis."""

import dataclasses
import types
import typing
from dataclasses import replace
from decimal import Decimal
from enum import Enum
from typing import Any

from hypothesis import strategies as st

from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.decision import (
    Decision,
    DecisionCause,
    PolicyName,
    PolicyRef,
    PolicyVersion,
    RowId,
    Standing,
)
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import (
    AnswerCheck,
    Basis,
    Claim,
    Disposition,
    FieldValue,
    Language,
    StepPart,
    TaskClass,
    TraceState,
    Triage,
)
from tracewitness.findings.records import Citation, ClaimFinding, Evidence, FieldFinding, TaskFinding, TraceFinding
from tracewitness.store.record import AuditRecord, ClauseNote, Makers, ProseSide, RawAnswer, keep
from tracewitness.store.rows import references
from tracewitness.values.digests import Digest, digest_text
from tracewitness.values.folding import FoldedText

NASTY = "a\0b \\u0000 \\ \ud83d \ud83d\ude00 \U0001f600 \ude00\ud83d \u202e ' \" \x1b[31m\n\r"
_ANY_CHARACTER = st.characters(codec=None) | st.sampled_from("\0\\u\ud83d\ude00")
ANY_TEXT = st.text(_ANY_CHARACTER, max_size=12)
_kept: dict[Digest, str] = {}


def _remember(text: str) -> Digest:
    digest = digest_text(text)
    _kept[digest] = text
    return digest


_TEXT_KINDS: dict[Any, st.SearchStrategy[Any]] = {
    str: ANY_TEXT,
    Digest: ANY_TEXT.map(_remember),
    FoldedText: ANY_TEXT.map(FoldedText),
    Decimal: st.decimals(allow_nan=False, allow_infinity=False) | st.sampled_from([Decimal("1.10"), Decimal("-0E+3")]),
    bool: st.booleans(),
    int: st.integers(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    **{kind: st.from_regex(kind.FORM, fullmatch=True).map(kind) for kind in (RowId, PolicyName, PolicyVersion)},
}


def any_of(hint: Any) -> st.SearchStrategy[Any]:
    """Return any value of a type hint, as the codec understands it."""
    if hint in _TEXT_KINDS:
        return _TEXT_KINDS[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in {typing.Union, types.UnionType}:
        return st.one_of(*(st.none() if arg is types.NoneType else any_of(arg) for arg in args))
    if origin is tuple:
        return st.lists(any_of(args[0]), max_size=2).map(tuple)
    if issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    hints = typing.get_type_hints(hint)
    return st.builds(hint, **{f.name: any_of(hints[f.name]) for f in dataclasses.fields(hint)})


_TIMES = st.datetimes().map(lambda time: time.isoformat() + "Z")


def with_prose(record: AuditRecord) -> AuditRecord:
    """Return a record that keeps every text it names, in the order of storing."""
    kept = {(side, digest): keep(side, _kept[digest]) for digest, side in references(record)}
    return replace(record, prose=tuple(kept[key] for key in sorted(kept)))


def any_record() -> st.SearchStrategy[AuditRecord]:
    """Return any whole record."""
    return st.builds(_whole, any_of(AuditRecord), _TIMES)


def _whole(record: AuditRecord, audited_at: str) -> AuditRecord:
    return with_prose(replace(record, audited_at=audited_at))


def sample_makers(policy: str = "default", policy_version: str = "1") -> Makers:
    return Makers(
        tool_version="0.1.0",
        claim_reader="rules",
        claim_reader_digest=digest_text("lexicons"),
        extractor="rules",
        extractor_digest=digest_text("extractor"),
        class_rule_digest=digest_text("class rule"),
        policy_name=policy,
        policy_version=policy_version,
        policy_digest=digest_text(policy + policy_version),
        format_name="appagent",
    )


def sample_record(number: int = 0, **changes: Any) -> AuditRecord:
    """Return a plain record of run ``number``: a success claim that the trace contradicts."""
    quote = keep(ProseSide.TRACE, f"Wi-Fi: off ({number})")
    clause = keep(ProseSide.REPORT, f"I turned Wi-Fi on. {NASTY} {number}")
    raw = keep(ProseSide.REPORT, '{"claim": "SUCCESS"}')
    cited = FieldFinding(FieldValue.YES, EvidenceCause.RELEVANT_ACTION, (Citation(1, StepPart.AFTER, quote.digest),))
    no = replace(cited, value=FieldValue.NO, cause=EvidenceCause.TOGGLED_BACK)
    absent = FieldFinding(FieldValue.ABSENT, EvidenceCause.NOT_SHOWN)
    makers = changes.pop("makers", sample_makers())
    plain = AuditRecord(
        run_id=f"run-{number}",
        run_digest=digest_text(f"run {number}"),
        task_digest=digest_text("task"),
        trace_digest=digest_text(f"trace {number}"),
        report_digest=digest_text("report"),
        audited_at=f"2026-01-31T09:{number // 60 % 60:02}:{number % 60:02}Z",
        makers=makers,
        origin_path=f"logs/{number}",
        triage=Triage.AUDIT_TARGET,
        task=TaskFinding(TaskClass.CONFIGURE, digest_text("class rule"), False, 1, Language.EN),
        claim=ClaimFinding(Claim.SUCCESS, Basis.PERFORMED, (ClaimCause.ASSERTED_DONE,), Language.EN),
        trace=TraceFinding((Evidence(cited, cited, cited, absent, no, absent),)),
        answer_check=AnswerCheck.NOT_ASKED,
        decision=sample_decision(Disposition.FLAG, makers),
        agent="agent-a",
        clauses=(ClauseNote(0, 17, ClaimCause.ASSERTED_DONE, clause.digest),),
        answers=(RawAnswer(digest_text("question"), ProseSide.REPORT, "m", raw.digest, 10, 2),),
        prose=tuple(sorted((quote, clause, raw), key=lambda kept: (kept.side, kept.digest))),
        seconds=0.25,
    )
    return replace(plain, **changes)


def sample_decision(disposition: Disposition, makers: Makers) -> Decision:
    return Decision(
        disposition=disposition,
        trace_state=TraceState.NOT_COMPLETED,
        standing=Standing.NONE,
        cause=DecisionCause.ROW,
        row=RowId("success-not-completed"),
        marks=(),
        parts=(),
        policy=PolicyRef(PolicyName(makers.policy_name), PolicyVersion(makers.policy_version), makers.policy_digest),
    )
