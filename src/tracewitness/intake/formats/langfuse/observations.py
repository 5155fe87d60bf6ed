"""One observation of Langfuse as a span."""

from typing import Any

from tracewitness.intake.spans.attributes import (
    call_id_of,
    cut_of,
    graded_characters,
    input_of,
    kind_of_span,
    mentioned_tool,
    output_of,
    tool_name,
)
from tracewitness.intake.spans.called import opened, said
from tracewitness.intake.spans.dotted import flat
from tracewitness.intake.spans.parts import is_tool_message
from tracewitness.intake.spans.span import Span, SpanKind
from tracewitness.intake.spans.times import iso, nanoseconds
from tracewitness.intake.untyped import object_of, text_of

_KINDS = {
    "GENERATION": SpanKind.MODEL,
    "AGENT": SpanKind.AGENT,
    "CHAIN": SpanKind.AGENT,
    "TOOL": SpanKind.TOOL,
    "RETRIEVER": SpanKind.TOOL,
    "EVALUATOR": SpanKind.GRADER,
    "EVENT": SpanKind.OTHER,
    "EMBEDDING": SpanKind.OTHER,
    "GUARDRAIL": SpanKind.OTHER,
}


def span_of(observation: dict[str, Any], where: str) -> Span:
    """Return an observation as a span."""
    metadata = object_of(opened(observation.get("metadata")))
    attributes = flat(object_of(opened(metadata.get("attributes"))))
    name = text_of(observation.get("name"))
    given, gave = opened(observation.get("input")), opened(observation.get("output"))
    kind = _kind(text_of(observation.get("type")), name, attributes, gave)
    gave = said(observation.get("output")) if kind is not SpanKind.TOOL else gave
    start, end = nanoseconds(observation.get("startTime")), nanoseconds(observation.get("endTime"))
    failed = observation.get("level") == "ERROR"
    return Span(
        id=text_of(observation.get("id")),
        parent=text_of(observation.get("parentObservationId")) or None,
        kind=kind,
        name=tool_name(name, attributes) if kind is SpanKind.TOOL else name,
        where=where,
        input=input_of(kind, attributes) if given is None else given,
        output=gave if gave not in (None, "") else _first_said(output_of(kind, attributes), gave),
        start=start,
        end=end,
        time=iso(start),
        call_id=call_id_of(attributes),
        mentions=mentioned_tool(kind, attributes),
        failed=failed,
        error=text_of(observation.get("statusMessage")) if failed else "",
        graded=graded_characters(attributes),
        cut=cut_of(attributes),
        opened="endTime" in observation and end is None and gave is None and kind is not SpanKind.OTHER,
    )


def _first_said(noted: Any, gave: Any) -> Any:
    return gave if noted is None else noted


def _kind(told: str, name: str, attributes: dict[str, Any], output: Any) -> SpanKind:
    """Return what an observation is one of: by its type, and for a mere span by what its tracer says of it."""
    if told in _KINDS:
        return _KINDS[told]
    kind = kind_of_span(name, attributes)
    if kind is not SpanKind.OTHER:
        return kind
    return SpanKind.TOOL if is_tool_message(output) else SpanKind.AGENT
