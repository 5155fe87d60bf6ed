"""Traces of Langfuse with their observations."""

from tracewitness.intake.formats.langfuse.detect import detect
from tracewitness.intake.formats.langfuse.read import read
from tracewitness.intake.log_format import LogFormat

FORMAT = LogFormat(
    name="langfuse",
    summary="Langfuse traces with their observations (downloads, the public interface, files of observations)",
    versions=("Langfuse 3 (2024-05 to 2025-12)",),
    package="tracewitness.intake.formats.langfuse",
    detector=detect,
    reader=read,
)

__all__ = ["FORMAT"]
