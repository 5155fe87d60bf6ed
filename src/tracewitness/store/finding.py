"""Which records are meant: filters as SQL conditions."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, or_, true

from tracewitness.findings.labels import Claim, Disposition, TaskClass, TraceState, Triage
from tracewitness.store.schema import AUDITS
from tracewitness.store.texts import to_column


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records are meant; None asks nothing.

    Attributes:
        run_id: The run's id.
        agent: Who ran.
        source: Where the log came from.
        format_name: The reader that took the run.
        policy_name: The policy that decided.
        task_class: The class of the task.
        claim: The reading of the report.
        trace_state: What the trace shows.
        disposition: The outcome.
        triage: The sorting by harness status.
        decided: True: only records with a decision; False: only those that triage ended.
        latest: Only the latest record of each run (of equal content under an equal run id).
    """

    run_id: str | None = None
    agent: str | None = None
    source: str | None = None
    format_name: str | None = None
    policy_name: str | None = None
    task_class: TaskClass | None = None
    claim: Claim | None = None
    trace_state: TraceState | None = None
    disposition: Disposition | None = None
    triage: Triage | None = None
    decided: bool | None = None
    latest: bool = False

    def condition(self) -> ColumnElement[bool]:
        """Return the filter as a condition on the table of audits."""
        columns = AUDITS.c
        wanted = {
            columns.run_id: self.run_id,
            columns.agent: self.agent,
            columns.source: self.source,
            columns.format: self.format_name,
            columns.policy: self.policy_name,
            columns.task_class: self.task_class,
            columns.claim: self.claim,
            columns.trace_state: self.trace_state,
            columns.disposition: self.disposition,
            columns.triage: self.triage,
        }
        conditions = [column == to_column(value) for column, value in wanted.items() if value is not None]
        if self.decided is not None:
            conditions.append(columns.disposition.is_not(None) if self.decided else columns.disposition.is_(None))
        if self.latest:
            conditions.append(~_later())
        return and_(true(), *conditions)


EVERYTHING = RecordFilter()
"""The filter that asks nothing."""


def _later() -> ColumnElement[bool]:
    """Return the condition that a later record of the same run is there."""
    other, this = AUDITS.alias("later"), AUDITS.c
    later = or_(
        other.c.audited_at > this.audited_at,
        and_(other.c.audited_at == this.audited_at, other.c.seq > this.seq),
    )
    return exists().where(other.c.run_digest == this.run_digest, other.c.run_id == this.run_id, later)
