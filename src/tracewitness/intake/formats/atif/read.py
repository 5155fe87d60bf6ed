"""Reading ATIF trajectories."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure, NoRunsError
from tracewitness.intake.formats.atif.detect import LOGS
from tracewitness.intake.formats.atif.document import is_atif
from tracewitness.intake.formats.atif.sealed_run import sealed_run
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import decode, lines_of, parse_json
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.values.folding import fold_spaces

_LONGEST_ID = 120

_PLAIN_NAMES = frozenset({"trajectory", "agent", "logs", "steps"})
"""Names of files and folders that every run has, so that they tell none from another."""


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a trial folder, of a trajectory, or of a file of several.

    Raises:
        IntakeError: Nothing of the candidate can be read.
    """
    root = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    log = log_of(candidate)
    encoding = candidate.encoding if candidate.shape is Shape.JSON else "utf-8"
    origin = Origin(candidate.name, "atif", encoding=encoding)
    folder = RunFolder(root, options.limits)
    for place, value in _documents(candidate, folder.locate(log)):
        run_id = id_of(root / log, value, place.split()[-1] if place else "")
        if isinstance(value, IntakeFailure):
            yield value
            continue
        try:
            yield sealed_run(_checked(value), run_id, origin, log, options, folder)
        except IntakeError as error:
            if not place:
                raise
            yield error.at(candidate.name).within(place).failure(run_id)


def log_of(candidate: Candidate) -> str:
    """Return the path of the trajectory in the folder of the run.

    Raises:
        NoRunsError: The folder holds none.
    """
    if candidate.shape is not Shape.FOLDER:
        return candidate.path.name
    found = next((name for name in LOGS if (candidate.path / name).is_file()), None)
    if found is None:
        raise NoRunsError("no trajectory.json in the folder", "name the trajectory", path=candidate.name)
    return found


def id_of(log: Path, document: Any, number: str = "") -> str:
    """Return the id of a run: where it lies, and what the trajectory calls itself or, else, the session.

    Where it lies is the name of its file, or of the first folder above it whose name says anything. A trajectory
    without a name of its own has the folder above that in front.

    Args:
        log: The file.
        document: The trajectory.
        number: Which one it is, in a file of several.
    """
    path = log.absolute()
    stem = path.name.split(".", 1)[0] if path.name.startswith("trajectory.") else path.name.removesuffix(".json")
    names = [name for name in (stem, *(parent.name for parent in path.parents)) if name and name not in _PLAIN_NAMES]
    lies = (names[0] if names else stem) + (f"-{number}" if number else "")
    keys = object_of(document)
    given = fold_spaces(text_of(keys.get("trajectory_id")) or text_of(keys.get("session_id")))[:_LONGEST_ID]
    if given and given != lies:
        return f"{lies}/{given}"
    return "/".join((*names[1:2], lies))


def _documents(candidate: Candidate, log: Path) -> Iterator[tuple[str, Any]]:
    if candidate.shape is Shape.JSON_LINES:
        for line in lines_of(log, candidate.limits):
            place = f"line {line.number}"
            try:
                yield place, parse_json(decode(line.content, candidate.name).text, line.number)
            except IntakeError as error:
                yield place, error.at(candidate.name, place).failure()
        return
    held = candidate if candidate.shape is not Shape.FOLDER else Candidate(log, candidate.name, candidate.limits)
    document = held.document
    if isinstance(document, list):
        yield from ((f"run {at + 1}", value) for at, value in enumerate(list_of(document)))
    else:
        yield "", document


def _checked(value: Any) -> dict[str, Any]:
    if not is_atif(value):
        raise BadRunError("no schema_version of ATIF", "name an ATIF trajectory")
    return object_of(value)
