"""Reports and dumps of Midscene."""

from tracewitness.intake.formats.midscene.detect import detect
from tracewitness.intake.log_format import LogFormat, Read, later


def _read() -> Read:
    from tracewitness.intake.formats.midscene.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


FORMAT = LogFormat(
    name="midscene",
    summary="Midscene dumps (JSON) and report pages (HTML with embedded dumps), one run an instruction",
    versions=("sdk 1.0 (Android, web)", "0.x, from its source"),
    package="tracewitness.intake.formats.midscene",
    detector=detect,
    reader=later(_read),
)

__all__ = ["FORMAT"]
