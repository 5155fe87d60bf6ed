"""Engines and transactions: SQLite and PostgreSQL made to behave alike.

SQLite is opened in write-ahead mode, so readers never wait for the writer. Its ``synchronous`` setting is chosen by
what a loss would cost. NORMAL for audit records: a killed process loses nothing that was committed, and after a power
failure the last records may be missing, never damaged; they are audited again without paying for a model. FULL for
model answers: they were paid for, so they are on the disk before the reader goes on.
"""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from tracewitness.store.errors import (
    MissingDriverError,
    StoreAddressError,
    StoreDamagedError,
    StoreLockedError,
    StoreMissingError,
    StoreUnreadableError,
)

DEFAULT_PATH = ".tracewitness/audits.db"
BUSY_SECONDS = 30.0
_WRITES = "tracewitness_writes"
_POSTGRES_TURNS = 0x7472_776A  # one number for all stores of a server; migrations have one of their own
_INSTALL_HINT = "install it with: pip install 'tracewitness[postgres]'"


def open_engine(address: str | Path, *, create: bool, busy_seconds: float) -> tuple[Engine, str]:
    """Return an engine for a path or SQLAlchemy URL, and how to name the place to a person (password hidden).

    Raises:
        StoreAddressError: The address is neither a path nor the URL of a SQLite or PostgreSQL database.
        MissingDriverError: The driver is not installed.
        StoreMissingError: ``create`` is False and there is no such file.
    """
    url = _url(address)
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url, create, busy_seconds)
    place = url.render_as_string(hide_password=True)
    if url.get_backend_name() != "postgresql":
        raise StoreAddressError(f"{place}: stores are kept in SQLite or PostgreSQL (postgresql+psycopg://...)")
    try:
        engine = create_engine(url, pool_pre_ping=True, isolation_level="REPEATABLE READ")
    except (ImportError, NoSuchModuleError) as problem:
        raise MissingDriverError(f"{place}: the database driver is not installed; {_INSTALL_HINT}") from problem
    return engine, place


def _url(address: str | Path) -> URL:
    text = str(address)
    if "://" not in text:
        if not text.strip() or "\0" in text:
            raise StoreAddressError(f"{text!r}: not a path or URL of a store")
        return URL.create("sqlite", database=text)
    try:
        return make_url(text)
    except (ArgumentError, ValueError) as problem:
        raise StoreAddressError("the store's URL cannot be read; expected `postgresql+psycopg://...`") from problem


def _sqlite_engine(url: URL, create: bool, busy_seconds: float) -> tuple[Engine, str]:
    place = url.database or ""
    if place in {"", ":memory:"} or place.startswith("file:"):
        raise StoreAddressError("a store is kept in a file; name a path")
    path = Path(place)
    if path.is_dir():
        raise StoreAddressError(f"{place}: a folder; name a file in it, such as {Path(place, 'audits.db')}")
    if not path.exists() and not create:
        raise StoreMissingError(f"{place}: no store there; `tracewitness audit` makes one")
    _check_folder(path, place)
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as problem:
        raise StoreUnreadableError(f"{place}: its folder cannot be made: {problem.strerror}") from problem
    engine = create_engine(url, connect_args={"timeout": busy_seconds})
    event.listen(engine, "connect", _on_sqlite_connect)
    event.listen(engine, "begin", _on_sqlite_begin)
    return engine, place


def _check_folder(path: Path, place: str) -> None:
    """Only the store's own kind of folder is made; another one that is missing is more likely a slip of the pen."""
    own = path.parent.name == Path(DEFAULT_PATH).parent.name and path.parent.parent.is_dir()
    if not (own or path.parent.exists()):
        raise StoreMissingError(f"{place}: the folder {path.parent} is not there; make it, or name another place")


def _on_sqlite_connect(driver: Any, _: object) -> None:
    """Set up a connection; transactions are begun by ``_on_sqlite_begin`` instead of by the driver's guess."""
    driver.isolation_level = None
    driver.execute("PRAGMA synchronous=NORMAL")
    driver.execute("PRAGMA trusted_schema=OFF")


def _on_sqlite_begin(connection: Connection) -> None:
    # A writer takes its lock at once: a transaction that starts by reading could not wait for another writer later.
    immediate = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


@contextmanager
def reading(engine: Engine) -> Generator[Connection]:
    """Open one consistent view of the database."""
    with engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine, *, synced: bool = False) -> Generator[Connection]:
    """Open one transaction that writes; it is committed at the end, or undone on any exception.

    PostgreSQL runs it READ COMMITTED, so that two appending processes wait for each other instead of failing.

    Args:
        engine: The engine.
        synced: Be on the disk before returning, also on SQLite (PostgreSQL always is).
    """
    with engine.connect() as plain:
        sqlite = plain.dialect.name == "sqlite"
        level = {} if sqlite else {"isolation_level": "READ COMMITTED"}
        connection = plain.execution_options(**{_WRITES: True}, **level)
        if sqlite:
            _synchronous(connection, "FULL" if synced else "NORMAL")
        with connection.begin():
            yield connection


def take_turns(connection: Connection) -> None:
    """Wait until no other transaction that takes turns is open; SQLite has one writer at a time anyway."""
    if connection.dialect.name != "sqlite":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _POSTGRES_TURNS})


def set_write_ahead(engine: Engine) -> None:
    """Put a SQLite file into write-ahead mode, which the file itself remembers; nothing to do elsewhere."""
    with engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            driver: Any = connection.connection.driver_connection
            try:
                driver.execute("PRAGMA journal_mode=WAL")
            except sqlite3.Error as problem:
                raise DBAPIError("PRAGMA journal_mode=WAL", None, problem) from problem


def _synchronous(connection: Connection, level: str) -> None:
    driver: Any = connection.connection.driver_connection
    driver.execute(f"PRAGMA synchronous={level}")


@contextmanager
def guarded(place: str) -> Generator[None]:
    """Turn a database's failure into one line that names the place.

    Raises:
        StoreLockedError: Another process holds the database for too long.
        StoreDamagedError: The file is damaged or no database.
        StoreUnreadableError: Any other failure of the database.
    """
    try:
        yield
    except DBAPIError as problem:
        first_line = str(problem.orig).strip().split("\n", 1)[0]
        if isinstance(problem.orig, sqlite3.OperationalError) and "locked" in first_line:
            raise StoreLockedError(f"{place}: another process holds the store; try again later") from problem
        if type(problem.orig) is sqlite3.DatabaseError:  # its subclasses tell of disks, rights and our own mistakes
            damage = f"{place}: damaged, or no store ({first_line})"
            raise StoreDamagedError(f"{damage}; put back a copy or name another place") from problem
        raise StoreUnreadableError(f"{place}: the store cannot be read or written: {first_line}") from problem


@contextmanager
def lenient_reading(engine: Engine) -> Generator[Connection]:
    """Open one consistent view in which damaged texts can be read: bytes that are not UTF-8 become surrogates."""
    with reading(engine) as connection:
        if connection.dialect.name != "sqlite":  # PostgreSQL hands out no text that is not UTF-8
            yield connection
            return
        driver: Any = connection.connection.driver_connection
        driver.text_factory = _with_damage
        try:
            yield connection
        finally:
            driver.text_factory = str


def _with_damage(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
