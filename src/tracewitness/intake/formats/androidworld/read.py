"""Reading AndroidWorld checkpoints."""

from collections.abc import Iterator
from pathlib import Path

from tracewitness.findings.causes import Gap
from tracewitness.intake.array_pictures import picture_of
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure, NoTaskError
from tracewitness.intake.formats.androidworld.actions import WRITTEN
from tracewitness.intake.formats.androidworld.episodes import Columns, Episode, episodes_of
from tracewitness.intake.formats.androidworld.split import Told, split
from tracewitness.intake.formats.androidworld.ui_elements import Screens
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.pickles import Pickled, read_pickle
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.task_files import told_task
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_DIALECTS = (
    ("Mobile-Agent-v3", "action_history"),
    ("GUI-Owl", "action_response"),
    ("SeeAct", "seeact_action"),
    ("M3A", "before_ui_elements"),
    ("T3A", "before_element_list"),
    ("human", "pixels"),
    ("random or learning agent", "ui_elements"),
)
"""Dialects by a field that only they have, the more special ones first."""


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a checkpoint; one that cannot be read is a failure among the others.

    Raises:
        IntakeError: The pickle cannot be read, or holds no episodes.
    """
    pickled = read_pickle(candidate.path, options.limits, note=picture_of)
    screens = Screens(options.limits)
    for episode in episodes_of(pickled.value):
        try:
            yield _run_of(candidate, episode, pickled, screens, options)
        except IntakeError as error:
            if not episode.where:
                raise
            yield error.at(candidate.name, episode.where).failure(_run_id(candidate.path, episode))


def _run_of(
    candidate: Candidate, episode: Episode, pickled: Pickled, screens: Screens, options: ReadOptions
) -> SealedRun:
    if len(episode.columns.numbers) > options.limits.steps:
        problem = f"{len(episode.columns.numbers)} steps, at most {options.limits.steps} are read"
        raise BadRunError(problem, "split the run")
    task = episode.goal or task_beside(candidate.path) or told_task(options, candidate.path.name.split(".")[0])
    if not task:
        raise NoTaskError("the goal of the episode is empty", "write it to task.txt beside it, or give it with --task")
    told = split(episode, screens, options.finish_kinds)
    gaps = [*told.gaps, *((Gap.DECLARED_INCOMPLETE,) if episode.crashed else ())]
    return SealedRun(
        run_id=_run_id(candidate.path, episode),
        task=Task(task),
        trace=Trace(told.steps, known_gaps(told.steps, gaps)),
        report=told.report,
        harness=_harness(episode, told),
        origin=Origin(candidate.name, "androidworld", _dialect(episode.columns), agent=episode.agent),
        narration=told.narration,
        stripped=tuple(told.stripped),
        notices=tuple(_notices(episode, told, pickled)),
    )


def _run_id(path: Path, episode: Episode) -> str:
    """Return the names of the run's folder and of the file, since tasks are run again and again."""
    whole = path.absolute()
    return f"{whole.parent.name}/{whole.name.split('.', 1)[0]}{episode.where}"


def _harness(episode: Episode, told: Told) -> HarnessStatus:
    if episode.crashed or episode.fields.get("exception_info"):
        return HarnessStatus.ERROR
    return HarnessStatus.COMPLETED if told.ended else HarnessStatus.UNKNOWN


def _dialect(columns: Columns) -> str:
    names = columns.lists.keys() | columns.uneven.keys()
    return next((dialect for dialect, name in _DIALECTS if name in names), "")


def _notices(episode: Episode, told: Told, pickled: Pickled) -> Iterator[str]:
    yield from told.notices
    if pickled.unknown:
        first = ", ".join(pickled.unknown[:3])
        more = f" and {len(pickled.unknown) - 3} more" if len(pickled.unknown) > 3 else ""
        yield f"objects of unknown classes were taken as data and not made: {first}{more}"
    if episode.crashed:
        yield "the run ended by an exception; AndroidWorld kept nothing of its steps"
    elif not told.ended:
        yield "the agent did not end the run: the step limit was reached or the run was stopped; no end is inferred"
    if WRITTEN in episode.columns.lists and not _dialect(episode.columns):
        yield "the agent is not known; its actions are read as T3A writes them"
