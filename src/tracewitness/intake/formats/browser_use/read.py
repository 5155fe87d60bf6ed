"""Reading browser-use history files."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.findings.evidence_causes import Notice
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure, NoTaskError
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats.browser_use import detect as detection
from tracewitness.intake.formats.browser_use import retell as retelling
from tracewitness.intake.formats.browser_use.history import Generation, Round, generation_of, rounds_of, task_of
from tracewitness.intake.formats.browser_use.screens import Screens
from tracewitness.intake.formats.browser_use.split import Splitter, other_keys, report_of
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.retelling import Say
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace


class BrowserUseFormat:
    """Reader of ``AgentHistory.json`` as ``Agent.save_history`` writes it, all generations."""

    name = "browser_use"
    summary = "browser-use histories (AgentHistory.json; the task is read from the prompt, a sidecar, or --task)"
    versions = tuple(generation.value for generation in Generation)

    def page(self) -> str:
        """Return the reader's page."""
        return files("tracewitness.intake.formats.browser_use").joinpath("page.md").read_text("utf-8")

    def detect(self, candidate: Candidate) -> Verdict:
        """See :func:`tracewitness.intake.formats.browser_use.detect.detect`."""
        return detection.detect(candidate)

    def read(self, candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
        """Yield the one run of a history file.

        Raises:
            IntakeError: The file is damaged, the history is empty, or nobody says what the task was.
        """
        try:
            yield _read_run(candidate.document, candidate, options)
        except IntakeError as error:
            raise error.at(candidate.name) from error.__cause__

    def retell(self, candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
        """See :class:`tracewitness.intake.retelling.Retelling`."""
        return retelling.retell(candidate, say, flag, folder)


def _read_run(document: Any, candidate: Candidate, options: ReadOptions) -> SealedRun:
    rounds = rounds_of(document)
    if sum(len(one.actions) for one in rounds) > options.limits.steps:
        raise BadRunError(f"more than {options.limits.steps} actions", "split the history")
    task = task_of(rounds) or task_beside(candidate.path) or options.task
    if not task:
        raise NoTaskError(
            "the task text is not in this file", f"give it with --task, or in {candidate.path.stem}.task.txt beside it"
        )
    screens = Screens.beside(RunFolder(candidate.path.parent, options.limits))
    splitter = _split(rounds, screens, options.finish_kinds)
    gaps = (*splitter.gaps, *screens.gaps, *_skipped(rounds))
    return SealedRun(
        run_id=run_id_of(candidate.path),
        task=Task(task),
        trace=Trace(tuple(splitter.steps), known_gaps(splitter.steps, gaps)),
        report=report_of(rounds),
        harness=_harness(rounds),
        origin=Origin(candidate.name, "browser_use", generation_of(document).value, candidate.encoding, "browser-use"),
        narration=tuple(splitter.narration),
        stripped=(*splitter.stripped, *other_keys(document)),
        notices=_notices(splitter, screens),
    )


def _split(rounds: tuple[Round, ...], screens: Screens, finish_kinds: frozenset[str]) -> Splitter:
    splitter = Splitter(finish_kinds)
    seen = [screens.observation(one) for one in rounds]
    for at, one in enumerate(rounds):
        following = at + 1 < len(rounds) and rounds[at + 1].number == one.number + 1
        splitter.add(one, seen[at], seen[at + 1] if following else None, last_round=at + 1 == len(rounds))
    splitter.end()
    return splitter


def _skipped(rounds: tuple[Round, ...]) -> tuple[Gap, ...]:
    """Return MISSING_STEPS where the step numbers of the rounds skip one or the first is above 1."""
    numbers = [one.number for one in rounds]
    whole = numbers[0] <= 1 and all(after == before + 1 for before, after in zip(numbers, numbers[1:], strict=False))
    return () if whole else (Gap.MISSING_STEPS,)


def _harness(rounds: tuple[Round, ...]) -> HarnessStatus:
    """The agent ended, or the file does not say why it stopped; a reached step limit leaves no mark."""
    ended = any(result.get("is_done") for result in rounds[-1].results)
    return HarnessStatus.COMPLETED if ended else HarnessStatus.UNKNOWN


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
