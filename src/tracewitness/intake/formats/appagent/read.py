"""Reading AppAgent task folders."""

from collections.abc import Iterator
from pathlib import Path

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape, names_in
from tracewitness.intake.errors import EmptyError, IntakeError, IntakeFailure, NoTaskError
from tracewitness.intake.formats.appagent import retell as retelling
from tracewitness.intake.formats.appagent.demonstration import read_demonstration
from tracewitness.intake.formats.appagent.detect import EXPLORE, LOG_NAME, exploration_log, is_demonstration
from tracewitness.intake.formats.appagent.explore import read_exploration
from tracewitness.intake.formats.appagent.response import dialect_of, sort_response
from tracewitness.intake.formats.appagent.rounds import Log, read_log, task_of
from tracewitness.intake.formats.appagent.screens import Screens
from tracewitness.intake.formats.appagent.split import Sorted, narration_of, report_of, steps_of, stripped_of
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.retelling import Say
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder (or of the log file in it): a task, an exploration, or a demonstration.

    Raises:
        IntakeError: The log is missing, empty or damaged throughout, or a dump is hostile.
    """
    folder = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    try:
        yield _run_of(folder, candidate, options)
    except IntakeError as error:
        raise error.at(candidate.name) from error.__cause__


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """See :class:`tracewitness.intake.retelling.Retelling`."""
    if _is_demonstration(candidate):
        return retelling.retell_demonstration(candidate, folder)
    return retelling.retell(candidate, _exploration(candidate) or _log_of(candidate), say, folder)


def _run_of(folder: Path, candidate: Candidate, options: ReadOptions) -> SealedRun:
    if _is_demonstration(candidate):
        return read_demonstration(folder, candidate.name, options)
    explored = _exploration(candidate)
    if explored is not None:
        return read_exploration(folder, explored, candidate.name, options)
    return _read_run(folder, _log_of(candidate), candidate.name, options)


def _has_task_log(candidate: Candidate) -> bool:
    return any(LOG_NAME.match(name) for name in candidate.names)


def _exploration(candidate: Candidate) -> Path | None:
    """Return the log of an exploration run; None where the candidate is none."""
    if candidate.shape is not Shape.FOLDER:
        return candidate.path if candidate.path.name.startswith(EXPLORE) else None
    name = None if _has_task_log(candidate) else exploration_log(candidate)
    return candidate.path / name if name else None


def _is_demonstration(candidate: Candidate) -> bool:
    other = _has_task_log(candidate) or exploration_log(candidate) is not None
    return not other and is_demonstration(candidate)


def _log_of(candidate: Candidate) -> Path:
    return candidate.path if candidate.shape is not Shape.FOLDER else _log_in(candidate)


def _log_in(candidate: Candidate) -> Path:
    logs = sorted(name for name in candidate.files if LOG_NAME.match(name))
    if not logs:
        raise EmptyError("screens without a log: no round was recorded", "leave the folder out", path=candidate.name)
    if len(logs) > 1:
        raise EmptyError(f"{len(logs)} task logs in one folder", "name one of them", path=candidate.name)
    return candidate.path / logs[0]


def _read_run(root: Path, log_path: Path, name: str, options: ReadOptions) -> SealedRun:
    folder = RunFolder(root, options.limits)
    log = read_log(folder.locate(log_path.name), name, options.limits)
    task = task_of(log)
    if task is None and options.task is None:
        raise NoTaskError("the task sentence is not in the prompts of the log", "give it with --task")
    dialect = dialect_of(log.rounds[0].prompt) if log.rounds[0].step == 1 else None
    rounds = [Sorted(one, sort_response(one.response, dialect)) for one in log.rounds]
    screens = Screens.of(folder, names_in(root, name), log)
    before = [screens.screen(one.step) for one in log.rounds]
    trailing = screens.screen(log.rounds[-1].step + 1, expected=False)
    steps = steps_of(rounds, before, trailing)
    finished = rounds[-1].response.call.name == "finish"
    return SealedRun(
        run_id=root.absolute().name,
        task=Task(task or options.task or ""),
        trace=Trace(steps, known_gaps(steps, (*log.gaps, *screens.gaps))),
        report=report_of(rounds),
        harness=HarnessStatus.COMPLETED if finished else HarnessStatus.UNKNOWN,
        origin=Origin(name, "appagent", rounds[0].response.dialect.value, "/".join(sorted(log.encodings)), "AppAgent"),
        narration=narration_of(rounds),
        stripped=tuple(stripped_of(rounds, task)),
        notices=_notices(log, screens, finished),
    )


def _notices(log: Log, screens: Screens, finished: bool) -> tuple[str, ...]:
    ended = (
        () if finished else ("the log has no FINISH: round limit, stopped process or failed call; none is inferred",)
    )
    odd = tuple(f"log read as {name}" for name in sorted(log.encodings - {"utf-8"}))
    cut = ("the last log line is cut off",) if Gap.LOG_CUT_OFF in log.gaps else ()
    return (*log.notices, *screens.notices, *cut, *odd, *ended)
