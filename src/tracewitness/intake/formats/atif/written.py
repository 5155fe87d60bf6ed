"""Reading back a trajectory that ``convert`` wrote."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import TaskClass
from tracewitness.intake.calls import Call, declared_status
from tracewitness.intake.errors import BadRunError
from tracewitness.intake.finishing import FINISH, without_final_words
from tracewitness.intake.formats.atif.content import Contents
from tracewitness.intake.formats.atif.document import version_of
from tracewitness.intake.formats.atif.profile import PARTS, WRITTEN, marks_of
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.ui_dump import refuse_entities
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of
from tracewitness.report_side.report import Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Action, Observation, Step, Trace
from tracewitness.values.digests import canonical_json

_Member = TypeVar("_Member", HarnessStatus, TaskClass)


def written_run(
    document: dict[str, Any], run_id: str, origin: Origin, contents: Contents, options: ReadOptions
) -> SealedRun:
    """Return the run of a trajectory that ``convert`` wrote.

    Args:
        document: The trajectory.
        run_id: The id of the run where the trajectory has none.
        origin: Where it came from.
        contents: Reads messages and results.
        options: What the reader was told.

    Raises:
        IntakeError: It does not hold what its marks say, or a picture leads out of the folder.
    """
    marks = marks_of(document)
    if marks.get("written") != WRITTEN:
        raise BadRunError(
            f"written by another tracewitness (marks {str(marks.get('written'))[:20]!r}, expected {WRITTEN})",
            "use a newer tracewitness",
            where="key extra.tracewitness.written",
        )
    reading = _Reading(contents)
    reading.read(objects_of(document.get("steps")))
    steps, lost = without_final_words(reading.steps, lambda at: reading.places[at], options.finish_kinds)
    return SealedRun(
        run_id=text_of(document.get("session_id")) or run_id,
        task=_task(reading.instruction, marks),
        trace=Trace(steps, known_gaps(steps, tuple(_gaps(marks, contents)))),
        report=reading.report,
        harness=_member(HarnessStatus, marks.get("harness")) or HarnessStatus.UNKNOWN,
        origin=replace(
            origin,
            format_version=version_of(document)[0],
            agent=text_of(object_of(document.get("agent")).get("name")) or None if marks.get("agent_named") else None,
            source=_optional(marks.get("source")),
        ),
        narration=tuple(reading.narration),
        stripped=(*reading.stripped, *lost, *_stripped(marks)),
        notices=contents.notices,
        extra_json=canonical_json(marks["extra"]) if "extra" in marks else None,
    )


def _optional(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _member(members: type[_Member], value: Any) -> _Member | None:
    return next((one for one in members if one.value == value), None)


def _task(instruction: str, marks: dict[str, Any]) -> Task:
    app, start_url, locale = (_optional(marks.get(key)) for key in ("app", "start_url", "locale"))
    return Task(instruction, app, start_url, locale, _member(TaskClass, marks.get("task_class")))


def _gaps(marks: dict[str, Any], contents: Contents) -> Iterator[Gap]:
    told = list_of(marks.get("gaps"))
    known = {gap.id: gap for gap in Gap}
    yield from (known.get(text_of(name), Gap.DECLARED_INCOMPLETE) for name in told)
    if contents.unseen:
        yield Gap.UNREADABLE_OBSERVATION


def _stripped(marks: dict[str, Any]) -> Iterator[Stripped]:
    harness = str(marks.get("harness"))
    yield Stripped("extra.tracewitness.harness", Plane.GRADING, LeakRoute.GRADING_ECHO, len(harness))
    if "extra" in marks:
        size = len(canonical_json(marks["extra"]))
        yield Stripped("extra.tracewitness.extra", Plane.GRADING, LeakRoute.GRADING_ECHO, size)


@dataclass(slots=True)
class _Reading:
    contents: Contents
    instruction: str = ""
    report: Report = field(default_factory=lambda: Report(None))
    steps: list[Step] = field(default_factory=list[Step])
    places: list[str] = field(default_factory=list[str])
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    shown: Observation | None = None

    def read(self, given: list[dict[str, Any]]) -> None:
        for at, step in enumerate(given):
            where = f"steps[{at}]"
            if step.get("source") == "user" and at == 0:
                self.instruction = self.contents.text(step.get("message"))
            elif marks_of(step).get("shows") == "before":
                self.shown = next((seen for _, seen in self._seen(step, where)), None)
            elif step.get("source") == "agent":
                self._read_agents(step, where)
        if not self.instruction.strip():
            raise BadRunError("the first step holds no instruction", "convert the run again", where="key steps[0]")

    def _read_agents(self, step: dict[str, Any], where: str) -> None:
        call = object_of(next(iter(list_of(step.get("tool_calls"))), None))
        kind, arguments = text_of(call.get("function_name")), object_of(call.get("arguments"))
        marks = marks_of(step)
        if kind == FINISH:
            self._read_report(arguments, f"{where}.tool_calls[0].arguments")
        if marks.get("report") is True:
            return
        index = marks.get("index")
        if not isinstance(index, int) or isinstance(index, bool) or (self.steps and index <= self.steps[-1].index):
            raise BadRunError("its index does not follow that of the step before", "convert the run again", where=where)
        self._narrate(index, text_of(step.get("reasoning_content")), where)
        seen = dict(self._seen(step, where))
        acted = {} if kind == FINISH else {key: _optional(arguments.get(key)) for key in ("target", "text", "raw")}
        self.places.append(f"{where}.tool_calls[0]")
        self.steps.append(
            Step(
                index,
                Action(kind, **acted, executed=marks.get("executed") is not False),
                self._before(marks),
                seen.get("after"),
                self._error(step),
                _optional(step.get("timestamp")) or _optional(marks.get("time")),
            )
        )

    def _before(self, marks: dict[str, Any]) -> Observation | None:
        shown, self.shown = self.shown, None
        if marks.get("before") == "previous" and self.steps:
            return self.steps[-1].after
        return shown

    def _read_report(self, arguments: dict[str, Any], where: str) -> None:
        said = _optional(arguments.get("message"))
        self.report = Report(said, declared_status(Call(FINISH, arguments).arguments))
        for key in ("message", "status"):
            if text := text_of(arguments.get(key)):
                self.stripped.append(Stripped(f"{where}.{key}", Plane.REPORT, LeakRoute.FINISH_ARGUMENTS, len(text)))

    def _narrate(self, index: int, told: str, where: str) -> None:
        if told:
            self.narration.append(Narrated(index, told))
            place = f"{where}.reasoning_content"
            self.stripped.append(Stripped(place, Plane.NARRATION, LeakRoute.THOUGHTS, len(told)))

    def _error(self, step: dict[str, Any]) -> str | None:
        errors = [result for result in _results(step) if marks_of(result).get("shows") == "error"]
        return self.contents.text(errors[0].get("content")) if errors else None

    def _seen(self, step: dict[str, Any], where: str) -> Iterator[tuple[str, Observation]]:
        for at, result in enumerate(_results(step)):
            shows = text_of(marks_of(result).get("shows"))
            if shows != "error":
                yield shows, self._observation(result, f"{where}.observation.results[{at}]")

    def _observation(self, result: dict[str, Any], where: str) -> Observation:
        content, names = objects_of(result.get("content")), list_of(marks_of(result).get("parts"))
        if len(content) != len(names) or not set(map(str, names)) <= set(PARTS):
            raise BadRunError("its parts are not those that its marks name", "convert the run again", where=where)
        texts = {name: text_of(part.get("text")) for name, part in zip(names, content, strict=True)}
        screenshot = self.contents.screenshot(content) if texts.pop("screenshot", None) is not None else None
        if "ui_tree" in texts:
            refuse_entities(texts["ui_tree"])
        return Observation(**texts, screenshot=screenshot)


def _results(step: dict[str, Any]) -> list[dict[str, Any]]:
    return objects_of(object_of(step.get("observation")).get("results"))
