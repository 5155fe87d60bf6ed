"""Task folders of AndroidLab: ``traces/trace.jsonl`` with UI dumps and screens."""

from tracewitness.intake.formats.androidlab.detect import detect
from tracewitness.intake.formats.androidlab.read import read
from tracewitness.intake.formats.androidlab.retell import retell
from tracewitness.intake.log_format import RetoldFormat

__all__ = ["FORMAT"]

FORMAT = RetoldFormat(
    name="androidlab",
    summary="AndroidLab task folders (traces/trace.jsonl, xml/, Screen/)",
    versions=("2025-05",),
    package=__name__,
    detector=detect,
    reader=read,
    reteller=retell,
)
