"""Reading browser-use history files, round by round."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.findings.evidence_causes import Notice
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadRunError, IntakeFailure, NoTaskError
from tracewitness.intake.formats.browser_use.history import (
    Generation,
    Round,
    generation_of,
    nothing_happened,
    round_of,
    task_of,
)
from tracewitness.intake.formats.browser_use.screens import Screens
from tracewitness.intake.formats.browser_use.split import Splitter, other_keys, said_at_the_end
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.report_side.report import Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Observation, Trace


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a history file.

    Raises:
        IntakeError: The file is damaged, the history is empty, or nobody says what the task was.
    """
    stream = JsonStream.of(candidate, "history")
    gathered = Gathered(
        Splitter(options.finish_kinds), Screens.beside(RunFolder(candidate.path.parent, options.limits))
    )
    for at, (_, item) in enumerate(stream):
        gathered.add(item, at)
        if len(gathered.splitter.steps) > options.limits.steps:
            raise BadRunError(f"more than {options.limits.steps} actions", "split the history")
    gathered.end()
    yield _sealed(gathered, stream, candidate, options)


@dataclass(slots=True)
class Gathered:
    """What is known of the run after the rounds met so far. Of a round nothing stays but what the run needs.

    A round is split when the next one has come, since that one shows what its last action led to.
    """

    splitter: Splitter
    screens: Screens
    generation: Generation | None = None
    task: str | None = None
    prompted: bool = False
    report: Report | None = None
    ended: bool = False
    skipped: bool = False
    waiting: tuple[Round, Observation | None] | None = field(default=None)

    def add(self, item: Any, position: int) -> None:
        """Take in the next round.

        Raises:
            BadRunError: A part of it has another type than in any known generation.
        """
        one = round_of(item, position)
        self.generation = self.generation or generation_of(item)
        if one.message and not self.prompted:
            self.prompted, self.task = True, task_of(one)
        seen = self.screens.observation(one)
        if self.waiting is None:
            self.skipped = one.number > 1
        else:
            before, shown = self.waiting
            follows = one.number == before.number + 1
            self.skipped = self.skipped or not follows
            self.splitter.add(before, shown, seen if follows else None, last_round=False)
        self.waiting = one, seen
        self.report = said_at_the_end(one) or self.report
        self.ended = any(result.get("is_done") for result in one.results)

    def end(self) -> None:
        """Say that no more rounds come.

        Raises:
            EmptyError: There was none.
        """
        if self.waiting is None:
            raise nothing_happened()
        self.splitter.add(*self.waiting, None, last_round=True)
        self.splitter.end()


def _sealed(gathered: Gathered, stream: JsonStream, candidate: Candidate, options: ReadOptions) -> SealedRun:
    task = gathered.task or task_beside(candidate.path) or options.task
    if not task:
        raise NoTaskError(
            "the task text is not in this file", f"give it with --task, or in {candidate.path.stem}.task.txt beside it"
        )
    splitter, screens = gathered.splitter, gathered.screens
    generation = gathered.generation or Generation.FLAT
    gaps = (*splitter.gaps, *screens.gaps, *((Gap.MISSING_STEPS,) if gathered.skipped else ()))
    return SealedRun(
        run_id=run_id_of(candidate.path),
        task=Task(task),
        trace=Trace(tuple(splitter.steps), known_gaps(splitter.steps, gaps)),
        report=gathered.report or Report(None),
        # A reached step limit leaves no mark: the file does not say why a run stopped that the agent did not end.
        harness=HarnessStatus.COMPLETED if gathered.ended else HarnessStatus.UNKNOWN,
        origin=Origin(candidate.name, "browser_use", generation.value, stream.encoding, "browser-use"),
        narration=tuple(splitter.narration),
        stripped=(*splitter.stripped, *other_keys(stream.others)),
        notices=_notices(splitter, screens),
    )


def run_id_of(path: Path) -> str:
    """Return ``folder/file`` without suffixes: the file name alone is the same for most runs."""
    whole = path.absolute()
    return f"{whole.parent.name}/{whole.name.split('.', 1)[0]}".removeprefix("/")


def _notices(splitter: Splitter, screens: Screens) -> tuple[str, ...]:
    notices = list(splitter.notices)
    if screens.salvaged:
        notices.append(Notice.STATE_MESSAGE_SALVAGED.sentence)
    notices += [
        f"{where}.state_message: the browser state has no clear bounds and was left out" for where in screens.ambiguous
    ]
    notices += filter(None, [missing_notice("screenshot", screens.missing)])
    return tuple(notices)
