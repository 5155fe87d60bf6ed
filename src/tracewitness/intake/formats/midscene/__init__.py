"""Reports and dumps of Midscene."""

from tracewitness.intake.formats.midscene.detect import detect
from tracewitness.intake.formats.midscene.read import read
from tracewitness.intake.log_format import LogFormat

FORMAT = LogFormat(
    name="midscene",
    summary="Midscene dumps (JSON) and report pages (HTML with embedded dumps), one run an instruction",
    versions=("sdk 1.0 (Android, web)", "0.x, from its source"),
    package="tracewitness.intake.formats.midscene",
    detector=detect,
    reader=read,
)

__all__ = ["FORMAT"]
