"""The finite domain of a policy: its axes, their values, and the code of each value.

Everything a policy may look at is one of finitely many values, so that every policy can be written out in full. The
code of a value is its place in the axis, counted from 0; codes are what tables are indexed by and replay columns hold.
"""

from enum import StrEnum
from typing import Final

from tracewitness.findings.decision import Standing
from tracewitness.findings.labels import (
    AnswerCheck,
    Basis,
    Claim,
    Disposition,
    FieldName,
    FieldValue,
    TaskClass,
    TraceState,
)
from tracewitness.values.ternary import Ternary


class Record(StrEnum):
    """Whether the record of the run is whole, or has gaps."""

    WHOLE = "whole"
    GAPS = "gaps"


class Axis(StrEnum):
    """One thing a policy may look at."""

    TASK_CLASS = "task_class"
    CLAIM = "claim"
    BASIS = "basis"
    ACTION = "action"
    TARGET = "target"
    TRANSITION = "transition"
    COMMITMENT = "commitment"
    FINAL_SUPPORT = "final_support"
    PRIOR_STATE = "prior_state"
    ANSWER_CHECK = "answer_check"
    RECORD = "record"
    TRACE_STATE = "trace_state"
    STANDING = "standing"


# Field values stand from best to worst: the order along which monotonicity is proved.
_FIELD_ORDER: Final = (FieldValue.YES, FieldValue.UNKNOWN, FieldValue.ABSENT, FieldValue.NO)

VALUES: Final[dict[Axis, tuple[StrEnum, ...]]] = {
    Axis.TASK_CLASS: tuple(TaskClass),
    Axis.CLAIM: tuple(Claim),
    Axis.BASIS: tuple(Basis),
    Axis.ACTION: _FIELD_ORDER,
    Axis.TARGET: _FIELD_ORDER,
    Axis.TRANSITION: _FIELD_ORDER,
    Axis.COMMITMENT: _FIELD_ORDER,
    Axis.FINAL_SUPPORT: _FIELD_ORDER,
    Axis.PRIOR_STATE: (Ternary.YES, Ternary.UNKNOWN, Ternary.NO),
    Axis.ANSWER_CHECK: tuple(AnswerCheck),
    Axis.RECORD: (Record.WHOLE, Record.GAPS),
    Axis.TRACE_STATE: (TraceState.COMPLETED, TraceState.UNKNOWN, TraceState.NOT_COMPLETED),
    Axis.STANDING: (Standing.NONE, Standing.PARTLY, Standing.WHOLLY),
}

FIELDS: Final[tuple[FieldName, ...]] = tuple(FieldName)
FIELD_AXES: Final[tuple[Axis, ...]] = tuple(Axis(name.value) for name in FIELDS)

INPUT_AXES: Final[tuple[Axis, ...]] = (
    Axis.TASK_CLASS,
    Axis.CLAIM,
    Axis.BASIS,
    *FIELD_AXES,
    Axis.PRIOR_STATE,
    Axis.ANSWER_CHECK,
    Axis.RECORD,
)
"""Axes of one combination of a run with one part, in the order of the enumerated domain (2,654,208 combinations)."""

REPORT_AXES: Final[tuple[Axis, ...]] = (Axis.CLAIM, Axis.BASIS, Axis.ANSWER_CHECK)
"""Axes that hold something of the report; the trace state may depend on none of them."""

ROW_AXES: Final[tuple[Axis, ...]] = (
    Axis.TASK_CLASS,
    Axis.CLAIM,
    Axis.BASIS,
    Axis.TRACE_STATE,
    Axis.STANDING,
    Axis.PRIOR_STATE,
    Axis.ANSWER_CHECK,
    Axis.RECORD,
)
"""Axes that a row of the disposition table may put a condition on."""

DISPOSITIONS: Final = (Disposition.PASS, Disposition.REVIEW, Disposition.FLAG)
"""Dispositions from mildest to severest."""

STATES: Final = (TraceState.COMPLETED, TraceState.UNKNOWN, TraceState.NOT_COMPLETED)
"""Trace states from best to worst."""

_CODES: Final = {axis: {value: code for code, value in enumerate(values)} for axis, values in VALUES.items()}


def size(axis: Axis) -> int:
    """Return the number of values of an axis."""
    return len(VALUES[axis])


def code(axis: Axis, value: StrEnum) -> int:
    """Return the code of a value on an axis.

    Raises:
        KeyError: The value is not one of the axis.
    """
    return _CODES[axis][value]


def severity(disposition: Disposition) -> int:
    """Return 0 for PASS, 1 for REVIEW, 2 for FLAG."""
    return DISPOSITIONS.index(disposition)
