"""Instructions by the id of their task: a folder, a file, and what lies beside the runs."""

import json
from pathlib import Path

import pytest

from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.task_files import TaskFiles, task_nearby, told_task


def example(folder: Path, task_id: str = "t1", instruction: str = "Save it.") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{task_id}.json"
    path.write_text(json.dumps({"id": task_id, "instruction": instruction, "evaluator": {"func": "SECRET"}}), "utf-8")
    return path


def test_a_folder_holds_one_file_a_task_at_any_depth(tmp_path: Path) -> None:
    example(tmp_path / "examples" / "chrome")
    (tmp_path / "t2.txt").write_text("Open it.\n", encoding="utf-8")
    tasks = TaskFiles.of(tmp_path)
    assert tasks.find("t1") == "Save it."
    assert tasks.find("t2") == "Open it."
    assert tasks.find("none", "t2") == "Open it."
    assert tasks.find("../t1") is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("tasks.json", {"t1": "Save it."}),
        ("tasks.json", {"t1": {"instruction": "Save it.", "evaluator": "SECRET"}}),
        ("tasks.json", [{"task_id": "t1", "intent": "Save it."}]),
        ("tasks.json", {"id": "t1", "instruction": "Save it."}),
    ],
)
def test_a_file_holds_many(tmp_path: Path, name: str, content: object) -> None:
    (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    assert TaskFiles.of(tmp_path / name).find("t1") == "Save it."


def test_json_lines_hold_many(tmp_path: Path) -> None:
    (tmp_path / "tasks.jsonl").write_text('{"id": 1, "task": "A"}\n{"id": 2, "task": "B"}\n', encoding="utf-8")
    assert TaskFiles.of(tmp_path / "tasks.jsonl").find("2") == "B"


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"t1": 3}', "[1]", "[" * 100_000])
def test_a_file_without_tasks_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "tasks.json").write_text(content, encoding="utf-8")
    with pytest.raises(IntakeError) as told:
        TaskFiles.of(tmp_path / "tasks.json")
    assert "tasks.json" in told.value.at(str(tmp_path / "tasks.json")).line()


def test_a_place_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(IntakeError):
        TaskFiles.of(tmp_path / "nowhere")
    with pytest.raises(IntakeError):
        TaskFiles.of(tmp_path)


def test_a_bad_task_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "t1.json").write_text("{", encoding="utf-8")
    (tmp_path / "t2.json").write_text('{"evaluator": 1}', encoding="utf-8")
    tasks = TaskFiles.of(tmp_path)
    assert tasks.find("t1", "t2") is None


def test_tasks_by_id_go_before_one_task_for_all(tmp_path: Path) -> None:
    example(tmp_path)
    options = ReadOptions(task="All.", tasks=TaskFiles.of(tmp_path))
    assert told_task(options, "t1") == "Save it."
    assert told_task(options, "t2") == "All."
    assert told_task(ReadOptions()) is None


def test_task_files_beside_the_runs_are_found(tmp_path: Path) -> None:
    example(tmp_path / "evaluation_examples" / "examples" / "chrome")
    run = tmp_path / "results" / "model" / "chrome" / "t1"
    run.mkdir(parents=True)
    assert task_nearby(run, "results/model/chrome/t1") == "Save it."
    assert task_nearby(run, "chrome/t1") is None  # two folders up and no further: what was named does not lie there
    assert task_nearby(run.with_name("t2"), "results/model/chrome/t2") is None


def test_a_link_out_of_the_task_files_is_not_followed(tmp_path: Path) -> None:
    outside = example(tmp_path / "elsewhere")
    examples = tmp_path / "evaluation_examples" / "examples" / "chrome"
    examples.mkdir(parents=True)
    (examples / "t1.json").symlink_to(outside)
    run = tmp_path / "results" / "chrome" / "t1"
    run.mkdir(parents=True)
    assert task_nearby(run, "results/chrome/t1") is None


def test_a_folder_of_tasks_holds_nothing_that_a_link_leads_out_to(tmp_path: Path) -> None:
    outside = example(tmp_path / "outside", "secret", "SECRET")
    tasks = tmp_path / "tasks"
    inside = example(tasks / "chrome")
    (tasks / "file.json").symlink_to(outside)
    (tasks / "folder").symlink_to(outside.parent)
    (tasks / "loop.json").symlink_to("loop.json")
    (tasks / "alias.json").symlink_to(inside)
    (tmp_path / "named").symlink_to(tasks)
    for root in (tasks, tmp_path / "named"):
        found = TaskFiles.of(root)
        assert found.find("file") is None and found.find("secret") is None and found.find("loop") is None
        assert found.find("alias") == found.find("t1") == "Save it."
