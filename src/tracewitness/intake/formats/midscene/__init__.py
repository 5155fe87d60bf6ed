"""Reports and dumps of Midscene."""

from tracewitness.intake.formats.midscene.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.midscene.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.midscene.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="midscene",
    summary="Midscene dumps (JSON) and report pages (HTML with embedded dumps), one run an instruction",
    versions=("sdk 1.0 (Android, web)", "0.x, from its source"),
    package="tracewitness.intake.formats.midscene",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
