"""Logs of Inspect AI evaluations, read through the package ``inspect_ai`` (the extra ``inspect``)."""

from tracewitness.intake.formats.inspect_logs.detect import detect
from tracewitness.intake.formats.inspect_logs.read import read
from tracewitness.intake.log_format import LogFormat

FORMAT = LogFormat(
    name="inspect",
    summary="Inspect AI logs (.eval and .json), one run a sample and epoch; needs tracewitness[inspect]",
    versions=("1 to 3, as far as the installed inspect_ai reads them",),
    package="tracewitness.intake.formats.inspect_logs",
    detector=detect,
    reader=read,
)

__all__ = ["FORMAT"]
