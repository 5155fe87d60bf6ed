"""Results of tau-bench: one JSON list of many runs."""

from tracewitness.intake.formats.tau_bench.detect import detect
from tracewitness.intake.log_format import LogFormat, Read, later


def _read() -> Read:
    from tracewitness.intake.formats.tau_bench.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


FORMAT = LogFormat(
    name="tau_bench",
    summary="tau-bench results (a list of task_id, traj, reward, info, trial; many runs a file)",
    versions=("2024 (tool-calling)",),
    package="tracewitness.intake.formats.tau_bench",
    detector=detect,
    reader=later(_read),
)

__all__ = ["FORMAT"]
