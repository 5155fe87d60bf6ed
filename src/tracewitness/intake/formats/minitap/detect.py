"""Telling a trace folder of mobile-use by the first record of its ``steps.json``."""

import re

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.reading_files import peek

LOG = "steps.json"
_FIRST = re.compile(rb'^(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"timestamp"\s*:\s*\d{1,16}\s*,\s*"data"\s*:\s*"\s*\{')
_NO = Verdict(False, f"no {LOG} whose records have a timestamp and the JSON text of a message")


def detect(candidate: Candidate) -> Verdict:
    """Say yes to the folder of a trace, and to the log in it."""
    path = candidate.path
    if candidate.shape is Shape.FOLDER:
        if LOG not in candidate.files:
            return _NO
        path = path / LOG
    try:
        head = peek(path, 4096)
    except IntakeError:
        return _NO
    return Verdict(True, f"the records of {LOG} are messages with a timestamp") if _FIRST.match(head) else _NO
