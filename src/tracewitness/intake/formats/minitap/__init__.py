"""Trace folders of minitap's mobile-use: ``steps.json`` with a message every time an agent had a thought."""

from tracewitness.intake.formats.minitap.detect import detect
from tracewitness.intake.log_format import LogFormat, Read, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.minitap.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


FORMAT = LogFormat(
    name="minitap",
    summary="minitap mobile-use trace folders (steps.json of messages, trace.gif)",
    versions=("2025-08 to 2026-08",),
    package=__name__,
    detector=detect,
    reader=later(_read),
)
