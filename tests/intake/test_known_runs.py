"""No id stands for two runs of a batch, no run is taken twice, and none is lost."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_logs import failures, neutral, outcomes, runs, write_json, write_lines

from plants import all_plants
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.discover import Skipped
from tracewitness.intake.format import Verdict
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import read_all
from tracewitness.intake.registry import Registry
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.report_side.report import Report
from tracewitness.task_side.task import Task
from tracewitness.testing.words import Words
from tracewitness.trace_side.trace import Trace

PLANTS = all_plants()
OPTIONS = ReadOptions(task="Switch it on")


class Numberless:
    """A format whose reader gives all runs of a file one id."""

    name, summary, versions = "numberless", "made", ("1",)

    def page(self) -> str:
        return "made"

    def detect(self, candidate: Candidate) -> Verdict:
        return Verdict(True, "made")

    def read(self, candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun]:
        for line in candidate.path.read_text("utf-8").splitlines():
            origin = Origin(candidate.name, self.name)
            yield SealedRun("x", Task(line), Trace(()), Report(None), HarnessStatus.UNKNOWN, origin)


def ids(*paths: Path) -> list[str]:
    return [one.run_id for one in runs(*paths, options=OPTIONS)]


def skipped(*paths: Path) -> list[Skipped]:
    return [one for one in outcomes(*paths, options=OPTIONS) if isinstance(one, Skipped)]


def trajectory(said: str, **more: Any) -> dict[str, Any]:
    steps = [{"source": "user", "message": "Delete the file"}, {"source": "agent", "message": said}]
    return {"schema_version": "ATIF-v1.5", "agent": {"name": "me", "version": "1"}, "steps": steps, **more}


@pytest.mark.parametrize("name", PLANTS)
def test_runs_of_two_experiments_are_both_taken(name: str, tmp_path: Path) -> None:
    planted = PLANTS[name]
    alone: list[str] = []
    for at, screen in enumerate(("one", "two")):
        folder = tmp_path / f"experiment{at}" / "out" / "model" / "domain" / "run"
        folder.mkdir(parents=True)
        log = planted.plant(folder, Words(screen=screen))
        shutil.rmtree(folder.parent / "run.source", ignore_errors=True)
        alone += ids(log)
    together = runs(tmp_path, options=OPTIONS)
    if planted.format.name == "neutral":
        assert (len(together), len(failures(tmp_path, options=OPTIONS))) == (1, 1)
        return
    assert len(together) == len(alone) > 0
    assert len({one.run_id for one in together}) == len(together)
    assert not failures(tmp_path, options=OPTIONS)
    renamed = [one for one in together if any("has the id" in notice for notice in one.notices)]
    assert len(renamed) == len(alone) - len(set(alone))


@pytest.mark.parametrize("name", PLANTS)
def test_a_copy_of_a_log_is_taken_once(name: str, tmp_path: Path) -> None:
    planted = PLANTS[name]
    folder = tmp_path / "experiment" / "out" / "model" / "domain" / "run"
    folder.mkdir(parents=True)
    planted.plant(folder, Words())
    shutil.rmtree(folder.parent / "run.source", ignore_errors=True)
    shutil.copytree(tmp_path / "experiment", tmp_path / "later")
    first = ids(tmp_path / "experiment")
    assert ids(tmp_path / "experiment", tmp_path / "later") == first
    assert not failures(tmp_path, options=OPTIONS)
    assert [one.why for one in skipped(tmp_path) if "already taken" in one.why]


def test_folders_come_in_front_as_far_as_they_tell_two_runs_apart(tmp_path: Path) -> None:
    for at in "ab":
        write_json(tmp_path / at / "out" / "run" / "trajectory.json", trajectory(f"Done {at}."))
    assert ids(tmp_path) == ["out/run", "b/out/run"]


def test_a_renamed_run_says_why(tmp_path: Path) -> None:
    for at in "ab":
        write_json(tmp_path / at / "out" / "run" / "trajectory.json", trajectory(f"Done {at}."))
    (notice,) = (notice for notice in runs(tmp_path)[1].notices if "has the id" in notice)
    assert "another run in " in notice
    assert "has the id 'out/run', so this one is called 'b/out/run'" in notice


def test_runs_of_one_file_with_one_id_are_numbered(tmp_path: Path) -> None:
    told = Registry([Numberless()])
    path = tmp_path / "runs.txt"
    path.write_text("one\ntwo\ntwo\nthree\n", encoding="utf-8")
    found = list(read_all([path], told))
    assert [one.run_id for one in found if isinstance(one, SealedRun)] == ["x", "x-2", "x-3"]
    assert [one.why for one in found if isinstance(one, Skipped)] == [
        "same run 'x-2', already taken from the same file"
    ]


def test_the_name_of_a_trajectory_is_part_of_its_id(tmp_path: Path) -> None:
    path = write_json(tmp_path / "run" / "trajectory.json", trajectory("Done.", session_id="s-1"))
    assert ids(path) == ["run/s-1"]
    path = write_json(tmp_path / "run" / "trajectory.json", trajectory("Done.", session_id="s-1", trajectory_id="t-1"))
    assert ids(path) == ["run/t-1"]


def test_the_same_neutral_run_is_taken_once(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", [neutral("x"), neutral("x")])
    second = write_lines(tmp_path / "b.jsonl", [neutral("x"), neutral("y")])
    assert ids(first, second) == ["x", "y"]
    assert [(one.path, one.why) for one in skipped(first, second)] == [
        (str(first), "same run 'x', already taken from the same file"),
        (str(second), f"same run 'x', already taken from {first}"),
    ]
    assert not failures(first, second)


def test_one_export_in_two_files_is_taken_once(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    log = PLANTS["agent_tars"].plant(made, Words())
    lines = [json.dumps(one) + "\n" for one in json.loads(log.read_text("utf-8"))["events"]]
    (made / "trace.jsonl").write_text("".join(lines), encoding="utf-8")
    assert len(ids(made)) == 1
    assert [one.why for one in skipped(made)] == [f"same run 'session-1', already taken from {log}"]
