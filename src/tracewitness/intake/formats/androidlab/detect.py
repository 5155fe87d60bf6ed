"""Telling an AndroidLab task folder by the lines of its ``traces/trace.jsonl``."""

from pathlib import Path

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict

LOG = "trace.jsonl"
TRACES = "traces"
_KEYS = frozenset({"trace_id", "index", "target"})
_NO = Verdict(False, f"no {TRACES}/{LOG} whose lines have the keys trace_id, index, target")


def detect(candidate: Candidate) -> Verdict:
    """Say yes to the folder of a task, and to the log in it."""
    path = log_of(candidate)
    if path is None or not path.is_file():
        return _NO
    try:
        first = next(Candidate(path, LOG, candidate.limits).objects(), None)
    except IntakeError:
        first = None
    if first is None:  # a damaged log is for the reader to explain
        beside = candidate.shape is Shape.FOLDER and {"xml", "Screen"} & candidate.names
        return Verdict(True, f"the folder holds {TRACES}/{LOG} and screens") if beside else _NO
    return Verdict(True, "its lines have the keys trace_id, index, target") if set(first) >= _KEYS else _NO


def log_of(candidate: Candidate) -> Path | None:
    """Return the log of a candidate; None where it can have none."""
    if candidate.shape is Shape.FOLDER:
        return candidate.path / TRACES / LOG if TRACES in candidate.names else None
    return candidate.path if candidate.path.name == LOG else None


def root_of(candidate: Candidate) -> Path:
    """Return the folder of the task."""
    if candidate.shape is Shape.FOLDER:
        return candidate.path
    parent = candidate.path.parent
    return parent.parent if parent.name == TRACES else parent
