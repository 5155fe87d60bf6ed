"""Reading trajectories of the AndroidWorld runners of Mobile-Agent-v3 and GUI-Owl."""

from collections.abc import Iterator
from pathlib import Path

from tracewitness.intake.candidate import Candidate, Shape, names_in
from tracewitness.intake.errors import IntakeFailure, NoTaskError
from tracewitness.intake.formats.mobile_agent_runner.detect import LOG
from tracewitness.intake.formats.mobile_agent_runner.lines import ActionLog, read_actions
from tracewitness.intake.formats.mobile_agent_runner.screens import screens_of
from tracewitness.intake.formats.mobile_agent_runner.split import Told, split
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.task_files import told_task
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder.

    Raises:
        IntakeError: The log is empty or damaged throughout, or nobody says what the task was.
    """
    root = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    folder = RunFolder(root, options.limits)
    log = read_actions(folder.locate(LOG), LOG, options.limits)
    task = task_beside(root / LOG) or told_task(options, root.absolute().name)
    if not task:
        raise NoTaskError("these logs do not hold the task", "write it to task.txt beside it, or give it with --task")
    screens = screens_of(folder, names_in(root, candidate.name), log)
    told = split(log, screens, options.finish_kinds)
    yield SealedRun(
        run_id=_run_id(root),
        task=Task(task),
        trace=Trace(told.steps, known_gaps(told.steps, tuple(screens.gaps))),
        report=told.report,
        harness=HarnessStatus.COMPLETED if told.ended else HarnessStatus.UNKNOWN,
        origin=Origin(candidate.name, "mobile_agent_runner", log.dialect, "/".join(sorted(log.encodings)), log.dialect),
        stripped=tuple(told.stripped),
        notices=tuple(_notices(log, [*screens.notices], told)),
    )


def _run_id(root: Path) -> str:
    """Return the names of the run's folder and of the one above, since tasks are run again and again."""
    whole = root.absolute()
    return f"{whole.parent.name}/{whole.name}"


def _notices(log: ActionLog, screens: list[str], told: Told) -> Iterator[str]:
    yield from log.notices
    yield from screens
    if log.invented is not None:
        yield f"line {log.invented.line}: the runner ends a run by itself after an answer; its flag is not the agent's"
    yield from (f"log read as {name}" for name in sorted(log.encodings - {"utf-8"}))
    if not told.ended:
        yield "the log has no end: the step limit was reached or the run was stopped; no end is inferred"
