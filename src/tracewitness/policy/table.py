"""A policy compiled to a decision table, and replay of many records by look-up.

The full domain has 2,654,208 combinations, but it falls into two factors: what the checker sees of a part (class, five
fields, prior state, record: 36,864 combinations) and what the disposition table sees of a run (class, claim, basis,
joint state of the parts, prior state, answer check, record: 12,960). The compiled table holds one array for each, so a
look-up touches 50 kB instead of 2.6 MB, and runs of several parts need no table of their own.
"""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from tracewitness.findings.decision import PolicyRef, Standing
from tracewitness.findings.labels import FieldName, TaskClass, TraceState
from tracewitness.policy.domain import FIELDS, STATES, VALUES, Axis, Record, code, severity, size
from tracewitness.policy.rules import Policy, Row
from tracewitness.values.ternary import Ternary

Codes = npt.NDArray[np.uint8]

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
_CONTEXTS: Final = size(Axis.CLAIM) * size(Axis.BASIS) * size(Axis.ANSWER_CHECK)
_CHUNK: Final = 32_768
"""Records looked up at a time: the index buffers then stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class RunColumns:
    """Codes of many runs, one array per axis; a code is the place of the value in ``domain.VALUES[axis]``.

    Every array is of type uint8. ``action`` to ``prior_state`` have one entry per part, the others one per run. Where
    ``first_part`` is None every run has exactly one part; else it holds, per run, the index of its first part (strictly
    rising from 0). ``unavailable`` is nonzero for a run whose claim or evidence is unavailable; its other codes must be
    valid and are not looked at.
    """

    task_class: Codes
    claim: Codes
    basis: Codes
    action: Codes
    target: Codes
    transition: Codes
    commitment: Codes
    final_support: Codes
    prior_state: Codes
    answer_check: Codes
    record: Codes
    first_part: npt.NDArray[np.int64] | None = None
    unavailable: Codes | None = None

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together, and codes outside their axis.

        Raises:
            ValueError: Lengths differ, a type is not uint8, a code is out of range or ``first_part`` is not rising.
        """
        runs, parts = len(self.task_class), len(self.action)
        for column in fields(self)[:11]:
            axis, values = Axis(column.name), getattr(self, column.name)
            expected = parts if axis in _PART_COLUMNS else runs
            if values.dtype != np.uint8 or values.shape != (expected,):
                raise ValueError(f"{axis}: expected {expected} codes of type uint8")
            if expected and int(values.max()) >= size(axis):
                raise ValueError(f"{axis}: codes go from 0 to {size(axis) - 1}")
        if self.unavailable is not None and self.unavailable.shape != (runs,):
            raise ValueError(f"unavailable: expected {runs} entries")
        self._check_parts(runs, parts)

    def _check_parts(self, runs: int, parts: int) -> None:
        first = self.first_part
        if first is None:
            if parts != runs:
                raise ValueError("without first_part there must be exactly one part per run")
            return
        inside = first.shape == (runs,) and (not runs or (int(first[0]) == 0 and int(first[-1]) < parts))
        if not inside or not bool((np.diff(first) > 0).all()):
            raise ValueError("first_part must rise from 0 and stay within the parts")


_PART_COLUMNS: Final = frozenset({*(Axis(name.value) for name in FIELDS), Axis.PRIOR_STATE})


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What was decided for many runs.

    Attributes:
        rows: Row numbers (uint8) in the order of the policy's rows; NO_ROW or UNAVAILABLE_ROW where no row decided.
        joints: Codes of ``Joint`` (uint8), which hold trace state and standing; UNKNOWN where unavailable.
        severity_of_row: For every row number the severity of its disposition (256 entries).
    """

    rows: Codes
    joints: Codes
    severity_of_row: Codes

    @property
    def severities(self) -> Codes:
        """Return 0 for PASS, 1 for REVIEW and 2 for FLAG per run."""
        return np.take(self.severity_of_row, self.rows)

    @property
    def states(self) -> Codes:
        """Return codes of the trace state (``domain.STATES``) per run."""
        return np.take(STATE_CODE_OF_JOINT, self.joints)

    def row_counts(self) -> npt.NDArray[np.int64]:
        """Return how many runs each row number decided (256 entries)."""
        return np.bincount(self.rows, minlength=256)


STATE_CODE_OF_JOINT: Final = np.array([STATES.index(STATE_OF[joint][0]) for joint in JOINTS], np.uint8)


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """A compiled policy.

    Attributes:
        policy: The policy it was compiled from.
        ref: Its name, version and digest.
        parts: Per combination of ``PART_AXES`` a byte: bit 0-4 the joint state of the part, bit 5-7 its prior state.
            The byte of a run is the bitwise OR of those of its parts.
        rows: Per combination of ``RUN_SHAPE`` the number of the row that decides.
    """

    policy: Policy
    ref: PolicyRef
    parts: Codes
    rows: Codes

    def row_number(self, part_bytes: int, task_class: int, record: int, context: int) -> int:
        """Return the row number for one run.

        Args:
            part_bytes: Bitwise OR of the bytes of its parts.
            task_class: Code of the class.
            record: Code of the record.
            context: Code of claim, basis and answer check, see ``context_code``.
        """
        group = (task_class * size(Axis.RECORD) + record) * len(JOINTS) * PRIORS
        return int(self.rows[(group + int(JOINT_PRIOR[part_bytes])) * _CONTEXTS + context])

    def decide_columns(self, columns: RunColumns) -> Outcomes:
        """Decide many runs by look-up."""
        joint_prior = self._joint_priors(columns)
        rows = np.empty(len(joint_prior), np.uint8)
        for start in range(0, len(rows), _CHUNK):
            piece = slice(start, start + _CHUNK)
            np.take(self.rows, _run_index(columns, joint_prior[piece], piece), out=rows[piece], mode="clip")
        joints = joint_prior // np.uint8(PRIORS)
        if columns.unavailable is not None:
            missing = columns.unavailable != 0
            rows[missing] = UNAVAILABLE_ROW
            joints[missing] = JOINTS.index(Joint.UNKNOWN)
        return Outcomes(rows, joints, self.severities())

    def severities(self) -> Codes:
        """Return the severity of every row number; REVIEW where no row decided."""
        found = np.full(256, 1, np.uint8)
        found[: len(self.policy.rows)] = [severity(row.disposition) for row in self.policy.rows]
        return found

    def _joint_priors(self, columns: RunColumns) -> Codes:
        first = columns.first_part
        if first is None:
            # A run of one part needs no joining, so the two look-ups are made one.
            return _look_up_parts(JOINT_PRIOR[self.parts], columns, columns.task_class, columns.record)
        lengths = np.diff(first, append=len(columns.action))
        task_class, record = np.repeat(columns.task_class, lengths), np.repeat(columns.record, lengths)
        part_bytes = _look_up_parts(self.parts, columns, task_class, record)
        return JOINT_PRIOR[np.bitwise_or.reduceat(part_bytes, first)] if len(first) else part_bytes


def _look_up_parts(table: Codes, columns: RunColumns, task_class: Codes, record: Codes) -> Codes:
    """Return the table's entry for each part; class and record are given per part."""
    found = np.empty(len(columns.action), np.uint8)
    for start in range(0, len(found), _CHUNK):
        piece = slice(start, start + _CHUNK)
        index = _part_index(columns, task_class[piece], record[piece], piece)
        np.take(table, index, out=found[piece], mode="clip")
    return found


def _part_index(columns: RunColumns, task_class: Codes, record: Codes, piece: slice) -> npt.NDArray[np.uint16]:
    """Return the index of each part: one byte for four fields and one for the rest, put together at the end.

    Bytes are multiplied, not shifted: numpy has vector code for the one and none for the other.
    """
    four = columns.action[piece] * _FOUR
    four += columns.target[piece]
    four *= _FOUR
    four += columns.transition[piece]
    four *= _FOUR
    four += columns.commitment[piece]
    rest = task_class * _FOUR
    rest += columns.final_support[piece]
    rest *= np.uint8(PRIORS)
    rest += columns.prior_state[piece]
    rest *= _TWO
    rest += record
    index = rest * np.uint16(256)
    index += four
    return index


def _run_index(columns: RunColumns, joint_prior: Codes, piece: slice) -> npt.NDArray[np.uint16]:
    run = columns.task_class[piece] * _TWO
    run += columns.record[piece]
    run *= np.uint8(len(JOINTS) * PRIORS)
    run += joint_prior
    context = columns.claim[piece] * _FOUR
    context += columns.basis[piece]
    context *= np.uint8(size(Axis.ANSWER_CHECK))
    context += columns.answer_check[piece]
    index = run * np.uint16(_CONTEXTS)
    index += context
    return index


_TWO: Final = np.uint8(2)
_FOUR: Final = np.uint8(4)


def context_code(claim: int, basis: int, answer_check: int) -> int:
    """Return the code of claim, basis and answer check taken together (0 to 71)."""
    return (claim * size(Axis.BASIS) + basis) * size(Axis.ANSWER_CHECK) + answer_check


def part_index(codes: dict[Axis, int]) -> int:
    """Return the index of a part into ``DecisionTable.parts``."""
    index = 0
    for axis in PART_AXES:
        index = index * size(axis) + codes[axis]
    return index


def compile_policy(policy: Policy) -> DecisionTable:
    """Return the decision table of a policy. A policy that is not total compiles too: ``analysis.check`` finds that."""
    return DecisionTable(policy, policy.ref, _compile_parts(policy), _compile_rows(policy))


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


def _compile_parts(policy: Policy) -> Codes:
    parts = np.empty(PART_SHAPE, np.uint8)
    priors = np.arange(PRIORS, dtype=np.uint8).reshape(PRIORS, *(1,) * 5)
    for place, task_class in enumerate(VALUES[Axis.TASK_CLASS]):
        joints = _class_joints(policy, TaskClass(task_class))
        parts[place] = (np.uint8(1) << joints) | (np.uint8(1) << (priors + np.uint8(5)))
    return parts.reshape(-1)


def _class_joints(policy: Policy, task_class: TaskClass) -> Codes:
    """Return the joint states of a part for one class, with the axes that follow the class in ``PART_AXES``."""
    rule = policy.class_rule(task_class)
    refuted = np.zeros(PART_SHAPE[1:], np.bool_)
    unknown = np.zeros(PART_SHAPE[1:], np.bool_)
    for name in rule.required:
        refuted |= _is_no(policy, name)
        unknown |= _is_unknown(policy, name) & ~_tolerated(name in rule.tolerated)
    joints = np.select(
        [refuted, unknown],
        [np.uint8(JOINTS.index(Joint.NOT_COMPLETED)), np.uint8(JOINTS.index(Joint.UNKNOWN))],
        np.uint8(JOINTS.index(Joint.EARNED)),
    )
    if policy.standing_goals:
        stood = _axis_equals(Axis.PRIOR_STATE, 0) & _axis_equals(Axis.FINAL_SUPPORT, 0)
        joints[stood & unknown & ~refuted] = JOINTS.index(Joint.PARTLY_STANDING)
        joints[stood & refuted] = JOINTS.index(Joint.STANDING)
    return joints


def _is_no(policy: Policy, name: FieldName) -> npt.NDArray[np.bool_]:
    axis = Axis(name.value)
    closed = _axis_equals(Axis.RECORD, _WHOLE) if policy.closed_world else np.bool_(False)
    return _axis_equals(axis, _NO) | (_axis_equals(axis, _ABSENT) & closed)


def _is_unknown(policy: Policy, name: FieldName) -> npt.NDArray[np.bool_]:
    return ~_is_no(policy, name) & ~_axis_equals(Axis(name.value), _YES)


def _tolerated(listed: bool) -> npt.NDArray[np.bool_]:
    # Only a whole record is given the benefit of the doubt; otherwise losing steps could buy a PASS.
    return _axis_equals(Axis.RECORD, _WHOLE) & np.bool_(listed)


_YES, _ABSENT, _NO = (VALUES[Axis.ACTION].index(value) for value in ("YES", "ABSENT", "NO"))
_WHOLE: Final = VALUES[Axis.RECORD].index(Record.WHOLE)


def _axis_equals(axis: Axis, wanted: int) -> npt.NDArray[np.bool_]:
    """Return, over the axes of a part without its class, where an axis has the wanted code."""
    shape = [1] * (len(PART_AXES) - 1)
    place = PART_AXES.index(axis) - 1
    shape[place] = size(axis)
    found = (np.arange(size(axis)) == wanted).reshape(shape)
    return np.broadcast_to(found, PART_SHAPE[1:])


def _compile_rows(policy: Policy) -> Codes:
    rows = np.full(RUN_SHAPE, NO_ROW, np.uint8)
    # Written from the last row to the first, so that the first match is what stays.
    for number, row in reversed(list(enumerate(policy.rows))):
        rows[row_matches(row)] = number
    return rows.reshape(-1)


def row_matches(row: Row) -> npt.NDArray[np.bool_]:
    """Return, over ``RUN_SHAPE``, where every condition of a row holds (earlier rows left out of account)."""
    matches = np.ones(RUN_SHAPE, np.bool_)
    for condition in row.conditions:
        place, values = _run_axis(condition.axis)
        shape = [1] * len(RUN_SHAPE)
        shape[place] = RUN_SHAPE[place]
        matches &= np.array([value in condition.values for value in values]).reshape(shape)
    return matches


def _run_axis(axis: Axis) -> tuple[int, tuple[StrEnum, ...]]:
    """Return where an axis stands in ``RUN_SHAPE`` and its value at each code there."""
    if axis is Axis.TRACE_STATE:
        return 2, tuple(STATE_OF[joint][0] for joint in JOINTS)
    if axis is Axis.STANDING:
        return 2, tuple(STATE_OF[joint][1] for joint in JOINTS)
    order = (Axis.TASK_CLASS, Axis.RECORD, None, Axis.PRIOR_STATE, Axis.CLAIM, Axis.BASIS, Axis.ANSWER_CHECK)
    return order.index(axis), VALUES[axis]
