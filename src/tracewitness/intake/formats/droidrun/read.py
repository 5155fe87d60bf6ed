"""Reading DroidRun trajectories."""

from collections.abc import Iterator
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeFailure, NoTaskError
from tracewitness.intake.formats.droidrun.actions import Doings, doings_of, read_macro
from tracewitness.intake.formats.droidrun.detect import LOG
from tracewitness.intake.formats.droidrun.events import EventLog, read_events
from tracewitness.intake.formats.droidrun.screens import Looks
from tracewitness.intake.formats.droidrun.split import Told, split
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.task_files import told_task
from tracewitness.intake.untyped import text_of
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_NO_GOAL = frozenset({"DroidRun automation sequence", "Mobilerun automation sequence"})


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a folder, or of the log in it.

    Raises:
        IntakeError: The log is empty or damaged from its beginning, or nobody says what the task was.
    """
    named = candidate.shape is Shape.FOLDER
    root = candidate.path if named else candidate.path.parent
    folder = RunFolder(root, options.limits)
    log = read_events(folder.locate(LOG if named else candidate.path.name), options.limits)
    macro = read_macro(folder, log)
    task = _task(log, macro) or told_task(options, root.absolute().name)
    if not task:
        raise NoTaskError("neither macro.json nor an event holds the goal", "give it with --task")
    doings, looks = doings_of(log, macro), Looks.of(folder)
    told = split(log, doings, looks, options.finish_kinds)
    yield SealedRun(
        run_id=root.absolute().name,
        task=Task(task),
        trace=Trace(told.steps, known_gaps(told.steps, (*log.gaps, *looks.gaps))),
        report=told.report,
        harness=_harness(told),
        origin=Origin(candidate.name, "droidrun", doings.source, log.encoding, "DroidRun"),
        narration=tuple(told.narration),
        stripped=(*told.stripped, *log.stripped),
        notices=tuple(_notices(log, looks, doings, told)),
    )


def _task(log: EventLog, macro: dict[str, Any]) -> str:
    goal = text_of(macro.get("description")).strip()
    if goal and goal not in _NO_GOAL:
        return goal
    given = (text_of(one.fields.get("instruction")).strip() for one in log.events)
    return next((text for text in given if text), "")


def _harness(told: Told) -> HarnessStatus:
    if told.limited:
        return HarnessStatus.STEP_LIMIT
    return HarnessStatus.COMPLETED if told.ended else HarnessStatus.UNKNOWN


def _notices(log: EventLog, looks: Looks, doings: Doings, told: Told) -> Iterator[str]:
    yield from log.notices
    yield from looks.notices
    if doings.source == "code":
        yield "the actions are those that stand in the agent's code; whether each was carried out is not in the log"
    if log.encoding not in ("", "utf-8"):
        yield f"log read as {log.encoding}"
    if told.limited:
        yield "the run reached its step limit; no end is inferred"
    elif not told.ended:
        yield "the log has no end of the agent's own; none is inferred"
