import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, text
from store_samples import NASTY, any_record, sample_makers, sample_record

from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.labels import (
    AnswerCheck,
    Basis,
    Claim,
    Disposition,
    FieldName,
    FieldValue,
    Language,
    TaskClass,
    Triage,
)
from tracewitness.findings.records import ClaimFinding, TraceFinding
from tracewitness.store.codes import NOTHING
from tracewitness.store.errors import (
    AmbiguousRecordError,
    MissingDriverError,
    NewerStoreError,
    NotAStoreError,
    RecordError,
    RecordNotFoundError,
    StoreAddressError,
    StoreError,
    StoreLockedError,
    StoreMissingError,
    StoreUnreadableError,
)
from tracewitness.store.finding import RecordFilter
from tracewitness.store.migrations import MIGRATIONS, migrate
from tracewitness.store.record import AuditRecord, KeptAnswer, Prose, ProseSide
from tracewitness.store.store import Store, open_store
from tracewitness.store.verify import verify
from tracewitness.values.digests import digest_text


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / ".tracewitness" / "audits.db") as opened:
        yield opened


def triage_only(number: int) -> AuditRecord:
    ended: dict[str, Any] = {"claim": None, "trace": None, "decision": None, "clauses": (), "answers": (), "prose": ()}
    return sample_record(number, triage=Triage.NOT_AUDITABLE_TIMEOUT, **ended)


def test_a_record_is_found_by_run_id_and_by_the_beginning_of_its_id(store: Store) -> None:
    record = sample_record(7)
    assert store.append(record) == record.record_id
    for key in ("run-7", record.record_id, record.record_id[:15], record.record_id[7:20].upper()):
        assert store.get(key) == record


@pytest.mark.parametrize("key", ["run-8", "sha256:", "sha256:abc", "abc", "", "%", "zzzz", NASTY, "x" * 100_000])
def test_what_is_not_there_is_not_found(store: Store, key: str) -> None:
    store.append(sample_record(7))
    with pytest.raises(RecordNotFoundError, match="no record of a run or record id"):
        store.get(key)


def test_a_beginning_that_fits_several_records_is_refused(store: Store) -> None:
    ids = sorted(store.append_many(sample_record(n) for n in range(600)))
    pairs = [(a, b) for a, b in zip(ids, ids[1:], strict=False) if a[:11] == b[:11]]
    assert pairs
    with pytest.raises(AmbiguousRecordError, match=pairs[0][0][7:23]):
        store.get(pairs[0][0][:11])


def test_the_latest_record_of_a_run_is_the_one_with_the_latest_time(store: Store) -> None:
    late = sample_record(1, audited_at="2026-02-01T10:00:00+00:00", notices=("late",))
    later_zone = sample_record(1, audited_at="2026-02-01T10:30:00+01:00", notices=("half an hour earlier",))
    fraction = sample_record(1, audited_at="2026-02-01T10:00:00.5Z", notices=("latest",))
    store.append_many([fraction, late, later_zone])
    assert store.get("run-1") == fraction
    assert list(store.iter_records(RecordFilter(latest=True))) == [fraction]


def test_the_same_record_is_stored_once_and_a_repeated_audit_once_more(store: Store) -> None:
    store.append_many([sample_record(1), sample_record(1), sample_record(1, audited_at="2026-03-01T00:00:00Z")])
    stats = store.stats()
    assert (stats.audits, stats.runs, stats.evidence) == (2, 1, 3)
    assert verify(store).clean


@given(st.lists(any_record(), max_size=3))
@settings(max_examples=25, deadline=None)
def test_any_records_come_back_in_order_whatever_texts_they_hold(tmp_path_factory: Any, records: list[Any]) -> None:
    with open_store(tmp_path_factory.mktemp("any") / "a.db") as store:
        store.append_many(records)
        kept = list({(r.record_id, r.audited_at): r for r in records}.values())
        assert list(store.iter_records()) == kept
        for record in {r.record_id: r for r in sorted(kept, key=lambda r: r.audited_at)}.values():
            assert store.get(record.record_id) == record
        assert verify(store).clean


def test_records_are_read_over_many_pages_while_others_are_appended(store: Store) -> None:
    records = [sample_record(n) for n in range(1203)]
    store.append_many(records, per_transaction=500)
    seen: list[AuditRecord] = []
    for record in store.iter_records():
        if not seen:
            store.append(sample_record(5000))
        seen.append(record)
    assert seen == [*records, sample_record(5000)]


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (RecordFilter(), [0, 1, 2]),
        (RecordFilter(run_id="run-1"), [1]),
        (RecordFilter(agent=NASTY), [2]),
        (RecordFilter(agent="agent-a", disposition=Disposition.FLAG), [0]),
        (RecordFilter(decided=False), [1]),
        (RecordFilter(triage=Triage.AUDIT_TARGET, decided=True), [0, 2]),
        (RecordFilter(policy_name="paper"), [2]),
        (RecordFilter(task_class=TaskClass.SEND), []),
        (RecordFilter(claim=Claim.SUCCESS, format_name="appagent", source="s"), [2]),
    ],
)
def test_a_filter_means_all_that_it_says(store: Store, wanted: RecordFilter, numbers: list[int]) -> None:
    other = sample_record(2, agent=NASTY, source="s", makers=sample_makers("paper"))
    records = [sample_record(0), triage_only(1), other]
    store.append_many(records)
    assert list(store.iter_records(wanted)) == [records[n] for n in numbers]


def test_an_audit_by_the_same_makers_is_found_and_a_broken_off_one_is_taken_up_again(store: Store) -> None:
    whole = sample_record(1)
    unclear = ClaimFinding(Claim.UNCLEAR, Basis.UNSTATED, (ClaimCause.UNAVAILABLE,), Language.EN)
    broken = sample_record(
        2,
        claim=ClaimFinding(
            unclear.claim, unclear.basis, unclear.causes, unclear.language, (), UnavailableCause.TIMEOUT
        ),
    )
    store.append_many([whole, broken])
    key = whole.makers.key()
    assert store.find_existing(whole.run_digest, key) == whole
    assert store.find_existing(whole.run_digest, sample_makers("paper").key()) is None
    assert store.find_existing(digest_text("another run"), key) is None
    assert store.find_existing(broken.run_digest, key) is None
    assert store.find_existing(broken.run_digest, key, complete_only=False) == broken


def test_a_kept_answer_is_read_back_and_the_first_one_stays(store: Store) -> None:
    answer = KeptAnswer(digest_text("q"), ProseSide.TRACE, "m", NASTY, '{"a": 1}', 3, 4)
    store.put_answer(answer)
    store.put_answer(KeptAnswer(answer.key, ProseSide.TRACE, "m", "another"))
    assert store.get_answer(answer.key) == answer
    assert store.get_answer(digest_text("another question")) is None


def test_a_record_that_is_not_whole_is_refused_and_nothing_of_it_is_stored(store: Store) -> None:
    good = sample_record(1)
    wrong: list[tuple[AuditRecord, str]] = [
        (sample_record(1, prose=good.prose[:2]), "its text is not kept"),
        (sample_record(1, prose=(*good.prose, Prose(digest_text("a"), ProseSide.TRACE, "b"))), "does not match"),
        (sample_record(1, audited_at="2026-01-31T09:30:00"), "audited_at"),
        (sample_record(1, audited_at="yesterday"), "yesterday"),
        (sample_record(1, audited_at="0001-01-01T00:00:00+14:00"), "outside the years"),
        (sample_record(1, seconds=float("nan")), "expected float"),
    ]
    for record, problem in wrong:
        with pytest.raises(RecordError, match=problem):
            store.append(record)
    assert store.stats().evidence == 0


def test_columns_hold_what_a_policy_needs(store: Store) -> None:
    one, ended = sample_record(0), triage_only(1)
    assert one.trace
    two = sample_record(
        2,
        trace=TraceFinding(one.trace.parts * 2),
        prose=one.prose,
        clauses=(),
        answer_check=AnswerCheck.CONTRADICTS,
        decision=sample_record(0).decision,
    )
    unavailable = sample_record(3, trace=TraceFinding((), unavailable=UnavailableCause.BUDGET))
    store.append_many([one, ended, two, unavailable])
    columns = store.columns()
    assert columns.record_ids == (one.record_id, two.record_id, unavailable.record_id)
    assert columns.task_class.tolist() == [list(TaskClass).index(TaskClass.CONFIGURE)] * 3
    assert columns.answer_check.tolist() == [0, list(AnswerCheck).index(AnswerCheck.CONTRADICTS), 0]
    assert columns.disposition.tolist() == [list(Disposition).index(Disposition.FLAG)] * 3
    assert columns.trace_unavailable.tolist() == [False, False, True]
    assert columns.part_record.tolist() == [0, 1, 1]
    values = list(FieldValue)
    assert columns.part_fields[FieldName.ACTION].tolist() == [values.index(FieldValue.YES)] * 3
    assert columns.part_fields[FieldName.FINAL_SUPPORT].tolist() == [values.index(FieldValue.NO)] * 3
    assert columns.part_prior.tolist() == [values.index(FieldValue.ABSENT)] * 3
    assert columns.part_cited[FieldName.ACTION].all() and not columns.part_cited[FieldName.COMMITMENT].any()
    assert store.columns(RecordFilter()).claim.tolist() == [0, NOTHING, 0, 0]
    assert store.columns(RecordFilter(run_id="none")).record_ids == ()


@given(st.lists(any_record(), min_size=1, max_size=3))
@settings(max_examples=25, deadline=None)
def test_columns_agree_with_the_records_themselves(tmp_path_factory: Any, records: list[Any]) -> None:
    with open_store(tmp_path_factory.mktemp("columns") / "a.db") as store:
        store.append_many(records)
        columns, part = store.columns(RecordFilter()), 0
        for place, record in enumerate(store.iter_records()):
            claim = list(Claim).index(record.claim.claim) if record.claim else NOTHING
            assert columns.claim[place] == claim
            assert columns.gaps[place] == bool(record.trace and record.trace.gaps)
            for evidence in record.trace.parts if record.trace else ():
                assert columns.part_record[part] == place
                for name, finding in evidence.fields():
                    assert columns.part_fields[name][part] == list(FieldValue).index(finding.value)
                    assert columns.part_cited[name][part] == bool(finding.citations)
                part += 1
        assert part == len(columns.part_record)


@pytest.mark.parametrize("table", ["audits", "evidence", "answers"])
@pytest.mark.parametrize("change", ["DELETE FROM {}", "UPDATE {} SET {} = 'x'"])
def test_what_is_stored_cannot_be_changed_or_deleted(store: Store, table: str, change: str) -> None:
    store.append(sample_record(1))
    store.put_answer(KeptAnswer(digest_text("q"), ProseSide.TRACE, "m", "raw"))
    column = {"audits": "agent", "evidence": "text", "answers": "model"}[table]
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        changed_by(store, change.format(table, column))


@pytest.mark.parametrize("table", ["audits", "evidence", "answers"])
def test_what_is_stored_cannot_be_replaced(store: Store, table: str) -> None:
    store.append(sample_record(1))
    store.put_answer(KeptAnswer(digest_text("q"), ProseSide.TRACE, "m", "raw"))
    column = {"audits": "agent", "evidence": "text", "answers": "model"}[table]
    columns = [row[1] for row in changed_by(store, f"PRAGMA table_info({table})")]
    values = ", ".join("'x'" if name == column else name for name in columns)
    assert changed_by(store, f"INSERT OR REPLACE INTO {table} SELECT {values} FROM {table}") == []
    assert verify(store).clean


def changed_by(store: Store, statement: str) -> list[Any]:
    """Run a statement as a person with another tool would, and return its rows."""
    connection = sqlite3.connect(store.place)
    try:
        with connection:
            return connection.execute(statement).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("done", range(len(MIGRATIONS)))
def test_every_earlier_store_is_brought_to_this_version_with_its_records(tmp_path: Path, done: int) -> None:
    path = tmp_path / "old.db"
    with open_store(tmp_path / "new.db") as new:
        new.append(sample_record(1))
    engine = create_engine(f"sqlite:///{path}")
    migrate(engine, "old", MIGRATIONS[:done])
    engine.dispose()
    if done:
        with sqlite3.connect(path) as old:
            old.execute("ATTACH ? AS new", (str(tmp_path / "new.db"),))
            for table in ("audits", "evidence"):
                names = ", ".join(row[1] for row in old.execute(f"PRAGMA main.table_info({table})"))
                old.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM new.{table}")
        old.close()
    with open_store(path) as store:
        assert [r.run_id for r in store.iter_records()] == ["run-1"] * bool(done)
        assert verify(store).clean
        store.append(sample_record(2))
        with store.engine.connect() as connection:
            names = connection.execute(text("SELECT name FROM tracewitness_migrations ORDER BY number")).scalars().all()
        assert list(names) == [migration.__name__ for migration in MIGRATIONS]


def test_a_migration_that_fails_leaves_the_store_of_the_earlier_number(tmp_path: Path) -> None:
    def failing(connection: Any) -> None:
        connection.execute(text("CREATE TABLE half (x)"))
        connection.execute(text("CREATE TABLE half (x)"))

    with open_store(tmp_path / "a.db") as store:
        store.append(sample_record(1))
        with pytest.raises(StoreUnreadableError):
            migrate(store.engine, store.place, (*MIGRATIONS, failing))
    with open_store(tmp_path / "a.db") as store:
        assert store.get("run-1") == sample_record(1)
        with store.engine.connect() as connection:
            assert "half" not in connection.execute(text("SELECT name FROM sqlite_master")).scalars().all()


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()


def _newer(path: Path) -> None:
    open_store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO tracewitness_migrations VALUES (?, 'later', '')", (len(MIGRATIONS) + 1,))
    connection.close()


def _with_holes(path: Path) -> None:
    open_store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM tracewitness_migrations WHERE number = 1")
    connection.close()


def _nothing(path: Path) -> None:
    assert not path.exists()


def _not_a_database(path: Path) -> None:
    path.write_text("this is no database, but a text that is long enough to be looked at " * 9, encoding="ascii")


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (_foreign, NotAStoreError, "not a tracewitness store"),
        (_newer, NewerStoreError, "upgrade tracewitness"),
        (_with_holes, NotAStoreError, "holes"),
        (_not_a_database, StoreUnreadableError, "not a database"),
        (Path.mkdir, StoreAddressError, "a folder; name a file in it"),
        (_nothing, StoreMissingError, "no store there"),
    ],
)
def test_what_is_not_a_store_is_told_in_one_line(
    tmp_path: Path, make: Any, error: type[StoreError], words: str
) -> None:
    path = tmp_path / "a.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(error, match=words) as caught:
        open_store(path, create=False)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else None) == before or make in {_newer, _with_holes}


@pytest.mark.parametrize(
    ("address", "error", "words"),
    [
        ("", StoreAddressError, "not a path"),
        ("a\0b", StoreAddressError, "not a path"),
        ("mysql://u:secret@h/d", StoreAddressError, "SQLite or PostgreSQL"),
        ("sqlite://", StoreAddressError, "kept in a file"),
        ("sqlite:///:memory:", StoreAddressError, "kept in a file"),
        ("://", StoreAddressError, "cannot be read"),
        ("postgresql+psycopg://h:port/d", StoreAddressError, "cannot be read"),
        ("postgresql+nodriver://u:secret@h/d", MissingDriverError, r"pip install 'tracewitness\[postgres\]'"),
        ("/proc/.tracewitness/a.db", StoreUnreadableError, "folder cannot be made"),
        ("/proc/nowhere/a.db", StoreMissingError, "make it, or name another place"),
    ],
)
def test_a_bad_address_is_told_in_one_line_without_its_password(
    address: str, error: type[StoreError], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        open_store(address)
    assert "secret" not in str(caught.value) and "\n" not in str(caught.value)


def test_a_store_held_by_another_process_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_store(path, busy_seconds=0.05) as store:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreLockedError, match="another process"):
            store.append(sample_record(1))
        assert store.stats().audits == 0  # readers do not wait
        holder.execute("ROLLBACK")
        holder.close()
        store.append(sample_record(1))


def test_a_store_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    open_store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE evidence")
    connection.close()
    with open_store(path) as store, pytest.raises(StoreUnreadableError, match="no such table: evidence"):
        store.append(sample_record(1))


def test_a_record_is_stored_once_for_each_run_and_its_makers_where_that_is_asked_for(store: Store) -> None:
    first = sample_record(1)
    later = replace(first, audited_at="2031-01-01T00:00:00Z")
    store.append_many([first, sample_record(2)], once=True)
    store.append_many([later], once=True)
    assert store.stats().audits == 2
    store.append_many([later])
    assert store.stats().audits == 3
    assert verify(store).clean


def test_only_a_complete_record_that_went_as_far_keeps_another_one_out(store: Store) -> None:
    whole = sample_record(1)
    assert whole.decision is not None
    assert whole.trace is not None
    unavailable = replace(
        whole,
        trace=replace(whole.trace, unavailable=UnavailableCause.TIMEOUT),
        decision=replace(whole.decision, evidence_unavailable=UnavailableCause.TIMEOUT),
    )
    triaged = replace(whole, claim=None, trace=None, decision=None, clauses=(), answers=())
    for record, stored in ((unavailable, 1), (triaged, 2), (whole, 3), (unavailable, 3), (triaged, 3), (whole, 3)):
        store.append_many([replace(record, audited_at=f"20{30 + stored}-01-01T00:00:00Z")], once=True)
        assert store.stats().audits == stored


def test_only_the_folder_of_stores_is_made(tmp_path: Path) -> None:
    with open_store(tmp_path / ".tracewitness" / "audits.db") as opened:
        assert opened.stats().audits == 0
    for missing in (tmp_path / "nonexist" / "x.db", tmp_path / "nonexist" / ".tracewitness" / "audits.db"):
        with pytest.raises(StoreMissingError, match="is not there; make it"):
            open_store(f"sqlite:///{missing}")
        assert not (tmp_path / "nonexist").exists()
