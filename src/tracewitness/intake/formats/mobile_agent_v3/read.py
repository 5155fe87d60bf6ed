"""Reading run folders of Mobile-Agent-v3."""

from collections.abc import Iterator

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeFailure, NoTaskError
from tracewitness.intake.formats.mobile_agent_v3.folder import RunFiles, read_folder, task_of
from tracewitness.intake.formats.mobile_agent_v3.split import Told, split
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder.

    Raises:
        IntakeError: No step can be read, or nobody says what the task was.
    """
    root = candidate.path
    files = read_folder(root, candidate.name, RunFolder(root, options.limits))
    task = task_of(files) or options.task
    if not task:
        raise NoTaskError("neither task_result.json nor the first prompt holds the request", "give it with --task")
    told = split(files, options.finish_kinds)
    yield SealedRun(
        run_id=root.absolute().name,
        task=Task(task),
        trace=Trace(told.steps, known_gaps(told.steps, tuple(told.gaps))),
        report=told.report,
        harness=_harness(files, told),
        origin=Origin(candidate.name, "mobile_agent_v3", "", "/".join(sorted(files.encodings)), "Mobile-Agent-v3"),
        narration=tuple(told.narration),
        stripped=tuple(told.stripped),
        notices=tuple(_notices(files, told)),
    )


def _hit_limit(files: RunFiles) -> bool:
    limit = files.result.get("hit_step_limit")
    return isinstance(limit, int | float) and limit >= 1


def _harness(files: RunFiles, told: Told) -> HarnessStatus:
    if told.ended:
        return HarnessStatus.COMPLETED
    return HarnessStatus.STEP_LIMIT if _hit_limit(files) else HarnessStatus.UNKNOWN


def _notices(files: RunFiles, told: Told) -> Iterator[str]:
    yield from files.notices
    yield from dict.fromkeys(told.notices)
    yield from (f"log read as {name}" for name in sorted(files.encodings - {"utf-8"}))
    if not told.ended and not files.result:
        yield "no task_result.json and no end: the step limit was reached or the run was stopped; no end is inferred"
