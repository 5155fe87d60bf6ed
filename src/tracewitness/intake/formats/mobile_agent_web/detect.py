"""Telling a web run of Mobile-Agent-v3.5 by the entries of ``action_info.json``."""

from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.untyped import list_of, object_of

LOG = "action_info.json"
_KEYS = frozenset({"action", "info", "it", "obs"})
_NO = Verdict(False, f"no {LOG} whose entries have the keys action, info, it, obs")


def detect(candidate: Candidate) -> Verdict:
    """Say yes to the folder of a run, and to the log itself."""
    if candidate.shape is not Shape.FOLDER:
        return _told(candidate.sample) if candidate.path.suffix == ".json" else _NO
    if LOG not in candidate.files:
        return _NO
    try:
        return _told(Candidate(candidate.path / LOG, LOG, candidate.limits).sample)
    except IntakeError:  # a damaged log is for the reader to explain
        beside = {"trajectory", "trajectory_som", "messages.json"} & candidate.names
        return Verdict(True, f"the folder holds {LOG} and {min(beside)}") if beside else _NO


def _told(sample: Any) -> Verdict:
    entries = list_of(sample)
    found = bool(entries) and set(object_of(entries[0])) >= _KEYS
    return Verdict(True, f"the entries of {LOG} have the keys action, info, it, obs") if found else _NO
