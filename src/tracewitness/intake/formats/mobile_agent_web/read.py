"""Reading web runs of Mobile-Agent-v3.5."""

from collections.abc import Iterator
from pathlib import Path

from tracewitness.intake.candidate import Candidate, Shape, names_in
from tracewitness.intake.errors import IntakeFailure, NoTaskError
from tracewitness.intake.formats.mobile_agent_web.detect import LOG
from tracewitness.intake.formats.mobile_agent_web.entries import WebLog, read_web_log, task_of
from tracewitness.intake.formats.mobile_agent_web.split import Told, split
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.task_files import told_task
from tracewitness.intake.untyped import text_of
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder, or of the log in it.

    Raises:
        IntakeError: The log is empty or damaged from its beginning, or nobody says what the task was.
    """
    named = candidate.shape is Shape.FOLDER
    root = candidate.path if named else candidate.path.parent
    folder = RunFolder(root, options.limits)
    log = read_web_log(folder, LOG if named else candidate.path.name)
    task = task_of(folder, log) or told_task(options, root.absolute().name, root.absolute().parent.name)
    if not task:
        raise NoTaskError("neither meta_info.json nor the first prompt holds the task", "give it with --task")
    told = split(log, folder, options.finish_kinds)
    yield SealedRun(
        run_id=_run_id(root),
        task=Task(task, None, text_of(log.meta.get("web")) or None),
        trace=Trace(told.steps, known_gaps(told.steps, (*log.gaps, *told.gaps))),
        report=told.report,
        harness=_harness(told),
        origin=Origin(candidate.name, "mobile_agent_web", "", log.encoding, text_of(log.meta.get("model")) or None),
        narration=tuple(told.narration),
        stripped=(*told.stripped, *_beside(root)),
        notices=tuple(_notices(log, told)),
    )


def _run_id(root: Path) -> str:
    """Return the names of the task's folder and of the rollout in it."""
    whole = root.absolute()
    return f"{whole.parent.name}/{whole.name}"


def _harness(told: Told) -> HarnessStatus:
    if told.limited:
        return HarnessStatus.STEP_LIMIT
    return HarnessStatus.COMPLETED if told.ended else HarnessStatus.UNKNOWN


def _beside(root: Path) -> Iterator[Stripped]:
    """Yield the files beside the log that are not read, with what they would give away."""
    for name in sorted(names_in(root, root.name)):
        if name == "messages.json":
            yield Stripped(name, Plane.NARRATION, LeakRoute.ECHO, _size(root / name))
        elif name == "result.json":
            yield Stripped(name, Plane.REPORT, LeakRoute.FINAL_REPORT, _size(root / name))
        elif name == "reward.json" or name.endswith("_auto_eval_results.json"):
            yield Stripped(name, Plane.GRADING, LeakRoute.GRADING_ECHO, _size(root / name))


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _notices(log: WebLog, told: Told) -> Iterator[str]:
    yield from log.notices
    missing = missing_notice("screenshot", told.missing)
    if missing:
        yield missing
    if log.encoding not in ("", "utf-8"):
        yield f"log read as {log.encoding}"
    if told.limited and told.ended and told.report.text is None:
        yield "the last answer is one that the tool writes by itself at the step limit; it is no report"
    elif not told.ended:
        yield "the log has no answer: the run was stopped; no end is inferred"
