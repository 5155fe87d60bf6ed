"""Telling an ATIF trajectory, or a folder that holds one."""

import re

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats.atif.document import is_atif
from tracewitness.intake.untyped import list_of, object_of, text_of

LOGS = ("agent/trajectory.json", "trajectory.json")
"""Where the trajectory of a folder lies: in a trial folder of Harbor, and in its folder ``agent``."""

_PART = re.compile(r"(.+)\.(?:cont-\d{1,6}|summarization-\d{1,6}-[a-z]{1,20})\.json$")


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a document with a ``schema_version`` of ATIF, to a list or lines of them, and to a trial folder."""
    if candidate.shape is Shape.FOLDER:
        return _detect_folder(candidate)
    sample = candidate.sample
    first = next(iter(list_of(sample)), sample)
    if not is_atif(first):
        return Verdict(False, "no schema_version of ATIF")
    whole = _PART.match(candidate.path.name)
    if whole and (candidate.path.parent / f"{whole.group(1)}.json").is_file():
        name = f"{whole.group(1)}.json"
        return Verdict(False, f"a part of {name}, which is read as one run", part_of=name)
    return Verdict(True, f"schema_version {text_of(object_of(first).get('schema_version'))[:40]}")


def _detect_folder(candidate: Candidate) -> Verdict:
    for name in LOGS:
        path = candidate.path / name
        if name.split("/", 1)[0] not in candidate.names or path.is_symlink() or not path.is_file():
            continue
        try:
            if is_atif(Candidate(path, name, candidate.limits).sample):
                return Verdict(True, f"the folder holds {name} with a schema_version of ATIF")
        except IntakeError:
            if name == LOGS[0] and "config.json" in candidate.files:
                return Verdict(True, f"a trial folder with {name}")
    return Verdict(False, "no trajectory.json with a schema_version of ATIF in the folder")
