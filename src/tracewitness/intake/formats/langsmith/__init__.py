"""Runs of LangSmith, of LangChain and LangGraph agents."""

from tracewitness.intake.formats.langsmith.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.langsmith.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.langsmith.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="langsmith",
    summary="LangSmith runs (a run with its child runs, a list, or one a line) of LangChain and LangGraph agents",
    versions=("langsmith 0.15 (read in its source)",),
    package="tracewitness.intake.formats.langsmith",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
