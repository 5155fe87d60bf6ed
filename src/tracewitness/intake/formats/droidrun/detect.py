"""Telling a DroidRun trajectory by the events of ``trajectory.json``."""

import re

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.reading_files import peek

LOG = "trajectory.json"
_FIRST = re.compile(rb'^(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"type"\s*:\s*"[A-Za-z]{1,60}Event"')
_NO = Verdict(False, f"no {LOG} with a list of events, each of a type ...Event")


def detect(candidate: Candidate) -> Verdict:
    """Say yes to the folder of a trajectory, and to the log in it."""
    path = candidate.path
    if candidate.shape is Shape.FOLDER:
        if LOG not in candidate.files:
            return _NO
        path = path / LOG
    try:
        return Verdict(True, f"{LOG} is a list of events") if _FIRST.match(peek(path, 4096)) else _NO
    except IntakeError:
        return _NO
