"""Reading the data of UI-TARS-desktop runs, from JSON or from a report page."""

from collections.abc import Iterator
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError, IntakeFailure, NoTaskError
from tracewitness.intake.formats.ui_tars_desktop.detect import runs_in
from tracewitness.intake.formats.ui_tars_desktop.page import embedded
from tracewitness.intake.formats.ui_tars_desktop.split import Split, split
from tracewitness.intake.formats.ui_tars_desktop.turns import turns_of
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.reading_files import decode, lines_of, parse_json, read_bytes
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.task_files import told_task
from tracewitness.intake.untyped import text_of
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_KNOWN = ("", "v1")
_STATUS = {
    "end": HarnessStatus.COMPLETED,
    "call_user": HarnessStatus.COMPLETED,
    "max_loop": HarnessStatus.STEP_LIMIT,
    "error": HarnessStatus.ERROR,
}


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file.

    Raises:
        IntakeError: It cannot be read, or holds no run.
    """
    found = 0
    for place, outcome in documents(candidate, options.limits):
        if isinstance(outcome, IntakeError):
            found += 1
            yield outcome.at(candidate.name, place).failure()
            continue
        for run in runs_in(outcome):
            found += 1
            try:
                yield _read_run(run, f"{place}." if place else "", found, candidate, options)
            except IntakeError as error:
                yield error.at(candidate.name, place).failure()
    if not found:
        raise EmptyError("no run in it", "export the report again", path=candidate.name)


def documents(candidate: Candidate, limits: Limits) -> Iterator[tuple[str, Any]]:
    """Yield the JSON values of a file, each with its place; an error for one that cannot be read.

    Raises:
        IntakeError: The file cannot be read.
    """
    if candidate.shape is Shape.JSON:
        document: Any = candidate.document
        if not isinstance(document, list):
            yield "", document
        else:
            yield from ((f"[{at}]", one) for at, one in enumerate(document))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    elif candidate.shape is Shape.JSON_LINES:
        for line in lines_of(candidate.path, limits):
            yield f"line {line.number}", _parsed(line.content)
    else:
        page = decode(read_bytes(candidate.path, limits.document, "export fewer runs"), candidate.name).text
        yield from ((f"dump[{at}]", _parsed(content.encode())) for at, content in enumerate(embedded(page)))


def _parsed(content: bytes) -> Any:
    try:
        return parse_json(decode(content).text)
    except IntakeError as error:
        return error


def _read_run(run: dict[str, Any], prefix: str, number: int, candidate: Candidate, options: ReadOptions) -> SealedRun:
    stem = candidate.path.name.split(".", 1)[0]
    instruction = text_of(run.get("instruction")).strip()
    task = instruction or task_beside(candidate.path) or told_task(options, stem)
    if not task:
        raise NoTaskError("the instruction is not in this log", "give it with --task")
    turns = list(turns_of(run, prefix))
    told = split(run, turns, instruction, options.finish_kinds)
    if len(told.steps) > options.limits.steps:
        raise BadRunError(f"{len(told.steps)} steps, at most {options.limits.steps} are read", "split the run")
    gaps = [Gap.UNREADABLE_OBSERVATION] if told.missing else []
    return SealedRun(
        run_id=stem if number == 1 else f"{stem}#{number}",
        task=Task(task.strip()),
        trace=Trace(told.steps, known_gaps(told.steps, gaps)),
        report=told.report,
        harness=_harness(run, told),
        origin=Origin(candidate.name, "ui_tars_desktop", text_of(run.get("version"))[:40], agent="UI-TARS"),
        narration=told.narration,
        stripped=told.stripped,
        notices=tuple(_notices(run, told)),
    )


def _harness(run: dict[str, Any], told: Split) -> HarnessStatus:
    status = _STATUS.get(text_of(run.get("status")), HarnessStatus.UNKNOWN)
    if status is HarnessStatus.COMPLETED and not told.ended:
        return HarnessStatus.UNKNOWN
    return HarnessStatus.COMPLETED if told.ended and status is HarnessStatus.UNKNOWN else status


def _notices(run: dict[str, Any], told: Split) -> Iterator[str]:
    version = text_of(run.get("version"))
    if version not in _KNOWN:
        yield f"version {version[:40]!r} of the data is not known; it is read as v1"
    if (gone := missing_notice("screenshot", told.missing)) is not None:
        yield gone
    if told.unreadable:
        yield f"in {told.unreadable} of the model's answers no action can be told"
    if not told.ended:
        yield "the agent did not end the run in the log; no report is inferred"
