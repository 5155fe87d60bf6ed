"""Numbered migrations: how a database becomes a store, and an older store becomes one of this version.

A migration is a function in ``MIGRATIONS``; its number is its place in the list, from 1. Each runs in one transaction
together with its own row in ``tracewitness_migrations``, so a crash between two leaves a whole store of the earlier
number. A migration that has been released is never changed: its SQL is written out here and does not follow the tables
of ``schema``.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine, inspect, text

from tracewitness.store.connecting import BUSY_SECONDS, guarded, reading, set_write_ahead, writing
from tracewitness.store.errors import NewerStoreError, NotAStoreError, StoreLockedError

_LEDGER = "tracewitness_migrations"
_OURS = ("audits", "evidence", "answers")
_POSTGRES_LOCK = 0x7472_7769  # one number for all stores of a server: two starting processes take turns
_RETRY_SECONDS = 0.02

Migration = Callable[[Connection], None]


def _is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def _run(connection: Connection, *statements: str) -> None:
    for statement in statements:
        connection.execute(text(statement))


def audits_and_evidence(connection: Connection) -> None:
    """Create the table of audit records and the table of content-addressed texts."""
    sqlite = _is_sqlite(connection)
    number = "INTEGER PRIMARY KEY AUTOINCREMENT" if sqlite else "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    keyed = "WITHOUT ROWID" if sqlite else ""
    # Ids and times are compared byte by byte on every server, whatever its locale.
    ascii_text = "TEXT" if sqlite else 'TEXT COLLATE "C"'
    _run(
        connection,
        f"""CREATE TABLE audits (
            seq {number},
            record_id {ascii_text} NOT NULL,
            audited_at {ascii_text} NOT NULL,
            body_digest {ascii_text} NOT NULL,
            run_id TEXT NOT NULL,
            run_digest {ascii_text} NOT NULL,
            makers_key {ascii_text} NOT NULL,
            complete INTEGER NOT NULL,
            agent TEXT,
            source TEXT,
            format TEXT NOT NULL,
            policy TEXT NOT NULL,
            policy_version TEXT NOT NULL,
            policy_digest {ascii_text} NOT NULL,
            triage TEXT NOT NULL,
            task_class TEXT NOT NULL,
            claim TEXT,
            basis TEXT,
            answer_check TEXT NOT NULL,
            trace_state TEXT,
            disposition TEXT,
            codes {ascii_text} NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (record_id, audited_at)
        )""",
        "CREATE INDEX audits_by_run_id ON audits (run_id, audited_at)",
        "CREATE INDEX audits_by_run ON audits (run_digest, run_id, audited_at)",
        f"""CREATE TABLE evidence (
            digest {ascii_text} NOT NULL,
            side {ascii_text} NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (digest, side)
        ) {keyed}""",
    )


def append_only_audits(connection: Connection) -> None:
    """Forbid changing and deleting audit records and kept texts."""
    _forbid_changes(
        connection, "audits", "seq = NEW.seq OR (record_id = NEW.record_id AND audited_at = NEW.audited_at)"
    )
    _forbid_changes(connection, "evidence", "digest = NEW.digest AND side = NEW.side")


def model_answers(connection: Connection) -> None:
    """Create the append-only table of raw model answers, so that no call is paid for twice."""
    ascii_text = "TEXT" if _is_sqlite(connection) else 'TEXT COLLATE "C"'
    _run(
        connection,
        f"""CREATE TABLE answers (
            cache_key {ascii_text} PRIMARY KEY,
            answer_digest {ascii_text} NOT NULL,
            side {ascii_text} NOT NULL,
            model TEXT NOT NULL,
            body TEXT NOT NULL
        ) {"WITHOUT ROWID" if _is_sqlite(connection) else ""}""",
    )
    _forbid_changes(connection, "answers", "cache_key = NEW.cache_key")


def columns_for_experiments(connection: Connection) -> None:
    """Add the columns by which experiments group: the key of the task, language, steps. Older records have none."""
    ascii_text = "TEXT" if _is_sqlite(connection) else 'TEXT COLLATE "C"'
    for column in (f"task_key {ascii_text}", f"language {ascii_text}", "steps INTEGER"):
        _run(connection, f"ALTER TABLE audits ADD COLUMN {column}")


def column_of_declared_flags(connection: Connection) -> None:
    """Add the column of the agents' own success flags. Older records have none."""
    ascii_text = "TEXT" if _is_sqlite(connection) else 'TEXT COLLATE "C"'
    _run(connection, f"ALTER TABLE audits ADD COLUMN declared {ascii_text}")


MIGRATIONS: tuple[Migration, ...] = (
    audits_and_evidence,
    append_only_audits,
    model_answers,
    columns_for_experiments,
    column_of_declared_flags,
)


def guard_names(connection: Connection) -> frozenset[str]:
    """Return the names of the triggers that keep the tables append-only."""
    verbs = ("update", "delete", "replace" if _is_sqlite(connection) else "truncate")
    return frozenset(f"{table}_no_{verb}" for table in _OURS for verb in verbs)


def _forbid_changes(connection: Connection, table: str, same_key: str) -> None:
    if _is_sqlite(connection):
        # INSERT OR REPLACE deletes without asking the triggers for DELETE; a row whose key is there is passed over.
        _run(
            connection,
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same_key}) BEGIN SELECT RAISE(IGNORE); END",
        )
        for verb in ("UPDATE", "DELETE"):
            _run(
                connection,
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END",
            )
        return
    _run(
        connection,
        f"CREATE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$",
    )
    for verb in ("UPDATE", "DELETE", "TRUNCATE"):
        _run(
            connection,
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_is_append_only()",
        )


def migrate(
    engine: Engine, place: str, migrations: tuple[Migration, ...] = MIGRATIONS, busy_seconds: float = BUSY_SECONDS
) -> None:
    """Bring a database to this version, one transaction per migration. Does nothing where it already is.

    Several processes may open a new store at once. SQLite refuses some steps of making one at once instead of waiting
    (the change to write-ahead mode above all), so what found the database locked is tried again for ``busy_seconds``.

    Raises:
        NotAStoreError: The database holds other tables, but no migrations of ours.
        NewerStoreError: The database has migrations that this version does not know.
        StoreLockedError: Another process holds the database for too long.
        StoreUnreadableError: The database cannot be read or written.
    """
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            _migrate(engine, place, migrations)
            return
        except StoreLockedError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_SECONDS)


def _migrate(engine: Engine, place: str, migrations: tuple[Migration, ...]) -> None:
    with guarded(place):
        while (done := version(engine, place, len(migrations))) < len(migrations):
            if done == 0:  # only now: a database that is not ours is left as it was
                set_write_ahead(engine)
            _apply(engine, done + 1, migrations[done])


def version(engine: Engine, place: str, known: int = len(MIGRATIONS)) -> int:
    """Return the number of the last migration of a database, 0 for an empty one.

    Raises:
        NotAStoreError: The database holds other tables, but no migrations of ours.
        NewerStoreError: The database has migrations that this version does not know.
    """
    with guarded(place), reading(engine) as connection:
        tables = set(inspect(connection).get_table_names())
        if _LEDGER not in tables:
            if tables if _is_sqlite(connection) else tables.intersection(_OURS):
                raise NotAStoreError(f"{place}: a database, but not a tracewitness store; name another place")
            return 0
        numbers = list(connection.execute(text(f"SELECT number FROM {_LEDGER} ORDER BY number")).scalars())
    if numbers != list(range(1, len(numbers) + 1)):
        raise NotAStoreError(f"{place}: its list of migrations has holes ({numbers}); it is damaged or not a store")
    if len(numbers) > known:
        raise NewerStoreError(
            f"{place}: written by a newer tracewitness (store version {len(numbers)}, this one knows {known}); "
            "upgrade tracewitness"
        )
    return len(numbers)


def _apply(engine: Engine, number: int, migration: Migration) -> None:
    with writing(engine) as connection:
        if not _is_sqlite(connection):
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _POSTGRES_LOCK})
        _run(
            connection,
            f"CREATE TABLE IF NOT EXISTS {_LEDGER} "
            "(number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)",
        )
        taken = connection.execute(text(f"SELECT 1 FROM {_LEDGER} WHERE number = :number"), {"number": number})
        if taken.first() is not None:  # another process was quicker
            return
        migration(connection)
        connection.execute(
            text(f"INSERT INTO {_LEDGER} (number, name, applied_at) VALUES (:number, :name, :at)"),
            {"number": number, "name": migration.__name__, "at": datetime.now(UTC).isoformat()},
        )
