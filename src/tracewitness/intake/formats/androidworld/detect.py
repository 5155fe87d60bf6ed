"""Telling an AndroidWorld checkpoint by the keys with which its first episode begins."""

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.reading_files import peek

_KEYS = (b"task_template", b"episode_data")
_SUFFIXES = (".pkl", ".pkl.gz", ".pickle", ".pickle.gz")
_PICKLES = (b"\x80", b"(", b"]")


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a pickle that begins with an episode; a folder of them is searched for its files."""
    if candidate.shape is not Shape.OTHER:
        return Verdict(False, "not a pickle")
    if not candidate.path.name.endswith(_SUFFIXES):
        return Verdict(False, "the file is not called .pkl or .pkl.gz")
    head = peek(candidate.path)
    if not head.startswith(_PICKLES):
        return Verdict(False, "the file does not begin as a pickle does")
    if all(key in head for key in _KEYS):
        return Verdict(True, "the pickle begins with an episode (task_template, episode_data)")
    return Verdict(False, "the pickle does not begin with an episode (task_template, episode_data)")
