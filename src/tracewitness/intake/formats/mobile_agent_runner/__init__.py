"""Trajectories that the AndroidWorld runners of Mobile-Agent-v3 and GUI-Owl write: ``action.jsonl`` and screenshots."""

from tracewitness.intake.formats.mobile_agent_runner.detect import detect
from tracewitness.intake.formats.mobile_agent_runner.read import read
from tracewitness.intake.formats.mobile_agent_runner.retell import retell
from tracewitness.intake.log_format import RetoldFormat

__all__ = ["FORMAT"]

FORMAT = RetoldFormat(
    name="mobile_agent_runner",
    summary="Mobile-Agent-v3 and GUI-Owl in AndroidWorld (action.jsonl with screenshot_<i>.png)",
    versions=("Mobile-Agent-v3 (actions)", "GUI-Owl and GUI-Owl-1.5 (tool calls)"),
    package=__name__,
    detector=detect,
    reader=read,
    reteller=retell,
)
