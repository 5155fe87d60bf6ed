"""Task folders of WebVoyager."""

from tracewitness.intake.formats.webvoyager.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.webvoyager.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.webvoyager.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="webvoyager",
    summary="WebVoyager task folders (interact_messages.json with numbered screenshots)",
    versions=("2024-03 (screenshots with labels)", "2024-03 (accessibility tree)"),
    package="tracewitness.intake.formats.webvoyager",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
