"""Telling results of tau-bench."""

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.untyped import list_of, object_of

KEYS = frozenset({"task_id", "traj", "info"})


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a list of objects with the keys task_id, traj and info."""
    if candidate.shape is Shape.JSON and KEYS <= object_of(next(iter(list_of(candidate.sample)), None)).keys():
        return Verdict(True, "a list of objects with the keys task_id, traj, info")
    return Verdict(False, "no list of objects with the keys task_id, traj, info")
