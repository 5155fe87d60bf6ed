"""Telling a UFO task folder by the keys of its response.log."""

from collections.abc import Mapping
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats.ufo.keys import normalised

LOG_NAME = "response.log"
_NEEDED = frozenset({"step", "status", "request"})
_ACTING = frozenset({"agent", "agentname", "controllabel", "function", "functioncall", "actiontype"})


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a folder with UFO's response.log, and to the log itself by its keys."""
    if candidate.shape is Shape.FOLDER:
        return _detect_folder(candidate)
    if candidate.path.name.endswith(".log") and candidate.shape in (Shape.JSON, Shape.JSON_LINES):
        if any(map(is_line, candidate.objects())):
            return Verdict(True, "its lines have the keys of UFO's agents")
    return Verdict(False, "no lines with the keys of UFO's agents")


def _detect_folder(candidate: Candidate) -> Verdict:
    if LOG_NAME not in candidate.files:
        return Verdict(False, "no response.log in the folder")
    log = Candidate(candidate.path / LOG_NAME, LOG_NAME, candidate.limits)
    try:
        if any(map(is_line, log.objects())):
            return Verdict(True, "the folder holds UFO's response.log")
    except IntakeError:
        pass
    if "request.log" in candidate.files:
        return Verdict(True, "the folder holds response.log and request.log")
    return Verdict(False, "the lines of response.log lack the keys of UFO's agents")


def is_line(record: Mapping[str, Any]) -> bool:
    """Tell a line that one of UFO's agents wrote."""
    keys = normalised(cast(dict[str, Any], record)).keys()
    return keys >= _NEEDED and not _ACTING.isdisjoint(keys)
