"""Reading run folders of the traj.jsonl family."""

from collections.abc import Iterator
from pathlib import Path

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError, IntakeFailure, NoTaskError
from tracewitness.intake.formats.osworld.code_agent import CODE_AGENT
from tracewitness.intake.formats.osworld.detect import LOG_NAME
from tracewitness.intake.formats.osworld.log import Log, read_log
from tracewitness.intake.formats.osworld.screens import Screen, Screens
from tracewitness.intake.formats.osworld.split import Beat, Split, beats_of, split
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.task_files import task_nearby, told_task
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_LEVELS = 3
_BESIDE = {
    "result.txt": Plane.GRADING,
    "results.json": Plane.GRADING,
    "traj.md": Plane.GRADING,
    "traj.html": Plane.GRADING,
    "runtime.log": Plane.NARRATION,
}
"""Files beside the log that no side sees; the last two kinds repeat the agent's words."""

_CODE_OUTPUT = "what the code of the coding agent printed is not in this log; the picture after it is all that shows"


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder (or of the log in it).

    Raises:
        IntakeError: The log is missing, empty or damaged throughout, or nobody says what the task was.
    """
    folder = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    path = candidate.path / LOG_NAME if candidate.shape is Shape.FOLDER else candidate.path
    yield _read_run(RunFolder(folder, options.limits), path, candidate.name, options)


def _read_run(folder: RunFolder, path: Path, name: str, options: ReadOptions) -> SealedRun:
    log = read_log(folder.locate(path.name), name, options.limits)
    if not log.records and log.start is not None and log.ended is None:
        raise EmptyError("the log holds no action: a first screen alone", "leave it out", path=name)
    task = _task(log, folder, path, name, options)
    screens = Screens.of(folder, name)
    beats = _beats(log, screens)
    told = split(beats, options.finish_kinds)
    if len(told.steps) > options.limits.steps:
        raise BadRunError(f"{len(told.steps)} steps, at most {options.limits.steps} are read", "split the log")
    harness = log.ended or (HarnessStatus.COMPLETED if told.ended else HarnessStatus.UNKNOWN)
    return SealedRun(
        run_id="/".join(name_parts(folder.root)),
        task=Task(task),
        trace=Trace(told.steps, known_gaps(told.steps, (*log.gaps, *screens.gaps, *_unread(beats)))),
        report=told.report,
        harness=harness,
        origin=Origin(name, "osworld", _version(log), "/".join(sorted(log.encodings))),
        narration=told.narration,
        stripped=(*told.stripped, *_stripped_beside(log, folder, screens.names)),
        notices=_notices(log, screens, beats, told),
    )


def name_parts(folder: Path) -> tuple[str, ...]:
    """Return the name of a run: that of its folder, with domain and model, for each model has folders of all tasks."""
    return folder.absolute().parts[1:][-_LEVELS:]


def _task(log: Log, folder: RunFolder, path: Path, name: str, options: ReadOptions) -> str:
    """Return the instruction: of the log, of a file in its folder, of the tasks given by id, of those nearby."""
    task_id = folder.root.absolute().name
    beside = folder.text("instruction.txt") if log.instruction is None else None
    told = log.instruction or (beside or "").strip() or task_beside(path)
    told = told or (options.tasks.find(task_id) if options.tasks is not None else None)
    told = told or task_nearby(folder.root, name) or told_task(options)
    if not told or not told.strip():
        remedy = "name the folder of task files with --tasks, or give the task with --task"
        raise NoTaskError(f"the instruction of task {task_id[:60]!r} is not in this log", remedy)
    return told.strip()


def _beats(log: Log, screens: Screens) -> list[Beat]:
    return _whole_beats(log, screens) if log.whole_before else _picture_beats(log, screens)


def _whole_beats(log: Log, screens: Screens) -> list[Beat]:
    before = [screens.whole(one) for one in log.records]
    if before and before[0].observation is None:
        before[0] = screens.first(log.start)
    after = [one.observation for one in [*before[1:], screens.last(log)]]
    return beats_of(log.records, before, after[: len(before)])


def _picture_beats(log: Log, screens: Screens) -> list[Beat]:
    """Return lines whose pictures show what came after them; of lines that name the same picture the last has it."""
    named = [one.fields.get("screenshot_file") or one.step for one in log.records]
    own = [name not in named[at + 1 :][:20] for at, name in enumerate(named)]
    after = [
        screens.after(one) if mine and one.fields.get("step_status") is not False else Screen()
        for one, mine in zip(log.records, own, strict=True)
    ]
    before = [screens.first(log.start), *after[:-1]] if after else []
    return beats_of(log.records, before, [one.observation for one in after])


def _unread(beats: list[Beat]) -> Iterator[Gap]:
    if any(beat.acted.unreadable for beat in beats):
        yield Gap.MISSING_STEPS


def _version(log: Log) -> str:
    fields = log.records[-1].fields if log.records else {}
    if log.whole_before:
        return "WindowsAgentArena"
    if "step_status" in fields:
        return "Mobile-Agent-v3 os_world"
    if not {"executor_plan", "plan_code"}.isdisjoint(fields):
        return "Agent-S"
    return "OSWorld"


def _stripped_beside(log: Log, folder: RunFolder, names: frozenset[str]) -> Iterator[Stripped]:
    for number, size in log.error_lines:
        yield Stripped(f"line {number}.Error", Plane.GRADING, LeakRoute.GRADING_ECHO, size)
    for name, plane in _BESIDE.items():
        if name in names:
            try:
                size = folder.locate(name).stat().st_size
            except (OSError, IntakeError):
                continue
            route = LeakRoute.GRADING_ECHO if plane is Plane.GRADING else LeakRoute.ECHO
            yield Stripped(name, plane, route, size)


def _notices(log: Log, screens: Screens, beats: list[Beat], told: Split) -> tuple[str, ...]:
    odd = tuple(f"log read as {name}" for name in sorted(log.encodings - {"utf-8"}))
    lost = [beat.record.where for beat in beats if beat.acted.unreadable]
    unread = tuple(f"{where}: the action cannot be read, so nothing of it is kept" for where in lost[:1])
    more = (f"... and so on {len(lost) - 1} more lines",) if len(lost) > 1 else ()
    gone = missing_notice("screenshot", screens.missing)
    coded = (_CODE_OUTPUT,) if any(one.record.fields.get(CODE_AGENT) for one in beats) else ()
    ended = () if told.ended else ("the agent did not end the run in the log; no report is inferred",)
    return (*log.notices, *screens.notices, *unread, *more, *((gone,) if gone else ()), *odd, *coded, *ended)
