"""Reading run folders of Mobile-Agent-E."""

from collections.abc import Iterator
from pathlib import Path

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeFailure, NoTaskError
from tracewitness.intake.formats.mobile_agent_e.detect import LOG
from tracewitness.intake.formats.mobile_agent_e.events import Events, read_events
from tracewitness.intake.formats.mobile_agent_e.split import Screens, ended, report_of, screens_of, steps_of
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import Narrated
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.task_files import told_task
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_STOPPED = {
    "max_iteration": "the run reached its step limit",
    "max_consecutive_failures": "the tool stopped the run after failures one after another",
    "max_repetitive_actions": "the tool stopped the run after the same action again and again",
    "abnormal": "the tool stopped the run at an answer that it could not use",
}


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder, or of the log in it.

    Raises:
        IntakeError: The log is empty or damaged from its beginning, or nobody says what the task was.
    """
    folder_named = candidate.shape is Shape.FOLDER
    root = candidate.path if folder_named else candidate.path.parent
    folder = RunFolder(root, options.limits)
    events = read_events(folder.locate(LOG if folder_named else candidate.path.name), options.limits)
    task = events.instruction or told_task(options, root.absolute().name)
    if not task:
        raise NoTaskError("the log has no entry init with the instruction", "give it with --task")
    screens = screens_of(events, folder)
    steps = steps_of(events, screens)
    gaps = {*events.gaps, *([Gap.UNREADABLE_OBSERVATION] if screens.lost else [])}
    yield SealedRun(
        run_id=_run_id(root),
        task=Task(task),
        trace=Trace(steps, known_gaps(steps, tuple(gaps))),
        report=report_of(events),
        harness=_harness(events),
        origin=Origin(candidate.name, "mobile_agent_e", "", events.encoding, "Mobile-Agent-E"),
        narration=_narration(events),
        stripped=tuple(events.stripped),
        notices=tuple(_notices(events, screens)),
    )


def _run_id(root: Path) -> str:
    """Return the names of the run and of the task, which the tool gives to the folders ``<run>/<task>``."""
    whole = root.absolute()
    return f"{whole.parent.name}/{whole.name}"


def _narration(events: Events) -> tuple[Narrated, ...]:
    """Return the agent's words; those of the step in which it ends the run are its report once more."""
    last = events.finish.get("step") if ended(events) else None
    return tuple(one for one in events.narration if one.step != last)


def _harness(events: Events) -> HarnessStatus:
    if ended(events):
        return HarnessStatus.COMPLETED
    limit = events.finish.get("finish_flag") == "max_iteration"
    return HarnessStatus.STEP_LIMIT if limit else HarnessStatus.UNKNOWN


def _notices(events: Events, screens: Screens) -> Iterator[str]:
    yield from events.notices
    missing = missing_notice("screenshot", screens.lost)
    if missing:
        yield missing
    if events.encoding not in ("", "utf-8"):
        yield f"log read as {events.encoding}"
    flag = events.finish.get("finish_flag")
    if isinstance(flag, str) and flag in _STOPPED:
        yield f"{_STOPPED[flag]}; no end is inferred"
    elif not events.finish:
        yield "the log has no entry finish: the run was stopped; no end is inferred"
