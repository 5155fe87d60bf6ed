"""Verify a store: derive every digest, every column and every decision anew, and say what disagrees.

Verification changes nothing and never stops at the first disagreement; only a database that cannot be read at all ends
it. What it cannot see: a record removed together with its traces in SQLite's own books, or from PostgreSQL.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, Table, func, select, text

from tracewitness.findings.decision import Decision
from tracewitness.store.connecting import guarded, lenient_reading
from tracewitness.store.migrations import guard_names
from tracewitness.store.record import AuditRecord, Prose, ProseSide, body_of, prose_refs, record_from
from tracewitness.store.rows import answer_from, answer_row, load_object, references, row_of_body
from tracewitness.store.schema import ANSWERS, AUDITS, EVIDENCE
from tracewitness.store.store import Store, read_texts
from tracewitness.store.texts import from_stored, to_stored
from tracewitness.values.digests import Digest, digest_text

_PAGE = 500
Rederive = Callable[[AuditRecord], Decision | None]


class Fault(StrEnum):
    """What disagrees."""

    FILE = "file"
    GUARD = "guard"
    UNREADABLE = "unreadable"
    DIGEST = "digest"
    COLUMN = "column"
    MISSING_TEXT = "missing_text"
    MISSING_RECORD = "missing_record"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One thing that disagrees.

    Attributes:
        fault: What kind of thing.
        where: Table and key, such as ``audits 12``.
        problem: One line for a person. It repeats nothing out of a log.
    """

    fault: Fault
    where: str
    problem: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was looked at, and everything that disagrees."""

    audits: int
    evidence: int
    answers: int
    disagreements: tuple[Disagreement, ...]

    @property
    def clean(self) -> bool:
        """Return whether nothing disagrees."""
        return not self.disagreements


def verify(store: Store, rederive: Rederive | None = None) -> Verification:
    """Derive every digest, column and decision of a store anew.

    Args:
        store: The store.
        rederive: Returns the decision that the record's policy gives for its findings, or None where that policy is
            not at hand (its decision is then left unchecked); without it no decision is checked.

    Raises:
        StoreLockedError: Another process holds the store for too long.
        StoreUnreadableError: The database cannot be read.
    """
    with guarded(store.place), lenient_reading(store.engine) as connection:
        found = list(_file(connection))
        found.extend(_evidence(connection))
        found.extend(_audits(connection, rederive))
        found.extend(_answers(connection))
        counts = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (AUDITS, EVIDENCE, ANSWERS)
        }
    return Verification(counts["audits"], counts["evidence"], counts["answers"], tuple(found))


def _file(connection: Connection) -> Iterator[Disagreement]:
    """Yield what is wrong with the file, its guards and its sequence of records."""
    sqlite = connection.dialect.name == "sqlite"
    if sqlite:
        lines = connection.execute(text("PRAGMA integrity_check")).scalars().all()
        yield from (Disagreement(Fault.FILE, "file", str(line)) for line in lines if line != "ok")
        guards = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    else:
        guards = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'"
    there = set(connection.execute(text(guards)).scalars())
    for name in sorted(guard_names(connection) - there):
        yield Disagreement(Fault.GUARD, f"trigger {name}", "the trigger that keeps the table append-only is gone")
    if sqlite:
        yield from _sequence(connection)


def _sequence(connection: Connection) -> Iterator[Disagreement]:
    """Yield the holes in SQLite's sequence of records, whose last number SQLite itself remembers."""
    last = connection.execute(text("SELECT seq FROM sqlite_sequence WHERE name = 'audits'")).scalar() or 0
    expected = 1
    for seq in [*connection.execute(select(AUDITS.c.seq).order_by(AUDITS.c.seq)).scalars(), int(last) + 1]:
        if seq > expected:
            names = f"audits {expected}" if seq == expected + 1 else f"audits {expected} to {seq - 1}"
            yield Disagreement(Fault.MISSING_RECORD, names, "records were deleted")
        expected = max(expected, seq + 1)


def _pages(connection: Connection, table: Table) -> Iterator[list[Row[Any]]]:
    keys = list(table.primary_key)
    result = connection.execution_options(yield_per=_PAGE).execute(select(table).order_by(*keys))
    for page in result.partitions(_PAGE):
        yield list(page)


def _evidence(connection: Connection) -> Iterator[Disagreement]:
    for page in _pages(connection, EVIDENCE):
        for row in page:
            where = f"evidence {row.digest}"
            if not isinstance(row.text, str) or row.side not in set(ProseSide):
                yield Disagreement(Fault.UNREADABLE, where, "not a text of a side")
            elif digest_text(from_stored(row.text)) != row.digest or to_stored(from_stored(row.text)) != row.text:
                yield Disagreement(Fault.DIGEST, where, "the text does not match its digest")


def _answers(connection: Connection) -> Iterator[Disagreement]:
    for page in _pages(connection, ANSWERS):
        for row in page:
            where = f"answers {row.cache_key}"
            try:
                expected = answer_row(answer_from(row.body))
            except (ValueError, TypeError) as problem:
                yield Disagreement(Fault.UNREADABLE, where, f"the answer cannot be read: {problem}")
                continue
            yield from _columns(where, row, expected)


def _audits(connection: Connection, rederive: Rederive | None) -> Iterator[Disagreement]:
    for page in _pages(connection, AUDITS):
        bodies = [_body(row) for row in page]
        refs = {ref for body in bodies if isinstance(body, dict) for ref in _refs(body)}
        texts = read_texts(connection, refs)
        for row, body in zip(page, bodies, strict=True):
            where = f"audits {row.seq}"
            if isinstance(body, str):
                yield Disagreement(Fault.UNREADABLE, where, body)
            else:
                yield from _audit(where, row, body, texts, rederive)


def _body(row: Row[Any]) -> dict[str, Any] | str:
    """Return a row's body, or what is wrong with it."""
    try:
        return load_object(row.body)
    except (ValueError, TypeError) as problem:
        return f"the body cannot be read: {problem}"


def _refs(body: dict[str, Any]) -> list[tuple[Digest, ProseSide]]:
    try:
        return prose_refs(body)
    except (ValueError, TypeError):
        return []


def _audit(
    where: str, row: Row[Any], body: dict[str, Any], texts: dict[tuple[str, str], str], rederive: Rederive | None
) -> Iterator[Disagreement]:
    try:
        kept = [Prose(digest, side, texts.get((digest, side), "")) for digest, side in prose_refs(body)]
        record = record_from(body, kept)
        expected = row_of_body(record, body_of(record))
    except (ValueError, TypeError) as problem:
        yield Disagreement(Fault.UNREADABLE, where, f"the body is not that of a record: {problem}")
        return
    yield from _columns(where, row, expected)
    yield from _missing_texts(where, record, texts)
    if rederive is not None and record.decision is not None:
        yield from _decision(where, record, rederive)


def _columns(where: str, row: Row[Any], expected: dict[str, Any]) -> Iterator[Disagreement]:
    """Yield the columns that are not what the body makes them."""
    for name, value in expected.items():
        if (stored := getattr(row, name)) != value or type(stored) is not type(value):
            fault = Fault.DIGEST if name in {"record_id", "body_digest", "answer_digest"} else Fault.COLUMN
            yield Disagreement(fault, where, f"column {name} is not what the body makes it")


def _missing_texts(where: str, record: AuditRecord, texts: dict[tuple[str, str], str]) -> Iterator[Disagreement]:
    listed = [(kept.digest, kept.side) for kept in record.prose]
    for digest, side in dict.fromkeys([*listed, *references(record)]):
        if (digest, side) not in texts or (digest, side) not in listed:
            yield Disagreement(Fault.MISSING_TEXT, where, f"the text {digest} ({side}) is not kept")


def _decision(where: str, record: AuditRecord, rederive: Rederive) -> Iterator[Disagreement]:
    derived = rederive(record)
    if derived is not None and derived != record.decision:
        stored = record.decision.disposition if record.decision else None
        problem = f"the policy gives {derived.disposition} where {stored} is stored"
        if derived.disposition == stored:
            problem = f"the policy gives {stored} as stored, but for other reasons"
        yield Disagreement(Fault.DECISION, where, problem)
