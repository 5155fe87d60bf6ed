"""Event streams of Agent TARS (tarko)."""

from tracewitness.intake.formats.agent_tars.detect import detect
from tracewitness.intake.formats.agent_tars.read import read
from tracewitness.intake.log_format import LogFormat

FORMAT = LogFormat(
    name="agent_tars",
    summary="Agent TARS event streams (trace.json with events, or one event a line)",
    versions=("tarko of 2025-09", "the source of 2026-02"),
    package="tracewitness.intake.formats.agent_tars",
    detector=detect,
    reader=read,
)

__all__ = ["FORMAT"]
