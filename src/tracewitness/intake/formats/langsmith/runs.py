"""One run of LangSmith as a span."""

from typing import Any

from tracewitness.intake.own_words import size_of
from tracewitness.intake.spans.called import opened
from tracewitness.intake.spans.span import Span, SpanKind
from tracewitness.intake.spans.times import iso, nanoseconds
from tracewitness.intake.untyped import text_of

_KINDS = {
    "llm": SpanKind.MODEL,
    "tool": SpanKind.TOOL,
    "retriever": SpanKind.TOOL,
    "chain": SpanKind.AGENT,
}
GRADES = ("feedback", "feedback_stats", "reference_example_id", "reference_outputs", "scores")


def span_of(run: dict[str, Any], parent: str | None, where: str) -> Span:
    """Return a run as a span.

    Args:
        run: The run.
        parent: The id of the run that it is nested in, where it is.
        where: Its place in the log.
    """
    start, end = nanoseconds(run.get("start_time")), nanoseconds(run.get("end_time"))
    error, given = text_of(run.get("error")), _held(run.get("inputs"))
    gave = _held(run.get("outputs"))
    return Span(
        id=text_of(run.get("id")),
        parent=parent or _parent(run),
        kind=_KINDS.get(text_of(run.get("run_type")), SpanKind.OTHER),
        name=text_of(run.get("name")) or "tool",
        where=where,
        input=given,
        output=gave,
        start=start,
        end=end,
        time=iso(start),
        failed=bool(error) or run.get("status") == "error",
        error=error,
        graded=sum(size_of(run[key]) for key in GRADES if run.get(key)),
        opened=run.get("status") == "pending" or ("end_time" in run and end is None and gave is None),
    )


def _held(value: Any) -> Any:
    found = opened(value)
    return None if found == {} else found


def _parent(run: dict[str, Any]) -> str | None:
    """Return the id of the run that a run ran in: it stands in the run, or in its place in the order of the trace."""
    told = text_of(run.get("parent_run_id"))
    above = text_of(run.get("dotted_order")).split(".")[:-1]
    return told or (above[-1].partition("Z")[2] if above else "") or None


def trace_of(run: dict[str, Any]) -> str:
    """Return the id of the trace of a run; a run without one and without a parent is a trace of its own."""
    told = text_of(run.get("trace_id"))
    first = text_of(run.get("dotted_order")).partition(".")[0].partition("Z")[2]
    return told or first or text_of(run.get("id"))
