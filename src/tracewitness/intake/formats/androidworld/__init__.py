"""Checkpoints of AndroidWorld: pickled episodes of its agents and of agents built on it."""

from tracewitness.intake.formats.androidworld.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.androidworld.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.androidworld.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="androidworld",
    summary="AndroidWorld checkpoints (<Task>_<n>.pkl.gz with pickled episodes)",
    versions=("M3A", "T3A", "SeeAct", "GUI-Owl", "Mobile-Agent-v3", "random and learning agents", "human"),
    package=__name__,
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
