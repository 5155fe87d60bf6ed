"""Results of tau-bench: one JSON list of many runs."""

from tracewitness.intake.formats.tau_bench.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.tau_bench.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.tau_bench.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="tau_bench",
    summary="tau-bench results (a list of task_id, traj, reward, info, trial; many runs a file)",
    versions=("2024 (tool-calling, act, react)",),
    package="tracewitness.intake.formats.tau_bench",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
