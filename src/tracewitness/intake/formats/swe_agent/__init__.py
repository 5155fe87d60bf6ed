"""Trajectories of SWE-agent and of mini-swe-agent."""

from tracewitness.intake.formats.swe_agent.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.swe_agent.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.swe_agent.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="swe_agent",
    summary="SWE-agent trajectories and demonstrations (.traj) and mini-swe-agent trajectories",
    versions=(
        "SWE-agent 0.x and 1.x",
        "SWE-agent demonstration (history alone)",
        "mini-swe-agent-1",
        "mini-swe-agent-1.1",
    ),
    package="tracewitness.intake.formats.swe_agent",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
