"""Reading trace folders of mobile-use."""

import re
from collections.abc import Iterator
from pathlib import Path

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import EmptyError, IntakeFailure, NoTaskError
from tracewitness.intake.formats.minitap.detect import LOG
from tracewitness.intake.formats.minitap.records import RecordLog, read_records
from tracewitness.intake.formats.minitap.split import Told, split
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.task_files import told_task
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_VERDICT = re.compile(r"_(?:PASS|FAIL)(?=_\d{4}-\d{2}-\d{2}T)")
_TIME = re.compile(r"_\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}$")


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder, or of the log in it.

    Raises:
        IntakeError: The log is empty or damaged from its beginning, or nobody says what the task was.
    """
    named = candidate.shape is Shape.FOLDER
    root = candidate.path if named else candidate.path.parent
    folder = RunFolder(root, options.limits)
    path = folder.locate(LOG if named else candidate.path.name)
    log = read_records(path, options.limits)
    if not log.records:
        raise EmptyError("no record of it can be read", "copy the trace again", path=candidate.name)
    run_id = _VERDICT.sub("", root.absolute().name)
    task = task_beside(path) or told_task(options, _TIME.sub("", run_id), run_id)
    if not task:
        raise NoTaskError("these logs do not hold the goal", "write it to task.txt beside it, or give it with --task")
    told = split(log, options.finish_kinds)
    yield SealedRun(
        run_id=run_id,
        task=Task(task),
        trace=Trace(tuple(told.steps), known_gaps(told.steps, (*log.gaps, *told.gaps))),
        report=told.report,
        harness=HarnessStatus.COMPLETED if told.ended else HarnessStatus.UNKNOWN,
        origin=Origin(candidate.name, "minitap", "", log.encoding, "mobile-use"),
        narration=tuple(told.narration),
        stripped=(*told.stripped, *_named(root)),
        notices=tuple(_notices(root, log, told)),
    )


def _named(root: Path) -> Iterator[Stripped]:
    """Yield a note of the folder's name, in which the tool writes whether the run passed."""
    yield Stripped("the folder's name", Plane.GRADING, LeakRoute.GRADING_ECHO, len("PASS") * _graded(root))


def _graded(root: Path) -> bool:
    return _VERDICT.search(root.absolute().name) is not None


def _notices(root: Path, log: RecordLog, told: Told) -> Iterator[str]:
    yield from log.notices
    if (root / "trace.gif").is_file():
        yield "the screens are frames of trace.gif, which is not taken apart"
    if log.encoding not in ("", "utf-8"):
        yield f"log read as {log.encoding}"
    if not told.ended:
        yield "the log does not end with the orchestrator's last word; no end is inferred"
