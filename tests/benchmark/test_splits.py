"""A split keeps every task on one side, is the same for everyone, and is never changed once scores rest on it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.splits import read_split, split_by_task, write_split
from tracewitness.task_side.task import Task

TASKS = st.dictionaries(st.text(max_size=6), st.text(max_size=3), max_size=40)
SHARES = st.floats(0.05, 0.95)


@given(TASKS, SHARES, st.text(max_size=3))
def test_no_task_is_on_both_sides_and_every_run_is_on_one(tasks: dict[str, str], share: float, salt: str) -> None:
    found = split_by_task(tasks, share, salt)
    assert found.calibration | found.test == set(tasks)
    assert not {tasks[run] for run in found.calibration} & {tasks[run] for run in found.test}


@given(TASKS, SHARES)
def test_a_run_more_moves_no_other(tasks: dict[str, str], share: float) -> None:
    more = split_by_task({**tasks, "another": "task"}, share)
    assert split_by_task(tasks, share).calibration - {"another"} == more.calibration - {"another"}


def test_the_sides_have_about_the_share_that_was_asked_for() -> None:
    tasks = {f"r{at}": f"task {at}" for at in range(4000)}
    assert abs(len(split_by_task(tasks, 0.3).calibration) / 4000 - 0.3) < 0.03
    assert split_by_task(tasks, 0.3) == split_by_task(dict(reversed(tasks.items())), 0.3)
    assert split_by_task(tasks, 0.3, "other").calibration != split_by_task(tasks, 0.3).calibration


def test_instructions_that_differ_in_spelling_alone_are_one_task() -> None:
    one = Task("Turn on  Wi-Fi.").key
    assert one == Task("turn on wi-fi").key == Task("Turn on Wi-Fi!\n", app="x").key
    assert one != Task("Turn off Wi-Fi.").key
    assert Task("?!").key != Task("!?").key


def test_a_written_split_is_read_back_and_never_changed(tmp_path: Path) -> None:
    path, split = tmp_path / "split.json", split_by_task({"a": "x", "b": "y", "c": "z"}, 0.5)
    write_split(split, path)
    write_split(split, path)
    assert read_split(path) == split
    assert read_split(path).digest == split.digest
    with pytest.raises(BenchmarkError, match="holds another split"):
        write_split(split_by_task({"a": "x"}, 0.5), path)


@pytest.mark.parametrize("share", [0, 1, -1, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(BenchmarkError, match="above 0 and below 1"):
        split_by_task({}, share)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "cannot be read"),
        ("[]", "expected a split"),
        ('{"format": "tracewitness.split/1", "calibration": ["a"], "test": ["a"]}', "'a' is on both sides"),
    ],
)
def test_a_file_that_is_no_split_is_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "split.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=said):
        read_split(path)
