"""Runs of UI-TARS-desktop and of its SDK."""

from tracewitness.intake.formats.ui_tars_desktop.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.ui_tars_desktop.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.ui_tars_desktop.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="ui_tars_desktop",
    summary="UI-TARS-desktop runs (GUIAgentData JSON, or the report page with it)",
    versions=("v1 (2025-2026, JSON of the SDK)", "v1 (report page of the app)"),
    package="tracewitness.intake.formats.ui_tars_desktop",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
