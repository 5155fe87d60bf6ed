"""Telling a run folder of Mobile-Agent-v3 by its step folders."""

import re

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.reading_files import peek

STEP = re.compile(r"^step_(\d{1,6})$")
ROLES = ("manager", "operator", "reflector", "notekeeper")
_BEGINNING = re.compile(rb'^\s*\{\s*"name"\s*:\s*"(?:manager|operator|reflector|notekeeper)"')
_MARKED = re.compile(rb'^\s*(?:\xef\xbb\xbf)?\s*\{\s*"')


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a folder whose first ``step_<n>`` holds the file of the manager or the operator."""
    if candidate.shape is not Shape.FOLDER:
        return Verdict(False, "a run is a folder with step_1, step_2 and so on")
    steps = step_names(candidate.names)
    if not steps:
        return Verdict(False, "no folder step_<n> in it")
    if any(_is_step(candidate, name) for name in steps):
        return Verdict(True, f"{steps[0]} holds the files of a manager and an operator")
    return Verdict(False, f"{steps[0]} holds neither manager.json nor operator.json with their keys")


def step_names(names: frozenset[str]) -> list[str]:
    """Return the step folders in the order of their numbers; one written in another way is no step folder."""
    numbered = [(int(found.group(1)), name) for name in names if (found := STEP.match(name))]
    return [name for number, name in sorted(numbered) if name == f"step_{number}"]


def _is_step(candidate: Candidate, step: str) -> bool:
    folder = candidate.path / step
    if not folder.is_dir():
        return False
    held = Candidate(folder, step, candidate.limits).files
    return any(f"{role}.json" in held and not _is_other(candidate, f"{step}/{role}.json") for role in ROLES[:2])


def _is_other(candidate: Candidate, name: str) -> bool:
    """Tell a file that can be read and is of another kind; a damaged one is for the reader to explain."""
    try:
        head = peek(candidate.path / name, 4096)
    except IntakeError:
        return False
    return bool(_MARKED.match(head)) and not _BEGINNING.match(head.removeprefix(b"\xef\xbb\xbf"))
