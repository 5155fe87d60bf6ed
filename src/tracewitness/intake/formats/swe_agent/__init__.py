"""Trajectories of SWE-agent and of mini-swe-agent."""

from tracewitness.intake.formats.swe_agent.detect import detect
from tracewitness.intake.log_format import LogFormat, Read, later


def _read() -> Read:
    from tracewitness.intake.formats.swe_agent.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


FORMAT = LogFormat(
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
)

__all__ = ["FORMAT"]
