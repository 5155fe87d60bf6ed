"""How the audits of a batch are laid out for people."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from tracewitness.auditing.explain import decision_reason, short_reason
from tracewitness.auditing.summary import Summary
from tracewitness.cli.terminal import cut_in_the_middle, shortened, styled, table
from tracewitness.findings.labels import Basis, Disposition, Triage
from tracewitness.policy.rules import Policy
from tracewitness.store.record import AuditRecord

_ALL_SHOWN_UP_TO = 30
_MOST_ROWS = 60
_REASON_LENGTH = 160
_ID_WIDTH = 24
_LONGEST_ID = 400
_ALREADY = (Basis.ALREADY_SO, Basis.NOTHING_TO_DO)
_ORDER = {"FLAG": 0, "REVIEW": 1, "PASS": 2}

_TRIAGE_NAMES = {
    Triage.AUDIT_TARGET: "audit target",
    Triage.SETTLED_PASSED: "settled (passed)",
    Triage.SETTLED_FAILED: "settled (failed)",
    Triage.NOT_AUDITABLE_TIMEOUT: "not auditable (time-out)",
    Triage.NOT_AUDITABLE_ERROR: "not auditable (execution error)",
    Triage.NOT_AUDITABLE_NO_REPORT: "not auditable (no report)",
    Triage.NOT_AUDITABLE_EMPTY_TRACE: "not auditable (empty trace)",
}


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One decided run, as a row of the table; kept instead of the record so that a long batch stays small."""

    disposition: str
    run_id: str
    claim: str
    trace_state: str
    reason: str


def row_of(record: AuditRecord, policy: Policy | None = None) -> AuditRow | None:
    """Return the row of a record; None where triage ended the audit (the summary counts those).

    Args:
        record: The record.
        policy: The policy that decided; it states the reason where a run passes because its goal held already.
    """
    if record.decision is None or record.claim is None:
        return None
    already = record.claim.basis in _ALREADY and record.decision.disposition is Disposition.PASS
    reason = shortened(decision_reason(record, policy) if already and policy else short_reason(record), _REASON_LENGTH)
    decision = record.decision
    return AuditRow(decision.disposition, record.run_id, record.claim.claim, decision.trace_state, reason)


def print_audits(console: Console, rows: Sequence[AuditRow], *, wide: bool = False) -> None:
    """Print the table: what is blocked first; in a long batch only that. Says how many rows are not shown.

    On a terminal, long run ids are cut in the middle; in a pipe, and where ``wide`` is asked for, they are whole.
    """
    wanted = [row for row in rows if row.disposition != Disposition.PASS or len(rows) <= _ALL_SHOWN_UP_TO]
    shown = sorted(wanted, key=lambda row: _ORDER[row.disposition])[:_MOST_ROWS]
    if shown:
        width = _ID_WIDTH if console.is_terminal and not wide else _LONGEST_ID
        cells = [_cells(row, width) for row in shown]
        console.print(table(("outcome", "run", "claim / trace", "why"), cells))
        console.print()
    if len(shown) < len(rows):
        passed = len(rows) - len(wanted)
        more = len(wanted) - len(shown)
        console.print(f"not listed: {passed} PASS, {more} more blocked (--json lists every run)")


def _cells(row: AuditRow, width: int) -> tuple[str | Text, ...]:
    run_id = Text(cut_in_the_middle(row.run_id, width))
    return styled(row.disposition), run_id, Text(f"{row.claim}\n{row.trace_state}"), row.reason


def print_summary(console: Console, summary: Summary) -> None:
    """Print counts by name and the inspection load."""
    console.print(f"{_counted(summary.runs, 'run')}: {_joined(_triage_counts(summary)) or 'none could be read'}")
    console.print(f"{_joined(_disposition_counts(summary))}{_marks(summary)}")
    if summary.load_of_stream is not None:
        of_targets = "-" if summary.load_of_targets is None else f"{summary.load_of_targets:.1%}"
        of_stream = f"{summary.load_of_stream:.1%}"
        console.print(f"inspection load: {of_targets} of the audit targets, {of_stream} of the full stream")
    if summary.unavailable:
        told = _joined(f"{name} {count}" for name, count in sorted(summary.unavailable.items()))
        console.print(f"no answer, so REVIEW: {told}")
        console.print("(the next start audits them again; what a model refused or spoilt, with --retry-failed)")
    if summary.failures:
        console.print(f"{_counted(summary.failures, 'input')} could not be read (see the lines above)")
    if summary.resumed:
        console.print(f"{_counted(summary.resumed, 'audit')} taken from the store (--fresh audits them again)")


def _triage_counts(summary: Summary) -> Iterable[str]:
    for kind in (Triage.AUDIT_TARGET, *(kind for kind in Triage if kind is not Triage.AUDIT_TARGET)):
        if count := summary.triage[kind]:
            plural = "s" if kind is Triage.AUDIT_TARGET and count != 1 else ""
            yield f"{count} {_TRIAGE_NAMES[kind]}{plural}"


def _disposition_counts(summary: Summary) -> Iterable[str]:
    return (f"{name} {summary.dispositions[name]}" for name in (Disposition.FLAG, Disposition.REVIEW, Disposition.PASS))


def _marks(summary: Summary) -> str:
    marks = _joined(f"{count} {name}" for name, count in sorted(summary.marks.items()))
    return f" ({marks})" if marks else ""


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _joined(texts: Iterable[str]) -> str:
    return ", ".join(texts)
