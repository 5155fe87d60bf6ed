"""Traces of OpenTelemetry: GenAI conventions, OpenInference, Vercel AI SDK and their kin."""

from tracewitness.intake.formats.otlp.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.otlp.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.otlp.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="otlp",
    summary="OpenTelemetry spans (OTLP JSON, spans of an SDK, Jaeger) of GenAI conventions, OpenInference, AI SDK",
    versions=(
        "OTLP JSON 1.x",
        "GenAI semantic conventions up to 0.66b2 and their older names",
        "OpenInference 0.1.42",
        "AI SDK 6",
    ),
    package="tracewitness.intake.formats.otlp",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
