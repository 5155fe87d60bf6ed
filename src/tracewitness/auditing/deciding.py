"""From what both sides found to the decision, for a fresh audit and for a stored one alike."""

from tracewitness.findings.decision import Decision
from tracewitness.findings.labels import AnswerCheck
from tracewitness.findings.records import ClaimFinding, TaskFinding, TraceFinding
from tracewitness.policy.decide import decide, held_back
from tracewitness.policy.table import DecisionTable
from tracewitness.store.record import AuditRecord


def decide_findings(
    table: DecisionTable,
    task: TaskFinding,
    claim: ClaimFinding,
    trace: TraceFinding,
    check: AnswerCheck,
    *,
    quarantined: bool,
) -> Decision:
    """Return the decision on a run.

    A run whose trace repeats its report passes under no policy; see :func:`tracewitness.policy.decide.held_back`.
    What each side found is recorded as it was.
    """
    decision = decide(table, task, claim, trace, check)
    return held_back(decision) if quarantined else decision


def decide_again(record: AuditRecord, table: DecisionTable) -> Decision | None:
    """Return the decision that a policy gives on a stored record; None where triage ended the audit before it."""
    if record.claim is None or record.trace is None:
        return None
    return decide_findings(
        table, record.task, record.claim, record.trace, record.answer_check, quarantined=record.quarantined
    )
