import io
import json
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import NASTY, any_record, sample_decision, sample_makers, sample_record

from tracewitness.findings.decision import Decision
from tracewitness.findings.labels import Disposition
from tracewitness.store.errors import RecordError, StoreUnreadableError, TransferError
from tracewitness.store.record import AuditRecord, KeptAnswer, ProseSide
from tracewitness.store.store import Store, open_store
from tracewitness.store.transfer import export_jsonl, import_jsonl
from tracewitness.store.verify import Fault, verify
from tracewitness.values.digests import canonical_json, digest_text

ANSWER = KeptAnswer(digest_text("q"), ProseSide.TRACE, "m", NASTY, '{"a": 1}', 3, 4)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "audits.db") as opened:
        opened.append_many([sample_record(2), sample_record(1), sample_record(3, agent=NASTY)])
        opened.put_answer(ANSWER)
        yield opened


def tamper(store: Store, *statements: str) -> None:
    """Change a store as a forger would: take the guards away, change, put them back."""
    connection = sqlite3.connect(store.place)
    with connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, sql in guards:
            connection.execute(sql)
    connection.close()


def stored_columns(store: Store, table: str) -> list[str]:
    connection = sqlite3.connect(store.place)
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.close()
    return columns


def exported(store: Store) -> str:
    sink = io.StringIO()
    export_jsonl(store, sink)
    return sink.getvalue()


def test_an_untouched_store_is_clean_and_everything_was_looked_at(store: Store) -> None:
    seen: list[str] = []

    def rederive(record: AuditRecord) -> Decision | None:
        seen.append(record.run_id)
        return record.decision

    found = verify(store, rederive)
    assert found.clean
    assert (found.audits, found.evidence, found.answers) == (3, 7, 1)
    assert seen == ["run-2", "run-1", "run-3"]


@pytest.mark.parametrize(
    ("statement", "fault", "where"),
    [
        ("UPDATE audits SET body = replace(body, 'SUCCESS', 'UNCLEAR') WHERE seq = 2", Fault.DIGEST, "audits 2"),
        ("UPDATE audits SET body = replace(body, '0.25', '0.75') WHERE seq = 2", Fault.DIGEST, "audits 2"),
        ("UPDATE audits SET body = replace(body, ',', ', ') WHERE seq = 2", Fault.COLUMN, "audits 2"),
        ("UPDATE audits SET body = replace(body, '{', '[') WHERE seq = 2", Fault.UNREADABLE, "audits 2"),
        ("UPDATE audits SET body = CAST(x'FF' || body AS TEXT) WHERE seq = 2", Fault.UNREADABLE, "audits 2"),
        ("UPDATE audits SET body = 7 WHERE seq = 2", Fault.UNREADABLE, "audits 2"),
        ("UPDATE audits SET body = x'00' WHERE seq = 2", Fault.UNREADABLE, "audits 2"),
        ("UPDATE audits SET body = '{\"prose\":[[1]]}' WHERE seq = 2", Fault.UNREADABLE, "audits 2"),
        ("DELETE FROM audits WHERE seq = 2", Fault.MISSING_RECORD, "audits 2"),
        ("DELETE FROM audits WHERE seq = 3", Fault.MISSING_RECORD, "audits 3"),
        ("DELETE FROM audits WHERE seq < 3", Fault.MISSING_RECORD, "audits 1 to 2"),
        ("DELETE FROM evidence WHERE text LIKE 'Wi-Fi: off (1)'", Fault.MISSING_TEXT, "audits 2"),
        ("UPDATE evidence SET text = 'Wi-Fi: on (1)' WHERE text LIKE 'Wi-Fi: off (1)'", Fault.DIGEST, "evidence "),
        ("UPDATE evidence SET text = x'00' WHERE text LIKE 'Wi-Fi: off (1)'", Fault.UNREADABLE, "evidence "),
        ("UPDATE evidence SET side = 'report' WHERE side = 'trace'", Fault.MISSING_TEXT, "audits "),
        ("UPDATE answers SET body = replace(body, '4', '5')", Fault.DIGEST, "answers "),
        ("UPDATE answers SET body = 'x'", Fault.UNREADABLE, "answers "),
        ("DROP TRIGGER IF EXISTS audits_no_delete", None, ""),
    ],
)
def test_each_planted_corruption_is_found(store: Store, statement: str, fault: Fault | None, where: str) -> None:
    tamper(store, statement)
    found = verify(store, lambda record: record.decision)
    if fault is None:  # the guards were put back
        assert found.clean
    else:
        assert any(d.fault is fault and d.where.startswith(where) for d in found.disagreements), found


def test_a_change_of_any_single_column_is_found(store: Store) -> None:
    for table, one in (("audits", "WHERE seq = 1"), ("answers", "")):
        for column in set(stored_columns(store, table)) - {"seq"}:
            tamper(store, f"CREATE TABLE kept AS SELECT {column} AS old FROM {table} {one}")
            tamper(store, f"UPDATE {table} SET {column} = coalesce({column}, '') || 'x' {one}")
            assert not verify(store).clean, (table, column)
            tamper(store, f"UPDATE {table} SET {column} = (SELECT old FROM kept) {one}", "DROP TABLE kept")
            assert verify(store).clean, (table, column)


@pytest.mark.parametrize("guard", ["audits_no_delete", "evidence_no_update", "answers_no_replace"])
def test_a_guard_that_is_gone_is_found(store: Store, guard: str) -> None:
    connection = sqlite3.connect(store.place)
    connection.execute(f"DROP TRIGGER {guard}")
    connection.close()
    assert [(d.fault, d.where) for d in verify(store).disagreements] == [(Fault.GUARD, f"trigger {guard}")]


def test_a_flipped_byte_anywhere_in_the_file_is_found_or_harmless(tmp_path: Path) -> None:
    with open_store(tmp_path / "audits.db") as store:
        store.append_many(sample_record(n) for n in range(5))
        before = list(store.iter_records())
    whole = (tmp_path / "audits.db").read_bytes()
    found = 0
    for place in range(4096, len(whole), 997):
        damaged = tmp_path / f"{place}.db"
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            with open_store(damaged) as store:
                clean = verify(store).clean
                assert not clean or list(store.iter_records()) == before, place
                found += not clean
        except StoreUnreadableError:
            found += 1
    assert found > 5


def test_a_decision_that_the_policy_does_not_give_is_found(store: Store) -> None:
    def rederive(record: AuditRecord) -> Decision | None:
        if record.run_id == "run-3":
            return None  # its policy is not at hand
        makers = sample_makers() if record.run_id == "run-2" else sample_makers("paper")
        return sample_decision(Disposition.PASS if record.run_id == "run-2" else Disposition.FLAG, makers)

    problems = [(d.fault, d.where, d.problem) for d in verify(store, rederive).disagreements]
    assert problems == [
        (Fault.DECISION, "audits 1", "the policy gives PASS where FLAG is stored"),
        (Fault.DECISION, "audits 2", "the policy gives FLAG as stored, but for other reasons"),
    ]


@given(st.lists(any_record(), max_size=3), st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_export_import_export_is_byte_identical_whatever_the_order(
    tmp_path_factory: Any, records: list[Any], random: Any
) -> None:
    folder = tmp_path_factory.mktemp("transfer")
    with (
        open_store(folder / "one.db") as one,
        open_store(folder / "two.db") as two,
        open_store(folder / "3.db") as three,
    ):
        one.put_answer(ANSWER)
        one.append_many(records)
        count = export_jsonl(one, folder / "one.jsonl")
        taken = import_jsonl(two, folder / "one.jsonl")
        assert (taken.audits, taken.evidence, taken.answers) == (count.audits, count.evidence, count.answers)
        assert taken.new_audits == two.stats().audits == one.stats().audits
        export_jsonl(two, folder / "two.jsonl")
        random.shuffle(records)
        three.append_many(records)
        three.put_answer(ANSWER)
        whole = (folder / "one.jsonl").read_bytes()
        assert whole.isascii() and (folder / "two.jsonl").read_bytes() == whole == exported(three).encode("ascii")
        assert import_jsonl(two, exported(one).splitlines(keepends=True)).new_audits == 0
        assert verify(two).clean


def test_an_import_into_a_store_in_use_adds_what_is_new(store: Store, tmp_path: Path) -> None:
    with open_store(tmp_path / "other.db") as other:
        other.append_many([sample_record(1), sample_record(9)])
        assert import_jsonl(other, exported(store).splitlines(keepends=True)).new_audits == 2
        assert sorted(r.run_id for r in other.iter_records()) == ["run-1", "run-2", "run-3", "run-9"]
        assert verify(other).clean


def _edited(lines: list[str], number: int, **changes: Any) -> list[str]:
    return [*lines[:number], canonical_json({**json.loads(lines[number]), **changes}), *lines[number + 1 :]]


def _with_end(lines: list[str]) -> list[str]:
    """Forge the last line too."""
    body = lines[:-1]
    digest = sha256("".join(line + "\n" for line in body).encode("ascii")).hexdigest()
    return [*body, canonical_json({"kind": "end", "lines": len(body), "digest": f"sha256:{digest}"})]


def test_every_tampered_line_is_refused_by_number_and_nothing_is_taken(store: Store, tmp_path: Path) -> None:
    lines = exported(store).splitlines()
    last = len(lines) - 1
    audit = next(n for n, line in enumerate(lines) if '"kind":"audit"' in line)
    body = json.loads(lines[audit])["body"]
    changed = {**body, "seconds": 0.5}
    forged_id = {"body": changed, "digest": digest_text(canonical_json(changed))}
    wrong: list[tuple[list[str], int, str]] = [
        ([], 1, "cut off"),
        (lines[:-1], last + 1, "cut off"),
        (lines[:3], 4, "cut off"),
        ([*lines, lines[1]], last + 2, "after the last line"),
        (lines[1:], 1, "not an export"),
        (_edited(lines, 0, version=2), 1, "upgrade"),
        (_edited(lines, 0, form="other"), 1, "not an export"),
        (_edited(lines, 1, text="another text"), 2, "does not match its digest"),
        (_edited(lines, 1, side="grading"), 2, "ProseSide"),
        (_edited(lines, 1, more=1), 2, "unknown key"),
        (_edited(lines, 1, kind="other"), 2, "not a kept text"),
        (_edited(lines, audit, body=changed), audit + 1, "does not match its digest"),
        (_edited(lines, audit, **forged_id), last + 1, "lines were changed"),
        (_with_end([*lines[:1], *lines[2:]]), -1, "is not in the file"),
        ([*lines[:audit], *lines[audit + 1 :]], last, "lines were changed"),
        ([*lines[:1], lines[2], lines[1], *lines[3:]], last + 1, "lines were changed"),
        ([*lines[:2], lines[2][:40], *lines[3:]], 3, "damaged"),
        ([*lines[:2], lines[2].replace(",", ", "), *lines[3:]], 3, "not in the form"),
        ([*lines[:2], "[" * 100_000, *lines[3:]], 3, "damaged"),
        ([*lines[:2], '{"a":1,"a":1}', *lines[3:]], 3, "damaged"),
        ([*lines[:2], "", *lines[3:]], 3, "damaged"),
        ([*lines[:2], lines[2] + "\udcff", *lines[3:]], 3, "damaged"),
    ]
    with open_store(tmp_path / "fresh.db") as fresh:
        for content, number, problem in wrong:
            with pytest.raises(TransferError, match=problem) as caught:
                import_jsonl(fresh, content)
            assert caught.value.line == number or number == -1, problem
            assert str(caught.value).startswith(f"line {caught.value.line}: ")
        assert fresh.stats().evidence == fresh.stats().audits == fresh.stats().answers == 0
        assert import_jsonl(fresh, _with_end(lines)).audits == 3


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audits SET body = replace(body, '0.25', '0.75')",
        "UPDATE audits SET body = 'x'",
        "UPDATE audits SET body = x'00'",
        "UPDATE evidence SET text = text || 'x'",
        "UPDATE evidence SET text = x'00'",
        "DELETE FROM evidence",
    ],
)
def test_a_damaged_record_is_never_shown_as_if_it_were_whole(store: Store, statement: str) -> None:
    tamper(store, statement)
    for read in (lambda: store.get("run-1"), lambda: list(store.iter_records())):
        with pytest.raises(RecordError, match="store verify"):
            read()


def test_a_damaged_store_is_not_passed_on_as_whole(store: Store, tmp_path: Path) -> None:
    tamper(store, "UPDATE audits SET body = replace(body, '0.25', '0.75') WHERE seq = 2")
    with pytest.raises(RecordError, match="store verify"):
        export_jsonl(store, tmp_path / "out.jsonl")
    with open_store(tmp_path / "fresh.db") as fresh, pytest.raises(TransferError, match="cut off"):
        import_jsonl(fresh, tmp_path / "out.jsonl")


def test_a_file_that_cannot_be_opened_is_told_in_one_line(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreUnreadableError, match="cannot be written"):
        export_jsonl(store, tmp_path / "nowhere" / "out.jsonl")
    with pytest.raises(StoreUnreadableError, match="cannot be read"):
        import_jsonl(store, tmp_path / "none.jsonl")
