"""Telling a run folder of the traj.jsonl family, or its log, by the keys of its lines."""

from collections.abc import Mapping
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict

LOG_NAME = "traj.jsonl"
_BESIDE = frozenset({"action_timestamp", "screenshot_file", "screenshot", "response", "reward", "step_status"})


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a folder with traj.jsonl, and to the log itself by its keys."""
    if candidate.shape is Shape.FOLDER:
        return _detect_folder(candidate)
    sample: Any = candidate.sample
    if isinstance(sample, dict):
        objects = candidate.objects() if candidate.shape is Shape.JSON_LINES else iter([cast(dict[str, Any], sample)])
        if any(map(_is_line, objects)):
            return Verdict(True, "its lines have the keys step_num and action")
    return Verdict(False, "no lines with the keys step_num and action")


def _detect_folder(candidate: Candidate) -> Verdict:
    if LOG_NAME not in candidate.files:
        return Verdict(False, "no traj.jsonl in the folder")
    log = Candidate(candidate.path / LOG_NAME, LOG_NAME, candidate.limits)
    try:
        first = next(log.objects(), None)
    except IntakeError:
        first = None
    if first is None or _is_line(first) or is_error(first) or "initial_state" in first:
        return Verdict(True, "the folder holds traj.jsonl")
    return Verdict(False, "the lines of traj.jsonl lack the keys step_num and action")


def _is_line(record: Mapping[str, Any]) -> bool:
    return "step_num" in record and "action" in record and not _BESIDE.isdisjoint(record)


def is_error(record: Mapping[str, Any]) -> bool:
    """Tell the line that a runner adds where it broke down: ``{"Error": "..."}``."""
    return "Error" in record and "step_num" not in record
