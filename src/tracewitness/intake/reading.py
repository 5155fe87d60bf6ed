"""Reading all runs of a batch, one after the other."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tracewitness.intake.discover import Found, Skipped, find_runs
from tracewitness.intake.errors import DuplicateRunIdError, FailureKind, IntakeError, IntakeFailure
from tracewitness.intake.guard import guarded
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.registry import Registry
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
    options = options or ReadOptions()
    places: dict[str, str] = {}
    for finding in find_runs(paths, registry, options.limits, format_name):
        if not isinstance(finding, Found):
            yield finding
            continue
        for outcome in read_found(finding, options):
            yield _unless_known(outcome, places) if isinstance(outcome, SealedRun) else outcome


def read_found(found: Found, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of one found file or folder, guarded. Never raises: what goes wrong is a failure."""
    try:
        for outcome in found.format.read(found.candidate, options):
            yield guarded(outcome) if isinstance(outcome, SealedRun) else outcome
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
