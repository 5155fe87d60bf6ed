"""Run folders of Mobile-Agent-v3 on a phone: ``step_<n>/{manager,operator,reflector,notekeeper}.json`` and pictures."""

from tracewitness.intake.formats.mobile_agent_v3.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.mobile_agent_v3.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.mobile_agent_v3.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="mobile_agent_v3",
    summary="Mobile-Agent-v3 run folders (step_<n>/operator.json and manager.json, images/, task_result.json)",
    versions=("2025-10 (response as the model wrote it)", "2026-07 (action as a Python dict)"),
    package=__name__,
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
