"""Event streams of Agent TARS (tarko)."""

from tracewitness.intake.formats.agent_tars.detect import detect
from tracewitness.intake.log_format import LogFormat, Read, later


def _read() -> Read:
    from tracewitness.intake.formats.agent_tars.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


FORMAT = LogFormat(
    name="agent_tars",
    summary="Agent TARS event streams (trace.json with events, or one event a line)",
    versions=("tarko of 2025-09", "the source of 2026-02"),
    package="tracewitness.intake.formats.agent_tars",
    detector=detect,
    reader=later(_read),
)

__all__ = ["FORMAT"]
