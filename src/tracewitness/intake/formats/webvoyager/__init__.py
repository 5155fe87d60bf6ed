"""Task folders of WebVoyager."""

from tracewitness.intake.formats.webvoyager.detect import detect
from tracewitness.intake.formats.webvoyager.read import read
from tracewitness.intake.log_format import LogFormat

FORMAT = LogFormat(
    name="webvoyager",
    summary="WebVoyager task folders (interact_messages.json with numbered screenshots)",
    versions=("2024-03 (screenshots with labels)", "2024-03 (accessibility tree)"),
    package="tracewitness.intake.formats.webvoyager",
    detector=detect,
    reader=read,
)

__all__ = ["FORMAT"]
