"""Reading trajectories of SWE-agent and of mini-swe-agent."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError, IntakeFailure
from tracewitness.intake.formats.swe_agent.detect import MINI, attempts_of
from tracewitness.intake.formats.swe_agent.endings import harness_of
from tracewitness.intake.formats.swe_agent.mini import told_by_mini
from tracewitness.intake.formats.swe_agent.told import NOT_DONE, UNPARSED, Told
from tracewitness.intake.formats.swe_agent.trajectory import told_by_trajectory
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.turn_split import Conversation, split_turns
from tracewitness.intake.untyped import object_of, text_of
from tracewitness.report_side.report import Report
from tracewitness.trace_side.trace import Step

_KNOWN_MINI = frozenset({"mini-swe-agent-1", "mini-swe-agent-1.0", "mini-swe-agent-1.1"})
_ENDINGS = (".traj.json", ".traj", ".json")


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the run of a trajectory; where a file holds attempts alone, one a run.

    Raises:
        IntakeError: The file is damaged, holds no round, or is of a version that is not known.
    """
    document = object_of(candidate.document)
    run_id = _run_id(candidate.path)
    attempts = attempts_of(document)
    if not attempts or "trajectory" in document:
        yield _sealed(_told(document, candidate, options), run_id, candidate, options)
        return
    for number, one in enumerate(attempts, 1):
        name = f"{run_id}-{number}"
        try:
            yield _sealed(_told(one, candidate, options), name, candidate, options)
        except IntakeError as error:
            yield error.at(candidate.name, f"attempts[{number - 1}]").failure(name)


def _told(document: dict[str, Any], candidate: Candidate, options: ReadOptions) -> Told:
    named = text_of(document.get("trajectory_format"))
    if named.startswith(MINI):
        if named not in _KNOWN_MINI:
            known = ", ".join(sorted(_KNOWN_MINI))
            raise BadRunError(f"trajectory_format {named[:60]!r} is not known, expected one of {known}", "report it")
        told = told_by_mini(document, ChatPictures(RunFolder(candidate.path.parent, options.limits)))
    else:
        told = told_by_trajectory(document)
    if not told.turns:
        raise EmptyError("the trajectory holds no round", "leave the file out")
    return told


def _sealed(told: Told, run_id: str, candidate: Candidate, options: ReadOptions) -> SealedRun:
    turns = split_turns(told.turns, task=told.task, finish_kinds=options.finish_kinds)
    turns.steps = tuple(map(_as_carried_out, turns.steps))
    _without_report(turns) if not told.closing[0] else _close(turns, told)
    where, words = told.closing
    closing = (Stripped(where, Plane.REPORT, LeakRoute.FINAL_REPORT, len(words)),) if words else ()
    origin = Origin(candidate.name, "swe_agent", told.version, candidate.encoding, told.version.split("-1", 1)[0])
    return seal_conversation(
        turns,
        run_id,
        origin,
        options,
        task=told.task or task_beside(candidate.path),
        harness=harness_of(told.exit_status),
        gaps=told.gaps,
        stripped=(*closing, *told.stripped),
        notices=_notices(told),
    )


def _close(turns: Conversation, told: Told) -> None:
    turns.report = Report(told.closing[1] or None, turns.report.declared_status)


def _without_report(turns: Conversation) -> None:
    """Leave no report where the agent did not hand in: its last words are narration then."""
    turns.report = Report(None)
    turns.ended = False


def _as_carried_out(step: Step) -> Step:
    """Return a step, marked as not carried out where the tool found no action or says that it was not."""
    if step.action.kind == UNPARSED or step.error == NOT_DONE:
        return replace(step, action=replace(step.action, executed=False))
    return step


def _run_id(path: Path) -> str:
    """Return the names of the experiment and of the instance, for each experiment has the same instances."""
    name = next((path.name.removesuffix(ending) for ending in _ENDINGS if path.name.endswith(ending)), path.name)
    above = [parent.name for parent in path.absolute().parents if parent.name and parent.name != name]
    names = above[1::-1] if name in ("trajectory", "traj") else [*above[:1], name]
    return "/".join(names)


def _notices(told: Told) -> Iterator[str]:
    if not told.closing[0] and told.exit_status:
        yield f"the tool ended the run: {told.exit_status[:60]}"
    if Gap.MISSING_STEPS in told.gaps:
        yield "rounds of the trajectory are missing or cannot be read"
    yield from told.notices
