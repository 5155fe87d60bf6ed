"""Reading UFO task folders."""

from collections.abc import Iterator
from pathlib import Path

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure, NoTaskError
from tracewitness.intake.formats.ufo.detect import LOG_NAME
from tracewitness.intake.formats.ufo.log import Log, Record, read_log
from tracewitness.intake.formats.ufo.screens import Screens
from tracewitness.intake.formats.ufo.split import Split, split
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.task_files import told_task
from tracewitness.intake.untyped import text_of
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_BESIDE = {
    "evaluation.log": (Plane.GRADING, LeakRoute.GRADING_ECHO),
    "request.log": (Plane.NARRATION, LeakRoute.ECHO),
    "output.md": (Plane.NARRATION, LeakRoute.ECHO),
}
"""Files beside the log that no side sees."""


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a task folder (or of the log in it).

    Raises:
        IntakeError: The log is missing, empty or damaged throughout.
    """
    folder = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    path = candidate.path / LOG_NAME if candidate.shape is Shape.FOLDER else candidate.path
    yield _read_run(RunFolder(folder, options.limits), path, candidate.name, options)


def _read_run(folder: RunFolder, path: Path, name: str, options: ReadOptions) -> SealedRun:
    log = read_log(folder.locate(path.name), name, options.limits)
    run_id = folder.root.absolute().name
    request = text_of(log.records[0].fields.get("request")).strip()
    task = request or task_beside(path) or told_task(options, run_id)
    if not task:
        raise NoTaskError("the request of the user is not in this log", "give it with --task")
    screens = Screens.of(folder, name)
    before = [screens.before(record) for record in log.records]
    told = split(log.records, before, screens.last(), options.finish_kinds)
    if len(told.steps) > options.limits.steps:
        raise BadRunError(f"{len(told.steps)} steps, at most {options.limits.steps} are read", "split the log")
    return SealedRun(
        run_id=run_id,
        task=Task(task),
        trace=Trace(tuple(told.steps), known_gaps(told.steps, (*log.gaps, *screens.gaps))),
        report=told.report,
        harness=_harness(log, told),
        origin=Origin(name, "ufo", _version(log.records), "/".join(sorted(log.encodings)), "UFO"),
        narration=tuple(told.narration),
        stripped=(*told.stripped, *_stripped_beside(folder, screens.names)),
        notices=tuple(_notices(log, screens, told)),
    )


def _harness(log: Log, told: Split) -> HarnessStatus:
    if told.ended:
        return HarnessStatus.COMPLETED
    return HarnessStatus.ERROR if log.records[-1].status == "ERROR" else HarnessStatus.UNKNOWN


def _version(records: list[Record]) -> str:
    if any("controllabel" in record.fields and isinstance(record.fields.get("action"), str) for record in records):
        return "UFO v1"
    return "UFO2 or UFO3"


def _stripped_beside(folder: RunFolder, names: frozenset[str]) -> Iterator[Stripped]:
    for name, (plane, route) in _BESIDE.items():
        if name in names:
            try:
                yield Stripped(name, plane, route, folder.locate(name).stat().st_size)
            except (OSError, IntakeError):
                continue


def _notices(log: Log, screens: Screens, told: Split) -> Iterator[str]:
    yield from log.notices
    yield from screens.notices
    if (gone := missing_notice("screenshot", screens.missing)) is not None:
        yield gone
    yield from (f"log read as {name}" for name in sorted(log.encodings - {"utf-8"}))
    if not told.ended:
        yield "the agent did not end the run in the log; no report is inferred"
