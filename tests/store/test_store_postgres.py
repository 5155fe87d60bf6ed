"""The same store on a real PostgreSQL server, started for these tests and stopped after them."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError
from store_samples import NASTY, any_record, sample_record
from test_store_processes import APPENDER

from tracewitness.store.errors import NotAStoreError, StoreUnreadableError
from tracewitness.store.finding import RecordFilter
from tracewitness.store.record import KeptAnswer, ProseSide
from tracewitness.store.store import Store, open_store
from tracewitness.store.transfer import export_jsonl, import_jsonl
from tracewitness.store.verify import Fault, verify
from tracewitness.values.digests import digest_text

psycopg: Any = pytest.importorskip("psycopg", reason="psycopg is not installed")
_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
pytestmark = pytest.mark.skipif(not _BINARIES, reason="no PostgreSQL server in /usr/lib/postgresql")
_STARTUP_SECONDS = 30.0


def _unprivileged() -> dict[str, Any]:
    """Return whom to run the server as: it refuses to run as root."""
    if os.getuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    pytest.skip("root without another user to run the server as")


@pytest.fixture(scope="module")
def server() -> Iterator[Path]:
    """Start a server in a new folder; yields the folder of its socket. It listens on no network address."""
    home, user = Path(tempfile.mkdtemp(prefix="tw-pg-")), _unprivileged()
    if user:
        os.chown(home, user["user"], user["group"])
    tools, data = _BINARIES[-1].parent, home / "data"
    try:
        made = [str(tools / "initdb"), "-D", str(data), "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run([*made, "--locale=C.UTF-8"], check=True, capture_output=True, cwd=home, **user)
        options = ["-D", str(data), "-k", str(home), "-c", "listen_addresses=", "-c", "fsync=off"]
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(
                [str(tools / "postgres"), *options], stdout=log, stderr=log, cwd=home, env={"LC_ALL": "C"}, **user
            )
        try:
            _wait_for(home, process)
            yield home
        finally:
            process.terminate()
            process.wait(timeout=_STARTUP_SECONDS)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _wait_for(home: Path, process: "subprocess.Popen[Any]") -> None:
    """Wait until the server takes connections; its socket is there a little earlier."""
    end = time.monotonic() + _STARTUP_SECONDS
    while True:
        try:
            psycopg.connect(f"host={home} user=tester dbname=postgres").close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > end:
                pytest.fail("the PostgreSQL server did not start: " + (home / "log").read_text(encoding="utf-8"))
            time.sleep(0.05)
        else:
            return


NewUrl = Callable[[], str]


@pytest.fixture(scope="module")
def new_url(server: Path) -> Iterator[NewUrl]:
    """Return a maker of fresh databases."""
    names = iter(range(10_000))
    with psycopg.connect(f"host={server} user=tester dbname=postgres", autocommit=True) as connection:

        def make() -> str:
            name = f"store{next(names)}"
            connection.execute(f"CREATE DATABASE {name}")
            return f"postgresql+psycopg://tester@/{name}?host={server}"

        yield make


@pytest.fixture
def store(new_url: NewUrl) -> Iterator[Store]:
    with open_store(new_url()) as opened:
        yield opened


def test_records_are_stored_found_and_verified(store: Store) -> None:
    long = sample_record(3, run_id=NASTY * 1000, agent=NASTY, audited_at="2026-05-01T00:00:00Z")
    records = [sample_record(1), sample_record(2), long]
    store.append_many([*records, sample_record(1)])
    answer = KeptAnswer(digest_text("q"), ProseSide.TRACE, "m", NASTY)
    store.put_answer(answer)
    store.put_answer(answer)
    assert list(store.iter_records()) == records
    assert store.get(NASTY * 1000) == long == store.get(long.record_id[:20])
    assert store.find_existing(long.run_digest, long.makers.key()) == long
    assert list(store.iter_records(RecordFilter(agent=NASTY, latest=True))) == [long]
    assert store.get_answer(answer.key) == answer
    assert store.columns().record_ids == tuple(record.record_id for record in records)
    assert (store.stats().audits, store.stats().answers) == (3, 1)
    assert verify(store, lambda record: record.decision).clean


@given(st.lists(any_record(), max_size=3))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_records_move_to_sqlite_and_back_byte_by_byte(new_url: NewUrl, tmp_path: Path, records: list[Any]) -> None:
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    with open_store(folder / "a.db") as lite, open_store(new_url()) as post, open_store(folder / "b.db") as back:
        lite.append_many(records)
        export_jsonl(lite, folder / "1")
        import_jsonl(post, folder / "1")
        export_jsonl(post, folder / "2")
        import_jsonl(back, folder / "2")
        export_jsonl(back, folder / "3")
        assert (folder / "1").read_bytes() == (folder / "2").read_bytes() == (folder / "3").read_bytes()
        assert verify(post).clean


@pytest.mark.parametrize("table", ["audits", "evidence", "answers"])
@pytest.mark.parametrize("change", ["DELETE FROM {}", "UPDATE {} SET {} = 'x'", "TRUNCATE {}"])
def test_what_is_stored_cannot_be_changed_or_deleted(store: Store, table: str, change: str) -> None:
    store.append(sample_record(1))
    column = {"audits": "agent", "evidence": "text", "answers": "model"}[table]
    with store.engine.connect() as connection, pytest.raises(DBAPIError, match="append-only"):
        connection.execute(text(change.format(table, column)))


def test_what_a_forger_changes_is_found(store: Store) -> None:
    store.append_many([sample_record(1), sample_record(2)])
    with store.engine.begin() as connection:
        connection.execute(text("ALTER TABLE audits DISABLE TRIGGER audits_no_update"))
        connection.execute(text("UPDATE audits SET disposition = 'PASS' WHERE seq = 1"))
        connection.execute(text("ALTER TABLE evidence DISABLE TRIGGER evidence_no_delete"))
        connection.execute(text("DELETE FROM evidence WHERE text LIKE 'Wi-Fi: off (2)'"))
    faults = sorted(found.fault for found in verify(store).disagreements)
    assert faults == sorted([Fault.GUARD, Fault.GUARD, Fault.COLUMN, Fault.MISSING_TEXT])


def test_a_foreign_table_of_the_same_name_is_left_alone_and_other_tables_do_not_matter(new_url: NewUrl) -> None:
    for table, is_ours in (("theirs", True), ("audits", False)):
        url = new_url()
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text(f"CREATE TABLE {table} (x integer)"))
        engine.dispose()
        if is_ours:
            open_store(url).close()
        else:
            with pytest.raises(NotAStoreError, match="not a tracewitness store"):
                open_store(url)


def test_a_server_that_cannot_be_reached_is_told_in_one_line_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(StoreUnreadableError, match="cannot be read or written") as caught:
        open_store(f"postgresql+psycopg://tester:secret@/none?host={tmp_path}")
    assert "secret" not in str(caught.value) and "\n" not in str(caught.value)


def test_two_processes_append_at_once_to_an_empty_database(new_url: NewUrl) -> None:
    url, here = new_url(), str(Path(__file__).parent)
    commands = [[sys.executable, "-c", APPENDER, here, url, first, end] for first, end in (("0", "40"), ("20", "60"))]
    children = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    assert [child.wait(timeout=60) for child in children] == [0, 0]
    with open_store(url) as store:
        assert sorted(record.run_id for record in store.iter_records()) == sorted(f"run-{n}" for n in range(60))
        assert verify(store).clean
