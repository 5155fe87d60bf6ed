"""Reading all runs of a batch, one after the other."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.discover import Found, Skipped, find_runs
from tracewitness.intake.errors import DuplicateRunIdError, FailureKind, IntakeError, IntakeFailure
from tracewitness.intake.evidence import Evidence
from tracewitness.intake.guard import guarded
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.registry import Registry
from tracewitness.intake.remarked import told_in_doubt
from tracewitness.intake.retelling import Retelling, Say
from tracewitness.intake.sealed import SealedRun


def read_all(
    paths: Iterable[str | Path],
    registry: Registry,
    options: ReadOptions | None = None,
    format_name: str | None = None,
) -> Iterator[SealedRun | IntakeFailure | Skipped]:
    """Yield every run that the paths hold, with failures and skipped files in their midst. Streams.

    A run whose id an earlier run of the batch has is a failure that names both places.
    """
    for finding in read_by_source(paths, registry, options, format_name):
        if isinstance(finding, ReadSource):
            yield from finding.outcomes
        else:
            yield finding


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A file or folder that holds runs, and what is read from it (streamed; to be read before the next source)."""

    found: Found
    outcomes: Iterator[SealedRun | IntakeFailure]


def read_by_source(
    paths: Iterable[str | Path],
    registry: Registry,
    options: ReadOptions | None = None,
    format_name: str | None = None,
) -> Iterator[ReadSource | IntakeFailure | Skipped]:
    """Yield every source of runs that the paths hold, for those who look at a source again."""
    options = options or ReadOptions()
    places: dict[str, str] = {}
    for finding in find_runs(paths, registry, options.limits, format_name):
        yield ReadSource(finding, _known_once(finding, options, places)) if isinstance(finding, Found) else finding


def read_retold(
    found: Found, options: ReadOptions, say: Say, flag: bool | None
) -> Iterator[SealedRun | IntakeFailure] | None:
    """Yield the runs of a source that was retold and read again; None where its format cannot retell.

    The retold log lies in a folder of its own, for as long as the runs are read.
    """
    one = found.format
    return _read_again(found, one, options, say, flag) if isinstance(one, Retelling) else None


def _read_again(
    found: Found, one: Retelling, options: ReadOptions, say: Say, flag: bool | None
) -> Iterator[SealedRun | IntakeFailure]:
    path = found.candidate.path.absolute()
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / (path if path.is_dir() else path.parent).name
        try:
            told = one.retell(found.candidate, say, flag, folder)
        except IntakeError as error:
            yield error.at(found.candidate.name).failure()
            return
        candidate = Candidate(told, found.candidate.name, found.candidate.limits)
        evidence = Evidence.of(found.candidate, options)  # beside the log itself, not beside what was retold
        yield from read_found(Found(candidate, found.format, found.why, found.doubt), options, evidence)


def _known_once(found: Found, options: ReadOptions, places: dict[str, str]) -> Iterator[SealedRun | IntakeFailure]:
    for outcome in read_found(found, options):
        yield _unless_known(outcome, places) if isinstance(outcome, SealedRun) else outcome


def read_found(
    found: Found, options: ReadOptions, evidence: Evidence | None = None
) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of one found file or folder, guarded. Never raises: what goes wrong is a failure.

    Args:
        found: The file or folder.
        options: What the reader is told.
        evidence: The side record to join; by default what the user named, or what lies beside the file.
    """
    for outcome in _read_guarded(found, options, evidence):
        yield told_in_doubt(outcome, found.format.name, found.doubt) if found.doubt else outcome


def _read_guarded(found: Found, options: ReadOptions, evidence: Evidence | None) -> Iterator[SealedRun | IntakeFailure]:
    try:
        evidence = evidence or Evidence.of(found.candidate, options)
        for outcome in found.format.read(found.candidate, options):
            yield guarded(evidence.joined(outcome)) if isinstance(outcome, SealedRun) else outcome
    except IntakeError as error:
        yield error.at(found.candidate.name).failure()
    except Exception as error:  # a fault of one reader must not take the other runs down
        problem = f"the {found.format.name} reader failed ({type(error).__name__})"
        yield IntakeFailure(FailureKind.INTERNAL, found.candidate.name, "", problem, "please report this file")


def _unless_known(run: SealedRun, places: dict[str, str]) -> SealedRun | IntakeFailure:
    here = run.origin.path
    first = places.get(run.run_id)
    if first is None:
        places[run.run_id] = here
        return run
    same = "in the same file" if first == here else f"in {first}"
    error = DuplicateRunIdError(f"run_id {run.run_id!r} was already met {same}", "give each run its own id", path=here)
    return error.failure(run.run_id)
