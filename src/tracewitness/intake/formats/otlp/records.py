"""One exported span of OpenTelemetry as a span."""

from collections.abc import Iterable, Iterator
from typing import Any

from tracewitness.intake.formats.otlp.layouts import Raw, attributes_of, parent_id, span_id
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
from tracewitness.intake.spans.called import parsed
from tracewitness.intake.spans.dotted import flat
from tracewitness.intake.spans.span import Span, SpanKind
from tracewitness.intake.spans.times import iso, nanoseconds
from tracewitness.intake.untyped import object_of, objects_of, text_of

_STARTS = ("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime")
_ENDS = ("endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime")
_FAILED = ("2", "error", "status_code_error", "statuscode.error")
_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
CHOICE = "gen_ai.choice"
CARRIERS = ("gen_ai.content.prompt", "gen_ai.content.completion", "gen_ai.client.inference.operation.details")
GRADED = "gen_ai.evaluation"
NOTED = "events"
"""The attribute in which some tracers write their events down, as JSON."""


def span_of(raw: Raw, where: str) -> Span:
    """Return an exported span as a span; what no convention names is not read."""
    attributes = flat({**attributes_of(raw.get("tags")), **attributes_of(raw.get("attributes"))})
    listed = objects_of(raw.get("events"))
    events = [(text_of(one.get("name")), flat(attributes_of(one.get("attributes")))) for one in listed]
    for name, carried in events:
        if name in CARRIERS:
            attributes = {**carried, **attributes}
    events += _noted(attributes)
    name = text_of(raw.get("name")) or text_of(raw.get("operationName"))
    kind = _kind(raw, name, attributes)
    asked, answered = _from_events(events)
    start, end = _times(raw)
    failed, error = _failure(raw, events)
    given, gave = input_of(kind, attributes), output_of(kind, attributes)
    return Span(
        id=span_id(raw),
        parent=parent_id(raw),
        kind=kind,
        name=tool_name(name, attributes) if kind is SpanKind.TOOL else name,
        where=where,
        input=asked if given is None else given,
        output=answered if gave is None else gave,
        start=start,
        end=end,
        time=iso(start),
        call_id=call_id_of(attributes),
        mentions=mentioned_tool(kind, attributes),
        failed=failed,
        error=error,
        cut=cut_of(attributes),
        graded=graded_characters(attributes) + sum(graded_characters(one) for name, one in events if GRADED in name),
    )


def _noted(attributes: Raw) -> Iterator[tuple[str, Raw]]:
    """Yield the events that Logfire and Pydantic AI write down in an attribute of the span."""
    listed = attributes.get(NOTED)
    for one in objects_of(parsed(listed) if isinstance(listed, str) else listed):
        yield text_of(one.get("event.name")), one


def _kind(raw: Raw, name: str, attributes: Raw) -> SpanKind:
    told = text_of(raw.get("span_kind"))  # Phoenix writes the kind beside the attributes
    return kind_of_span(name, {"openinference.span.kind": told, **attributes} if told else attributes)


def _times(raw: Raw) -> tuple[int | None, int | None]:
    start = next((found for key in _STARTS if (found := nanoseconds(raw.get(key))) is not None), None)
    end = next((found for key in _ENDS if (found := nanoseconds(raw.get(key))) is not None), None)
    lasted = raw.get("duration")
    if end is None and start is not None and isinstance(lasted, int) and 0 <= lasted < 10**15:
        end = start + lasted * 1000  # Jaeger writes microseconds
    return start, end


def _failure(raw: Raw, events: Iterable[tuple[str, Raw]]) -> tuple[bool, str]:
    status = object_of(raw.get("status"))
    codes = (status.get("code"), status.get("status_code"), status.get("statusCode"), raw.get("status_code"))
    failed = any(str(code).casefold() in _FAILED for code in codes if isinstance(code, str | int))
    told = [status.get("message"), status.get("description"), raw.get("status_message")]
    told += [one.get("exception.message") for name, one in events if name == "exception"]
    return failed, next((one for one in told if isinstance(one, str) and one.strip()), "")


def _from_events(events: Iterable[tuple[str, Raw]]) -> tuple[list[Any] | None, list[Any] | None]:
    """Return the messages that older conventions write down as events: what a model was asked, what it answered."""
    asked: list[Any] = []
    answered: list[Any] = []
    for name, carried in events:
        if name in _ROLES:
            asked.append({"role": _ROLES[name], **_opened(carried), "tool_call_id": carried.get("id")})
        elif name == CHOICE:
            inner = _opened(carried)
            message = _opened(object_of(inner.get("message"))) or inner
            answered.append({"role": "assistant", **{key: one for key, one in message.items() if key != "role"}})
    return asked or None, answered or None


def _opened(carried: Raw) -> Raw:
    """Return the attributes of an event with those opened that hold JSON in a text."""
    return {key: parsed(value) if isinstance(value, str) else value for key, value in carried.items() if "." not in key}
