"""Trace folders of minitap's mobile-use: ``steps.json`` with a message every time an agent had a thought."""

from tracewitness.intake.formats.minitap.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.minitap.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.minitap.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="minitap",
    summary="minitap mobile-use trace folders (steps.json of messages, trace.gif)",
    versions=("2025-08 to 2026-08",),
    package=__name__,
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
