"""Traces of Langfuse with their observations."""

from tracewitness.intake.formats.langfuse.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.langfuse.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.langfuse.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="langfuse",
    summary="Langfuse traces with their observations (downloads, the public interface, files of observations)",
    versions=("Langfuse 3 (2024-05 to 2025-12)",),
    package="tracewitness.intake.formats.langfuse",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
