"""Tasks by id, for logs that name their task and do not hold it."""

import json
from pathlib import Path

import pytest
from cli_samples import call

import tracewitness
from tracewitness import AuditInputError

ID = "06fe7178-4491-4589-810f-2e2bc9502122"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs" / "model" / "chrome" / ID
    folder.mkdir(parents=True)
    lines = [
        {"step_num": 1, "action": "# I do it.\npyautogui.click(1, 2)", "response": "I click.", "reward": 0},
        {"step_num": 2, "action": "DONE", "response": "The dark mode is on.", "reward": 0},
    ]
    (folder / "traj.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return tmp_path / "runs"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks" / "chrome"
    folder.mkdir(parents=True)
    task = {"id": ID, "instruction": "Turn on the dark mode.", "evaluator": {"expected": "SECRET"}}
    (folder / f"{ID}.json").write_text(json.dumps(task), encoding="utf-8")
    return tmp_path / "tasks"


def test_audit_without_them_says_what_to_do(runs: Path) -> None:
    done = call("audit", runs, "--no-store", folder=runs)
    assert done.code == 3
    assert "name the folder of task files with --tasks" in done.err


def test_audit_takes_them(runs: Path, tasks: Path) -> None:
    done = call("audit", runs, "--tasks", tasks, "--no-store", "--json", folder=runs)
    assert done.code == 11
    assert done.json_lines[0]["run_id"] == f"model/chrome/{ID}"
    assert "SECRET" not in done.out + done.err


def test_convert_takes_them(runs: Path, tasks: Path) -> None:
    done = call("convert", runs, "--tasks", tasks, folder=runs)
    assert done.json_lines[0]["task"]["instruction"] == "Turn on the dark mode."


def test_isolation_takes_them(runs: Path, tasks: Path) -> None:
    done = call("isolation", runs, "--tasks", tasks, folder=runs)
    assert done.code == 0
    assert "the log itself was changed and read again" in done.out


@pytest.mark.parametrize("verb", ["audit", "convert", "isolation"])
def test_tasks_that_are_not_there_are_told(runs: Path, verb: str) -> None:
    done = call(verb, runs, "--tasks", "nowhere.json", folder=runs)
    assert done.code == 2
    assert done.err.startswith("tracewitness: nowhere.json: there is no such file or folder")


def test_python_takes_them(runs: Path, tasks: Path) -> None:
    assert tracewitness.audit(runs, tasks=tasks)[0].claim == "SUCCESS"
    with pytest.raises(AuditInputError, match="nowhere"):
        tracewitness.audit(runs, tasks="nowhere.json")
