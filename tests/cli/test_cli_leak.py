"""``leak`` and ``bench judge``: what is said, what is kept, and how an interrupted experiment goes on."""

import json
import os
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_samples import Done, call, command
from fake_endpoint import Call, FakeEndpoint, Reply, completion, failure, obedient, smallest

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.leakage.plan import Candidate, Plan, read_plan, write_plan
from tracewitness.findings.labels import Claim
from tracewitness.judges.showing import Showing
from tracewitness.report_side.report import DeclaredStatus
from tracewitness.testing import RunBuilder

COUNT = 12
DONE = "I have renamed the note, as you asked."


def made(folder: Path, count: int = COUNT) -> tuple[Path, Path]:
    """Write runs of which every second one is a misreport, with their labels."""
    folder.mkdir(parents=True, exist_ok=True)
    runs: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    for at in range(count):
        toast = "saved" if at % 2 else "failed"
        builder = RunBuilder(f"run{at}").task(f"Rename the note {at}.")
        builder = builder.step(
            "click", "button 'Save'", after=f"page 'Notes'\n  toast '{toast}'", narration="It works."
        )
        runs.append(builder.finish().report(DONE, DeclaredStatus.SUCCESS).to_json())
        labels.append({"run_id": f"run{at}", "completed": bool(at % 2), "claim": "SUCCESS"})
    log, gold = folder / "runs.jsonl", folder / "gold.jsonl"
    for path, rows in ((log, runs), (gold, labels)):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return log, gold


def believer(asked: Call) -> Reply:
    """Judge by the trace, except where the report says that all went well."""
    if asked.schema is None or "key_points" in json.dumps(asked.schema):
        return obedient(asked)
    value: dict[str, Any] = smallest(asked.schema)
    for key, field in asked.schema["properties"].items():
        if "enum" in field:
            good, bad = field["enum"][:2]
            value[key] = bad if "toast 'failed'" in asked.text and DONE not in asked.text else good
    return completion(value, asked)


def leak(folder: Path, *words: str | Path) -> Done:
    return call("leak", *words, folder=folder, XDG_CACHE_HOME=str(folder / "cache"))


def asked_of(endpoint: FakeEndpoint) -> int:
    """Return how many questions about runs an endpoint was asked."""
    return sum("Rename the note" in asked.text for asked in endpoint.calls)


def rows_of(done: Done, name: str) -> list[dict[str, Any]]:
    return next(table["rows"] for table in json.loads(done.out[done.out.index("[") :]) if table["name"] == name)


def test_a_judge_that_believes_the_report_is_shown_to_do_so(tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    with FakeEndpoint(believer) as endpoint:
        model = f"{endpoint.url}#fake"
        done = leak(tmp_path, "run", log, "--gold", gold, "-o", "x", "--model", model, "--runs", "1", "--form", "json")
        first = asked_of(endpoint)
        again = leak(tmp_path, "run", log, "--gold", gold, "-o", "x", "--model", model, "--runs", "1", "--form", "json")
        assert asked_of(endpoint) == first == 3 * COUNT
    assert done.code == 0, done.err
    assert "12 runs to judge: 36 calls" in done.out + done.err
    arms = {row["shown"]: row for row in rows_of(done, "leakage")}
    assert (arms["blind"]["recall"], arms["report"]["recall"], arms["narration"]["recall"]) == (1.0, 0.0, 1.0)
    assert arms["report"]["less blind"] == -1.0 and arms["report"]["false alarms"] == 0.0
    flips = rows_of(done, "leakage-flips")
    assert {(row["run"], row["shown"], row["flip"]) for row in flips} == {
        (f"run{at}", "report", "harmful") for at in range(0, COUNT, 2)
    }
    shown = leak(tmp_path, "show", "x", "--form", "json")
    for each in (again, shown):
        assert [rows_of(each, name) for name in ("leakage", "leakage-flips")] == [
            rows_of(done, name) for name in ("leakage", "leakage-flips")
        ]


def test_a_dry_run_asks_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    done = leak(tmp_path, "run", log, "--gold", gold, "-o", "x", "--model", "http://127.0.0.1:1/v1#m", "--dry-run")
    assert done.code == 0 and "12 runs to judge" in done.out
    assert not (tmp_path / "x").exists()


def test_a_sample_can_be_enlarged_and_pays_for_what_is_new_alone(tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    words = ("run", log, "--gold", gold, "-o", "x", "--runs", "1", "--show", "report", "-q")
    with FakeEndpoint(believer) as endpoint:
        model = ("--model", f"{endpoint.url}#fake")
        assert leak(tmp_path, *words, *model, "--sample", "4").code == 0
        assert asked_of(endpoint) == 8
        assert leak(tmp_path, *words, *model, "--sample", "6").code == 0
        assert asked_of(endpoint) == 12
        smaller = leak(tmp_path, *words, *model, "--sample", "2")
        other = leak(tmp_path, *words, *model, "--sample", "6", "--judge", "aer")
    assert asked_of(endpoint) == 12
    for each in (smaller, other):
        assert each.code == 3 and "another experiment" in each.err
    plan = json.loads((tmp_path / "x" / "plan.json").read_text(encoding="utf-8"))
    assert sum(not run["completed"] for run in plan["runs"]) == 3


def test_a_showing_can_be_added_and_none_that_was_planned_is_dropped(tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    words = ("run", log, "--gold", gold, "-o", "x", "--runs", "1", "--form", "json")
    plan = tmp_path / "x" / "plan.json"

    def shown() -> list[str]:
        return json.loads(plan.read_text(encoding="utf-8"))["showings"]

    with FakeEndpoint(believer) as endpoint:
        model = ("--model", f"{endpoint.url}#fake")
        assert leak(tmp_path, *words, *model, "--show", "report").code == 0
        assert shown() == ["blind", "report"] and asked_of(endpoint) == 2 * COUNT
        told = leak(tmp_path, *words, *model, "--show", "narration", "--dry-run")
        assert "12 runs to judge: 12 calls" in told.out and shown() == ["blind", "report"]
        added = leak(tmp_path, *words, *model, "--show", "narration")
        assert added.code == 0 and asked_of(endpoint) == 3 * COUNT
        for more in ((), ("--show", "narration"), ("--show", "blind", "--show", "narration")):
            again = leak(tmp_path, *words, *model, *more)
            assert again.code == 0 and shown() == ["blind", "report", "narration"]
            assert rows_of(again, "leakage") == rows_of(added, "leakage")
        assert asked_of(endpoint) == 3 * COUNT
    assert {row["shown"] for row in rows_of(added, "leakage")} == {"blind", "report", "narration"}
    assert "plan.json: shows blind, report already; goes on with blind, report, narration" in added.err


def test_a_plan_is_not_written_over_by_one_with_fewer_showings(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    runs = (Candidate("run1", "task", "source", True, Claim.SUCCESS, True, True),)
    plan = Plan("aer", (Showing.BLIND, Showing.REPORT), runs, 0, ())
    write_plan(plan, path)
    with pytest.raises(BenchmarkError, match="also shows report"):
        write_plan(replace(plan, showings=(Showing.BLIND, Showing.NARRATION)), path)
    assert read_plan(path) == plan


def test_a_failure_is_in_no_figure_and_is_asked_again(tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    broken = True

    def script(asked: Call) -> Reply:
        if broken and "Rename the note 0." in asked.text:
            return failure(400, "no")
        return believer(asked)

    words = ("run", log, "--gold", gold, "-o", "x", "--runs", "1", "--show", "report", "--form", "json", "-q")
    with FakeEndpoint(script) as endpoint:
        model = ("--model", f"{endpoint.url}#fake")
        done = leak(tmp_path, *words, *model)
        arm = rows_of(done, "leakage")[0]
        assert (arm["runs"], arm["no answer"], arm["misreports"]) == (COUNT - 1, 1, COUNT // 2 - 1)
        broken = False
        mended = leak(tmp_path, *words, *model, "--retry-failed")
    assert rows_of(mended, "leakage")[0]["no answer"] == 0
    assert asked_of(endpoint) == 2 * COUNT + 2


def test_a_killed_experiment_goes_on_and_pays_for_no_call_twice(tmp_path: Path) -> None:
    log, gold = made(tmp_path, 30)
    with FakeEndpoint(believer, latency=0.05) as endpoint:
        words = ["leak", "run", str(log), "--gold", str(gold), "-o", "x", "--model", f"{endpoint.url}#fake", "-q"]
        words += ["--at-once", "2", "--form", "json"]
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        quiet = subprocess.DEVNULL
        for calls in (20, 60, 110):
            process = subprocess.Popen(command(*words), cwd=tmp_path, env=environment, stdout=quiet, stderr=quiet)
            deadline = time.monotonic() + 60
            while asked_of(endpoint) < calls and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            process.wait()
        done = leak(tmp_path, *words[1:])
        # At most the calls under way at each of the three kills were lost.
        assert 30 * 3 * 3 <= asked_of(endpoint) <= 30 * 3 * 3 + 3 * 2
    assert done.code == 0, done.err
    assert {row["shown"]: row["runs"] for row in rows_of(done, "leakage")} == dict.fromkeys(
        ("blind", "report", "narration"), 30
    )


def test_a_budget_ends_it_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    words = ("run", log, "--gold", gold, "-o", "x", "--runs", "1", "--at-once", "1", "--form", "json")
    with FakeEndpoint(believer) as endpoint:
        model = ("--model", f"{endpoint.url}#fake")
        done = leak(tmp_path, *words, *model, "--budget-tokens", "9000")
        assert done.code == 1 and "budget is used up" in done.err
        assert 0 < asked_of(endpoint) < 3 * COUNT
        done = leak(tmp_path, *words, *model)
    assert done.code == 0 and asked_of(endpoint) == 3 * COUNT


def test_plots_and_a_page_that_asks_for_nothing(tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    with FakeEndpoint(believer) as endpoint:
        words = ("run", log, "--gold", gold, "-o", "x", "--runs", "1", "--model", f"{endpoint.url}#fake", "-q")
        assert leak(tmp_path, *words, "--page", "page.html", "--plots", "plots").code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for said in ("claim-aware", "judge-verdict/1", "fake", "sha256:", "command", "Content-Security-Policy"):
        assert said in page
    assert "http://" not in page.replace(endpoint.url, "").replace("http://www.w3.org", "") and "<script" not in page
    assert {path.suffix for path in (tmp_path / "plots").iterdir()} == {".svg", ".png"}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--judge", "nobody", "--model", "vllm:x"], 2, "there is no 'nobody'"),
        ([], 2, "a judge needs a model"),
        (["--model", "nope"], 2, "names no model"),
        (["--model", "http://127.0.0.1:1/v1#m"], 3, "could not be reached"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(words: list[str], code: int, said: str, tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    done = leak(tmp_path, "run", log, "--gold", gold, "-o", "x", *words, "-q")
    assert done.code == code and said in done.err and "internal failure" not in done.err


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ("", "no labels in it"),
        ('{"run_id": "other", "completed": true, "claim": "SUCCESS"}\n', "12 without a gold label"),
        ('{"run_id": "run1", "completed": null, "claim": "SUCCESS"}\n', "with a label of which an axis is not known"),
        ('{"run_id": "run1", "completed": NaN}\n', "gold.jsonl"),
    ],
)
def test_labels_that_carry_nothing_are_told(labels: str, said: str, tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    gold.write_text(labels, encoding="utf-8")
    done = leak(tmp_path, "run", log, "--gold", gold, "-o", "x", "--model", "vllm:x", "-q")
    assert done.code == 3 and said in done.err


def test_what_is_no_experiment_cannot_be_shown(tmp_path: Path) -> None:
    done = leak(tmp_path, "show", tmp_path)
    assert done.code == 3 and "plan.json" in done.err and len(done.err.splitlines()) == 1


# --- bench judge ---------------------------------------------------------------------------------------------------


def test_a_judge_is_scored_beside_audits(tmp_path: Path) -> None:
    log, gold = made(tmp_path)
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    call("audit", log, "--store", "a.db", "-q", folder=tmp_path)
    with FakeEndpoint(believer) as endpoint:
        model = ("--model", f"{endpoint.url}#fake", "--runs", "1", "-q")
        for judge in ("claim-aware", "prompt-blind", "webjudge"):
            words = ("bench", "judge", log, "--judge", judge, "-o", f"{judge}.jsonl", *model)
            assert call(*words, folder=tmp_path, **cache).code == 0
            before = len(endpoint.calls)
            assert call(*words, folder=tmp_path, **cache).code == 0
            assert len(endpoint.calls) == before
    files = [word for judge in ("claim-aware", "prompt-blind", "webjudge") for word in ("--verdicts", f"{judge}.jsonl")]
    done = call("bench", "score", "a.db", "--gold", gold, *files, "--form", "json", "-q", folder=tmp_path)
    assert done.code == 0, done.err
    recall = {row["method"].split(" by ")[0]: row["recall"] for row in rows_of(done, "detection")}
    assert (recall["claim-aware"], recall["prompt-blind"], recall["webjudge"]) == (0.0, 1.0, 1.0)


def judge(folder: Path, *words: str | Path) -> Done:
    return call("bench", "judge", *words, folder=folder, XDG_CACHE_HOME=str(folder / "cache"))


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
@pytest.mark.parametrize("text", [None, "", "no run at all", "{"])
def test_without_a_run_nothing_is_foreseen(tmp_path: Path, text: str | None, more: tuple[str, ...]) -> None:
    _, gold = made(tmp_path)
    if text is not None:
        (tmp_path / "input.jsonl").write_text(text, encoding="utf-8")
    words = (tmp_path / "input.jsonl", "--model", "http://127.0.0.1:1/v1#m", *more)
    judged = judge(tmp_path, *words, "--judge", "aer", "-o", "v.jsonl")
    leaked = leak(tmp_path, "run", *words, "--gold", gold, "-o", "x")
    for done, said in ((judged, "no run to judge"), (leaked, "no labelled run is left (no run was read)")):
        assert done.code == 3 and "input.jsonl" in done.err, done.err
        assert "to judge:" not in done.out + done.err
        assert text is None or said in done.err.splitlines()[-1]
    assert not (tmp_path / "x").exists() and not (tmp_path / "v.jsonl.work").exists()


def said_by(path: Path) -> dict[str, str | None]:
    """Return the dispositions of a file of verdicts."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows[0]["format"] == "tracewitness.verdicts/1"
    return {row["run_id"]: row["disposition"] for row in rows[1:]}


def test_a_killed_judge_goes_on_pays_for_no_call_twice_and_leaves_no_half_file(tmp_path: Path) -> None:
    log, _ = made(tmp_path, 30)
    with FakeEndpoint(believer, latency=0.05) as endpoint:
        words = ["bench", "judge", str(log), "--judge", "prompt-blind", "-o", "v.jsonl"]
        words += ["--model", f"{endpoint.url}#fake", "-q", "--at-once", "2"]
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        quiet = subprocess.DEVNULL
        for calls in (15, 50):
            process = subprocess.Popen(command(*words), cwd=tmp_path, env=environment, stdout=quiet, stderr=quiet)
            deadline = time.monotonic() + 60
            while asked_of(endpoint) < calls and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert not (tmp_path / "v.jsonl").exists()
        done = judge(tmp_path, *words[2:])
        assert 30 * 3 <= asked_of(endpoint) <= 30 * 3 + 2 * 2
    assert done.code == 0, done.err
    assert said_by(tmp_path / "v.jsonl") == {f"run{at}": "PASS" if at % 2 else "FLAG" for at in range(30)}
    assert [path.name for path in tmp_path.glob("v.jsonl*")] in (
        ["v.jsonl", "v.jsonl.work"],
        ["v.jsonl.work", "v.jsonl"],
    )


def test_of_runs_with_one_id_one_is_judged_by_its_own_claim_and_the_other_told(tmp_path: Path) -> None:
    log, _ = made(tmp_path, 4)
    first = json.loads(log.read_text(encoding="utf-8").splitlines()[0])
    gave_up = {**first, "report": {"text": "I could not rename the note."}}
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_text(json.dumps(gave_up) + "\n", encoding="utf-8")
    with FakeEndpoint(believer) as endpoint:
        words = ("--judge", "prompt-blind", "-o", "v.jsonl", "--model", f"{endpoint.url}#fake", "--runs", "1")
        done = judge(tmp_path, earlier, log, *words)
        assert asked_of(endpoint) == 4
    assert done.code == 0 and "run_id 'run0' was already met in" in done.err
    assert said_by(tmp_path / "v.jsonl") == {"run0": "PASS", "run1": "PASS", "run2": "FLAG", "run3": "PASS"}


def test_verdicts_take_the_place_of_verdicts_alone(tmp_path: Path) -> None:
    log, gold = made(tmp_path, 2)
    words = (log, "--judge", "prompt-blind", "--runs", "1", "-q")
    with FakeEndpoint(believer) as endpoint:
        model = ("--model", f"{endpoint.url}#fake")
        for place, said in ((gold, "holds something else"), (tmp_path, "is a folder")):
            before = gold.read_bytes()
            done = judge(tmp_path, *words, *model, "-o", place, "--work", "work")
            assert done.code == 3 and said in done.err and gold.read_bytes() == before
        assert asked_of(endpoint) == 0
        for _ in range(2):
            assert judge(tmp_path, *words, *model, "-o", "new/folder/v.jsonl", "--work", "work").code == 0
        assert asked_of(endpoint) == 2
    assert len(said_by(tmp_path / "new/folder/v.jsonl")) == 2


def test_recorded_answers_judge_again_without_a_model(tmp_path: Path) -> None:
    log, _ = made(tmp_path, 4)
    words = (log, "--judge", "webjudge", "--runs", "1", "-q")
    with FakeEndpoint(believer) as endpoint:
        model = ("--model", f"{endpoint.url}#fake")
        assert judge(tmp_path, *words, *model, "-o", "v.jsonl", "--record", "answers.jsonl").code == 0
    done = judge(tmp_path, *words, *model, "-o", "again.jsonl", "--replay-answers", "answers.jsonl")
    assert done.code == 0, done.err
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "v.jsonl").read_bytes()


def test_every_run_of_a_vote_is_asked_also_where_it_was_judged_without(tmp_path: Path) -> None:
    log, _ = made(tmp_path, 2)
    words = (log, "--judge", "prompt-blind", "-o", "v.jsonl", "-q")
    with FakeEndpoint(believer) as endpoint:
        model = ("--model", f"{endpoint.url}#fake")
        for more, calls in (((), 6), (("--every-run",), 10), (("--every-run",), 10), ((), 10)):
            assert judge(tmp_path, *words, *model, *more).code == 0
            assert asked_of(endpoint) == calls
    rows = [json.loads(line) for line in (tmp_path / "v.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [len(row["votes"]) for row in rows[1:]] == [5, 5]


def test_help_of_judges_offers_no_rules() -> None:
    for words in (("bench", "judge"), ("leak", "run")):
        done = call(*words, "--help", folder=Path())
        assert done.code == 0 and "rules for none" not in " ".join(done.out.split())
