import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats.neutral import NeutralFormat
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing import RunBuilder
from tracewitness.testing.formats import ConformanceError, assert_conforms
from tracewitness.testing.words import Words


def write(folder: Path, report: str | None, narration: str, screen: str) -> Path:
    run = RunBuilder("r").task("Save it.").step("click", "Save", after=screen, narration=narration)
    run = run if report is None else run.finish().report(report)
    path = folder / "run.json"
    path.write_text(json.dumps(run.to_json()), encoding="utf-8")
    return path


def plant(folder: Path, words: Words) -> Path:
    report = words.report("report") if words.finished else None
    return write(folder, report, words.narration("narration"), words.evidence("screen"))


def test_a_format_that_conforms(tmp_path: Path) -> None:
    assert_conforms(NeutralFormat(), plant, tmp_path)


class Leaking(NeutralFormat):
    """A reader that lets the report into the task."""

    def read(self, candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
        for run in super().read(candidate, options):
            assert isinstance(run, SealedRun)
            yield replace(run, task=replace(run.task, app=run.report.text))


def test_a_reader_that_leaks_is_found_out(tmp_path: Path) -> None:
    with pytest.raises(ConformanceError) as caught:
        assert_conforms(Leaking(), plant, tmp_path)
    assert "report: report stands in the task or the trace" in str(caught.value)
    assert "other words of the agent or the grader (two) change the task or the trace" in str(caught.value)


class Careless(NeutralFormat):
    """A reader whose detection takes for granted that it is asked about a file of lines."""

    def detect(self, candidate: Candidate) -> Verdict:
        if any(one.get("format") == "tracewitness.run/1" for one in candidate.objects()):
            return Verdict(True, "mine")
        return super().detect(candidate)


def test_a_detection_that_fails_at_what_is_not_its_own_is_found_out(tmp_path: Path) -> None:
    with pytest.raises(ConformanceError) as caught:
        assert_conforms(Careless(), plant, tmp_path, only="detects")
    told = str(caught.value)
    assert "detect raises UnreadableError (this is not a plain file) for an empty folder; it must say no" in told
    assert "for a folder with words.txt" in told
    assert "for words.txt" not in told


def test_a_built_run_is_read_back_as_it_was_built(tmp_path: Path) -> None:
    path = write(tmp_path, "Done.", "I save.", "page 'A'")
    (read,) = NeutralFormat().read(Candidate(path, "run.json"), ReadOptions())
    assert isinstance(read, SealedRun)
    built = RunBuilder("r").task("Save it.").step("click", "Save", after="page 'A'", narration="I save.").finish()
    whole = built.report("Done.").build()
    assert (read.task, read.trace, read.report, read.narration) == (
        whole.task,
        whole.trace,
        whole.report,
        whole.narration,
    )
