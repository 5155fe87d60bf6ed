"""The store of audit records: append, find, read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Engine, Row, Select, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite

from tracewitness.store.codec import is_digest
from tracewitness.store.codes import DecisionColumns, decision_columns
from tracewitness.store.connecting import BUSY_SECONDS, DEFAULT_PATH, guarded, open_engine, reading, take_turns, writing
from tracewitness.store.errors import AmbiguousRecordError, RecordError, RecordNotFoundError
from tracewitness.store.finding import EVERYTHING, RecordFilter
from tracewitness.store.migrations import migrate
from tracewitness.store.record import AuditRecord, KeptAnswer, Prose, ProseSide, prose_refs, record_from
from tracewitness.store.rows import answer_from, answer_row, audit_row, evidence_row, load_object
from tracewitness.store.schema import ANSWERS, AUDITS, EVIDENCE
from tracewitness.store.texts import from_stored, to_column
from tracewitness.values.digests import Digest, digest_text

_PAGE = 500
_LOOKUPS = 900  # digests per query; older builds of SQLite take at most 999 parameters
_SHORTEST_PREFIX = 4


@dataclass(frozen=True, slots=True)
class StoreStats:
    """How much a store holds.

    Attributes:
        audits: Records.
        runs: Runs, told apart by content and run id.
        evidence: Kept texts.
        answers: Kept model answers.
        dispositions: Records by disposition; triage's under ``none``.
    """

    audits: int
    runs: int
    evidence: int
    answers: int
    dispositions: dict[str, int]


def open_store(
    address: str | Path = DEFAULT_PATH, *, create: bool = True, busy_seconds: float = BUSY_SECONDS
) -> "Store":
    """Open a store, making or upgrading it where needed.

    Args:
        address: A path (SQLite) or an SQLAlchemy URL, such as ``postgresql+psycopg://user@host/name``.
        create: Make the file where there is none; of folders, only one called ``.tracewitness``.
        busy_seconds: How long to wait for another process that is writing.

    Raises:
        StoreError: See ``errors``: a bad address, a missing driver, a missing, foreign, newer, locked or unreadable
            database.
    """
    engine, place = open_engine(address, create=create, busy_seconds=busy_seconds)
    try:
        migrate(engine, place, busy_seconds=busy_seconds)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine, place)


class Store:
    """An open store. Safe to share between threads; other processes may append at the same time.

    Every method raises ``StoreLockedError`` or ``StoreUnreadableError`` where the database fails.
    """

    def __init__(self, engine: Engine, place: str) -> None:
        self.engine = engine
        self.place = place

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the store."""
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def append(self, record: AuditRecord) -> Digest:
        """Store a record with its texts, in one transaction, and return its id.

        A record that is already there with the same time is left as it is.

        Raises:
            RecordError: The record is not whole.
        """
        return self.append_many((record,))[0]

    def append_many(
        self, records: Iterable[AuditRecord], *, per_transaction: int = 1, once: bool = False
    ) -> list[Digest]:
        """Store records in order and return their ids; a crash loses at most ``per_transaction`` of them.

        Records are taken from the iterable as they are needed, so it may audit as it goes.

        Args:
            records: The records.
            per_transaction: How many are stored together.
            once: Leave out a record where the store has a complete one of the same run by the same makers, such as
                another process that goes through the same batch may have stored meanwhile. It is looked for in the
                transaction that stores, so of two processes one finds the other's.

        Raises:
            RecordError: A record is not whole; its transaction stores nothing.
        """
        ids: list[Digest] = []
        source = iter(records)
        while batch := [(audit_row(record), record.prose) for record in islice(source, per_transaction)]:
            with guarded(self.place), writing(self.engine) as connection:
                if once:
                    take_turns(connection)
                for row, prose in batch:
                    if once and _is_known(connection, row):
                        continue
                    insert_texts(connection, prose)
                    insert_audit(connection, row)
            ids.extend(Digest(row["record_id"]) for row, _ in batch)
        return ids

    def get(self, key: str) -> AuditRecord:
        """Return the latest record of a run id, else of a record id or its beginning, else of a run id's beginning.

        The beginning of a record id has at least 4 hex digits.

        Raises:
            RecordNotFoundError: There is none.
            AmbiguousRecordError: Records of several ids, or several run ids, begin so.
        """
        with guarded(self.place), reading(self.engine) as connection:
            found = _first(connection, select(AUDITS).where(AUDITS.c.run_id == to_column(key)))
            found = found or self._by_record_id(connection, key) or self._by_run_id(connection, key)
            if found is None:
                raise RecordNotFoundError(f"{self.place}: no record of a run or record id {key!r:.120}")
            return _records(connection, [found])[0]

    def _by_record_id(self, connection: Connection, key: str) -> Row[Any] | None:
        prefix = "sha256:" + key.removeprefix("sha256:").lower()
        if len(prefix) < len("sha256:") + _SHORTEST_PREFIX or not is_digest(prefix.ljust(71, "0")):
            return None
        # "g" follows every hex digit, so this range is "begins with" and can use the index.
        matches = (AUDITS.c.record_id >= prefix) & (AUDITS.c.record_id < prefix + "g")
        ids = connection.execute(select(AUDITS.c.record_id).where(matches).distinct().limit(4)).scalars().all()
        if len(ids) > 1:
            shown = ", ".join(sorted(record_id[7:23] for record_id in ids))
            raise AmbiguousRecordError(f"{self.place}: several records begin with {key!r:.80}: {shown} ...")
        return _first(connection, select(AUDITS).where(AUDITS.c.record_id == ids[0])) if ids else None

    def _by_run_id(self, connection: Connection, key: str) -> Row[Any] | None:
        if not key:
            return None
        start = to_column(key)
        alike = select(AUDITS.c.run_id).where(AUDITS.c.run_id.startswith(start, autoescape=True)).distinct()
        # SQLite compares without regard to case here; a database may order and fold as it likes.
        ids = list(islice((name for name in connection.execute(alike).scalars() if name.startswith(start)), 4))
        if len(ids) > 1:
            shown = ", ".join(sorted(ids)[:3])
            raise AmbiguousRecordError(f"{self.place}: several runs begin with {key!r:.80}: {shown:.400}, ...")
        return _first(connection, select(AUDITS).where(AUDITS.c.run_id == ids[0])) if ids else None

    def find_existing(
        self, run_digest: Digest, makers_key: Digest, *, complete_only: bool = True
    ) -> AuditRecord | None:
        """Return the latest audit of a run by the same makers, or None.

        Args:
            run_digest: Digest over all planes of the run.
            makers_key: ``record.makers.key()``.
            complete_only: Leave out audits in which a component gave no answer for a passing cause (a time-out, an
                endpoint out of reach, a used-up budget), so that those are taken up again.
        """
        wanted = select(AUDITS).where(AUDITS.c.run_digest == run_digest, AUDITS.c.makers_key == makers_key)
        if complete_only:
            wanted = wanted.where(AUDITS.c.complete == 1)
        with guarded(self.place), reading(self.engine) as connection:
            found = _first(connection, wanted)
            return None if found is None else _records(connection, [found])[0]

    def iter_records(self, wanted: RecordFilter = EVERYTHING) -> Iterator[AuditRecord]:
        """Yield records in the order in which they were stored, page by page (none is locked in between)."""
        last = 0
        while True:
            page = select(AUDITS).where(AUDITS.c.seq > last, wanted.condition()).order_by(AUDITS.c.seq).limit(_PAGE)
            with guarded(self.place), reading(self.engine) as connection:
                rows = connection.execute(page).all()
                records = _records(connection, rows)
            if not rows:
                return
            yield from records
            last = rows[-1].seq

    def columns(self, wanted: RecordFilter = RecordFilter(decided=True, latest=True)) -> DecisionColumns:  # noqa: B008
        """Return what a policy needs to decide many records anew, as arrays, in the order of storing."""
        query = select(AUDITS.c.record_id, AUDITS.c.codes).where(wanted.condition()).order_by(AUDITS.c.seq)
        with guarded(self.place), reading(self.engine) as connection:
            rows = connection.execute(query).all()
        return decision_columns([row[0] for row in rows], [row[1] for row in rows])

    def put_answer(self, answer: KeptAnswer) -> None:
        """Keep a model's answer; on return it is on the disk. The first answer to a question stays."""
        with guarded(self.place), writing(self.engine, synced=True) as connection:
            insert_absent(connection, ANSWERS, [answer_row(answer)])

    def get_answer(self, key: Digest) -> KeptAnswer | None:
        """Return the kept answer to a question, or None.

        Raises:
            RecordError: The kept answer is damaged.
        """
        with guarded(self.place), reading(self.engine) as connection:
            body = connection.execute(select(ANSWERS.c.body).where(ANSWERS.c.cache_key == key)).scalar()
        try:
            return None if body is None else answer_from(body)
        except ValueError as problem:
            raise RecordError(f"{self.place}: the kept answer {key} is damaged: {problem}") from problem

    def stats(self) -> StoreStats:
        """Return how much the store holds."""
        with guarded(self.place), reading(self.engine) as connection:
            runs = select(AUDITS.c.run_digest, AUDITS.c.run_id).distinct().subquery()
            by_disposition = select(AUDITS.c.disposition, func.count()).group_by(AUDITS.c.disposition)
            return StoreStats(
                audits=_count(connection, AUDITS),
                runs=connection.execute(select(func.count()).select_from(runs)).scalar_one(),
                evidence=_count(connection, EVIDENCE),
                answers=_count(connection, ANSWERS),
                dispositions={str(row[0] or "none"): int(row[1]) for row in connection.execute(by_disposition)},
            )


def insert_absent(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows, leaving those that are there already as they are.

    Several rows are inserted in the order of their keys by the caller, so that two processes that insert the same texts
    never wait for each other in a ring.
    """
    if rows:
        dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
        connection.execute(dialect.insert(table).on_conflict_do_nothing(), rows)


def insert_texts(connection: Connection, prose: Iterable[Prose]) -> None:
    """Insert kept texts that are not there yet."""
    in_order = sorted(prose, key=lambda kept: (kept.digest, kept.side))
    insert_absent(connection, EVIDENCE, [evidence_row(kept) for kept in in_order])


def insert_audit(connection: Connection, row: dict[str, Any]) -> bool:
    """Insert a row of the table of audits unless it is there already, and return whether it was inserted.

    It is looked up first, because SQLite uses up a sequence number even for a row it does not insert, and holes in the
    sequence are how ``verify`` sees a deleted record.
    """
    same = (AUDITS.c.record_id == row["record_id"]) & (AUDITS.c.audited_at == row["audited_at"])
    if connection.execute(select(AUDITS.c.seq).where(same)).first() is not None:
        return False
    insert_absent(connection, AUDITS, [row])
    return True


def _is_known(connection: Connection, row: dict[str, Any]) -> bool:
    """Return whether a complete audit of the run by the same makers is there, that went as far as this one."""
    same = (AUDITS.c.run_digest == row["run_digest"]) & (AUDITS.c.makers_key == row["makers_key"])
    decided = AUDITS.c.disposition.is_(None) if row["disposition"] is None else AUDITS.c.disposition.is_not(None)
    return connection.execute(select(AUDITS.c.seq).where(same, decided, AUDITS.c.complete == 1)).first() is not None


def _first(connection: Connection, query: "Select[Any]") -> Row[Any] | None:
    return connection.execute(query.order_by(AUDITS.c.audited_at.desc(), AUDITS.c.seq.desc()).limit(1)).first()


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _records(connection: Connection, rows: Iterable[Row[Any]]) -> list[AuditRecord]:
    """Return the records of rows, with their texts."""
    try:
        bodies = [_checked_body(row) for row in rows]
        texts = read_texts(connection, {ref for body in bodies for ref in prose_refs(body)})
        return [_record(body, texts) for body in bodies]
    except (ValueError, TypeError) as problem:
        raise RecordError(f"a stored record is damaged: {problem}; run `tracewitness store verify`") from problem


def _checked_body(row: Row[Any]) -> dict[str, Any]:
    if not isinstance(row.body, str) or digest_text(row.body) != row.body_digest:
        raise ValueError("its body does not match its digest")
    return load_object(row.body)


def _record(body: dict[str, Any], texts: dict[tuple[str, str], str]) -> AuditRecord:
    prose: list[Prose] = []
    for digest, side in prose_refs(body):
        text = texts.get((digest, side))
        if text is None or digest_text(text) != digest:
            raise ValueError(f"the kept text {digest} ({side}) is {'missing' if text is None else 'changed'}")
        prose.append(Prose(digest, side, text))
    return record_from(body, prose)


def read_texts(connection: Connection, wanted: set[tuple[Digest, ProseSide]]) -> dict[tuple[str, str], str]:
    """Return kept texts by digest and side; those that are not there, or are no texts, are left out."""
    texts: dict[tuple[str, str], str] = {}
    digests = iter(sorted({str(digest) for digest, _ in wanted}))
    while chunk := list(islice(digests, _LOOKUPS)):
        # By digest alone: SQLite has no use of an index for pairs.
        found = connection.execute(select(EVIDENCE).where(EVIDENCE.c.digest.in_(chunk)))
        texts.update({(row.digest, row.side): from_stored(row.text) for row in found if isinstance(row.text, str)})
    return {key: text for key, text in texts.items() if key in wanted}
