"""Reading Midscene dumps and report pages: one run an execution that a user instructed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError, IntakeFailure
from tracewitness.intake.finishing import without_final_words
from tracewitness.intake.formats.midscene.detect import dump_of
from tracewitness.intake.formats.midscene.page import embedded
from tracewitness.intake.formats.midscene.screens import Screens
from tracewitness.intake.formats.midscene.tasks import Told, instruction_of, told_by
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import decode, read_bytes
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_KNOWN = ("0.", "1.")
_LIMIT = "exceeding the limit"
_PLAIN_NAMES = frozenset({"index", "report"})


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a dump or a page.

    Raises:
        IntakeError: It cannot be read, or nothing in it was instructed by a user.
    """
    dumps, images, damaged = _contents(candidate, options)
    instructed = [(dump, one) for dump in dumps for one in _executions(dump) if instruction_of(one)]
    if not instructed:
        problem = (
            f"none of the dumps in it can be read ({damaged})" if damaged and not dumps else "no instruction in it"
        )
        raise EmptyError(problem, "steps of a script are no run of an agent; name a log of aiAct")
    folder = RunFolder(candidate.path.parent, options.limits)
    stem = _stem(candidate.path)
    for at, (dump, execution) in enumerate(instructed):
        run_id = stem if len(instructed) == 1 else f"{stem}-{at + 1}"
        try:
            yield _sealed(dump, execution, run_id, Screens(folder, images), candidate, options, damaged)
        except IntakeError as error:
            yield error.at(candidate.name, f"execution {at + 1}").failure(run_id)


def _contents(candidate: Candidate, options: ReadOptions) -> tuple[list[dict[str, Any]], dict[str, Any], int]:
    if candidate.shape is Shape.JSON:
        document = candidate.document
        return [dump_of(document)], object_of(object_of(document).get("images")), 0
    page = decode(read_bytes(candidate.path, options.limits.document), candidate.name)
    dumps, images, damaged = embedded(page.text)
    return dumps, dict(images), damaged


def _executions(dump: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the executions; of those that were written again as they went on, the last."""
    kept: dict[tuple[str, str], dict[str, Any]] = {}
    for at, one in enumerate(objects_of(dump.get("executions"))):
        kept[text_of(one.get("id")) or str(at), text_of(one.get("name"))] = one
    return list(kept.values())


def _stem(path: Path) -> str:
    stem = path.name.split(".", 1)[0]
    return path.absolute().parent.name if stem in _PLAIN_NAMES else stem


def _sealed(
    dump: dict[str, Any],
    execution: dict[str, Any],
    run_id: str,
    screens: Screens,
    candidate: Candidate,
    options: ReadOptions,
    damaged: int,
) -> SealedRun:
    tasks = objects_of(execution.get("tasks"))
    if len(tasks) > options.limits.steps:
        raise BadRunError(f"{len(tasks)} tasks, at most {options.limits.steps} are read", "split the run")
    told = told_by(tasks, screens)
    steps, lost = without_final_words(told.steps, lambda at: told.places[at], options.finish_kinds)
    odd = len(tasks) != len(list_of(execution.get("tasks")))
    gaps = (Gap.MISSING_STEPS,) * odd + (Gap.UNREADABLE_OBSERVATION,) * bool(screens.missing)
    version = text_of(dump.get("sdkVersion"))
    return SealedRun(
        run_id=run_id,
        task=Task(instruction_of(execution)),
        trace=Trace(steps, known_gaps(steps, gaps)),
        report=told.report,
        harness=_harness(told, tasks),
        origin=Origin(
            candidate.name, "midscene", version, agent="Midscene", source=text_of(dump.get("platform")) or None
        ),
        narration=tuple(told.narration),
        stripped=(*told.stripped, *lost),
        notices=tuple(_notices(version, screens, told, odd=odd, damaged=damaged)),
    )


def _harness(told: Told, tasks: list[dict[str, Any]]) -> HarnessStatus:
    if told.ended:
        return HarnessStatus.COMPLETED
    failed = [task for task in tasks[-1:] if task.get("status") == "failed"]
    if not failed:
        return HarnessStatus.UNKNOWN
    return HarnessStatus.STEP_LIMIT if _LIMIT in text_of(failed[0].get("errorMessage")) else HarnessStatus.ERROR


def _notices(version: str, screens: Screens, told: Told, *, odd: bool, damaged: int) -> Iterator[str]:
    if version and not version.startswith(_KNOWN):
        yield f"sdkVersion {version[:40]} is newer than those that are known: fields may be left out"
    if screens.notice:
        yield screens.notice
    if odd:
        yield "tasks of the execution cannot be read"
    if damaged:
        yield "a dump in the page is damaged: runs may be missing"
    if not told.ended:
        yield "the agent did not end the run; no report is inferred"
