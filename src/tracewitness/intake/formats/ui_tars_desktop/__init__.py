"""Runs of UI-TARS-desktop and of its SDK."""

from tracewitness.intake.formats.ui_tars_desktop.detect import detect
from tracewitness.intake.formats.ui_tars_desktop.read import read
from tracewitness.intake.formats.ui_tars_desktop.retell import retell
from tracewitness.intake.log_format import RetoldFormat

FORMAT = RetoldFormat(
    name="ui_tars_desktop",
    summary="UI-TARS-desktop runs (GUIAgentData JSON, or the report page with it)",
    versions=("v1 (2025-2026, JSON of the SDK)", "v1 (report page of the app)"),
    package="tracewitness.intake.formats.ui_tars_desktop",
    detector=detect,
    reader=read,
    reteller=retell,
)

__all__ = ["FORMAT"]
