"""Reading all runs of a batch, one after the other."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.discover import Found, Skipped, find_runs
from tracewitness.intake.errors import FailureKind, IntakeError, IntakeFailure
from tracewitness.intake.evidence import Evidence
from tracewitness.intake.guard import guarded
from tracewitness.intake.known_runs import KnownRuns, TakenAlready
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.registry import Registry
from tracewitness.intake.remarked import told_in_doubt
from tracewitness.intake.retelling import Retelling, Say
from tracewitness.intake.sealed import SealedRun
from tracewitness.values.plurals import plural

_LEVELS = 4
"""Folders above a log that are there again above a retold one."""


def read_all(
    paths: Iterable[str | Path],
    registry: Registry,
    options: ReadOptions | None = None,
    format_name: str | None = None,
) -> Iterator[SealedRun | IntakeFailure | Skipped]:
    """Yield every run that the paths hold, with failures and skipped files in their midst. Streams.

    A run whose id another run of the batch has gets a longer id, and one that is the same as an earlier run is left
    out (:mod:`tracewitness.intake.known_runs`).
    """
    for finding in read_by_source(paths, registry, options, format_name):
        if isinstance(finding, ReadSource):
            yield from finding.outcomes
        else:
            yield finding


OwnId = tuple[str, int]
"""The id that a reader gives to a run, and how many runs of the same source it gave it to before."""


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A file or folder that holds runs, and what is read from it (streamed; to be read before the next source).

    Attributes:
        found: The file or folder.
        outcomes: Its runs and failures; last a Skipped for runs that were met before.
        own_ids: The ids that the reader gave to its runs, by the ids that they have; filled while the runs are read.
    """

    found: Found
    outcomes: Iterator[SealedRun | IntakeFailure | Skipped]
    own_ids: dict[str, OwnId]


def read_by_source(
    paths: Iterable[str | Path],
    registry: Registry,
    options: ReadOptions | None = None,
    format_name: str | None = None,
) -> Iterator[ReadSource | IntakeFailure | Skipped]:
    """Yield every source of runs that the paths hold, for those who look at a source again."""
    options = options or ReadOptions()
    known = KnownRuns()
    for finding in find_runs(paths, registry, options.limits, format_name):
        if isinstance(finding, Found):
            own_ids = dict[str, OwnId]()
            yield ReadSource(finding, _known_once(finding, options, known, own_ids), own_ids)
        else:
            yield finding


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
        above = (path if path.is_dir() else path.parent).parts[1:][-_LEVELS:]  # folders give a run its name
        folder = Path(scratch).joinpath(*above)
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            told = one.retell(found.candidate, say, flag, folder)
        except IntakeError as error:
            yield error.at(found.candidate.name).failure()
            return
        except OSError:  # a full disk is no fault of the log
            raise
        except Exception as error:  # nor may a fault of what retells a log
            yield _fault(f"the {found.format.name} log could not be retold", error, found.candidate.name)
            return
        candidate = Candidate(told, found.candidate.name, found.candidate.limits)
        evidence = Evidence.of(found.candidate, options)  # beside the log itself, not beside what was retold
        yield from read_found(Found(candidate, found.format, found.why, found.doubt), options, evidence)


def _known_once(
    found: Found, options: ReadOptions, known: KnownRuns, own_ids: dict[str, OwnId]
) -> Iterator[SealedRun | IntakeFailure | Skipped]:
    met, again = Counter[str](), list[TakenAlready]()
    for outcome in read_found(found, options):
        told = known.told_apart(outcome, found.candidate.path) if isinstance(outcome, SealedRun) else outcome
        if isinstance(outcome, SealedRun):
            if isinstance(told, SealedRun):
                own_ids[told.run_id] = (outcome.run_id, met[outcome.run_id])
            met[outcome.run_id] += 1
        if isinstance(told, TakenAlready):
            again.append(told)
        else:
            yield told
    if again:
        yield Skipped(found.candidate.name, _same_runs(again, found.candidate.name))


def _same_runs(again: list[TakenAlready], here: str) -> str:
    """Return in words that runs were met before."""
    places = list(dict.fromkeys(one.path for one in again))
    first = "the same file" if places[0] == here else places[0]
    others = " and others" if len(places) > 1 else ""
    named = f"same run {again[0].run_id!r}" if len(again) == 1 else f"{plural(len(again), 'run')} in it"
    return f"{named}, already taken from {first}{others}"


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
        yield _fault(f"the {found.format.name} reader failed", error, found.candidate.name)


def _fault(what: str, error: Exception, name: str) -> IntakeFailure:
    problem = f"{what} ({type(error).__name__})"
    return IntakeFailure(FailureKind.INTERNAL, name, "", problem, "please report this file")
