"""Sorting a checked neutral run into planes."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.finishing import FINISH_KINDS, without_final_words
from tracewitness.intake.formats.neutral.detect import FORMAT
from tracewitness.intake.formats.neutral.schema import NeutralObservation, NeutralRun, NeutralStep
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.ui_dump import refuse_entities
from tracewitness.report_side.report import Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step, Trace
from tracewitness.values.digests import canonical_json

_DUMP_FILES = (".xml", ".txt", ".json", ".html")


@dataclass(slots=True)
class Place:
    """Where a run stands: file as named, place in it, its folder; collects the referenced files that are missing."""

    path: str
    where: str
    folder: RunFolder
    screenshots: list[str] = field(default_factory=list[str])
    dumps: list[str] = field(default_factory=list[str])
    unreadable: bool = False

    @property
    def notices(self) -> tuple[str, ...]:
        """The notices on missing files, one a kind."""
        told = (missing_notice("screenshot", self.screenshots), missing_notice("UI dump", self.dumps))
        return tuple(filter(None, told))


def seal(run: NeutralRun, place: Place, finish_kinds: frozenset[str] = FINISH_KINDS) -> SealedRun:
    """Return the sealed run.

    Raises:
        UnsafePathError: A screenshot or UI dump path leads out of the run's folder.
        UnsafeXmlError: A UI dump declares entities.
    """
    given = [_step(step, place, f"key steps[{at}]") for at, step in enumerate(run.steps)]
    steps, final_words = without_final_words(given, lambda at: f"steps[{at}].action", finish_kinds)
    declared = () if run.complete else (Gap.DECLARED_INCOMPLETE,)
    unreadable = (Gap.UNREADABLE_OBSERVATION,) if place.unreadable else ()
    return SealedRun(
        run_id=run.run_id,
        task=Task(run.task.instruction, run.task.app, run.task.start_url, run.task.locale, run.task.task_class),
        trace=Trace(steps, known_gaps(steps, (*declared, *unreadable))),
        report=Report(run.report.text, run.report.declared_status),
        harness=run.harness.status,
        origin=Origin(place.path, "neutral", FORMAT, "utf-8", run.agent, run.source),
        narration=tuple(Narrated(step.index, step.narration) for step in run.steps if step.narration),
        stripped=(*_stripped(run), *final_words),
        notices=place.notices,
        extra_json=_extra(run),
    )


def _step(step: NeutralStep, place: Place, where: str) -> Step:
    action = step.action
    return Step(
        step.index,
        Action(action.kind, action.target, action.text, action.raw),
        _observation(step.before, place, f"{where}.before"),
        _observation(step.after, place, f"{where}.after"),
        step.error,
        step.time,
    )


def _observation(seen: NeutralObservation | None, place: Place, where: str) -> Observation | None:
    if seen is None:
        return None
    try:
        screenshot = _screenshot(seen, place)
    except IntakeError as error:
        raise error.within(f"{where}.screenshot") from None
    try:
        return Observation(seen.text, _ui_tree(seen.ui_tree, place), seen.url, screenshot)
    except IntakeError as error:
        raise error.within(f"{where}.ui_tree") from None


def _screenshot(seen: NeutralObservation, place: Place) -> Screenshot | None:
    if seen.screenshot is None:
        return None
    screenshot = place.folder.screenshot(seen.screenshot)
    if screenshot.digest is None:
        place.screenshots.append(seen.screenshot)
        place.unreadable = place.unreadable or (seen.text is None and seen.ui_tree is None)
    return screenshot


def _ui_tree(given: str | None, place: Place) -> str | None:
    if given is None:
        return None
    tree = given
    if is_dump_path(given):
        found = place.folder.text(given)
        if found is None:
            place.dumps.append(given)
            place.unreadable = True
            return None
        tree = found
    refuse_entities(tree)
    return tree


def is_dump_path(given: str) -> bool:
    """Tell a relative path of a UI dump from an inline one: one short line with a file suffix and no markup."""
    return len(given) < 512 and given.endswith(_DUMP_FILES) and not any(mark in given for mark in "\n<>{}[]'\"=")


def _extra(run: NeutralRun) -> str | None:
    return None if run.extra is None else canonical_json(run.extra)


def _stripped(run: NeutralRun) -> Iterator[Stripped]:
    for position, step in enumerate(run.steps):
        if step.narration:
            yield Stripped(f"steps[{position}].narration", Plane.NARRATION, LeakRoute.THOUGHTS, len(step.narration))
    if run.report.text:
        yield Stripped("report.text", Plane.REPORT, LeakRoute.FINAL_REPORT, len(run.report.text))
    if run.report.declared_status:
        flag = run.report.declared_status
        yield Stripped("report.declared_status", Plane.REPORT, LeakRoute.FINISH_ARGUMENTS, len(flag))
    yield Stripped("harness.status", Plane.GRADING, LeakRoute.GRADING_ECHO, len(run.harness.status))
    if run.extra:
        yield Stripped("extra", Plane.GRADING, LeakRoute.GRADING_ECHO, len(_extra(run) or ""))
