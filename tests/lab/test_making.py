"""``lab make``: the same seed gives the same runs, an interrupted one goes on, and nothing is left running."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lab.stage import CHROMIUM
from tracewitness.lab.kinds.catalogue import KINDS
from tracewitness.lab.making.drawing import Choice, draw
from tracewitness.lab.making.made import LabFolder, RunTruth
from tracewitness.lab.words.languages import LANGUAGES

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
    pytest.mark.xdist_group("lab"),
]

RUNS = 5
SECONDS = 240
_PORT = re.compile(r"127\.0\.0\.1:\d+")
_MARK = "TRACEWITNESS_TEST_LAB"


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "tracewitness", "lab", *words]


def lab(*words: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> LabFolder:
    root = tmp_path_factory.mktemp("lab") / "made"
    lab("make", "-o", str(root), "--runs", str(RUNS), "--seed", "31", "--workers", "1", "--orders", "0")
    return LabFolder(root)


def truths(folder: LabFolder) -> dict[str, RunTruth]:
    return {one.run_id: one for one in folder.truths()}


def bare(folder: LabFolder, run_id: str) -> Any:
    """Return a recording without times and ports."""
    text = _PORT.sub("HOST", (folder.recording(run_id) / "recording.json").read_text("utf-8"))
    document = json.loads(text)
    for action in document["actions"]:
        action["moment"] = None
    return document


def test_every_run_has_its_log_its_label_and_its_truth(made: LabFolder) -> None:
    known = truths(made)
    assert sorted(known) == [f"lab-31-{n:05}" for n in range(RUNS)]
    gold = [json.loads(line) for line in made.gold.read_text("utf-8").splitlines()]
    assert {one["run_id"]: one["completed"] for one in gold} == {run: one.completed for run, one in known.items()}
    for run_id in known:
        run = json.loads((made.logs("all", "neutral") / run_id / "run.json").read_text("utf-8"))
        assert run["run_id"] == run_id
        assert run["steps"]
        pictures = list((made.logs("all", "neutral") / run_id / "pictures").iterdir())
        assert len(pictures) == len(json.loads((made.recording(run_id) / "recording.json").read_text("utf-8"))["seen"])


def test_no_log_says_what_kind_of_run_it_is(made: LabFolder) -> None:
    for run_id, one in truths(made).items():
        text = (made.logs("all", "neutral") / run_id / "run.json").read_text("utf-8")
        assert f'"{one.kind}"' not in text
        assert not any(reason in text for reason in one.reasons)
        assert "data-lab" not in text


def test_the_same_seed_gives_the_same_runs_and_orders_change_no_more(made: LabFolder, tmp_path: Path) -> None:
    root = tmp_path / "again"
    lab("make", "-o", str(root), "--runs", "3", "--seed", "31", "--workers", "2", "--orders", "1")
    again = LabFolder(root)
    for run_id, one in truths(again).items():
        first = truths(made)[run_id]
        assert (one.kind, one.app, one.language, one.outcome, one.claim, one.reasons) == (
            first.kind,
            first.app,
            first.language,
            first.outcome,
            first.claim,
            first.reasons,
        )
        assert one.order is not None
        before, after = bare(made, run_id), bare(again, run_id)
        assert before["report"] == after["report"]
        assert before["task"] == after["task"]
        acted = [
            [(action["act"], action["target"], action["text"]) for action in run["actions"]] for run in (before, after)
        ]
        assert acted[0] == acted[1]


def processes() -> list[int]:
    """Return the processes that carry the mark of this test in their environment."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                marked = f"{_MARK}=".encode() in (entry / "environ").read_bytes()
            except OSError:
                continue
            found += [int(entry.name)] if marked else []
    return found


@pytest.fixture
def begun(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    words = command("make", "-o", str(tmp_path / "lab"), "--runs", "4", "--seed", "31", "--workers", "2", "-q")
    process = subprocess.Popen(words, env={**os.environ, _MARK: "1"}, start_new_session=True)
    yield process
    for left in processes():
        os.kill(left, signal.SIGKILL)
    process.wait()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_after_a_kill_nothing_runs_on_and_the_lab_goes_on(
    begun: "subprocess.Popen[bytes]", how: signal.Signals, tmp_path: Path
) -> None:
    folder = LabFolder(tmp_path / "lab")
    deadline = time.monotonic() + SECONDS
    while not (folder.truth.exists() and folder.truth.read_text("utf-8").count("\n") >= 1):
        assert time.monotonic() < deadline
        assert begun.poll() is None
        time.sleep(0.05)
    os.kill(begun.pid, how)
    begun.wait(60)
    while processes() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not processes()
    done = set(truths(folder))
    kept = {run: (folder.recording(run) / "recording.json").stat().st_mtime_ns for run in done}
    lab("make", "-o", str(folder.root), "--runs", "4", "--seed", "31", "--workers", "1", "-q")
    assert len(truths(folder)) == 4
    for run, stamp in kept.items():
        assert (folder.recording(run) / "recording.json").stat().st_mtime_ns == stamp


def test_another_lab_s_folder_is_left_alone(made: LabFolder, tmp_path: Path) -> None:
    told = lab("make", "-o", str(made.root), "--runs", "1", "--seed", "32", code=3)
    assert "holds a lab of another seed" in told.stderr
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    told = lab("make", "-o", str(tmp_path), "--runs", "1", code=3)
    assert "is no lab's folder and not empty" in told.stderr


def test_logs_of_other_profiles_and_formats_are_made_without_a_browser(made: LabFolder) -> None:
    lab("logs", str(made.root), "--profile", "cut", "--profile", "text", "--format", "atif", "--format", "osworld")
    assert {path.name for path in (made.root / "logs").iterdir()} == {"all", "cut", "text"}
    assert len(list(made.logs("text", "atif").iterdir())) == RUNS


def test_audits_of_the_logs_are_scored(made: LabFolder, tmp_path: Path) -> None:
    store = str(tmp_path / "audits.db")
    words = [sys.executable, "-m", "tracewitness", "audit", str(made.logs("all", "neutral")), "--store", store, "-q"]
    assert subprocess.run(words, check=False, timeout=SECONDS, capture_output=True).returncode in {0, 10, 11}
    told = json.loads(lab("score", str(made.root), "--store", store, "--form", "json").stdout)
    text = json.dumps(told)
    assert "rules (default)" in text
    assert all(one in text for one in ("flag all", "pass all", "keyword", "declared flag"))


@pytest.mark.parametrize("words", [("--kind", "nothing"), ("--language", "xx"), ("--app", "bank"), ("--profile", "x")])
def test_what_does_not_exist_is_refused_with_what_does(tmp_path: Path, words: tuple[str, str]) -> None:
    told = lab("make", "-o", str(tmp_path / "x"), *words, code=2)
    assert re.search(r"there is no \w+ '\w+'; there are ", told.stderr)


def test_a_named_kind_that_the_chosen_apps_cannot_have_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    named = [word for kind in ("lying_toast", "by_draft", "toggled_twice") for word in ("--kind", kind)]
    told = lab("make", "-o", str(tmp_path / "x"), "--app", "contacts", *named, code=2)
    assert told.stderr == "tracewitness: cannot be made in contacts: by_draft, toggled_twice\n"
    assert not (tmp_path / "x").exists()


def test_kinds_that_the_chosen_apps_cannot_have_are_left_out_and_told(tmp_path: Path) -> None:
    done = lab("make", "-o", str(tmp_path / "x"), "--app", "contacts", "--runs", "1", "--workers", "1", "-q")
    left_out = re.fullmatch(r"tracewitness: left out, as they cannot be made in contacts: (.*)\n", done.stderr)
    assert left_out is not None
    missing = left_out[1].split(", ")
    kinds = json.loads((tmp_path / "x" / "lab.json").read_text("utf-8"))["kinds"]
    assert "by_draft" in missing
    assert kinds == [kind for kind in KINDS if kind not in missing]
    choice = Choice(1, tuple(kinds), ("de",), ("contacts",))
    for number in range(len(kinds)):
        draw(choice, number).world.close()


@pytest.mark.parametrize("package", ["babel", "playwright", "uvicorn"])
def test_without_the_extra_one_line_says_what_to_install(package: str, tmp_path: Path) -> None:
    words = ["tracewitness", "lab", "make", "-o", str(tmp_path / "x")]
    code = (
        f"import sys; sys.modules[{package!r}] = None; sys.argv = {words!r}; import tracewitness.cli.main as m; m.run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        f"tracewitness: the lab needs the package {package}; install the extra: pip install 'tracewitness[lab]'\n"
    )


def test_kinds_are_listed() -> None:
    listed = json.loads(lab("kinds", "--json").stdout)["kinds"]
    assert [one["kind"] for one in listed] == list(KINDS)


def test_every_round_has_every_kind_and_every_language() -> None:
    drawn = [draw(Choice(3), number) for number in range(len(KINDS))]
    assert {one.kind.name for one in drawn} == set(KINDS)
    assert {one.language for one in drawn} == set(LANGUAGES)
    again = draw(Choice(3), 17)
    assert (again.instruction, again.told.text) == (drawn[17].instruction, drawn[17].told.text)


def test_the_claim_is_drawn_whatever_the_kind() -> None:
    # The same numbers with other kinds give the same claims: nothing of the truth goes into them.
    some = [draw(Choice(5, kinds=("plain",)), number).told.claim for number in range(40)]
    others = [draw(Choice(5, kinds=("look_alike",)), number).told.claim for number in range(40)]
    assert some == others
    assert len(set(some)) == 3
