"""Trajectories of SWE-agent and of mini-swe-agent."""

from tracewitness.intake.formats.swe_agent.detect import detect
from tracewitness.intake.formats.swe_agent.read import read
from tracewitness.intake.log_format import LogFormat

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
    reader=read,
)

__all__ = ["FORMAT"]
