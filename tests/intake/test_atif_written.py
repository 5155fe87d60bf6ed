"""Writing ATIF: any run becomes a valid trajectory, and reading it again gives the same task, trace and report."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from atif_rules import check_atif
from hypothesis import given, settings
from made_logs import FIXTURES, SETTINGS, appagent, neutral, runs, said, the_failure, the_run, write_json
from test_neutral import neutral_runs, sealed

from plants import Planted, all_plants
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.atif.write import to_atif
from tracewitness.intake.formats.neutral.screenshots import ScreenshotPaths
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing.words import Words
from tracewitness.trace_side.trace import Observation, Screenshot, Step

PLANTS = all_plants()


def read_again(written: dict[str, Any]) -> SealedRun:
    check_atif(written)
    with TemporaryDirectory() as folder:
        return the_run(write_json(Path(folder) / "trajectory.json", written))


def halves(run: SealedRun) -> dict[str, Any]:
    """Return what the page says is the same after writing and reading."""
    return {
        "id": run.run_id,
        "task": run.task,
        "trace": run.trace,
        "report": run.report,
        "harness": run.harness,
        "agent": (run.origin.agent, run.origin.source),
        "extra": run.extra_json,
    }


@settings(max_examples=100, deadline=None)
@given(neutral_runs())
def test_any_run_is_read_back_as_it_was(made: dict[str, Any]) -> None:
    run = sealed(made)
    again = read_again(to_atif(run))
    assert halves(again) == halves(run)
    assert again.narration == run.narration
    assert to_atif(again)["steps"] == to_atif(run)["steps"]


def without_digests(run: SealedRun) -> SealedRun:
    """Return a run whose pictures are names alone: those that stand in a log have no file that could be named."""

    def bare(seen: Observation | None) -> Observation | None:
        if seen is None or seen.screenshot is None:
            return seen
        return replace(seen, screenshot=Screenshot(seen.screenshot.name))

    def steps() -> Iterator[Step]:
        for step in run.trace.steps:
            yield replace(step, before=bare(step.before), after=bare(step.after))

    return replace(run, trace=replace(run.trace, steps=tuple(steps()), gaps=()))


@pytest.mark.parametrize("planted", PLANTS.values(), ids=PLANTS)
def test_runs_of_every_format_can_be_written(planted: Planted, tmp_path: Path) -> None:
    log = planted.plant(tmp_path, Words())
    options = ReadOptions(task=planted.task)
    found = list(planted.format.read(Candidate(log, str(log)), options))
    for run in (one for one in found if isinstance(one, SealedRun)):
        again = read_again(to_atif(run))
        assert halves(without_digests(again)) == halves(without_digests(run))
        assert set(run.trace.gaps) <= set(again.trace.gaps)


def test_pictures_are_found_from_the_folder_of_the_output(tmp_path: Path) -> None:
    source = FIXTURES / "browser_use"
    screenshots = ScreenshotPaths(tmp_path, tmp_path / "files")
    for run in runs(source):
        written = write_json(tmp_path / "made.json", to_atif(run, screenshots))
        pictures = [seen.screenshot for step in the_run(written).trace.steps for seen in (step.before,) if seen]
        assert any(one is not None and one.digest is not None for one in pictures)
    assert screenshots.copied


def test_what_was_not_carried_out_and_is_not_known_stays_so(tmp_path: Path) -> None:
    run = the_run(appagent(tmp_path, [said("tap(1)"), said("tap(9)")], dumps=[None, SETTINGS]))
    assert [step.action.executed for step in run.trace.steps] == [True, False]
    again = read_again(to_atif(run))
    assert again.trace == run.trace


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"written": 2}, "written by another tracewitness (marks '2', expected 1)"),
        ({"written": "x"}, "expected 1"),
    ],
)
def test_marks_of_another_version_are_named(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    written = to_atif(sealed(neutral()))
    written["extra"]["tracewitness"] |= change
    assert problem in the_failure(write_json(tmp_path / "made.json", written)).line()


def test_marks_that_do_not_fit_are_named(tmp_path: Path) -> None:
    written = to_atif(sealed(neutral()))
    acted = next(step for step in written["steps"] if step["source"] == "agent")
    for name, change in (("index", {"index": "1"}), ("again", {"index": -5}), ("parts", {})):
        damaged = json.loads(json.dumps(written))
        at = written["steps"].index(acted)
        if name == "parts":
            damaged["steps"][at]["observation"]["results"][0]["content"].append({"type": "text", "text": "more"})
        else:
            damaged["steps"][at + 1]["extra"]["tracewitness"] |= change
        failure = the_failure(write_json(tmp_path / name / "made.json", damaged))
        assert failure.remedy == "convert the run again"


def test_what_the_format_of_others_holds_is_plain_atif() -> None:
    """A reader that knows nothing of the marks finds calls, results and the report where ATIF has them."""
    written = to_atif(sealed(neutral()))
    _, before, acted, ended = written["steps"]
    assert before["observation"]["results"][0]["content"] == [{"type": "text", "text": "switch 'Wi-Fi' off"}]
    assert acted["tool_calls"][0]["function_name"] == "click"
    assert acted["tool_calls"][0]["arguments"] == {"target": "switch Wi-Fi", "raw": "tap(5)"}
    assert acted["reasoning_content"] == "I tap the switch."
    assert ended["tool_calls"][0]["arguments"] == {"message": "Wi-Fi is on.", "status": "success"}
