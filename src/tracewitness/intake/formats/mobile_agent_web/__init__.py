"""Web runs of Mobile-Agent-v3.5 (GUI-Owl-1.5): ``action_info.json`` with the screens of every step."""

from tracewitness.intake.formats.mobile_agent_web.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.mobile_agent_web.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.mobile_agent_web.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="mobile_agent_web",
    summary="Mobile-Agent-v3.5 web runs (action_info.json, trajectory/, meta_info.json)",
    versions=("2026-07 (browser_use and web_benchmark of Mobile-Agent-v3.5)",),
    package=__name__,
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
