"""Reading AndroidLab task folders."""

from collections.abc import Iterator

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeFailure, NoTaskError
from tracewitness.intake.formats.androidlab.detect import LOG, TRACES, log_of, root_of
from tracewitness.intake.formats.androidlab.lines import TraceLog, read_trace, task_of
from tracewitness.intake.formats.androidlab.screens import Screens
from tracewitness.intake.formats.androidlab.split import Told, split, was_stopped
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.task_files import told_task
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder, or of the log in it.

    Raises:
        IntakeError: The log is empty or damaged throughout, or a dump is hostile.
    """
    root = root_of(candidate)
    folder = RunFolder(root, options.limits)
    log_path = log_of(candidate) or root / TRACES / LOG
    log = read_trace(folder.locate(str(log_path.relative_to(root))), LOG, options.limits)
    task = task_of(log) or told_task(options, root.absolute().name)
    if not task:
        raise NoTaskError("the lines of the log hold no target", "give it with --task")
    screens = Screens.of(folder)
    told = split(log, screens, options.finish_kinds)
    gaps = {*log.gaps, *screens.gaps, *([Gap.UNREADABLE_OBSERVATION] if screens.missing else [])}
    yield SealedRun(
        run_id=root.absolute().name,
        task=Task(task),
        trace=Trace(told.steps, known_gaps(told.steps, tuple(gaps))),
        report=told.report,
        harness=HarnessStatus.COMPLETED if told.ended else HarnessStatus.UNKNOWN,
        origin=Origin(candidate.name, "androidlab", "", "/".join(sorted(log.encodings))),
        narration=tuple(told.narration),
        stripped=tuple(told.stripped),
        notices=tuple(_notices(log, screens, told)),
    )


def _notices(log: TraceLog, screens: Screens, told: Told) -> Iterator[str]:
    yield from log.notices
    yield from dict.fromkeys(screens.notices)
    missing = missing_notice("screenshot", screens.missing)
    if missing:
        yield missing
    yield from (f"log read as {name}" for name in sorted(log.encodings - {"utf-8"}))
    if not told.ended and was_stopped(log):
        yield "the tool ends a run by itself after five equal actions; no end is inferred"
    elif not told.ended:
        yield "the log has no finish: round limit, failed step or stopped process; no end is inferred"
