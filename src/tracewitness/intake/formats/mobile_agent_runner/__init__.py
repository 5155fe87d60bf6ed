"""Trajectories that the AndroidWorld runners of Mobile-Agent-v3 and GUI-Owl write: ``action.jsonl`` and screenshots."""

from tracewitness.intake.formats.mobile_agent_runner.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.mobile_agent_runner.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.mobile_agent_runner.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="mobile_agent_runner",
    summary="Mobile-Agent-v3 and GUI-Owl in AndroidWorld (action.jsonl with screenshot_<i>.png)",
    versions=("Mobile-Agent-v3 (actions)", "GUI-Owl and GUI-Owl-1.5 (tool calls)"),
    package=__name__,
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
