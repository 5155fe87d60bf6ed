"""Bad input gives one clear line each and never harms another run."""

import gzip
import json
import os
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_logs import (
    REGISTRY,
    SETTINGS,
    appagent,
    dump,
    failures,
    neutral,
    node,
    outcomes,
    runs,
    said,
    the_failure,
    the_run,
    write_lines,
)

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadJsonError, EncodingError, IntakeFailure
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.missing import tells_missing_files
from tracewitness.intake.reading import read_all
from tracewitness.intake.reading_files import decode, parse_json
from tracewitness.intake.sealed import SealedRun
from tracewitness.values.folding import printable

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
HALF = json.dumps(neutral("half"))[:80]


def with_screenshot(name: str) -> dict[str, Any]:
    return neutral(
        "bad", steps=[{"index": 1, "action": {"kind": "click"}, "before": {"text": "x", "screenshot": name}}]
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "the file is empty; record the run again"),
        (b" \n\n", "the file is blank"),
        (HALF.encode(), "the JSON ends in the middle of a value"),
        (LFS.encode(), "this is a Git LFS pointer, not the recorded file; fetch it with 'git lfs pull'"),
        (json.dumps(neutral(agent="é"), ensure_ascii=False).encode("latin-1"), "not UTF-8 text"),
        (b'{"format": "tracewitness.run/1", "note": "NaN", "x": -Infinity}', "key x: -Infinity is not JSON"),
        (b'{"format": "tracewitness.run/1", "run_id": "a", "run_id": "b"}', "key 'run_id' stands twice"),
        (b'{"format": "tracewitness.run/1", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"format": "tracewitness.run/1", "x": ' + b"9" * 10_000 + b"}", "holds a number that is too long"),
        (b'{"format": "tracewitness.run/1"} trailing', "not valid JSON"),
        (b'{"hello": 1}', "no reader takes it ("),
        (b"\x1f\x8bnot gzip at all", "the gzip data is damaged"),
    ],
)
@pytest.mark.parametrize("name", ["bad.json", "bad.jsonl"])
def test_one_bad_file(tmp_path: Path, name: str, content: bytes, expected: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert expected in the_failure(path).line()
    write_lines(tmp_path / "good.jsonl", [neutral("good")])
    assert [run.run_id for run in runs(path, tmp_path / "good.jsonl")] == ["good"]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "a.json",
            b'{"format": "tracewitness.run/1",\n "extra": {"a": [1, {"cost": NaN}]}}',
            "line 2, column 30, key extra.a[1].cost: NaN is not JSON",
        ),
        ("a.json", json.dumps(neutral()).encode("utf-16"), "a.json: this is UTF-16; convert it to UTF-8"),
        ("a.jsonl", json.dumps(neutral()).encode("utf-16"), "a.jsonl: this is UTF-16; convert it to UTF-8"),
        ("a.json", json.dumps(neutral()).encode("utf-16-le"), "this is UTF-16"),
        ("a.jsonl", json.dumps(neutral()).encode("utf-16-be"), "this is UTF-16"),
        ("a.json", json.dumps(neutral()).encode("utf-32"), "this is UTF-32"),
        ("log_x_task_y.txt", json.dumps(neutral()).encode("utf-16"), "this is UTF-16; convert it to UTF-8"),
        ("a.json", json.dumps(neutral()).encode()[1:], "line 1, column 9: not valid JSON"),
        ("a.json", b'"a text"', "no reader takes it"),
        ("a.json", b"[]", "no reader takes it"),
        ("a.jsonl", b"[]", "no line holds a JSON object"),
        ("a.json", b"hello", "not valid JSON"),
        ("a.txt", b"hello", "no reader takes it"),
        ("a.jsonl", b"hello", "not valid JSON"),
        ("a.json", b"\x89PNG\r\n\x1a\n\0\0", "this is binary data"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0", "no reader takes it"),
        ("a.jsonl", b"\x89PNG\r\n\x1a\n\0\0", "this is binary data"),
    ],
)
def test_files_of_another_kind(tmp_path: Path, name: str, content: bytes, expected: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert expected in the_failure(tmp_path / name).line()


@pytest.mark.parametrize("bad", [HALF, "{}", "NaN", '{"a": NaN}', "[1]", "null", "\x00\x01"])
def test_a_bad_line_leaves_the_other_lines_alone(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "runs.jsonl"
    good = [json.dumps(neutral(name)) for name in ("one", "two")]
    for lines in ([bad, *good], [good[0], bad, good[1]], [*good, bad]):
        path.write_text("\n".join(lines), "utf-8")
        assert [run.run_id for run in runs(path)] == ["one", "two"]
        found = failures(path)
        assert len(found) == 1
        assert f"line {lines.index(bad) + 1}" in found[0].line()


def test_a_batch_cut_at_every_line_and_in_every_line(tmp_path: Path) -> None:
    whole = "".join(json.dumps(neutral(name)) + "\n" for name in "abc").encode()
    path = tmp_path / "runs.jsonl"
    for end in range(1, len(whole), 29):
        path.write_bytes(whole[:end])
        found = outcomes(path)
        ended = whole[:end].count(b"\n") + whole[:end].endswith(b"}")
        assert len(runs(path)) in (ended, ended - whole[:end].endswith(b"}"))
        assert len(found) - len(runs(path)) <= 1


def test_duplicate_run_ids_name_both_places(tmp_path: Path) -> None:
    others = [neutral(name, report={"text": "Another report."}) for name in ("x", "y")]
    first = write_lines(tmp_path / "a.jsonl", [neutral("x")])
    second = write_lines(tmp_path / "b.jsonl", [others[0], neutral("y"), others[1]])
    assert [run.run_id for run in runs(first, second)] == ["x", "y"]
    lines = [one.line() for one in failures(first, second)]
    assert len(lines) == 2
    assert lines[0].startswith(f"{second}: run_id 'x' was already met in {first}")
    assert "run_id 'y' was already met in the same file" in lines[1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("/etc/passwd", "is not a relative path"),
        ("C:\\Windows\\x.png", "is not a relative path"),
        ("\\\\server\\x.png", "is not a relative path"),
        ("../x.png", "climbs out of the run's folder"),
        ("shots/../../x.png", "climbs out of the run's folder"),
        ("shots\\..\\..\\x.png", "climbs out of the run's folder"),
        ("link.png", "is a link out of the run's folder"),
        ("linked/x.png", "is a link out of the run's folder"),
    ],
)
def test_paths_that_leave_the_folder_are_refused(tmp_path: Path, name: str, expected: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.png").write_bytes(b"secret")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.png").symlink_to(outside / "x.png")
    (inside / "linked").symlink_to(outside)
    path = write_lines(inside / "runs.jsonl", [with_screenshot(name), neutral("good")])
    found = failures(path)
    assert len(found) == 1
    assert expected in found[0].line()
    assert found[0].run_id == "bad"
    assert [run.run_id for run in runs(path)] == ["good"]


def test_a_dump_path_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    steps = [{"index": 1, "action": {"kind": "click"}, "before": {"ui_tree": "../secret.xml"}}]
    assert "climbs out" in the_failure(write_lines(tmp_path / "r.jsonl", [neutral(steps=steps)])).line()


def test_a_missing_screenshot_is_a_notice(tmp_path: Path) -> None:
    run = the_run(write_lines(tmp_path / "r.jsonl", [with_screenshot("gone.png")]))
    assert run.trace.steps[0].before is not None
    assert run.trace.steps[0].before.screenshot is not None
    assert run.trace.steps[0].before.screenshot.digest is None
    assert run.notices == ("1 screenshot (gone.png) is missing or cannot be read",)
    assert run.trace.gaps == (), "the text shows the screen"


def test_missing_files_are_one_notice_a_kind_with_their_count(tmp_path: Path) -> None:
    steps = [
        {
            "index": at,
            "action": {"kind": "click"},
            "before": {"screenshot": f"{at}.png", "ui_tree": f"{at}.xml"},
            "after": {"screenshot": f"{at + 1}.png", "ui_tree": f"{at + 1}.xml"},
        }
        for at in range(1, 4)
    ]
    run = the_run(write_lines(tmp_path / "r.jsonl", [neutral(steps=steps)]))
    assert run.notices == (
        "4 screenshots (the first: 1.png) are missing or cannot be read",
        "4 UI dumps (the first: 1.xml) are missing or cannot be read",
    )
    assert all(map(tells_missing_files, run.notices))


def test_a_missing_screenshot_that_was_all_there_is_is_a_gap(tmp_path: Path) -> None:
    steps = [{"index": 1, "action": {"kind": "click"}, "before": {"screenshot": "gone.png"}}]
    run = the_run(write_lines(tmp_path / "r.jsonl", [neutral(steps=steps)]))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


@pytest.mark.parametrize("content", [b"", LFS.encode()])
def test_a_screenshot_that_is_no_picture_counts_as_missing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "gone.png").write_bytes(content)
    run = the_run(write_lines(tmp_path / "r.jsonl", [with_screenshot("gone.png")]))
    assert run.notices == ("1 screenshot (gone.png) is missing or cannot be read",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_devices_never_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    os.mkfifo(tmp_path / "pipe.json")
    run = the_run(write_lines(tmp_path / "r.jsonl", [with_screenshot("pipe.png")]))
    assert run.notices
    assert "not a plain file" in the_failure(tmp_path / "pipe.json").line()


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><hierarchy><node text="&c;"/></hierarchy>'
)
FILE_READ = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><hierarchy><node text="&a;"/></hierarchy>'


@pytest.mark.parametrize("content", [BOMB, FILE_READ])
def test_xml_bombs_are_refused(tmp_path: Path, content: str) -> None:
    bad = appagent(tmp_path, [said("tap(1)"), said("FINISH")], dumps=[SETTINGS, content], name="task_bad_1")
    good = appagent(tmp_path, [said("tap(1)"), said("FINISH")], name="task_good_1")
    found = the_failure(bad).line()
    assert "task_bad_1_2.xml: the UI dump declares a document type or entities" in found
    assert [run.run_id for run in runs(bad, good)] == ["task_good_1"]
    steps = [{"index": 1, "action": {"kind": "click"}, "before": {"ui_tree": content}}]
    assert "declares XML entities" in the_failure(write_lines(tmp_path / "r.jsonl", [neutral(steps=steps)])).line()


def test_a_deep_dump_is_a_gap(tmp_path: Path) -> None:
    deep = dump("<node bounds='[0,0][1,1]'>" * 5000 + "</node>" * 5000)
    run = the_run(appagent(tmp_path, [said("tap(1)")], dumps=[deep]))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


def test_a_large_dump_is_a_gap(tmp_path: Path) -> None:
    options = ReadOptions(Limits(dump=100))
    run = the_run(appagent(tmp_path, [said("tap(1)")]), options)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


@pytest.mark.parametrize("head", [b"", b"{", b'{"history": [', b"[\n", b'{"format": "tracewitness.run/1"}\n'])
def test_a_file_of_500_megabytes_is_refused_quickly(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.write(head)
        stream.truncate(500 * 1024 * 1024)
    started = time.monotonic()
    found = outcomes(path)
    assert len(found) == 1 or head.endswith(b"}\n")
    assert all(isinstance(one, IntakeFailure) for one in found)
    assert time.monotonic() - started < 5


def test_lines_are_streamed(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl.gz"
    long = neutral("x", report={"text": "word " * 20_000})
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as stream:
        for at in range(100):
            stream.write(json.dumps({**long, "run_id": str(at)}) + "\n")
    tracemalloc.start()
    try:
        count = sum(1 for run in outcomes_one_by_one(path) if run)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 100
    assert peak < 3 * 1024 * 1024, "ten megabytes of runs never stand in memory together"


def outcomes_one_by_one(path: Path) -> Iterator[bool]:
    return (isinstance(one, SealedRun) for one in read_all([path], REGISTRY))


def test_a_gzip_bomb_stops_at_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress((json.dumps(neutral("first")) + "\n").encode() + b" " * 5_000_000 + b"\n"))
    limits = Limits(line=4096, unpacked=1_000_000, document=10_000)
    found = outcomes(path, options=ReadOptions(limits))
    assert [one.line() for one in found if isinstance(one, IntakeFailure)][0].startswith(f"{path}: line 2: larger than")
    assert len(found) == 2


def test_five_thousand_steps(tmp_path: Path) -> None:
    steps = [
        {"index": at, "action": {"kind": "click", "raw": f"click({at})"}, "after": {"text": f"page {at}"}}
        for at in range(5000)
    ]
    run = the_run(write_lines(tmp_path / "r.jsonl", [neutral(steps=steps)]))
    assert len(run.trace.steps) == 5000
    limited = ReadOptions(Limits(steps=4999))
    assert "5000 steps, at most 4999 are read" in the_failure(tmp_path / "r.jsonl", options=limited).line()


def test_a_report_of_a_megabyte(tmp_path: Path) -> None:
    report = "The order was placed and confirmed. " * 30_000
    started = time.monotonic()
    run = the_run(write_lines(tmp_path / "r.jsonl", [neutral(report={"text": report})]))
    assert run.report.text == report
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("call", ["tap", "long_press"])
def test_absurd_numbers(tmp_path: Path, call: str) -> None:
    assert not the_run(appagent(tmp_path, [said(f"{call}({'9' * 5000})")])).trace.steps[0].action.executed


NASTY = "a\x1b]0;owned\x07\x1b[2J\u202eevil\u2066\u200b\x00b"


def test_control_and_bidi_characters_are_kept_in_the_data(tmp_path: Path) -> None:
    step = {"index": 1, "action": {"kind": "click", "raw": NASTY}, "before": {"text": NASTY, "ui_tree": NASTY}}
    values = neutral(NASTY, task={"instruction": NASTY}, steps=[{**step, "error": NASTY}], report={"text": NASTY})
    run = the_run(write_lines(tmp_path / "r.jsonl", [values]))
    assert run.run_id == run.task.instruction == run.report.text == run.trace.steps[0].error == NASTY
    assert run.trace.steps[0].action.raw == NASTY
    assert "\x1b" not in printable(NASTY)


def test_control_characters_never_reach_a_failure_line(tmp_path: Path) -> None:
    values = [
        neutral(NASTY),
        neutral(NASTY, report={"text": "Another."}),
        {**neutral("k"), NASTY: 1},
        with_screenshot(f"../{NASTY}"),
    ]
    folder = tmp_path / "\x1b[31mred"
    folder.mkdir()
    lines = [one.line() for one in failures(write_lines(folder / "r.jsonl", values))]
    assert len(lines) == 3
    for line in lines:
        assert not set(line) & set("\x1b\x07\x00\n\u202e\u2066\u200b")


def test_lone_surrogates_become_replacement_characters(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(neutral(report={"text": "PLACE \U0001f600"})).replace("PLACE", "\\ud83d x"), "utf-8")
    assert the_run(path).report.text == "\ufffd x \U0001f600"


def test_a_reader_that_fails_takes_no_other_run_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("secret words of a report")

    bad = appagent(tmp_path, [said("tap(1)")])
    good = write_lines(tmp_path / "good.jsonl", [neutral("good")])
    monkeypatch.setattr("tracewitness.intake.formats.appagent.read.read_log", broken)
    found = failures(bad, good)
    assert [one.kind for one in found] == ["internal"]
    assert "secret" not in found[0].line()
    assert [run.run_id for run in runs(bad, good)] == ["good"]


@given(st.binary(max_size=60))
def test_any_bytes_can_be_decoded_or_refused(content: bytes) -> None:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in content:
        return
    try:
        found = decode(content)
    except EncodingError:
        return
    if found.encoding == "utf-8":
        assert found.text.encode() in content or content.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_utf8_cut_in_its_last_character_stays_utf8(cut: int) -> None:
    assert decode("完成😀".encode()[:-cut]).encoding == "utf-8"


@settings(max_examples=50)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_strict_json_agrees_with_json(value: Any) -> None:
    written = json.dumps(value)
    if "\\ud" not in written:
        assert parse_json(written, strict=True) == value


@given(st.text(max_size=40))
def test_any_text_parses_or_gives_a_clear_error(written: str) -> None:
    try:
        parse_json(written, 7, strict=True)
    except BadJsonError as error:
        assert error.where.startswith("line ")


def test_the_tool_s_own_dumps_are_read(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said("tap(1)")], dumps=["\ufeff" + dump(node("ok", "[0,0][9,9]", clickable="true"))])
    assert the_run(folder).trace.steps[0].action.target == "ok"


def test_constants_of_python_loggers_are_read_as_nothing_where_the_format_is_not_our_own(tmp_path: Path) -> None:
    text = '{"reward": NaN, "cost": -Infinity, "long": 1e999, "count": 1.5}'
    assert parse_json(text) == {"reward": None, "cost": None, "long": None, "count": 1.5}
    path = tmp_path / "log.json"
    path.write_text(text, "utf-8")
    candidate = Candidate(path, path.name)
    assert candidate.sample == candidate.document == parse_json(text)
    with pytest.raises(BadJsonError, match="NaN is not JSON"):
        _ = candidate.strict_document
