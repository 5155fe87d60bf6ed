"""The proof of isolation begins at the log: a reader that lets words of the agent through is found out."""

import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from auditing_samples import rules, saved, unsaved
from typer.testing import CliRunner

from tracewitness.auditing.isolation import NO_SOURCE, Isolation, isolate
from tracewitness.auditing.one_run import Run
from tracewitness.auditing.retold import isolate_source
from tracewitness.cli.main import app
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.discover import Found
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.format import Format, Verdict
from tracewitness.intake.formats.appagent import AppAgentFormat
from tracewitness.intake.formats.browser_use import FORMAT as BROWSER_USE
from tracewitness.intake.formats.neutral import NeutralFormat
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.log_format import RetoldFormat
from tracewitness.intake.reading import read_found
from tracewitness.intake.registry import Registry
from tracewitness.intake.retelling import Say
from tracewitness.testing import RunBuilder

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SAID = "Wi-Fi sharing is on, as was asked for."
FIXTURES = Path(__file__).resolve().parents[1] / "intake" / "fixtures"


def isolated(one: Format, path: Path, options: ReadOptions | None = None) -> list[Isolation]:
    options = options or ReadOptions()
    found = Found(Candidate(path, path.name), one, "made")
    runs = [run for run in read_found(found, options) if not isinstance(run, IntakeFailure)]
    return list(isolate_source(found, runs, rules(), options))


def differing(found: Isolation) -> set[str]:
    return {trial.product for trial in found.trials if not trial.same and trial.change.startswith("the source")}


def written(folder: Path, *runs: RunBuilder | dict[str, Any], name: str = "run.json") -> Path:
    folder.mkdir(exist_ok=True)
    objects = [run.to_json() if isinstance(run, RunBuilder) else run for run in runs]
    content = "".join(json.dumps(one) + "\n" for one in objects).encode()
    (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return folder / name


def example(one: Format, folder: Path) -> Path:
    """Return a log with a report and narration."""
    match one.name:
        case "appagent":
            source = next(EXAMPLES.glob("appagent/*finished"))
            return Path(shutil.copytree(source, folder / source.name))
        case "browser_use":
            return Path(shutil.copy(EXAMPLES / "browser-use" / "AgentHistory.json", folder))
        case _:
            return written(folder / "runs", saved("good"))


BuiltIn = NeutralFormat | AppAgentFormat | RetoldFormat
FORMATS: list[BuiltIn] = [NeutralFormat(), AppAgentFormat(), BROWSER_USE]


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.name)
def test_readers_keep_the_promise_from_the_log_on(one: BuiltIn, tmp_path: Path) -> None:
    path = example(one, tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    (found,) = isolated(one, path)
    assert found.holds
    assert found.unproved == ""
    retold = [trial for trial in found.trials if trial.change.startswith("the source")]
    assert {trial.product for trial in retold} >= {"task and trace", "evidence", "window"}
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def leak_report(run: Run) -> Run:
    return replace(run, task=replace(run.task, instruction=f"{run.task.instruction} {run.report.text}"))


def leak_narration(run: Run) -> Run:
    told = {said.step: said.text for said in run.narration}
    steps = tuple(replace(step, error=told.get(step.index)) for step in run.trace.steps)
    return replace(run, trace=replace(run.trace, steps=steps))


def leak_size(run: Run) -> Run:
    """A reader that lets through no word, but how much was said."""
    size = sum(one.characters for one in run.stripped)
    return replace(run, task=replace(run.task, locale=str(size)))


class Leaky:
    """A format with a reader whose runs go through a leak."""

    summary, versions = "made", ("1",)

    def __init__(self, one: BuiltIn, leak: Callable[[Run], Run]) -> None:
        self.one, self.name, self.leak = one, one.name, leak

    def page(self) -> str:
        return self.one.page()

    def detect(self, candidate: Candidate) -> Verdict:
        return self.one.detect(candidate)

    def read(self, candidate: Candidate, options: ReadOptions) -> Iterator[Run | IntakeFailure]:
        for run in self.one.read(candidate, options):
            yield run if isinstance(run, IntakeFailure) else self.leak(run)

    def retell(self, candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
        return self.one.retell(candidate, say, flag, folder)


@pytest.mark.parametrize("leak", [leak_report, leak_narration, leak_size])
@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.name)
def test_a_reader_that_leaks_is_found_out(one: BuiltIn, leak: Callable[[Run], Run], tmp_path: Path) -> None:
    (found,) = isolated(Leaky(one, leak), example(one, tmp_path))
    assert not found.holds
    assert "task and trace" in differing(found)
    assert all(trial.same for trial in found.trials if not trial.change.startswith("the source")), (
        "from the run as it was read on, nothing shows it"
    )


def test_a_reader_that_knows_no_endings_is_found_out(tmp_path: Path) -> None:
    run = saved("good").to_json()
    run["steps"][-1]["action"] = {"kind": "answer", "raw": "answer('It is saved.')"}
    path = written(tmp_path / "runs", run)
    assert isolated(NeutralFormat(), path)[0].holds
    assert not isolated(NeutralFormat(), path, ReadOptions(finish_kinds=frozenset()))[0].holds


@pytest.mark.parametrize(
    ("leak", "place"),
    [(leak_report, "task, instruction"), (leak_narration, "step 2, error (only before the change)")],
)
def test_it_is_said_what_differs_first(leak: Callable[[Run], Run], place: str, tmp_path: Path) -> None:
    log = written(tmp_path / "runs", saved("good").report(SAID))
    (found,) = isolated(Leaky(NeutralFormat(), leak), log)
    told = [trial for trial in found.trials if trial.change == "the source tells nothing"]
    assert next(trial.differs for trial in told if trial.product == "task and trace") == place
    assert all(bool(trial.differs) is not trial.same for trial in found.trials)


@pytest.mark.parametrize("kind", ["wrap_up", "message"])
def test_a_report_in_the_last_action_of_a_kind_that_nobody_knows_is_found_out(kind: str, tmp_path: Path) -> None:
    run = saved("good").report(SAID).to_json()
    run["steps"][-1]["action"] = {"kind": kind, "raw": f"{kind}('{SAID}')"}
    (found,) = isolated(NeutralFormat(), written(tmp_path / "runs", run))
    assert "task and trace" in differing(found)


def test_a_reader_that_cannot_read_other_words_is_found_out(tmp_path: Path) -> None:
    def pick(run: Run) -> Run:
        if "555-0142" not in (run.report.text or ""):
            raise ValueError("not these words")
        return run

    (found,) = isolated(Leaky(NeutralFormat(), pick), written(tmp_path / "runs", saved("good")))
    assert differing(found) == {"reading"}


class Silent:
    """A format of a plug-in that reads and cannot retell."""

    name, summary, versions = "silent", "made", ("1",)

    def page(self) -> str:
        return "made"

    def detect(self, candidate: Candidate) -> Verdict:
        return NeutralFormat().detect(candidate)

    def read(self, candidate: Candidate, options: ReadOptions) -> Iterator[Run | IntakeFailure]:
        return NeutralFormat().read(candidate, options)


def test_where_the_source_is_not_changed_that_is_said(tmp_path: Path) -> None:
    (found,) = isolated(Silent(), written(tmp_path / "runs", saved("good")))
    assert found.holds
    assert found.unproved == "the reader of silent logs cannot retell one"
    assert isolate(saved().build(), rules()).unproved == NO_SOURCE


@pytest.mark.parametrize("name", ["runs.jsonl", "runs.jsonl.gz"])
def test_many_runs_of_one_file_are_each_compared_with_themselves(name: str, tmp_path: Path) -> None:
    runs = [saved("a"), unsaved("b"), saved("c").report(None)]
    path = written(tmp_path / "runs", *runs, {"format": "tracewitness.run/1"}, name=name)
    found = isolated(NeutralFormat(), path)
    assert [one.run_id for one in found] == ["a", "b", "c"]
    assert all(one.holds and not one.unproved for one in found)


def test_files_beside_a_log_are_read_again_with_it() -> None:
    for one in isolated(NeutralFormat(), FIXTURES / "neutral" / "runs.jsonl"):
        assert one.holds


def test_the_command_says_so_and_ends_with_10(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "runs", saved("good"), unsaved("bad"), name="runs.jsonl")
    for one, code, words in (
        (Leaky(NeutralFormat(), leak_report), 10, "SOMETHING HIDDEN MADE A DIFFERENCE"),
        (Silent(), 11, "NOT proved for the reading of the log"),
        (NeutralFormat(), 0, "the log itself was changed and read again"),
    ):
        monkeypatch.setattr("tracewitness.cli.options.known_formats", lambda one=one: (Registry([one]), ()))
        done = CliRunner().invoke(app, ["isolation", str(path), "--run-id", "bad"])
        assert done.exit_code == code
        assert words in " ".join(done.stdout.split())
    monkeypatch.setattr("tracewitness.cli.options.known_formats", lambda: (Registry([Silent()]), ()))
    done = CliRunner().invoke(app, ["isolation", str(path)])
    assert done.exit_code == 11
    several = " ".join(done.stdout.split())
    assert "not proved good" in several
    assert "NOT proved for the reading of 2 runs: the reader of silent logs cannot retell one" in several
    leaky = Leaky(NeutralFormat(), leak_report)
    monkeypatch.setattr("tracewitness.cli.options.known_formats", lambda: (Registry([leaky]), ()))
    done = CliRunner().invoke(app, ["isolation", str(path)])
    assert done.exit_code == 10
    place = "the source tells of success, and of the task and trace differs: task, instruction"
    assert place in " ".join(done.stdout.split())
