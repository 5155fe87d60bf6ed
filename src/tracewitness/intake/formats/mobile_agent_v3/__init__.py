"""Run folders of Mobile-Agent-v3 on a phone: ``step_<n>/{manager,operator,reflector,notekeeper}.json`` and pictures."""

from tracewitness.intake.formats.mobile_agent_v3.detect import detect
from tracewitness.intake.formats.mobile_agent_v3.read import read
from tracewitness.intake.formats.mobile_agent_v3.retell import retell
from tracewitness.intake.log_format import RetoldFormat

__all__ = ["FORMAT"]

FORMAT = RetoldFormat(
    name="mobile_agent_v3",
    summary="Mobile-Agent-v3 run folders (step_<n>/operator.json and manager.json, images/, task_result.json)",
    versions=("2025-10 (response as the model wrote it)", "2026-07 (action as a Python dict)"),
    package=__name__,
    detector=detect,
    reader=read,
    reteller=retell,
)
