"""Writes a policy out as the two arrays of its decision table."""

from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from tracewitness.findings.labels import FieldName, TaskClass
from tracewitness.policy.domain import VALUES, Axis, Record, size
from tracewitness.policy.layout import JOINTS, NO_ROW, PART_AXES, PART_SHAPE, PRIORS, RUN_SHAPE, STATE_OF, Codes, Joint
from tracewitness.policy.rules import Policy, Row


def compile_parts(policy: Policy) -> Codes:
    """Return, per combination of ``PART_AXES``, the byte of a part."""
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


def compile_rows(policy: Policy) -> Codes:
    """Return, per combination of ``RUN_SHAPE``, the number of the row that decides."""
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
