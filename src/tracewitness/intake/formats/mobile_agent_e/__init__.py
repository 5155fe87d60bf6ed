"""Run folders of Mobile-Agent-E: ``steps.json`` with one entry an event, and numbered screenshots."""

from tracewitness.intake.formats.mobile_agent_e.detect import detect
from tracewitness.intake.formats.mobile_agent_e.read import read
from tracewitness.intake.formats.mobile_agent_e.retell import retell
from tracewitness.intake.log_format import RetoldFormat

__all__ = ["FORMAT"]

FORMAT = RetoldFormat(
    name="mobile_agent_e",
    summary="Mobile-Agent-E run folders (steps.json with operations, screenshots/)",
    versions=("2025-01",),
    package=__name__,
    detector=detect,
    reader=read,
    reteller=retell,
)
