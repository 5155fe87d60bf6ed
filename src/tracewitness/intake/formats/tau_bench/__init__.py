"""Results of tau-bench: one JSON list of many runs."""

from tracewitness.intake.formats.tau_bench.detect import detect
from tracewitness.intake.formats.tau_bench.read import read
from tracewitness.intake.log_format import LogFormat

FORMAT = LogFormat(
    name="tau_bench",
    summary="tau-bench results (a list of task_id, traj, reward, info, trial; many runs a file)",
    versions=("2024 (tool-calling)",),
    package="tracewitness.intake.formats.tau_bench",
    detector=detect,
    reader=read,
)

__all__ = ["FORMAT"]
