"""Playwright traces: what a browser that Playwright drove was told to do, and what it showed."""

from tracewitness.intake.formats.playwright.detect import detect
from tracewitness.intake.log_format import LogFormat, Read, later


def _read() -> Read:
    from tracewitness.intake.formats.playwright.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


FORMAT = LogFormat(
    name="playwright",
    summary="Playwright traces (trace.zip, or the folder it was unpacked to)",
    versions=("3 (1.20-1.31)", "4-8 (1.32-1.62)", "9-10 (1.63-1.65)"),
    package="tracewitness.intake.formats.playwright",
    detector=detect,
    reader=later(_read),
)

__all__ = ["FORMAT"]
