"""The traj.jsonl family: OSWorld, the agents that run in its harness, and WindowsAgentArena."""

from tracewitness.intake.formats.osworld.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.osworld.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.osworld.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="osworld",
    summary="OSWorld run folders and their kin: Agent-S, UI-TARS, computer use, WindowsAgentArena (traj.jsonl)",
    versions=(
        "OSWorld runners 2024-2026 (step_num, action, screenshot_file)",
        "Agent-S S2, S2.5, S3 (the agent's info merged into every line)",
        "Mobile-Agent-v3 os_world (step_status)",
        "WindowsAgentArena V1, V2 (the observation in every line)",
    ),
    package="tracewitness.intake.formats.osworld",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
