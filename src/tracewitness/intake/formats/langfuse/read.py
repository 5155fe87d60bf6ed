"""Reading exports of Langfuse: one run a trace."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure
from tracewitness.intake.formats.langfuse.detect import as_observation, holds_trace, is_observation
from tracewitness.intake.formats.langfuse.observations import span_of
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.spans.called import opened, said
from tracewitness.intake.spans.log import Log, flattened, read_log
from tracewitness.intake.spans.sealing import Traced, seal_trace
from tracewitness.intake.spans.span import Span
from tracewitness.intake.spans.telling import size_of_any
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of


@dataclass(slots=True)
class _Trace:
    id: str
    where: str
    about: dict[str, Any] = field(default_factory=dict[str, Any])
    spans: list[Span] = field(default_factory=list[Span])


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file, one a trace, in the order in which the traces are first met.

    Raises:
        IntakeError: Nothing of the candidate can be read.
    """
    log = read_log(candidate)
    traces = _traces(log)
    if not traces:
        raise BadRunError("no observation in it has an id", "download the trace again")
    task = task_beside(candidate.path)
    origin = Origin(candidate.name, "langfuse", "", log.encoding)
    for one in traces:
        try:
            yield seal_trace(_traced(one, task, log), origin, options)
        except IntakeError as error:
            if len(traces) == 1:
                raise
            yield error.within(f"trace {one.id}").at(candidate.name).failure(one.id)


def _traced(trace: _Trace, task: str | None, log: Log) -> Traced:
    where = f"{trace.where}trace"
    asked, answered = opened(trace.about.get("input")), said(trace.about.get("output"))
    kept = [
        Stripped(f"{where}.input", Plane.TASK, LeakRoute.NONE, size_of_any(asked)),
        Stripped(f"{where}.output", Plane.REPORT, LeakRoute.FINAL_REPORT, size_of_any(answered)),
        *(
            Stripped(f"{where}.scores[{at}]", Plane.GRADING, LeakRoute.GRADING_ECHO, size_of_any(score))
            for at, score in enumerate(list_of(trace.about.get("scores")))
        ),
    ]
    return Traced(
        trace.id,
        tuple(trace.spans),
        asked,
        answered,
        where,
        task,
        tuple(one for one, value in zip(kept, (asked, answered, *kept[2:]), strict=True) if value is not None),
        log.gaps,
        log.gaps,
        log.notices,
    )


def _traces(log: Log) -> list[_Trace]:
    traces: dict[str, _Trace] = {}
    for place, value in flattened(log):
        for where, one in _unlisted(value, f"{place}, " if place else ""):
            if holds_trace(one):
                _add_trace(traces, object_of(one), where)
            elif is_observation(one):
                keys = as_observation(one)
                key = text_of(keys.get("traceId"))
                trace = traces.setdefault(key, _Trace(key, ""))
                trace.spans.append(span_of(keys, where.removesuffix(", ")))
    return [one for one in traces.values() if one.spans]


def _unlisted(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield the pages of the interface one by one: ``{"data": [...]}``."""
    listed = list_of(object_of(value).get("data"))
    if listed:
        yield from ((f"{place}data[{at}], ", one) for at, one in enumerate(listed))
    else:
        yield place, value


def _add_trace(traces: dict[str, _Trace], keys: dict[str, Any], place: str) -> None:
    about = object_of(keys.get("trace")) or {key: one for key, one in keys.items() if key != "observations"}
    listed = objects_of(keys.get("observations"))
    key = text_of(about.get("id")) or next((text_of(one.get("traceId")) for one in listed), "") or "trace"
    trace = traces.setdefault(key, _Trace(key, place, about))
    for at, one in enumerate(listed):
        if text_of(one.get("id")):
            trace.spans.append(span_of(one, f"{place}observations[{at}]"))
