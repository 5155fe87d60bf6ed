"""Telling an experiment folder by its files."""

import re

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict

STEP = re.compile(r"^step_(\d{1,6})\.pkl\.gz$")
ARGUMENTS = "exp_args.pkl"
SUMMARY = "summary_info.json"
GOAL = "goal_object.pkl.gz"


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a folder with steps, or with the arguments of an experiment alone, which its reader then explains."""
    if candidate.shape is not Shape.FOLDER:
        if STEP.match(candidate.path.name):
            return Verdict(False, "one step of an experiment; name its folder")
        return Verdict(False, "not a folder")
    if any(STEP.match(name) for name in candidate.files):
        return Verdict(True, "the folder holds step_<n>.pkl.gz")
    if ARGUMENTS in candidate.files:
        return Verdict(True, f"the folder holds {ARGUMENTS}")
    return Verdict(False, f"no step_<n>.pkl.gz and no {ARGUMENTS} in the folder")
