"""Results of tau2-bench: simulations of an agent and a user who may act as well."""

from tracewitness.intake.formats.tau2.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.tau2.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.tau2.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="tau2",
    summary="tau2-bench results (tasks and simulations; many runs a file)",
    versions=("2025-2026 (tasks and simulations in one file)",),
    package="tracewitness.intake.formats.tau2",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
