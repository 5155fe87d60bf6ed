"""How the arrays of a decision table are laid out: their axes, and the byte that stands for the parts of a run."""

from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from tracewitness.findings.decision import Standing
from tracewitness.findings.labels import TraceState
from tracewitness.policy.domain import STATES, Axis, code, size
from tracewitness.values.ternary import Ternary

Codes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.uint16]

NO_ROW: Final = 255
"""Row number where no row matches; such a run is for REVIEW."""

UNAVAILABLE_ROW: Final = 254
"""Row number of a run whose claim or evidence is unavailable; such a run is for REVIEW, before any row is asked."""


class Joint(StrEnum):
    """The trace state of a run together with how far it rests on the standing rule."""

    EARNED = "earned"
    PARTLY_STANDING = "partly_standing"
    STANDING = "standing"
    UNKNOWN = "unknown"
    NOT_COMPLETED = "not_completed"


JOINTS: Final = tuple(Joint)
STATE_OF: Final = {
    Joint.EARNED: (TraceState.COMPLETED, Standing.NONE),
    Joint.PARTLY_STANDING: (TraceState.COMPLETED, Standing.PARTLY),
    Joint.STANDING: (TraceState.COMPLETED, Standing.WHOLLY),
    Joint.UNKNOWN: (TraceState.UNKNOWN, Standing.NONE),
    Joint.NOT_COMPLETED: (TraceState.NOT_COMPLETED, Standing.NONE),
}

# Axes of the two arrays. Four fields make one byte and the rest of the part another: a part's index is two bytes.
PART_AXES: Final = (
    Axis.TASK_CLASS,
    Axis.FINAL_SUPPORT,
    Axis.PRIOR_STATE,
    Axis.RECORD,
    Axis.ACTION,
    Axis.TARGET,
    Axis.TRANSITION,
    Axis.COMMITMENT,
)
PART_SHAPE: Final = tuple(size(axis) for axis in PART_AXES)
RUN_SHAPE: Final = (
    size(Axis.TASK_CLASS),
    size(Axis.RECORD),
    len(JOINTS),
    size(Axis.PRIOR_STATE),
    size(Axis.CLAIM),
    size(Axis.BASIS),
    size(Axis.ANSWER_CHECK),
)
PRIORS: Final = size(Axis.PRIOR_STATE)
CONTEXTS: Final = size(Axis.CLAIM) * size(Axis.BASIS) * size(Axis.ANSWER_CHECK)
JOINT_PRIORS: Final = len(JOINTS) * PRIORS
UNKNOWN_RUN: Final = JOINTS.index(Joint.UNKNOWN) * PRIORS * CONTEXTS
"""A place whose joint state is UNKNOWN, for runs about which nothing is known."""
STATE_CODE_OF_JOINT: Final = np.array([STATES.index(STATE_OF[joint][0]) for joint in JOINTS], np.uint8)


def context_code(claim: int, basis: int, answer_check: int) -> int:
    """Return the code of claim, basis and answer check taken together (0 to 71)."""
    return (claim * size(Axis.BASIS) + basis) * size(Axis.ANSWER_CHECK) + answer_check


def part_index(codes: dict[Axis, int]) -> int:
    """Return the index of a part into ``DecisionTable.parts``."""
    index = 0
    for axis in PART_AXES:
        index = index * size(axis) + codes[axis]
    return index


def _joint_priors() -> Codes:
    """For every byte of a run: joint state * 3 + prior state, worst prior first."""
    codes = np.zeros(256, np.uint8)
    for byte in range(256):
        codes[byte] = _joint_of_bits(byte & 31) * PRIORS + max((byte >> 5).bit_length() - 1, 0)
    return codes


def _joint_of_bits(bits: int) -> int:
    """Return the joint state of a set of part states: the worst, but mixed kinds of COMPLETED are partly standing."""
    worst = max(bits.bit_length() - 1, 0)
    if worst <= JOINTS.index(Joint.STANDING) and bits & (bits - 1):
        return JOINTS.index(Joint.PARTLY_STANDING)
    return worst


JOINT_PRIOR: Final = _joint_priors()

NO_EVIDENCE_BYTE: Final = 1 << JOINTS.index(Joint.UNKNOWN) | 1 << (
    len(JOINTS) + code(Axis.PRIOR_STATE, Ternary.UNKNOWN)
)
"""The byte of a part of the task for which there is no evidence."""
