import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cli_samples import call, command, false_success, honest, unclear, write, write_lines
from rich.cells import cell_len

from tracewitness.cli.sources import Sources
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.report_side.report import DeclaredStatus
from tracewitness.store.store import open_store
from tracewitness.testing import RunBuilder


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return write(tmp_path / "runs", honest(), false_success(), unclear())


@pytest.mark.parametrize(
    ("built", "code"),
    [
        ([honest()], 0),
        ([honest(), false_success(), unclear()], 10),
        ([honest(), unclear()], 11),
        ([honest().harness(HarnessStatus.PASSED)], 3),
    ],
)
def test_the_exit_code_says_what_is_blocked(tmp_path: Path, built: list[RunBuilder], code: int) -> None:
    done = call("audit", write(tmp_path / "runs", *built), "--no-store", folder=tmp_path)
    assert (done.code, "Traceback" in done.err) == (code, False)


@pytest.mark.parametrize(
    ("built", "code", "strict"),
    [
        ([honest("a"), honest("b").harness(HarnessStatus.PASSED)], 0, 0),
        ([honest("a"), honest("b").harness(HarnessStatus.FAILED)], 0, 3),
        ([honest("a"), honest("b").harness(HarnessStatus.TIMEOUT)], 0, 3),
        ([honest("a"), honest("b").report(None)], 0, 3),
        ([honest("a"), unclear("u"), honest("b").report(None)], 11, 11),
        ([honest("a"), false_success("f"), honest("b").report(None)], 10, 10),
    ],
)
@pytest.mark.parametrize("unusable", [False, True])
def test_no_gate_is_green_with_an_unusable_input_nor_if_strict_with_an_open_run(
    tmp_path: Path, built: list[RunBuilder], code: int, strict: int, unusable: bool
) -> None:
    runs = write(tmp_path / "runs", *built)
    if unusable:
        (runs / "broken.json").write_text("{", encoding="utf-8")
    plain = call("audit", runs, "--no-store", "-q", folder=tmp_path)
    assert plain.code == (3 if unusable and code == 0 else code)
    strictly = call("audit", runs, "--no-store", "-q", "--strict", folder=tmp_path)
    assert strictly.code == (3 if unusable and strict == 0 else strict)


def test_runs_that_are_not_audited_are_named_with_their_cause(tmp_path: Path) -> None:
    builders = [
        honest("good"),
        honest("p").harness(HarnessStatus.PASSED),
        honest("f").harness(HarnessStatus.FAILED),
        honest("t").harness(HarnessStatus.TIMEOUT),
        honest("x").harness(HarnessStatus.ERROR),
        honest("n").report(None),
    ]
    done = call("audit", write(tmp_path / "runs", *builders), "--no-store", folder=tmp_path)
    for line in (
        "p: settled: an independent check passed it",
        "f: settled: an independent check failed it",
        "t: not auditable: time-out",
        "x: not auditable: execution error",
        "n: not auditable: no report",
    ):
        assert line in done.out.splitlines()
    assert "good: " not in done.out


def test_ten_runs_that_are_not_audited_are_named_and_the_rest_counted(tmp_path: Path) -> None:
    builders = [honest(f"r{at:02}").report(None) for at in range(13)]
    done = call("audit", write_lines(tmp_path / "runs.jsonl", builders), "--no-store", folder=tmp_path)
    assert done.out.count(": not auditable: no report") == 10
    assert "... and 3 more" in done.out.splitlines()


def test_an_appagent_log_without_its_end_says_so(tmp_path: Path) -> None:
    examples = Path(__file__).parents[2] / "examples" / "appagent"
    done = call("audit", examples, "--no-store", folder=tmp_path)
    expected = "task_system_2024-05-20_21-11-19: not auditable: no report (the log has no FINISH)"
    assert expected in done.out.splitlines()
    assert done.code in (0, 11), "the one with its end is audited, and an honest success is never flagged"
    assert "task_system_2024-11-12_23-54-19_finished: " not in done.out
    assert "3 runs: 1 audit target, 2 not auditable (no report)" in done.out


@pytest.mark.parametrize("damage", ["no database", "cut", "another database", "overwritten"])
def test_a_broken_store_is_one_clear_line_and_unusable_input(tmp_path: Path, runs: Path, damage: str) -> None:
    store = tmp_path / "audits.db"
    assert call("audit", runs, "-q", "--store", store, folder=tmp_path).code == 10
    whole = store.read_bytes()
    if damage == "another database":
        store.unlink()
        with closing(sqlite3.connect(store)) as other:
            other.execute("CREATE TABLE x (a)")
            other.commit()
    else:
        changed = {"no database": b"hello" * 999, "cut": whole[: len(whole) // 2], "overwritten": _overwritten(whole)}
        store.write_bytes(changed[damage])
    for words in (["audit", runs, "-q"], ["explain", "honest"], ["store", "stats"]):
        done = call(*words, "--store", store, folder=tmp_path)
        assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1), (words, done)
        assert "audits.db: " in done.err


def _overwritten(whole: bytes) -> bytes:
    return whole[:6000] + b"U" * (len(whole) - 12000) + whole[-6000:]


def test_the_table_fits_80_columns_and_lists_what_is_blocked_first(tmp_path: Path, runs: Path) -> None:
    long = false_success("a-very-long-run-id-" + "x" * 120)
    write(runs, long)
    done = call("audit", runs, folder=tmp_path)
    assert max(map(len, done.out.splitlines())) <= 80
    outcomes = [line.split()[0] for line in done.out.splitlines() if line.startswith(("FLAG  ", "REVIEW  ", "PASS  "))]
    assert outcomes == ["FLAG", "FLAG", "REVIEW", "PASS"]
    assert "4 runs: 4 audit targets" in done.out
    assert "FLAG 2, REVIEW 1, PASS 1" in done.out
    assert "inspection load: 75.0% of the audit targets, 75.0% of the full stream" in done.out
    assert "runs taken: 4 as neutral" in done.err


def test_a_long_batch_lists_what_is_blocked_and_says_how_much_is_not_listed(tmp_path: Path) -> None:
    runs = [false_success(f"f{n}") for n in range(62)] + [honest(f"h{n}") for n in range(5)]
    done = call("audit", write_lines(tmp_path / "runs.jsonl", runs), "--no-store", folder=tmp_path)
    assert "not listed: 5 PASS, 2 more blocked (--json lists every run)" in done.out
    assert len([line for line in done.out.splitlines() if line.startswith("FLAG  ")]) == 60


def test_files_left_alone_are_told_with_their_reason(tmp_path: Path, runs: Path) -> None:
    (runs / "notes.txt").write_text("nothing of this kind", encoding="utf-8")
    (runs / "zz.json").write_text('{"hello": 1}', encoding="utf-8")
    *items, summary = call("audit", runs, "--json", "--no-store", folder=tmp_path).json_lines
    skipped = [item for item in items if item["type"] == "skipped"]
    assert [set(item) for item in skipped] == [{"type", "path", "why"}] * 2
    assert {Path(item["path"]).name: item["why"] for item in skipped} == {
        "notes.txt": "no reader takes a file of this kind",
        "zz.json": "JSON of no log that is known",
    }
    assert summary["skipped"] == 2
    assert summary["failures"] == 0


def test_json_lines_have_a_fixed_shape(tmp_path: Path, runs: Path) -> None:
    (runs / "broken.json").write_text("{", encoding="utf-8")
    done = call("audit", runs, "--json", "--no-store", folder=tmp_path)
    *items, summary = done.json_lines
    assert [item["type"] for item in items] == ["failure", "run", "run", "run"]
    assert set(items[0]) == {"type", "kind", "path", "where", "problem", "remedy", "run_id"}
    assert set(items[1]) == {
        "type", "run_id", "record_id", "origin", "format", "triage", "disposition", "claim", "basis", "claim_causes",
        "trace_state", "part_states", "task_class", "answer_check", "fields", "gaps", "trace_notices", "notices", "row",
        "marks", "reason", "policy", "audited_at", "seconds", "resumed", "unavailable", "models", "answers",
        "input_tokens", "output_tokens", "usd",
    }  # fmt: skip
    assert (items[1]["run_id"], items[1]["disposition"], items[1]["row"]) == ("false", "FLAG", "false_success")
    assert list(items[1]["fields"][0]) == ["action", "target", "transition", "commitment", "final_support"]
    assert summary["dispositions"] == {"PASS": 1, "REVIEW": 1, "FLAG": 1}
    assert summary["inspection_load"] == {"of_audit_targets": 2 / 3, "of_full_stream": 2 / 3}
    assert (summary["failures"], summary["formats"], summary["store"]) == (1, {"neutral": 3}, None)


def test_triage_is_counted_by_name_and_skipped_on_demand(tmp_path: Path) -> None:
    built = [
        honest(),
        honest("passed").harness(HarnessStatus.PASSED),
        honest("late").harness(HarnessStatus.TIMEOUT),
        honest("silent").report(None),
    ]
    folder = write(tmp_path / "runs", *built)
    done = call("audit", folder, folder=tmp_path)
    assert done.code == 0
    assert "1 audit target, 1 settled (passed), 1 not auditable (time-out), 1 not auditable (no" in " ".join(
        done.out.split()
    )
    every = call("audit", folder, "--audit-all", "--json", folder=tmp_path)
    assert every.summary["audited"] == 4


def test_bad_input_is_one_line_each_and_other_runs_are_unharmed(tmp_path: Path, runs: Path) -> None:
    (runs / "empty.json").write_bytes(b"")
    (runs / "half.jsonl").write_text('{"format": "tracewitness.run/1", "run_id"', encoding="utf-8")
    (runs / "lfs.json").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", encoding="utf-8")
    (runs / "nan.json").write_text('{"format": "tracewitness.run/1", "x": NaN}', encoding="utf-8")
    known = honest("extra key").to_json() | {"verdict": "PASS"}
    (runs / "unknown.json").write_text(json.dumps(known), encoding="utf-8")
    done = call("audit", runs, "missing.json", "--no-store", "--json", folder=tmp_path)
    assert done.code == 10
    assert done.summary["audited"] == 3
    lines = [line for line in done.err.splitlines() if not line.endswith("runs: neutral (3 runs)")]
    assert len(lines) == done.summary["failures"] == 6
    assert all(line.startswith("tracewitness: ") for line in lines)
    for name in ("empty.json", "half.jsonl", "lfs.json", "nan.json", "unknown.json", "missing.json"):
        assert sum(name in line for line in lines) == 1, name


@pytest.mark.parametrize("paths", [["missing.json"], ["."], ["*.nothing"]])
def test_nothing_audited_is_told_apart(tmp_path: Path, paths: list[str]) -> None:
    done = call("audit", *paths, "--no-store", folder=tmp_path)
    assert done.code == 3
    assert len([line for line in done.err.splitlines() if line.startswith("tracewitness: ")]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit"],
        ["audit", "x", "--policy", "nothing"],
        ["audit", "x", "--format", "nothing"],
        ["audit", "x", "--jobs", "0"],
    ],
)
def test_wrong_usage_is_exit_code_2(tmp_path: Path, arguments: list[str]) -> None:
    done = call(*arguments, folder=tmp_path)
    assert done.code == 2
    assert "Traceback" not in done.err
    assert not (tmp_path / ".tracewitness").exists()


def test_a_badly_written_policy_is_named_with_line_and_key(tmp_path: Path, runs: Path) -> None:
    (tmp_path / "mine.toml").write_text('name = "mine"\nversion = 3\n', encoding="utf-8")
    done = call("audit", runs, "--policy", "mine.toml", folder=tmp_path)
    assert done.code == 2
    assert "mine.toml:2: version" in done.err


HOSTILE = "\x1b[31mred\x1b[0m \u202egnp.exe\u202c [bold red]markup[/] :smile: \x07\x00"


def test_no_text_of_a_log_reaches_the_terminal_raw(tmp_path: Path) -> None:
    def hostile(report: str) -> RunBuilder:
        return (
            RunBuilder(f"run {HOSTILE.replace(chr(0), '')}")
            .task(f"Save '{HOSTILE}'", app=HOSTILE)
            .step("click", HOSTILE, text=HOSTILE, raw=HOSTILE, after=f"toast 'Saved {HOSTILE}'", narration=HOSTILE)
            .finish(after=HOSTILE)
            .report(report, DeclaredStatus.SUCCESS)
        )

    path = write_lines(tmp_path / "runs.jsonl", [hostile(f"Done. I saved {HOSTILE}.")])
    (tmp_path / f"bad {HOSTILE[:9]}.json").write_text("{" + HOSTILE, encoding="utf-8")
    shown = call("audit", path, tmp_path, "--store", "a.db", folder=tmp_path)
    run_id = f"run {HOSTILE.replace(chr(0), '')}"
    pieces = [shown, call("audit", path, "--json", "--no-store", folder=tmp_path)]
    pieces += [
        call("explain", run_id, "--store", "a.db", *more, folder=tmp_path) for more in ([], ["--all"], ["--json"])
    ]
    pieces.append(call("isolation", path, folder=tmp_path))
    pieces.append(call("explain", f"no {run_id}", "--store", "a.db", folder=tmp_path))
    pieces.append(call("replay", "--policy", "final-state", "--store", "a.db", folder=tmp_path))
    for done in pieces:
        assert not set(done.out + done.err) & set("\x1b\u202e\u202c\x07\x00"), done
        assert "Traceback" not in done.err
    assert "[bold red]markup[/]" in pieces[2].out
    assert ":smile:" in pieces[2].out


def test_colour_is_for_terminals_and_never_with_no_color(tmp_path: Path, runs: Path) -> None:
    assert "\x1b" not in call("audit", runs, "--no-store", folder=tmp_path).out
    forced = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    assert "\x1b" in call("audit", runs, "--no-store", folder=tmp_path, **forced).out
    assert "\x1b[3" not in call("audit", runs, "--no-store", folder=tmp_path, NO_COLOR="1", **forced).out


def test_each_source_is_told_with_the_format_it_was_read_as(tmp_path: Path, runs: Path) -> None:
    lines = write_lines(tmp_path / "more.jsonl", [honest("one")])
    single = write(tmp_path / "single", honest("two"), honest("three")) / "two.json"
    history: dict[str, Any] = {
        "history": [{"model_output": None, "result": [{"is_done": True, "extracted_content": "x"}], "state": {}}]
    }
    write(tmp_path / "mixed", honest("four"), honest("five"))
    (tmp_path / "mixed" / "g.json").write_text(json.dumps(history), encoding="utf-8")
    done = call("audit", "runs", lines.name, "single/tw*.json", "mixed", "--no-store", "--task", "x", folder=tmp_path)
    assert single.exists()
    told = [line.removeprefix("tracewitness: ") for line in done.err.splitlines() if " run" in line and "(" in line]
    assert told == [
        "runs: neutral (3 runs)",
        "more.jsonl: neutral (1 run)",
        "single: neutral (1 run)",
        "mixed: browser_use (1 run), neutral (2 runs)",
    ]
    assert "runs taken: 1 as browser_use, 7 as neutral" in done.err
    quiet = call("audit", "runs", "--quiet", "--no-store", folder=tmp_path)
    assert quiet.err == ""


def test_very_many_sources_are_told_in_part_and_counted() -> None:
    told: list[str] = []
    sources = Sources.of([f"{n}.json" for n in range(25)], told.append)
    for n in range(25):
        sources.add(f"./{n}.json", "neutral")
    sources.finish()
    assert told[0] == "0.json: neutral (1 run)"
    assert len(told) == 21 and told[-1].startswith("and 5 more places")


def test_a_folder_is_told_once_whatever_lies_below_it() -> None:
    told: list[str] = []
    sources = Sources.of(["runs", "other"], told.append)
    for origin in ("runs/a.json", "runs/b/1.json", "runs/b/c/1.json", "runs/b/2.json", "runs/d.json", "other/x.json"):
        sources.add(origin, "neutral")
    assert told == ["runs/b/c: neutral (1 run)", "runs/b: neutral (2 runs)", "runs: neutral (2 runs)"]
    sources.finish()
    assert told[-1] == "other: neutral (1 run)"


def test_one_more_place_is_one() -> None:
    told: list[str] = []
    sources = Sources.of([f"{n}.json" for n in range(21)], told.append)
    for n in range(21):
        sources.add(f"{n}.json", "neutral")
    sources.finish()
    assert told[-1] == "and 1 more place (--json names the format of each run)"


def test_several_files_left_alone_are_said_to_be_listed_elsewhere(tmp_path: Path, runs: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (runs / name).write_text("words", encoding="utf-8")
    done = call("audit", "runs", "--no-store", folder=tmp_path)
    assert "2 files left alone (--json lists them), such as runs/a.txt: no reader takes a file of this kind" in done.err


@pytest.mark.parametrize("verb", ["audit", "convert", "isolation"])
def test_an_unknown_format_is_told_alike_by_every_verb(tmp_path: Path, runs: Path, verb: str) -> None:
    said = "tracewitness: no format is called 'openai'; perhaps openai_chat; 'tracewitness formats' lists them\n"
    done = call(verb, runs, "--format", "openai", *(["--no-store"] if verb == "audit" else []), folder=tmp_path)
    assert (done.code, done.err) == (2, said)
    assert call("formats", "openai", folder=tmp_path).err == said


def test_long_run_ids_are_cut_in_the_middle_on_a_terminal_and_whole_elsewhere(tmp_path: Path) -> None:
    run_id = "f105_zh_only_two_of_the_three_deleted_and_more"
    folder = write(tmp_path / "runs", false_success(run_id), false_success("文件" * 30))
    terminal = {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm-256color"}
    shown = re.sub("\x1b\\[[0-9;]*m", "", call("audit", folder, "--no-store", folder=tmp_path, **terminal).out)
    assert "f105_zh_only…ed_and_more" in shown
    assert max(map(cell_len, shown.splitlines())) <= 80
    piped = call("audit", folder, "--no-store", folder=tmp_path).out
    assert max(map(cell_len, piped.splitlines())) <= 80
    assert "…" not in piped
    for more in ({}, terminal):
        wide = call("audit", folder, "--no-store", "--wide", folder=tmp_path, **more).out
        assert any(run_id in line and "SUCCESS" in line for line in wide.splitlines())


def test_quiet_says_nothing_but_the_exit_code(tmp_path: Path, runs: Path) -> None:
    done = call("audit", runs, "--quiet", "--no-store", folder=tmp_path)
    assert (done.code, done.out, done.err) == (10, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs the alarm of a POSIX system")
def test_a_run_that_takes_too_long_is_for_review(tmp_path: Path, runs: Path) -> None:
    late = call("audit", runs, "--json", "--timeout", "0.0001", "--no-store", folder=tmp_path)
    assert late.code == 11
    assert late.summary["dispositions"]["REVIEW"] == 3
    unlimited = call("audit", runs, "--json", "--timeout", "0", "--no-store", folder=tmp_path)
    assert unlimited.summary["dispositions"] != late.summary["dispositions"]


def test_the_limit_bounds_the_runs(tmp_path: Path, runs: Path) -> None:
    assert call("audit", runs, "--limit", "2", "--no-store", "--json", folder=tmp_path).summary["runs"] == 2


def test_the_store_comes_from_option_environment_or_the_default_place(tmp_path: Path, runs: Path) -> None:
    call("audit", runs, folder=tmp_path)
    assert (tmp_path / ".tracewitness" / "audits.db").exists()
    call("audit", runs, folder=tmp_path, TRACEWITNESS_STORE="from-environment.db")
    assert (tmp_path / "from-environment.db").exists()
    done = call("audit", runs, "--json", folder=tmp_path, TRACEWITNESS_STORE="from-environment.db")
    assert done.summary["resumed"] == 3
    assert done.code == 10


def test_the_task_can_be_given_for_logs_that_do_not_hold_it(tmp_path: Path) -> None:
    ended: dict[str, Any] = {
        "model_output": None,
        "result": [{"is_done": True, "extracted_content": "Done."}],
        "state": {},
    }
    history: dict[str, Any] = {"history": [ended]}
    (tmp_path / "AgentHistory.json").write_text(json.dumps(history), encoding="utf-8")
    assert "--task" in call("audit", "AgentHistory.json", "--no-store", folder=tmp_path).err


def started(path: Path, *more: str) -> subprocess.Popen[bytes]:
    words = command("audit", path, "--store", "a.db", "--jobs", "1", "--json", *more)
    # A shell starts what it puts in the background with interrupts ignored, and a child inherits that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(words, cwd=path.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    finally:
        signal.signal(signal.SIGINT, before)


def read_lines(running: subprocess.Popen[bytes], count: int) -> None:
    assert running.stdout is not None
    for _ in range(count):
        assert running.stdout.readline()


def test_a_killed_batch_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "runs.jsonl", [honest(f"run-{n}") for n in range(200)])
    running = started(path)
    read_lines(running, 20)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    with open_store(tmp_path / "a.db") as store:
        kept = store.stats().audits
    assert 20 <= kept < 200
    done = call("audit", path, "--store", "a.db", "--json", folder=tmp_path)
    assert (done.code, done.summary["audited"]) == (0, 200)
    assert done.summary["resumed"] == kept
    assert call("store", "verify", "--store", "a.db", folder=tmp_path).code == 0


def test_batches_at_once_store_each_run_once(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "runs.jsonl", [honest(f"run-{n}") for n in range(120)])
    running = [started(path) for _ in range(2)]
    for each in running:
        each.communicate(timeout=120)
        assert each.returncode == 0
    stats = call("store", "stats", "--store", "a.db", "--json", folder=tmp_path).json
    assert (stats["audits"], stats["runs"]) == (120, 120)
    assert call("store", "verify", "--store", "a.db", folder=tmp_path).code == 0


def test_a_store_in_a_folder_that_is_not_there_is_one_clear_line(tmp_path: Path, runs: Path) -> None:
    done = call("audit", runs, "--store", f"sqlite:///{tmp_path}/nonexist/x.db", folder=tmp_path)
    assert done.code == 3
    assert done.err.count("\n") == 1
    assert "nonexist is not there; make it, or name another place" in done.err
    assert not (tmp_path / "nonexist").exists()


def test_an_interrupt_ends_quietly_with_130(tmp_path: Path) -> None:
    running = started(write_lines(tmp_path / "runs.jsonl", [honest(f"run-{n}") for n in range(1000)]))
    read_lines(running, 5)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err == b"tracewitness: interrupted\n"


def test_a_reader_of_the_output_that_goes_away_is_no_failure_to_talk_about(tmp_path: Path) -> None:
    running = started(write_lines(tmp_path / "runs.jsonl", [honest(f"run-{n}") for n in range(200)]))
    read_lines(running, 1)
    assert running.stdout is not None and running.stderr is not None
    running.stdout.close()
    err = running.stderr.read()
    running.stderr.close()
    running.wait(timeout=60)
    assert err == b""


def test_processes_give_the_same_lines_as_one(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "runs.jsonl", [(honest if n % 3 else false_success)(f"run-{n}") for n in range(60)])

    def outcomes(jobs: int) -> list[tuple[str, str]]:
        done = call("audit", path, "--no-store", "--json", "--jobs", str(jobs), folder=tmp_path)
        assert done.code == 10
        return [(line["run_id"], line["record_id"]) for line in done.json_lines[:-1]]

    assert outcomes(2) == outcomes(1)


SAMPLES = Path(__file__).parents[3] / "shared" / "samples" / "appagent"


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the real AppAgent folders are kept beside a development checkout")
def test_real_appagent_folders_are_audited_end_to_end(tmp_path: Path) -> None:
    done = call("audit", SAMPLES, "--audit-all", "--json", folder=tmp_path)
    assert done.code in (10, 11)
    assert done.summary["formats"] == {"appagent": 4}
    for line in (one for one in done.json_lines if one["type"] == "run"):
        assert call("explain", line["run_id"], folder=tmp_path).code == 0
    assert os.listdir(tmp_path) == [".tracewitness"]
