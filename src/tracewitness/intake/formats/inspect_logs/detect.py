"""Telling an Inspect log without the package that reads it."""

from tracewitness.intake.archives import is_archive, names_of_archive
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.reading_files import peek
from tracewitness.intake.untyped import object_of

_MEMBERS = frozenset({"header.json", "_journal/start.json"})


def detect(candidate: Candidate) -> Verdict:
    """Say yes to an archive with the header or the journal of a log, and to a JSON log with ``eval`` and ``status``."""
    if candidate.shape is Shape.FOLDER:
        return Verdict(False, "a folder, not a log")
    if candidate.shape is Shape.JSON:
        return _detect_json(candidate)
    if not is_archive(peek(candidate.path)):
        return Verdict(False, "neither a zip file nor JSON")
    if candidate.path.suffix == ".eval":
        return Verdict(True, "a zip file that is called .eval")
    if names_of_archive(candidate.path, candidate.limits) & _MEMBERS:
        return Verdict(True, "a zip file with header.json or _journal/start.json")
    return Verdict(False, "a zip file without header.json")


def _detect_json(candidate: Candidate) -> Verdict:
    log = object_of(candidate.sample)
    if {"task", "model"} <= object_of(log.get("eval")).keys() and "status" in log:
        return Verdict(True, "eval.task, eval.model and status stand in it")
    return Verdict(False, "no eval.task, eval.model and status in it")
