"""Telling exports of OpenTelemetry spans."""

from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats.otlp.layouts import holds_spans, is_span
from tracewitness.intake.untyped import list_of, object_of

_OTHER_SIGNALS = ("resourceLogs", "resourceMetrics", "resource_logs", "resource_metrics")
_SAMPLED = 5


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a file of OTLP JSON, and to one of spans as an SDK dumps them."""
    if candidate.shape not in (Shape.JSON, Shape.JSON_LINES):
        return Verdict(False, "no JSON with resourceSpans or spans")
    samples = list_of(candidate.sample)[:_SAMPLED] or [candidate.sample]
    if candidate.shape is Shape.JSON_LINES:
        samples = list(candidate.objects())
    return _of_samples(samples)


def _of_samples(samples: list[Any]) -> Verdict:
    if any(holds_spans(one) for one in samples):
        return Verdict(True, "it holds resourceSpans, or spans of an SDK or of Jaeger")
    if any(is_span(one) for one in samples):
        return Verdict(True, "it holds spans with a trace id, a span id, a name and attributes")
    if any(key in object_of(one) for one in samples for key in _OTHER_SIGNALS):
        return Verdict(False, "it holds logs or metrics of OpenTelemetry, and no spans")
    return Verdict(False, "neither resourceSpans nor spans with ids and attributes")
