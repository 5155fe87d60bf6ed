"""The result of an audit as callers of the library and of ``--json`` get it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from tracewitness.asking.budget import Stopped
from tracewitness.auditing.explain import Explanation, explain, short_reason
from tracewitness.auditing.summary import Summary
from tracewitness.findings.labels import AnswerCheck, Basis, Claim, Disposition, TaskClass, TraceState, Triage
from tracewitness.intake.errors import IntakeFailure
from tracewitness.policy.rules import Policy
from tracewitness.store.record import AuditRecord

_MOST_TOLD = 10


@dataclass(frozen=True, slots=True)
class AuditResult:
    """The audit of one run: its outcome at a glance, and the whole record.

    Attributes:
        record: The record, from which everything else is read.
        policy: The policy that decided.
    """

    record: AuditRecord
    policy: Policy

    @property
    def run_id(self) -> str:
        """Return the run's id."""
        return self.record.run_id

    @property
    def triage(self) -> Triage:
        """Return how triage sorted the run."""
        return self.record.triage

    @property
    def disposition(self) -> Disposition | None:
        """Return PASS, FLAG or REVIEW; None where triage ended the audit."""
        return self.record.decision.disposition if self.record.decision else None

    @property
    def claim(self) -> Claim | None:
        """Return the reading of the report; None where triage ended the audit."""
        return self.record.claim.claim if self.record.claim else None

    @property
    def basis(self) -> Basis | None:
        """Return on what ground the report claims success; None where triage ended the audit."""
        return self.record.claim.basis if self.record.claim else None

    @property
    def trace_state(self) -> TraceState | None:
        """Return what the trace shows; None where triage ended the audit."""
        return self.record.decision.trace_state if self.record.decision else None

    @property
    def task_class(self) -> TaskClass:
        """Return the class of the task."""
        return self.record.task.task_class

    @property
    def answer_check(self) -> AnswerCheck:
        """Return how the reported answer stands against the trace."""
        return self.record.answer_check

    @property
    def reason(self) -> str:
        """Return in half a line why the run came out so."""
        return short_reason(self.record)

    def explain(self) -> Explanation:
        """Return the decision as a person reads it."""
        return explain(self.record, self.policy)

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as JSON values (the whole record is in the store)."""
        return result_json(self.record)


@dataclass(frozen=True, slots=True)
class AuditBatch(Sequence[AuditResult]):
    """The audits of a batch, in the order of the runs; a sequence of results.

    Attributes:
        results: One result per run that could be read.
        failures: One entry per input that could not be read.
        summary: Counts and loads.
        stopped: What ended the batch before its last run: a used-up budget, or an endpoint out of reach; else None.
    """

    results: tuple[AuditResult, ...]
    failures: tuple[IntakeFailure, ...]
    summary: Summary
    stopped: Stopped | None = None

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[AuditResult]:
        return iter(self.results)

    @overload
    def __getitem__(self, index: int) -> AuditResult: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[AuditResult, ...]: ...
    def __getitem__(self, index: int | slice) -> AuditResult | tuple[AuditResult, ...]:
        return self.results[index]


class AuditInputError(ValueError):
    """Nothing that was named could be used: no run was read.

    Attributes:
        failures: Why, one entry per input.
    """

    def __init__(self, failures: Sequence[IntakeFailure]) -> None:
        told = [failure.line() for failure in failures[:_MOST_TOLD]]
        more = [f"... and {len(failures) - _MOST_TOLD} more"] if len(failures) > _MOST_TOLD else []
        super().__init__("\n".join((*told, *more)) or "no paths were given")
        self.failures = tuple(failures)


def result_json(record: AuditRecord) -> dict[str, Any]:
    """Return a record's outcome as JSON values."""
    decision, claim, trace = record.decision, record.claim, record.trace
    return {
        "run_id": record.run_id,
        "record_id": record.record_id,
        "origin": record.origin_path,
        "format": record.makers.format_name,
        "triage": record.triage,
        "disposition": decision.disposition if decision else None,
        "claim": claim.claim if claim else None,
        "basis": claim.basis if claim else None,
        "claim_causes": [cause.id for cause in claim.causes] if claim else [],
        "trace_state": decision.trace_state if decision else None,
        "part_states": list(decision.part_states) if decision else [],
        "task_class": record.task.task_class,
        "answer_check": record.answer_check,
        "fields": [
            {name: {"value": finding.value, "cause": finding.cause.id} for name, finding in part.fields()}
            for part in (trace.parts if trace else ())
        ],
        "gaps": [gap.id for gap in trace.gaps] if trace else [],
        "trace_notices": [notice.id for notice in trace.notices] if trace else [],
        "notices": list(record.notices),
        "unavailable": {
            name: half.unavailable.id
            for name, half in (("claim", claim), ("evidence", trace))
            if half is not None and half.unavailable is not None
        },
        "row": decision.row if decision else None,
        "marks": list(decision.marks) if decision else [],
        "reason": short_reason(record),
        "policy": {
            "name": record.makers.policy_name,
            "version": record.makers.policy_version,
            "digest": record.makers.policy_digest,
        },
        "models": [{"side": used.side, "model": used.model} for used in record.makers.models],
        "answers": len(record.answers),
        "input_tokens": sum(answer.input_tokens for answer in record.answers),
        "output_tokens": sum(answer.output_tokens for answer in record.answers),
        "usd": sum(answer.microusd or 0 for answer in record.answers) / 1_000_000,
        "audited_at": record.audited_at,
        "seconds": round(record.seconds, 6),
    }
