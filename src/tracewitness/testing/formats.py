"""Conformance of a log format: what every reader must do, tried out on the author's own sample."""

from collections.abc import Callable, Iterator
from pathlib import Path

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Format
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.retelling import Retelling
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing.canary import canary

Plant = Callable[[Path, str, str, str], Path]
"""Writes a log into a folder and returns its path (a file or a folder). The three texts go in as the report, as the
narration and as what a screen showed, in this order."""


class ConformanceError(AssertionError):
    """A reader does not conform; the text has one line per problem."""


def assert_conforms(one: Format, plant: Plant, folder: Path, task: str | None = None) -> None:
    """Try a format's reader on logs that ``plant`` writes into an empty folder.

    Args:
        one: The format.
        plant: Writes a log of the format.
        folder: An empty folder for the logs.
        task: The instruction, for formats that do not store it.

    Raises:
        ConformanceError: The reader does not conform.
    """
    problems = list(_problems(one, plant, folder, ReadOptions(task=task)))
    if problems:
        raise ConformanceError("\n".join(f"{one.name}: {problem}" for problem in problems))


def _problems(one: Format, plant: Plant, folder: Path, options: ReadOptions) -> Iterator[str]:
    if not (one.name and one.summary and one.page().strip()):
        yield "a name, a summary and a page are asked for"
    yield from _detection(one, folder)
    tokens = canary("report"), canary("narration"), canary("screen")
    log = plant(_made(folder / "marked"), *tokens)
    if not one.detect(_candidate(log)).yes:
        yield "detect does not take its own log"
    runs = _runs(one, log, options)
    if not runs:
        yield "no run is read from its own log"
    for run in runs:
        yield from _run_problems(one, run, tokens)
    if runs != _runs(one, log, options):
        yield "reading the same log twice gives different runs"
    yield from _interference(one, plant, folder, options, runs)
    yield from _retelling(one, log, folder, options, runs)


def _detection(one: Format, folder: Path) -> Iterator[str]:
    strangers = {"empty.json": "{}", "list.json": "[]", "words.txt": "nothing of this kind"}
    for name, text in strangers.items():
        path = _made(folder / "strangers") / name
        path.write_text(text, encoding="utf-8")
        try:
            if one.detect(_candidate(path)).yes:
                yield f"detect takes {name}, which is no log"
        except IntakeError:
            continue
        except Exception as error:
            yield f"detect raises {type(error).__name__} for {name}; it must say no"


def _run_problems(one: Format, run: SealedRun, tokens: tuple[str, str, str]) -> Iterator[str]:
    report, narration, screen = tokens
    blind = repr((run.task, run.trace))
    if report in blind or narration in blind:
        yield "the report or the narration stands in the task or the trace"
    if report not in repr(run.report):
        yield "the report is not in the report plane"
    if screen not in repr(run.trace):
        yield "what a screen showed is not in the trace"
    if run.origin.format_name != one.name:
        yield "origin.format_name is not the format's name"
    indexes = [step.index for step in run.trace.steps]
    if indexes != sorted(set(indexes)):
        yield "step indexes do not strictly increase"
    if any(step.action.kind == "finish" and (step.action.text or step.action.raw) for step in run.trace.steps):
        yield "a finish step carries arguments"


def _interference(
    one: Format, plant: Plant, folder: Path, options: ReadOptions, runs: list[SealedRun]
) -> Iterator[str]:
    other = _runs(one, plant(_made(folder / "other"), "It failed.", "Nothing works.", canary("screen")), options)
    if [(run.task, run.trace) for run in other] != [(run.task, run.trace) for run in runs]:
        yield "another report and other narration change the task or the trace"
    seen = _runs(one, plant(_made(folder / "seen"), canary("report"), canary("narration"), "Another screen"), options)
    if [run.report for run in seen] != [run.report for run in runs]:
        yield "another screen changes the report"


def _retelling(one: Format, log: Path, folder: Path, options: ReadOptions, runs: list[SealedRun]) -> Iterator[str]:
    if not isinstance(one, Retelling):
        return
    told = one.retell(_candidate(log), lambda plane: f"other {plane}", False, folder / "retold" / log.parent.name)
    again = _runs(one, told, options)
    if [(run.task, run.trace) for run in again] != [(run.task, run.trace) for run in runs]:
        yield "a retold log gives another task or another trace"
    if [run.report for run in again] == [run.report for run in runs]:
        yield "a retold log has the same report"


def _runs(one: Format, log: Path, options: ReadOptions) -> list[SealedRun]:
    return [item for item in one.read(_candidate(log), options) if isinstance(item, SealedRun)]


def _candidate(path: Path) -> Candidate:
    return Candidate(path, path.name, Limits())


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
