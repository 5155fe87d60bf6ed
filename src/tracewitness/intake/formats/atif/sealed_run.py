"""The sealed run of a trajectory."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.formats.atif.acting import REFUSED, UNPARSED
from tracewitness.intake.formats.atif.content import Contents
from tracewitness.intake.formats.atif.document import version_of
from tracewitness.intake.formats.atif.others import Others
from tracewitness.intake.formats.atif.profile import is_marked
from tracewitness.intake.formats.atif.segments import Segments
from tracewitness.intake.formats.atif.telling import Telling
from tracewitness.intake.formats.atif.written import written_run
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.own_words import size_of
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.turn_split import Conversation, split_turns
from tracewitness.intake.untyped import object_of, text_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Step
from tracewitness.values.plurals import plural

_AT_TERMINAL = "terminus"
"""How the names of the agents begin that type into a terminal and see its screen, whatever they call."""


def sealed_run(
    document: dict[str, Any], run_id: str, origin: Origin, log: str, options: ReadOptions, folder: RunFolder
) -> SealedRun:
    """Return the run of a trajectory.

    Args:
        document: The trajectory.
        run_id: The id of the run.
        origin: Where it came from; version and agent are filled in.
        log: The path of the trajectory in the folder.
        options: What the reader was told.
        folder: The folder of the run.

    Raises:
        IntakeError: The version is not known, a picture leads out of the folder, or nobody says what the task was.
    """
    version, newer = version_of(document)
    segments = Segments(folder, log)
    segments.read(document)
    contents = Contents(folder, segments.path("").removeprefix(".").lstrip("/"))
    if is_marked(document):
        return written_run(document, run_id, origin, contents, options)
    at_terminal = (_agent(document) or "").startswith(_AT_TERMINAL)
    telling = Telling(contents, options.finish_kinds, terminal=at_terminal, others=Others.of(document))
    told = split_turns(telling.turns(segments.steps), finish_kinds=options.finish_kinds)
    told.steps = tuple(map(_as_carried_out, told.steps))
    closing = tuple(_close(told, telling))
    task = None if told.task else task_beside(folder.locate(log))
    notices = (newer, *_notices(segments, telling))
    return seal_conversation(
        told,
        run_id,
        replace(origin, format_version=version, agent=_agent(document)),
        options,
        task=task,
        gaps=tuple(_gaps(segments, telling)),
        stripped=(*closing, *telling.stripped, *_aside(document, telling.others)),
        notices=(*filter(None, notices), *contents.notices),
    )


def _agent(document: dict[str, Any]) -> str | None:
    return text_of(object_of(document.get("agent")).get("name")) or None


def _as_carried_out(step: Step) -> Step:
    """Return a step, marked as not carried out where the answer says that the message was not understood."""
    if step.action.kind == UNPARSED and (step.error or "").startswith(REFUSED):
        return replace(step, action=replace(step.action, executed=False))
    return step


def _close(told: Conversation, telling: Telling) -> Iterator[Stripped]:
    """Put the words beside the calls that ended the run into the report, or into the narration where none did."""
    where, words = telling.closing
    if told.ended:
        texts = dict.fromkeys(filter(None, (told.report.text, words)))
        flag = told.report.declared_status or (DeclaredStatus.SUCCESS if telling.declared else None)
        told.report = Report("\n\n".join(texts) or None, flag)
    elif words:
        told.narration = (*told.narration, Narrated(len(told.steps), words))
    if words:
        plane = Plane.REPORT if told.ended else Plane.NARRATION
        yield Stripped(where, plane, LeakRoute.FINAL_REPORT, len(words))


def _aside(document: dict[str, Any], others: Others) -> Iterator[Stripped]:
    """Yield what stands beside the steps."""
    notes = text_of(document.get("notes"))
    if notes:
        yield Stripped("notes", Plane.NARRATION, LeakRoute.CARRIED_MEMORY, len(notes))
    if document.get("extra"):
        yield Stripped("extra", Plane.GRADING, LeakRoute.GRADING_ECHO, size_of(document["extra"]))
    for other in others.left.values():
        yield Stripped(other.where, Plane.NARRATION, LeakRoute.ECHO, size_of(other.document))


def _gaps(segments: Segments, telling: Telling) -> Iterator[Gap]:
    if segments.broken or segments.odd or telling.unparsed or telling.delegated or any(telling.others.acting()):
        yield Gap.MISSING_STEPS
    if telling.contents.unseen:
        yield Gap.UNREADABLE_OBSERVATION


def _notices(segments: Segments, telling: Telling) -> Iterator[str | None]:
    yield segments.broken
    if segments.odd:
        yield f"{plural(segments.odd, 'step')} cannot be read"
    if telling.unparsed:
        yield f"{plural(telling.unparsed, 'message')} of the agent acted in a way that is not read"
    others = max(telling.delegated, sum(1 for _ in telling.others.acting()))
    if others:
        yield f"what {plural(others, 'other agent')} did on behalf of this one is not read"
