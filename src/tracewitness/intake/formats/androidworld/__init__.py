"""Checkpoints of AndroidWorld: pickled episodes of its agents and of agents built on it."""

from tracewitness.intake.formats.androidworld.detect import detect
from tracewitness.intake.formats.androidworld.read import read
from tracewitness.intake.formats.androidworld.retell import retell
from tracewitness.intake.log_format import RetoldFormat

__all__ = ["FORMAT"]

FORMAT = RetoldFormat(
    name="androidworld",
    summary="AndroidWorld checkpoints (<Task>_<n>.pkl.gz with pickled episodes)",
    versions=("M3A", "T3A", "SeeAct", "GUI-Owl", "Mobile-Agent-v3", "random and learning agents", "human"),
    package=__name__,
    detector=detect,
    reader=read,
    reteller=retell,
)
