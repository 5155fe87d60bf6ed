"""Task folders of WebVoyager."""

from tracewitness.intake.formats.webvoyager.detect import detect
from tracewitness.intake.log_format import LogFormat, Read, later


def _read() -> Read:
    from tracewitness.intake.formats.webvoyager.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


FORMAT = LogFormat(
    name="webvoyager",
    summary="WebVoyager task folders (interact_messages.json with numbered screenshots)",
    versions=("2024-03 (screenshots with labels)", "2024-03 (accessibility tree)"),
    package="tracewitness.intake.formats.webvoyager",
    detector=detect,
    reader=later(_read),
)

__all__ = ["FORMAT"]
