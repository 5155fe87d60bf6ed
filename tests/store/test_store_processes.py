"""Real processes: killed at random moments, and two that append at once."""

import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_samples import sample_record

from tracewitness.store.errors import StoreLockedError
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import open_store
from tracewitness.store.verify import verify

# Prints the number of each record after it was stored, so that the parent knows what must be there.
APPENDER = """
import sys
sys.path.insert(0, sys.argv[1])
from store_samples import sample_record
from tracewitness.store.record import KeptAnswer, ProseSide
from tracewitness.store.store import open_store
from tracewitness.values.digests import digest_text
with open_store(sys.argv[2]) as store:
    for number in range(int(sys.argv[3]), int(sys.argv[4])):
        store.put_answer(KeptAnswer(digest_text(str(number)), ProseSide.TRACE, "m", str(number)))
        store.append(sample_record(number))
        print(number, flush=True)
"""


def appender(store: str, first: int, end: int) -> "subprocess.Popen[str]":
    here = str(Path(__file__).parent)
    arguments = [sys.executable, "-c", APPENDER, here, store, str(first), str(end)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


# Opens store after store, each at a moment agreed on with the other processes.
OPENER = """
import sys, time
from tracewitness.store.store import open_store
start = float(sys.argv[2])
for number in range(int(sys.argv[3])):
    while time.time() < start + number * 0.05:
        time.sleep(0.0002)
    with open_store(f"{sys.argv[1]}/{number}.db", busy_seconds=20) as store:
        store.stats()
"""


def test_processes_that_open_a_new_store_at_the_same_moment_all_get_it(tmp_path: Path) -> None:
    start, stores = str(time.time() + 3.0), "50"
    arguments = [sys.executable, "-c", OPENER, str(tmp_path), start, stores]
    children = [subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for child in children:
        _, said = child.communicate(timeout=60)
        assert child.returncode == 0, said
    for number in (0, 49):
        with open_store(tmp_path / f"{number}.db", create=False) as store:
            assert verify(store).clean


def test_a_new_store_that_another_process_holds_is_given_up_after_the_time_allowed(tmp_path: Path) -> None:
    holder = sqlite3.connect(tmp_path / "a.db")
    holder.execute("CREATE TABLE tracewitness_migrations (number INTEGER PRIMARY KEY, name TEXT, applied_at TEXT)")
    holder.execute("BEGIN EXCLUSIVE")
    started = time.monotonic()
    with pytest.raises(StoreLockedError):
        open_store(tmp_path / "a.db", busy_seconds=0.3)
    assert 0.3 <= time.monotonic() - started < 5
    holder.close()


def test_a_killed_process_loses_at_most_the_run_in_flight(tmp_path: Path) -> None:
    path, chance, first = str(tmp_path / "audits.db"), random.Random(8), 0
    for attempt in range(6):
        child = appender(path, first, first + 100_000)
        assert child.stdout
        if attempt:
            child.stdout.readline()  # it runs; the first attempt may be killed while it still makes the store
        time.sleep(chance.uniform(0.0, 0.25))
        child.kill()
        printed = [int(line) for line in child.stdout.read().split("\n")[:-1] if line]
        child.wait()
        child.stdout.close()
        last = max([first - 1 + bool(attempt), *printed])
        with open_store(path) as store:
            assert verify(store, lambda record: record.decision).clean
            stored = [int(record.run_id.removeprefix("run-")) for record in store.iter_records()]
            assert stored == list(range(len(stored)))
            assert last <= len(stored) - 1 <= last + 1  # all that was told, and the one in flight at most
            assert store.stats().answers - len(stored) in {0, 1}
        first = len(stored)
    assert first > 5


def test_two_processes_append_at_once_from_an_empty_folder(tmp_path: Path) -> None:
    path = str(tmp_path / ".tracewitness" / "audits.db")
    children = [appender(path, 0, 60), appender(path, 40, 100)]  # twenty records are the same
    for child in children:
        child.communicate(timeout=60)
        assert child.returncode == 0
    with open_store(path) as store:
        found = {record.run_id: record for record in store.iter_records()}
        assert found == {f"run-{n}": sample_record(n) for n in range(100)}
        assert store.stats().audits == store.stats().answers == 100
        assert verify(store).clean


@pytest.mark.parametrize("per_transaction", [1, 3])
def test_records_are_stored_as_they_come_and_a_failing_source_keeps_those_before(
    tmp_path: Path, per_transaction: int
) -> None:
    def source() -> Iterator[AuditRecord]:
        yield from (sample_record(n) for n in range(7))
        raise KeyboardInterrupt

    with open_store(tmp_path / "audits.db") as store:
        with pytest.raises(KeyboardInterrupt):
            store.append_many(source(), per_transaction=per_transaction)
        assert store.stats().audits == 7 // per_transaction * per_transaction
