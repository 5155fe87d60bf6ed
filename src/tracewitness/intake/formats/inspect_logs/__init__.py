"""Logs of Inspect AI evaluations, read through the package ``inspect_ai`` (the extra ``inspect``)."""

from tracewitness.intake.formats.inspect_logs.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.inspect_logs.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.inspect_logs.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="inspect",
    summary="Inspect AI logs (.eval and .json), one run a sample and epoch; needs tracewitness[inspect]",
    versions=("1 to 3, as far as the installed inspect_ai reads them",),
    package="tracewitness.intake.formats.inspect_logs",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
