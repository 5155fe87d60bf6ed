"""Reading runs of LangSmith: one run of an agent a trace."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure
from tracewitness.intake.formats.langsmith.detect import is_run
from tracewitness.intake.formats.langsmith.runs import span_of, trace_of
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.spans.log import Log, flattened, read_log
from tracewitness.intake.spans.sealing import Traced, seal_trace
from tracewitness.intake.spans.span import Span
from tracewitness.intake.untyped import list_of, object_of, objects_of
from tracewitness.values.plurals import plural

_DEEPEST = 200


@dataclass(slots=True)
class _Trace:
    id: str
    spans: list[Span] = field(default_factory=list[Span])
    named: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def traced(self, task: str | None, log: Log) -> Traced:
        known = {one.id for one in self.spans}
        lost = {child for children in self.named.values() for child in children if child not in known}
        spans = tuple(replace(one, lost_inner=not lost.isdisjoint(self.named.get(one.id, ()))) for one in self.spans)
        gaps, missing, notices = log.gaps, log.gaps, log.notices
        if lost:
            gaps, missing = (*gaps, Gap.MISSING_STEPS), (*missing, Gap.LOG_CUT_OFF)
            notices = (*notices, f"{plural(len(lost), 'child run')} of the trace named and not in the file")
        return Traced(self.id, spans, task=task, gaps=gaps, lost=missing, notices=notices)


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file, one a trace, in the order in which the traces are first met.

    Raises:
        IntakeError: Nothing of the candidate can be read.
    """
    log = read_log(candidate)
    traces = _traces(log)
    if not traces:
        raise BadRunError("no run in it has an id and a run_type", "export the runs again")
    task = task_beside(candidate.path)
    origin = Origin(candidate.name, "langsmith", "", log.encoding)
    for one in traces:
        try:
            yield seal_trace(one.traced(task, log), origin, options)
        except IntakeError as error:
            if len(traces) == 1:
                raise
            yield error.within(f"trace {one.id}").at(candidate.name).failure(one.id)


def _traces(log: Log) -> list[_Trace]:
    traces: dict[str, _Trace] = {}
    for place, value in flattened(log):
        listed = list_of(object_of(value).get("runs"))
        inner = [(f"{place}, runs[{at}]" if place else f"runs[{at}]", one) for at, one in enumerate(listed)]
        for where, one in inner or [(place, value)]:
            if is_run(one):
                _add(traces, object_of(one), where)
    return list(traces.values())


def _add(traces: dict[str, _Trace], run: dict[str, Any], where: str) -> None:
    """Add a run and those nested in it to its trace."""
    key = trace_of(run)
    trace = traces.setdefault(key, _Trace(key))
    pending: list[tuple[dict[str, Any], str | None, str, int]] = [(run, None, where, 0)]
    while pending:
        one, parent, place, depth = pending.pop()
        span = span_of(one, parent, place)
        if not span.id:
            continue
        trace.spans.append(span)
        trace.named[span.id] = tuple(child for child in list_of(one.get("child_run_ids")) if isinstance(child, str))
        children = objects_of(one.get("child_runs")) if depth < _DEEPEST else []
        prefix = f"{place}.child_runs" if place else "child_runs"
        pending += [(child, span.id, f"{prefix}[{at}]", depth + 1) for at, child in enumerate(children)][::-1]
