"""Runs of LangSmith, of LangChain and LangGraph agents."""

from tracewitness.intake.formats.langsmith.detect import detect
from tracewitness.intake.log_format import LogFormat, Read, later


def _read() -> Read:
    from tracewitness.intake.formats.langsmith.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


FORMAT = LogFormat(
    name="langsmith",
    summary="LangSmith runs (a run with its child runs, a list, or one a line) of LangChain and LangGraph agents",
    versions=("langsmith 0.15 (read in its source)",),
    package="tracewitness.intake.formats.langsmith",
    detector=detect,
    reader=later(_read),
)

__all__ = ["FORMAT"]
