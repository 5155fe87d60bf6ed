"""Task folders of AndroidLab: ``traces/trace.jsonl`` with UI dumps and screens."""

from tracewitness.intake.formats.androidlab.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.androidlab.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.androidlab.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="androidlab",
    summary="AndroidLab task folders (traces/trace.jsonl, xml/, Screen/)",
    versions=("2025-05",),
    package=__name__,
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
