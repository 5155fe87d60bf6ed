"""Conformance of a log format: what every reader must do, tried out on logs that its author plants.

An author writes one function that plants a log with given words in every field, and runs all checks::

    def plant(folder: Path, words: Words) -> Path: ...

    @pytest.mark.parametrize("check", CHECKS)
    def test_conforms(check: str, tmp_path: Path) -> None:
        assert_conforms(MyFormat(), plant, tmp_path, only=check)
"""

import gzip
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tracewitness.findings.labels import Triage
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeError, IntakeFailure
from tracewitness.intake.format import Format
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.retelling import Retelling
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.testing.damage import Damage, damages, mutations, with_damaged_lines
from tracewitness.testing.words import Words

Plant = Callable[[Path, Words], Path]
"""Writes a log into an empty folder, with the words of every field from the second argument, and returns its path (a
file or a folder). Called with the same words it writes the same bytes."""


LONGEST_SECONDS = 20.0
"""No planted log, whatever its damage, may take longer to read; a whole one takes milliseconds."""


class ConformanceError(AssertionError):
    """A reader does not conform; the text has one line per problem."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A format under trial: its planter, an empty folder to plant in, what its reader is told, how many mutations."""

    format: Format
    plant: Plant
    folder: Path
    options: ReadOptions
    mutations: int
    seed: int

    def planted(self, words: Words, name: str = "log") -> Path:
        """Return a log with the given words, in a folder of its own below ``name``."""
        folder = self.folder / name
        while folder.exists():
            folder = folder.with_name(folder.name + "x")
        folder = folder / "run"
        folder.mkdir(parents=True)
        return self.plant(folder, words)

    def outcomes(self, log: Path) -> list[SealedRun | IntakeFailure]:
        """Return what the reader gives; what it refuses as a whole is one failure."""
        try:
            return list(self.format.read(Candidate(log, log.name, self.options.limits), self.options))
        except IntakeError as error:
            return [error.at(log.name).failure()]

    def runs(self, log: Path) -> list[SealedRun]:
        """Return the runs of a log."""
        return [one for one in self.outcomes(log) if isinstance(one, SealedRun)]


def assert_conforms(
    one: Format,
    plant: Plant,
    folder: Path,
    *,
    task: str | None = None,
    only: str | None = None,
    mutations: int = 60,
    seed: int = 7,
    limits: Limits | None = None,
) -> None:
    """Try a format's reader on logs that ``plant`` writes.

    Args:
        one: The format.
        plant: Writes a log of the format.
        folder: An empty folder for the logs.
        task: The instruction, for formats that do not store it.
        only: The name of the one check of :data:`CHECKS` to run; all by default.
        mutations: How many damaged logs the check ``mutations`` reads.
        seed: Where its chance begins.
        limits: Bounds on what is read.

    Raises:
        ConformanceError: The reader does not conform.
        KeyError: There is no check of that name.
    """
    options = ReadOptions(limits=limits or Limits(), task=task)
    checks = CHECKS if only is None else {only: CHECKS[only]}
    problems: list[str] = []
    for name, check in checks.items():
        trial = Trial(one, plant, folder / name, options, mutations, seed)
        problems += [f"{one.name}, {name}: {problem}" for problem in check(trial)]
    if problems:
        raise ConformanceError("\n".join(problems))


def _describes_itself(trial: Trial) -> Iterator[str]:
    one = trial.format
    if not (one.name and one.summary and one.page().strip()):
        yield "a name, a summary and a page are asked for"
    if not one.versions:
        yield "the versions that were seen are asked for"


def _detects(trial: Trial) -> Iterator[str]:
    log = trial.planted(Words())
    if not trial.format.detect(_candidate(log)).yes:
        yield "detect does not take its own log"
    for name, content in _STRANGERS.items():
        path = _made(trial.folder / "strangers" / name.split(".", 1)[0]) / name
        path.write_bytes(content)
        yield from _takes_no_stranger(trial.format, path, name)
        yield from _takes_no_stranger(trial.format, path.parent, f"a folder with {name}")
    yield from _takes_no_stranger(trial.format, trial.folder / "strangers", "a folder of folders")
    yield from _takes_no_stranger(trial.format, _made(trial.folder / "nothing"), "an empty folder")


_STRANGERS: Mapping[str, bytes] = {
    "empty.json": b"{}",
    "list.json": b"[]",
    "numbers.json": b"[1, 2]",
    "one.json": b"7",
    "marked.json": b'\xef\xbb\xbf{\n  "name": "package",\n  "items": [{"id": 1}, null, "words"]\n}\n',
    "series.json": b'{\n  "a": 1\n}\n{\n  "b": 2\n}\n',
    "packed.json.gz": gzip.compress(b'{"hello": {}}', mtime=0),
    "lines.jsonl": b'{"a": 1}\n{"b": 2}\n',
    "odd_lines.jsonl": b'not JSON\n{"a": 1}\n[2]\n',
    "words.txt": b"nothing of this kind",
    "page.html": b"<html><body>page</body></html>",
    "dump.xml": b"<hierarchy></hierarchy>",
    "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "zip.zip": b"PK\x05\x06" + b"\0" * 18,
    "pickle.pkl": b"\x80\x04N.",
    "pickle.pkl.gz": gzip.compress(b"\x80\x04N.", mtime=0),
}
"""Readable files of every kind, none of them a log."""


def _takes_no_stranger(one: Format, path: Path, named: str) -> Iterator[str]:
    try:
        if one.detect(_candidate(path)).yes:
            yield f"detect takes {named}, which is no log"
    except IntakeError as error:
        yield f"detect raises {type(error).__name__} ({error.problem}) for {named}; it must say no"
    except Exception as error:
        yield f"detect raises {type(error).__name__} for {named}; it must say no"


def _sorts(trial: Trial) -> Iterator[str]:
    """Every canary of the agent and the grader stays out of the trace side, every one of the environment gets there."""
    words = Words()
    log = trial.planted(words)
    outcomes = trial.outcomes(log)
    runs = [one for one in outcomes if isinstance(one, SealedRun)]
    yield from (f"its own log is not read: {one.line()}" for one in outcomes if isinstance(one, IntakeFailure))
    blind = repr([(run.task, run.trace) for run in runs])
    reports = repr([run.report for run in runs])
    yield from (f"{field} stands in the task or the trace" for field, token in words.hidden().items() if token in blind)
    yield from (f"{field} is missing in the trace" for field, token in words.shown().items() if token not in blind)
    told = {field: token for field, token in words.hidden().items() if field.startswith("report")}
    if told and not any(token in reports for token in told.values()):
        yield "the report is not in the report plane"
    others = [field for field, token in words.hidden().items() if field not in told and token in reports]
    yield from (f"{field} stands in the report" for field in others)
    yield from _well_formed(trial.format, runs)


def _well_formed(one: Format, runs: list[SealedRun]) -> Iterator[str]:
    for run in runs:
        if run.origin.format_name != one.name:
            yield "origin.format_name is not the format's name"
        indexes = [step.index for step in run.trace.steps]
        if indexes != sorted(set(indexes)):
            yield "step indexes do not strictly increase"
        ends = [step.action for step in run.trace.steps if step.action.kind == "finish"]
        if any(action.text or action.raw or action.target for action in ends):
            yield "a finish step carries arguments"
        if not run.stripped:
            yield "nothing is said of what was kept from the trace side"


def _repeats(trial: Trial) -> Iterator[str]:
    log = trial.planted(Words())
    if trial.runs(log) != trial.runs(log):
        yield "reading the same log twice gives different runs"


def _words_leave_the_trace_alone(trial: Trial) -> Iterator[str]:
    for finished in (True, False):
        first = _blind(trial.runs(trial.planted(Words("one", finished=finished))))
        for telling in ("two", "hostile", "silent", "odd silent", "even silent"):
            if _blind(trial.runs(trial.planted(Words(telling, finished=finished)))) != first:
                run = "a run" if finished else "a run that the agent did not end"
                yield f"other words of the agent or the grader ({telling}) change the task or the trace of {run}"


def _screens_leave_the_report_alone(trial: Trial) -> Iterator[str]:
    reports = [[run.report for run in trial.runs(trial.planted(Words(screen=screen)))] for screen in ("one", "two")]
    if reports[0] != reports[1]:
        yield "another screen changes the report"


def _retells(trial: Trial) -> Iterator[str]:
    if not isinstance(trial.format, Retelling):
        return
    log = trial.planted(Words())
    told = _retold(trial.format, log, "other", trial.folder / "told")
    yield from _told_alike(trial, log, told, "a retold log")
    yield from _told_alike(trial, log, _retold(trial.format, log, "", trial.folder / "silent"), "a log without words")
    if [run.report for run in trial.runs(told)] == [run.report for run in trial.runs(log)]:
        yield "a retold log has the same report"
    damaged = trial.planted(Words(), "damaged")
    if with_damaged_lines(damaged):
        told = _retold(trial.format, damaged, "other", trial.folder / "told damaged")
        yield from _told_alike(trial, damaged, told, "a retold log with a blank and a damaged line")


def _retold(one: Retelling, log: Path, words: str, folder: Path) -> Path:
    """Return a log in other words; the folders above it are called as those above the log, which may give it its id."""
    whole = log if log.is_dir() else log.parent
    told = folder.joinpath(*whole.absolute().parts[1:][-4:])
    told.parent.mkdir(parents=True)
    return one.retell(_candidate(log), lambda plane: words and f"{words} {plane}", False, told)


def _told_alike(trial: Trial, log: Path, told: Path, what: str) -> Iterator[str]:
    before, after = trial.outcomes(log), trial.outcomes(told)
    if [_place(one) for one in before] != [_place(one) for one in after]:
        yield f"{what} gives runs of other ids, or fails at other places"
    if _blind(trial.runs(log)) != _blind(trial.runs(told)):
        yield f"{what} gives another task or another trace"


def _place(one: SealedRun | IntakeFailure) -> str | None:
    return one.run_id if isinstance(one, SealedRun) else one.where


def _unfinished_has_no_report(trial: Trial) -> Iterator[str]:
    """A log in which the agent never ended has no report, whatever it said on the way."""
    for run in trial.runs(trial.planted(Words(finished=False))):
        if run.report.text is not None or run.report.declared_status is not None:
            yield f"a run that the agent did not end has a report: {run.report}"
        settled = (HarnessStatus.PASSED, HarnessStatus.FAILED, HarnessStatus.TIMEOUT, HarnessStatus.ERROR)
        if run.harness not in settled and triage(run) is not Triage.NOT_AUDITABLE_NO_REPORT:
            yield f"a run that the agent did not end is triaged {triage(run)}"


def _names_tell_nothing(trial: Trial) -> Iterator[str]:
    """Names of folders that hold a verdict reach neither side."""
    plain = trial.runs(trial.planted(Words(), "plain"))
    named = trial.runs(trial.planted(Words(), "run_PASS_score_1.0"))
    if [(run.task, run.trace, run.report) for run in named] != [(run.task, run.trace, run.report) for run in plain]:
        yield "the name of a folder changes what is read"


def _damage_is_told(trial: Trial) -> Iterator[str]:
    """Cut-off, empty and foreign files give a run or a typed failure, and no word of the agent comes through."""
    words = Words()
    original = trial.planted(words, "original")
    whole = {token for run in trial.runs(original) for token in words.shown().values() if token in repr(run.trace)}
    for at, damage in enumerate(damages(original)):
        log = trial.planted(Words(), f"damaged{at}")
        damage.apply(log)
        yield from _after_damage(trial, words, whole, damage, log)


def _after_damage(trial: Trial, words: Words, whole: set[str], damage: Damage, log: Path) -> Iterator[str]:
    try:
        if not trial.format.detect(_candidate(log)).yes:
            return
    except IntakeError:
        return
    except Exception as error:
        yield f"{damage.name}: detect raises {type(error).__name__}"
        return
    started = time.monotonic()
    try:
        outcomes = trial.outcomes(log)
    except Exception as error:
        yield f"{damage.name}: the reader fails ({type(error).__name__}: {error})"
        return
    if (seconds := time.monotonic() - started) > LONGEST_SECONDS:
        yield f"{damage.name}: reading takes {seconds:.0f} seconds"
    blind = repr([(one.task, one.trace) for one in outcomes if isinstance(one, SealedRun)])
    leaked = [field for field, token in words.hidden().items() if token in blind]
    yield from (f"{damage.name}: {field} stands in the task or the trace" for field in leaked)
    lost = any(token not in blind for token in whole)
    silent = [one for one in outcomes if isinstance(one, SealedRun) and not one.trace.gaps and not one.notices]
    if lost and damage.breaks and outcomes and len(silent) == len(outcomes):
        yield f"{damage.name}: evidence is missing, and neither a gap nor a notice says so"


def _mutations_are_told(trial: Trial) -> Iterator[str]:
    """Logs with bytes changed at random give runs or typed failures, never anything else."""
    chance = random.Random(trial.seed)
    original = trial.planted(Words(), "original")
    for damage in mutations(original, chance, trial.mutations):
        with damage.applied_for_a_while(original):
            yield from _after_damage(trial, Words(), set(), damage, original)


def _blind(runs: list[SealedRun]) -> list[tuple[object, object]]:
    return [(run.task, run.trace) for run in runs]


def _candidate(path: Path) -> Candidate:
    return Candidate(path, path.name, Limits())


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


CHECKS: Mapping[str, Callable[[Trial], Iterator[str]]] = {
    "describes itself": _describes_itself,
    "detects": _detects,
    "sorts into planes": _sorts,
    "repeats": _repeats,
    "words leave the trace alone": _words_leave_the_trace_alone,
    "screens leave the report alone": _screens_leave_the_report_alone,
    "retells": _retells,
    "unfinished has no report": _unfinished_has_no_report,
    "names tell nothing": _names_tell_nothing,
    "damage is told": _damage_is_told,
    "mutations": _mutations_are_told,
}
"""All checks by name."""
