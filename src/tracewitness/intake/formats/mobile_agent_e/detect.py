"""Telling a Mobile-Agent-E log by the first entry of its ``steps.json``."""

import re

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.reading_files import peek

LOG = "steps.json"
_FIRST = re.compile(
    rb'^(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"step"\s*:\s*-?\d+\s*,\s*"operation"\s*:\s*"'
    rb"(?:init|experience_retrieval|perception|planning|action)"
)
_NO = Verdict(False, f"no {LOG} whose entries have a step and an operation")


def detect(candidate: Candidate) -> Verdict:
    """Say yes to the folder of a run, and to the log itself."""
    path = candidate.path
    if candidate.shape is Shape.FOLDER:
        if LOG not in candidate.files:
            return _NO
        path = path / LOG
    try:
        head = peek(path, 4096)
    except IntakeError:
        return _NO
    return Verdict(True, f"the entries of {LOG} have a step and an operation") if _FIRST.match(head) else _NO
