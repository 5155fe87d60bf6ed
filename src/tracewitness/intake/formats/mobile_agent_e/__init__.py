"""Run folders of Mobile-Agent-E: ``steps.json`` with one entry an event, and numbered screenshots."""

from tracewitness.intake.formats.mobile_agent_e.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.mobile_agent_e.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.mobile_agent_e.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="mobile_agent_e",
    summary="Mobile-Agent-E run folders (steps.json with operations, screenshots/)",
    versions=("2025-01",),
    package=__name__,
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
