"""Event streams of Agent TARS (tarko)."""

from tracewitness.intake.formats.agent_tars.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.agent_tars.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.agent_tars.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="agent_tars",
    summary="Agent TARS event streams (trace.json with events, or one event a line)",
    versions=("tarko of 2025-09", "the source of 2026-02"),
    package="tracewitness.intake.formats.agent_tars",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
