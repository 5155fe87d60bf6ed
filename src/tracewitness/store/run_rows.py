"""Runs of a store without their bodies: what experiments group by, quickly for many."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import select

from tracewitness.findings.labels import Claim, Declared, Disposition, TaskClass, Triage
from tracewitness.store.connecting import guarded, reading
from tracewitness.store.finding import RecordFilter
from tracewitness.store.schema import AUDITS
from tracewitness.store.store import Store
from tracewitness.store.texts import from_stored
from tracewitness.values.digests import Digest


@dataclass(frozen=True, slots=True)
class RunRow:
    """One audited run.

    Attributes:
        record_id: The record.
        run_id: The run, in the form of ``texts.to_column``.
        makers_key: Who made the record.
        agent: Who ran.
        source: Where the log came from.
        task_class: The class of the task.
        triage: The sorting by harness status.
        claim: The reading of the report; None where triage ended the audit.
        disposition: The outcome; None where triage ended the audit.
        task_key: The same for all runs of one task; None in records from before it was written down.
        language: The language of the report, or of the task.
        steps: How many steps the trace has.
        declared: The agent's own success flag; None in records from before it was written down.
        codes: The letters that replay reads, see ``codes``.
        run_digest: The content of the run.
    """

    record_id: Digest
    run_id: str
    makers_key: Digest
    agent: str | None
    source: str | None
    task_class: TaskClass
    triage: Triage
    claim: Claim | None
    disposition: Disposition | None
    task_key: Digest | None
    language: str | None
    steps: int | None
    declared: Declared | None
    codes: str
    run_digest: Digest


_COLUMNS = (
    AUDITS.c.record_id,
    AUDITS.c.run_id,
    AUDITS.c.makers_key,
    AUDITS.c.agent,
    AUDITS.c.source,
    AUDITS.c.task_class,
    AUDITS.c.triage,
    AUDITS.c.claim,
    AUDITS.c.disposition,
    AUDITS.c.task_key,
    AUDITS.c.language,
    AUDITS.c.steps,
    AUDITS.c.declared,
    AUDITS.c.codes,
    AUDITS.c.run_digest,
)


def run_rows(store: Store, wanted: RecordFilter = RecordFilter()) -> Iterator[RunRow]:  # noqa: B008
    """Yield the runs of a store in the order of storing."""
    query = select(*_COLUMNS).where(wanted.condition()).order_by(AUDITS.c.seq)
    with guarded(store.place), reading(store.engine) as connection:
        rows = connection.execute(query).all()
    for row in rows:
        yield RunRow(
            Digest(row[0]),
            row[1],
            Digest(row[2]),
            None if row[3] is None else from_stored(row[3]),
            None if row[4] is None else from_stored(row[4]),
            TaskClass(row[5]),
            Triage(row[6]),
            None if row[7] is None else Claim(row[7]),
            None if row[8] is None else Disposition(row[8]),
            None if row[9] is None else Digest(row[9]),
            row[10],
            row[11],
            None if row[12] is None else Declared(row[12]),
            row[13],
            Digest(row[14]),
        )
