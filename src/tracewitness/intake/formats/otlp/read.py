"""Reading exports of OpenTelemetry spans: one run a trace."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure
from tracewitness.intake.formats.otlp.layouts import raw_spans, span_id, trace_id
from tracewitness.intake.formats.otlp.records import span_of
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.spans.log import Log, flattened, read_log
from tracewitness.intake.spans.sealing import Traced, seal_trace
from tracewitness.intake.spans.span import Span, SpanKind
from tracewitness.values.plurals import plural

_NO_AGENT = (SpanKind.OTHER, SpanKind.GRADER)


@dataclass(slots=True)
class _Trace:
    id: str
    agent: str | None
    spans: list[Span] = field(default_factory=list[Span])

    @property
    def of_agent(self) -> bool:
        return any(one.kind not in _NO_AGENT for one in self.spans)


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file, one a trace, in the order in which the traces are first met.

    Traces without any span of an agent, a model or a tool are those of other programs: they are left out.

    Raises:
        IntakeError: Nothing of the candidate can be read, or no trace in it is an agent's.
    """
    log = read_log(candidate)
    traces = _traces(log)
    of_agents = [one for one in traces if one.of_agent]
    if not of_agents:
        raise _no_agent(traces)
    others = len(traces) - len(of_agents)
    left = (f"{plural(others, 'trace')} of the file hold no span of an agent, and are left out",) if others else ()
    task = task_beside(candidate.path)
    for at, one in enumerate(of_agents):
        traced = Traced(
            one.id, tuple(one.spans), where="trace", task=task, gaps=log.gaps, lost=log.gaps, notices=log.notices
        )
        if at == 0:
            traced = replace(traced, notices=(*log.notices, *left))
        origin = Origin(candidate.name, "otlp", "", log.encoding, one.agent)
        try:
            yield seal_trace(traced, origin, options)
        except IntakeError as error:
            if len(of_agents) == 1:
                raise
            yield error.within(f"trace {one.id}").at(candidate.name).failure(one.id)


def _traces(log: Log) -> list[_Trace]:
    traces: dict[str, _Trace] = {}
    for place, value in flattened(log):
        for where, raw, about in raw_spans(value, place):
            key = trace_id(raw)
            if not key or not span_id(raw):
                continue
            agent = about.get("service.name")
            trace = traces.setdefault(key, _Trace(key, agent if isinstance(agent, str) else None))
            trace.spans.append(span_of(raw, where))
    return list(traces.values())


def _no_agent(traces: list[_Trace]) -> BadRunError:
    if not traces:
        return BadRunError("no span in it has a trace id and a span id", "export the spans again")
    names = ", ".join(dict.fromkeys(one.name for trace in traces for one in trace.spans[:3]))[:80]
    problem = f"no span in it is one of an agent, a model or a tool (such as: {names})"
    return BadRunError(problem, "name traces that an agent's tracer wrote")
