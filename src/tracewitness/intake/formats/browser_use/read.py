"""Reading browser-use history files, round by round, and folders of conversations."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tracewitness.findings.causes import Gap
from tracewitness.findings.evidence_causes import Notice
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError, IntakeFailure, NoTaskError
from tracewitness.intake.formats.browser_use.conversation import (
    ConversationFile,
    by_request,
    conversations_of,
    gather,
)
from tracewitness.intake.formats.browser_use.gathered import Gathered
from tracewitness.intake.formats.browser_use.history import Generation, Json
from tracewitness.intake.formats.browser_use.screens import Screens
from tracewitness.intake.formats.browser_use.split import Splitter, other_keys
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import sidecar_names, task_beside
from tracewitness.report_side.report import Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the run of a history file (one for each request of the user), or those of a folder of conversations.

    Raises:
        IntakeError: The file is damaged, the history is empty, or nobody says what the task was.
    """
    if candidate.shape is Shape.FOLDER:
        yield from _conversations(candidate, options)
        return
    stream = JsonStream.of(candidate, "history")
    gathered = _nothing_yet(RunFolder(candidate.path.parent, options.limits), options)
    run_id = own_id = run_id_of(candidate.path)
    for at, (_, item) in enumerate(stream):
        if (following := gathered.followed_by(item)) is not None:
            gathered.end()
            yield _sealed(gathered, _Known(run_id, candidate.path, candidate.name, stream.encoding, {}), options)
            gathered, run_id = following, _numbered(own_id, following.follow_ups)
        gathered.add(item, at)
    gathered.end()
    known = _Known(run_id, candidate.path, candidate.name, stream.encoding, stream.others)
    yield _sealed(gathered, known, options)


def _nothing_yet(folder: RunFolder, options: ReadOptions) -> Gathered:
    return Gathered(Splitter(options.finish_kinds), Screens.beside(folder))


def _conversations(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    folder = RunFolder(candidate.path, options.limits)
    for agent, files in conversations_of(candidate.files).items():
        own_id, first = f"{candidate.path.absolute().name}/{agent}", 1
        for ahead, part in by_request(folder, files):
            gathered = _nothing_yet(folder, options)
            gathered.generation, gathered.follow_ups, gathered.first = Generation.CONVERSATION, ahead, first
            first = part[-1].number + 1
            yield _of_conversation(gathered, part, own_id, candidate, options)


def _of_conversation(
    gathered: Gathered, files: list[ConversationFile], own_id: str, candidate: Candidate, options: ReadOptions
) -> SealedRun | IntakeFailure:
    run_id = _numbered(own_id, gathered.follow_ups)
    try:
        notices = gather(gathered, gathered.screens.folder, files)
        gathered.end()
        known = _Known(run_id, candidate.path / files[0].name, candidate.name, "utf-8", {}, notices)
        return _sealed(gathered, known, options)
    except IntakeError as error:
        return error.at(candidate.name).failure(run_id)


def _numbered(own_id: str, follow_ups: int) -> str:
    """Return the id of the run about a request of the user, of those that came one after the other."""
    return f"{own_id}#{follow_ups + 1}" if follow_ups else own_id


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a run besides its rounds."""

    run_id: str
    log: Path
    name: str
    encoding: str
    others: Json
    notices: tuple[str, ...] = ()


def _sealed(gathered: Gathered, known: _Known, options: ReadOptions) -> SealedRun:
    task = gathered.task or task_beside(known.log) or options.task
    if not task:
        raise NoTaskError(
            "the task text is not in this file", f"give it with --task, or in {sidecar_names(known.log)[0]} beside it"
        )
    splitter, screens = gathered.splitter, gathered.screens
    generation = gathered.generation or Generation.FLAT
    gaps = (*splitter.gaps, *screens.gaps, *((Gap.MISSING_STEPS,) if gathered.skipped else ()))
    return SealedRun(
        run_id=known.run_id,
        task=Task(task),
        trace=Trace(tuple(splitter.steps), known_gaps(splitter.steps, gaps)),
        report=gathered.report or Report(None),
        harness=_harness(gathered),
        origin=Origin(known.name, "browser_use", generation.value, known.encoding, "browser-use"),
        narration=tuple(splitter.narration),
        stripped=(*splitter.stripped, *other_keys(known.others)),
        notices=(*_notices(splitter, screens, gathered.follow_ups), *known.notices),
    )


def _harness(gathered: Gathered) -> HarnessStatus:
    if gathered.ended:
        return HarnessStatus.COMPLETED
    return HarnessStatus.STEP_LIMIT if gathered.limited else HarnessStatus.UNKNOWN


def run_id_of(path: Path) -> str:
    """Return ``folder/file`` without suffixes: the file name alone is the same for most runs."""
    whole = path.absolute()
    return f"{whole.parent.name}/{whole.name.split('.', 1)[0]}".removeprefix("/")


def _notices(splitter: Splitter, screens: Screens, follow_ups: int) -> tuple[str, ...]:
    notices = list(splitter.notices)
    if follow_ups:
        notices.append("a request that followed others in the same history; each is a run of its own")
    if screens.salvaged:
        notices.append(Notice.STATE_MESSAGE_SALVAGED.sentence)
    notices += [
        f"{where}.state_message: the browser state has no clear bounds and was left out" for where in screens.ambiguous
    ]
    notices += filter(None, [missing_notice("screenshot", screens.missing)])
    return tuple(notices)
