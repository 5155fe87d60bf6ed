"""Reading experiment folders of AgentLab and BrowserGym."""

from collections.abc import Iterator
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, names_in
from tracewitness.intake.errors import EmptyError, IntakeError, IntakeFailure, NoTaskError, UnsafePickleError
from tracewitness.intake.formats.agentlab.detect import ARGUMENTS, GOAL, STEP, SUMMARY
from tracewitness.intake.formats.agentlab.split import Told, split
from tracewitness.intake.formats.agentlab.steps import LoggedStep, StepFiles, goal_in, read_steps
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import MEBIBYTE, ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.pickles import Stub, read_pickle
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.reading_files import decode, parse_json, read_bytes
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.task_files import told_task
from tracewitness.intake.untyped import object_of, text_of
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_UNCAUGHT = "Exception uncaught by agent or environment"
"""How the harness begins the message of a crash; other messages are of errors from which the agent recovered."""


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder.

    Raises:
        IntakeError: The folder holds no step files, none that can be read, or an attack; or the task is not known.
    """
    folder = RunFolder(candidate.path, options.limits)
    names = names_in(candidate.path, candidate.name)
    if not any(STEP.match(name) for name in names):
        there = " and ".join(name for name in (ARGUMENTS, SUMMARY) if name in names)
        problem = f"no run: no step files, only {there}" if there else "no run: no step files"
        raise EmptyError(problem, "copy step_<n>.pkl.gz along, or leave the folder out", path=candidate.name)
    arguments = _arguments(folder, names)
    files = read_steps(folder, names)
    task = _task(folder, names, files.steps) or task_beside(candidate.path / ARGUMENTS)
    task = task or told_task(options, arguments.task_name, candidate.path.absolute().name)
    if not task:
        raise NoTaskError("no step holds the goal", "write it to task.txt in the folder, or give it with --task")
    told = split(files.steps, folder, names, options.finish_kinds)
    summary = _summary(folder, names)
    gaps = [*files.gaps, *told.gaps, *_missing_steps(summary, files)]
    yield SealedRun(
        run_id=candidate.path.absolute().name,
        task=Task(task),
        trace=Trace(told.steps, known_gaps(told.steps, gaps)),
        report=told.report,
        harness=_harness(told, files.steps, summary, arguments),
        origin=Origin(candidate.name, "agentlab", files.steps[0].version, agent=arguments.agent or None),
        narration=tuple(told.narration),
        stripped=(*told.stripped, *_files_left_out(folder, names)),
        notices=tuple(_notices(told, files)),
    )


class _Arguments:
    """What of the arguments of an experiment is used: names for grouping, and the limit of steps."""

    def __init__(self, value: Any) -> None:
        record = value if isinstance(value, Stub) else None
        environment, agent = _of(record, "env_args"), _of(record, "agent_args")
        self.task_name = text_of(_of(environment, "task_name"))
        self.agent = text_of(_of(agent, "agent_name"))
        most = _of(environment, "max_steps")
        self.max_steps = most if isinstance(most, int) and not isinstance(most, bool) else None


def _of(record: Any, name: str) -> Any:
    return record.get(name) if isinstance(record, Stub) else None


def _arguments(folder: RunFolder, names: frozenset[str]) -> _Arguments:
    """Return the arguments; none where they cannot be read, as a run can be audited without."""
    if ARGUMENTS not in names:
        return _Arguments(None)
    try:
        return _Arguments(read_pickle(folder.locate(ARGUMENTS), folder.limits, note=lambda _: None).value)
    except UnsafePickleError as error:
        raise error.at(where=ARGUMENTS) from None
    except IntakeError:
        return _Arguments(None)


def _task(folder: RunFolder, names: frozenset[str], steps: list[LoggedStep]) -> str:
    found = next((one.goal for one in steps if one.goal), "")
    if found or GOAL not in names:
        return found
    try:
        return goal_in(read_pickle(folder.locate(GOAL), folder.limits, note=lambda _: None).value)
    except UnsafePickleError as error:
        raise error.at(where=GOAL) from None
    except IntakeError:
        return ""


def _summary(folder: RunFolder, names: frozenset[str]) -> dict[str, Any]:
    if SUMMARY not in names:
        return {}
    try:
        return object_of(parse_json(decode(read_bytes(folder.locate(SUMMARY), MEBIBYTE), SUMMARY).text))
    except IntakeError:
        return {}


def _missing_steps(summary: dict[str, Any], files: StepFiles) -> Iterator[Gap]:
    """Yield a gap where the harness counted more steps than there are files behind the last one."""
    counted = summary.get("n_steps")
    if isinstance(counted, int) and files.steps and counted > files.steps[-1].number:
        files.notices.append(f"the harness counted {counted} steps, the last file is step {files.steps[-1].number}")
        yield Gap.MISSING_STEPS


def _harness(told: Told, steps: list[LoggedStep], summary: dict[str, Any], arguments: _Arguments) -> HarnessStatus:
    if text_of(summary.get("err_msg")).startswith(_UNCAUGHT):
        return HarnessStatus.ERROR
    if told.ended:
        return HarnessStatus.COMPLETED
    most = arguments.max_steps
    if steps[-1].truncated and most is not None and steps[-1].number >= most:
        return HarnessStatus.STEP_LIMIT
    return HarnessStatus.UNKNOWN


def _files_left_out(folder: RunFolder, names: frozenset[str]) -> Iterator[Stripped]:
    for name, plane, route in (
        (SUMMARY, Plane.GRADING, LeakRoute.GRADING_ECHO),
        ("experiment.log", Plane.NARRATION, LeakRoute.ECHO),
    ):
        if name in names:
            try:
                yield Stripped(name, plane, route, folder.locate(name).stat().st_size)
            except (IntakeError, OSError):
                continue


def _notices(told: Told, files: StepFiles) -> Iterator[str]:
    yield from files.notices
    yield from told.notices
    unknown = list(dict.fromkeys(name for one in files.steps for name in one.unknown))
    if unknown:
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        yield f"objects of unknown classes were taken as data and not made: {', '.join(unknown[:3])}{more}"
    if not told.ended:
        yield "the agent sent no last message: the step limit was reached or the run was stopped; no end is inferred"
