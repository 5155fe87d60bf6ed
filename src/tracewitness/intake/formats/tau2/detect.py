"""Telling results of tau2-bench."""

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.untyped import list_of, object_of


def detect(candidate: Candidate) -> Verdict:
    """Say yes to an object with simulations that hold messages."""
    keys = object_of(candidate.sample) if candidate.shape is Shape.JSON else {}
    if "tasks" in keys and "messages" in object_of(next(iter(list_of(keys.get("simulations"))), None)):
        return Verdict(True, "tasks and simulations with messages")
    if "tasks" in keys and keys.get("simulations") == [] and "info" in keys:
        return Verdict(True, "tasks and an empty list of simulations")
    return Verdict(False, "no tasks and simulations with messages")
