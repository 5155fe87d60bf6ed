"""Coarse sorting of runs by harness status before the audit."""

from tracewitness.findings.labels import Triage
from tracewitness.intake.sealed import HarnessStatus, SealedRun

_BY_STATUS = {
    HarnessStatus.PASSED: Triage.SETTLED_PASSED,
    HarnessStatus.FAILED: Triage.SETTLED_FAILED,
    HarnessStatus.TIMEOUT: Triage.NOT_AUDITABLE_TIMEOUT,
    HarnessStatus.ERROR: Triage.NOT_AUDITABLE_ERROR,
}


def triage(run: SealedRun) -> Triage:
    """Return where a run goes.

    In this order: an independent check settled it; the harness says time-out or execution error; there is no report
    (neither text nor a declared flag: a flag alone is a claim, so it is auditable); the trace is empty (no executed
    action besides finish, and no observation); else it is an audit target. A run that hit its step limit is a target if
    it has a report.
    """
    if run.harness in _BY_STATUS:
        return _BY_STATUS[run.harness]
    if not (run.report.text or "").strip() and run.report.declared_status is None:
        return Triage.NOT_AUDITABLE_NO_REPORT
    if is_empty(run):
        return Triage.NOT_AUDITABLE_EMPTY_TRACE
    return Triage.AUDIT_TARGET


def is_empty(run: SealedRun) -> bool:
    """Tell whether the trace holds neither an executed action (besides finish) nor an observation."""
    for step in run.trace.steps:
        if step.action.executed and step.action.kind != "finish":
            return False
        if step.before is not None or step.after is not None:
            return False
    return True
