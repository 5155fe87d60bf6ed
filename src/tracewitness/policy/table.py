"""A policy compiled to a decision table, and replay of many records by look-up.

The full domain has 2,654,208 combinations, but it falls into two factors: what the checker sees of a part (class, five
fields, prior state, record: 36,864 combinations) and what the disposition table sees of a run (class, claim, basis,
joint state of the parts, prior state, answer check, record: 12,960). The compiled table holds one array for each, so a
look-up touches 50 kB instead of 2.6 MB, and runs of several parts need no table of their own.
"""

from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from tracewitness.findings.decision import PolicyRef
from tracewitness.policy.columns import Outcomes, RunColumns
from tracewitness.policy.compiling import compile_parts, compile_rows
from tracewitness.policy.domain import Axis, severity, size
from tracewitness.policy.layout import (
    CONTEXTS,
    JOINT_PRIOR,
    JOINT_PRIORS,
    PART_AXES,
    PART_SHAPE,
    PRIORS,
    UNAVAILABLE_ROW,
    UNKNOWN_RUN,
    Codes,
    Places,
)
from tracewitness.policy.rules import Policy

__all__ = ["DecisionTable", "Outcomes", "RunColumns", "compile_policy"]

_CHUNK: Final = 65_536
"""Records looked up at a time: the index buffers then stay in the processor's cache."""


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
        group = (task_class * size(Axis.RECORD) + record) * JOINT_PRIORS
        return int(self.rows[(group + int(JOINT_PRIOR[part_bytes])) * CONTEXTS + context])

    def decide_columns(self, columns: RunColumns) -> Outcomes:
        """Decide many runs by look-up."""
        runs = self._run_places(columns)
        rows = np.empty(len(runs), np.uint8)
        for start in range(0, len(rows), _CHUNK):
            piece = slice(start, start + _CHUNK)
            np.take(self.rows, runs[piece] + _contexts(columns, piece), out=rows[piece], mode="clip")
        if columns.unavailable is not None:
            missing = columns.unavailable != 0
            rows[missing] = UNAVAILABLE_ROW
            runs[missing] = UNKNOWN_RUN
        return Outcomes(rows, runs, self.severities(), columns.quarantined)

    def severities(self) -> Codes:
        """Return the severity of every row number; REVIEW where no row decided."""
        found = np.full(256, 1, np.uint8)
        found[: len(self.policy.rows)] = [severity(row.disposition) for row in self.policy.rows]
        return found

    def _run_places(self, columns: RunColumns) -> Places:
        """Return, per run, the place in ``rows`` of the first of its contexts."""
        first = columns.first_part
        if first is None:
            # A run of one part needs no joining, so the look-up of the part can give the place at once.
            groups = np.arange(len(self.parts)) // _PART_STRIDE * size(Axis.RECORD)
            groups += np.arange(len(self.parts)) // _RECORD_STRIDE % size(Axis.RECORD)
            places = (groups * JOINT_PRIORS + JOINT_PRIOR[self.parts]) * CONTEXTS
            return _look_up_parts(places.astype(np.uint16), columns, columns.task_class, columns.record)
        lengths = np.diff(first, append=len(columns.action))
        task_class, record = np.repeat(columns.task_class, lengths), np.repeat(columns.record, lengths)
        parts = _look_up_parts(self.parts, columns, task_class, record)
        joined = np.bitwise_or.reduceat(parts, first) if len(first) else parts
        groups = columns.task_class * np.uint16(size(Axis.RECORD)) + columns.record
        return (groups * np.uint16(JOINT_PRIORS) + JOINT_PRIOR[joined]) * np.uint16(CONTEXTS)


_Entry = TypeVar("_Entry", np.uint8, np.uint16)


def _look_up_parts(
    table: npt.NDArray[_Entry], columns: RunColumns, task_class: Codes, record: Codes
) -> npt.NDArray[_Entry]:
    """Return the table's entry for each part; class and record are given per part."""
    found = np.empty(len(columns.action), table.dtype)
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


def _contexts(columns: RunColumns, piece: slice) -> Codes:
    context = columns.claim[piece] * _FOUR
    context += columns.basis[piece]
    context *= np.uint8(size(Axis.ANSWER_CHECK))
    context += columns.answer_check[piece]
    return context


_RECORD_STRIDE: Final = int(np.prod(PART_SHAPE[PART_AXES.index(Axis.RECORD) + 1 :]))
_PART_STRIDE: Final = int(np.prod(PART_SHAPE[1:]))
_TWO: Final = np.uint8(2)
_FOUR: Final = np.uint8(4)


def compile_policy(policy: Policy) -> DecisionTable:
    """Return the decision table of a policy. A policy that is not total compiles too: ``analysis.check`` finds that."""
    return DecisionTable(policy, policy.ref, compile_parts(policy), compile_rows(policy))
