"""Experiment folders of AgentLab and BrowserGym."""

from tracewitness.intake.formats.agentlab.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.agentlab.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.agentlab.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="agentlab",
    summary="AgentLab and BrowserGym experiment folders (step_<n>.pkl.gz with screenshots)",
    versions=("browsergym.experiments.loop.StepInfo", "agentlab.experiments.loop.StepInfo"),
    package=__name__,
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
