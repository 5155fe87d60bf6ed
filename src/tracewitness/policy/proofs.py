"""Proofs, by enumeration, that a policy is total, closed-world, monotone and report-blind in its trace state.

What each word means here, exactly:

* Total: a row decides every combination, and every run of several parts.
* Closed world: ABSENT is read as NO over a whole record (as UNKNOWN where the policy switches the closed world off) and
  as UNKNOWN over a record with gaps; and gaps buy nothing: with the same field values, a success claim PASSes over a
  record with gaps only if it also PASSes over the whole one, and is FLAGged over gaps only if it is over the whole one.
* Monotone: the order of a field is YES, UNKNOWN, ABSENT, NO, that of trace states COMPLETED, UNKNOWN, NOT_COMPLETED,
  that of dispositions PASS, REVIEW, FLAG. One step down in one field of one part, all else equal, never improves the
  trace state, and never moves the disposition of a SUCCESS claim towards PASS, whatever other parts the run has. Other
  claims are left out because there a worse trace is agreement: an admitted failure rightly PASSes over NOT_COMPLETED.
* Report-blind: trace state and standing are the same for every claim, basis and answer check.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from tracewitness.findings.labels import Claim
from tracewitness.policy.domain import (
    DISPOSITIONS,
    FIELD_AXES,
    INPUT_AXES,
    REPORT_AXES,
    STATES,
    VALUES,
    Axis,
    Record,
    code,
)
from tracewitness.policy.enumeration import SHAPE, TOTAL, Combination, combination, groups, joined, pair_codes, run_text
from tracewitness.policy.layout import (
    JOINT_PRIOR,
    JOINTS,
    NO_EVIDENCE_BYTE,
    NO_ROW,
    PART_AXES,
    PART_SHAPE,
    PRIORS,
    RUN_SHAPE,
)
from tracewitness.policy.table import DecisionTable, Outcomes


class Property(StrEnum):
    """What is proved."""

    TOTAL = "total"
    CLOSED_WORLD = "closed-world"
    MONOTONE = "monotone"
    REPORT_BLIND = "report-blind"


@dataclass(frozen=True, slots=True)
class CounterExample:
    """Where a property fails: one combination, or two that must not differ as they do.

    Attributes:
        explanation: What is wrong, with both outcomes.
        combinations: The combination or combinations; of the changed part only, where the fault needs several parts.
    """

    explanation: str
    combinations: tuple[Combination, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a property holds, and where it fails first if it does not."""

    subject: Property
    counter_example: CounterExample | None

    @property
    def holds(self) -> bool:
        """Return whether the property holds for every combination."""
        return self.counter_example is None


_SUCCESS: Final = code(Axis.CLAIM, Claim.SUCCESS)
_CLAIM_PLACE: Final = INPUT_AXES.index(Axis.CLAIM)
_RECORD_PLACE: Final = INPUT_AXES.index(Axis.RECORD)
_WHOLE, _GAPS = (code(Axis.RECORD, record) for record in (Record.WHOLE, Record.GAPS))
_YES, _UNKNOWN, _ABSENT, _NO = range(4)
_CELLS: Final = np.arange(TOTAL).reshape(SHAPE)

Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[np.uint8]
_Kind = TypeVar("_Kind", bound=np.generic)


def prove(table: DecisionTable, outcomes: Outcomes) -> tuple[Proof, ...]:
    """Prove the four properties.

    Args:
        table: The compiled policy; asked about runs of several parts.
        outcomes: What it decided for ``enumeration.everything()``, in that order.
    """
    view = _View(table, outcomes)
    return (
        Proof(Property.TOTAL, _first(_total(view))),
        Proof(Property.CLOSED_WORLD, _first(_closed_world(view))),
        Proof(Property.MONOTONE, _first(_monotone(view))),
        Proof(Property.REPORT_BLIND, _first(_report_blind(view))),
    )


class _View:
    """The outcomes, one axis per input, and how to tell of them."""

    def __init__(self, table: DecisionTable, outcomes: Outcomes) -> None:
        self.table = table
        self.rows = outcomes.rows.reshape(SHAPE)
        self.joints = outcomes.joints.reshape(SHAPE)
        self.states = outcomes.states.reshape(SHAPE)
        self.severities = outcomes.severities.reshape(SHAPE)
        self.run_severities = table.severities()[table.rows].reshape(
            *RUN_SHAPE[:2],
            len(JOINTS) * PRIORS,
            *RUN_SHAPE[4:],
        )

    def tell(self, cell: int) -> str:
        """Return disposition, row and trace state of a combination."""
        at = np.unravel_index(cell, SHAPE)
        number = int(self.rows[at])
        rows = self.table.policy.rows
        row = f"row {rows[number].id}" if number < len(rows) else "no row"
        return f"{DISPOSITIONS[self.severities[at]]} ({row}, trace state {STATES[self.states[at]]})"

    def pair(
        self, before: npt.NDArray[np.int64], after: npt.NDArray[np.int64], bad: Bools, what: str
    ) -> CounterExample:
        """Return the counter-example at the first place where two arrays of combinations differ badly."""
        place = int(np.argmax(bad))
        first, second = int(before.reshape(-1)[place]), int(after.reshape(-1)[place])
        explanation = f"{what}: {self.tell(first)} becomes {self.tell(second)}"
        return CounterExample(explanation, (combination(first), combination(second)))


def _first(found: Iterator[CounterExample]) -> CounterExample | None:
    return next(found, None)


def _total(view: _View) -> Iterator[CounterExample]:
    missing = view.rows == NO_ROW
    if missing.any():
        yield CounterExample("no row decides this combination", (combination(int(np.argmax(missing))),))
    for task_class, record, codes in _reachable(view.table):
        rows = view.table.rows.reshape(*RUN_SHAPE[:2], len(JOINTS) * PRIORS, -1)[task_class, record]
        open_codes = [at for at in JOINT_PRIOR[codes] if (rows[at] == NO_ROW).any()]
        if open_codes:
            where = run_text(task_class, record, int(open_codes[0]))
            yield CounterExample(f"no row decides some run of several parts with {where}", ())


def _reachable(table: DecisionTable) -> Iterator[tuple[int, int, npt.NDArray[np.uint16]]]:
    for task_class, record, parts in groups(table.parts):
        with_missing = np.append(np.unique(parts), NO_EVIDENCE_BYTE).astype(np.uint16)
        yield task_class, record, joined(with_missing)


def reachable_cells(table: DecisionTable) -> Bools:
    """Return, over ``table.RUN_SHAPE``, which cells a run of any number of parts can come to."""
    found = np.zeros((*RUN_SHAPE[:2], len(JOINTS) * PRIORS, *RUN_SHAPE[4:]), np.bool_)
    for task_class, record, codes in _reachable(table):
        found[task_class, record, JOINT_PRIOR[codes]] = True
    return found.reshape(RUN_SHAPE)


def _closed_world(view: _View) -> Iterator[CounterExample]:
    closed = view.table.policy.closed_world
    for axis in FIELD_AXES:
        place = INPUT_AXES.index(axis)
        for record, like in ((_WHOLE, _NO if closed else _UNKNOWN), (_GAPS, _UNKNOWN)):
            yield from _absent_is_read_as(view, place, record, like)
    yield from _gaps_buy_nothing(view)
    yield from _gaps_buy_nothing_with_parts(view)


def _absent_is_read_as(view: _View, place: int, record: int, like: int) -> Iterator[CounterExample]:
    def part(array: npt.NDArray[_Kind], value: int) -> npt.NDArray[_Kind]:
        return np.take(np.take(array, record, axis=_RECORD_PLACE), value, axis=place)

    bad = part(view.rows, _ABSENT) != part(view.rows, like)
    bad |= part(view.joints, _ABSENT) != part(view.joints, like)
    if bad.any():
        what = f"ABSENT must count as {VALUES[INPUT_AXES[place]][like]} over a record that is {_record(record)}"
        yield view.pair(
            np.take(np.take(_CELLS, record, axis=_RECORD_PLACE), like, axis=place),
            np.take(np.take(_CELLS, record, axis=_RECORD_PLACE), _ABSENT, axis=place),
            bad,
            what,
        )


def _record(record: int) -> str:
    return "whole" if record == _WHOLE else "open"


def _gaps_buy_nothing(view: _View) -> Iterator[CounterExample]:
    whole, gaps = (_success(np.take(view.severities, [at], axis=_RECORD_PLACE)) for at in (_WHOLE, _GAPS))
    cells = [_success(np.take(_CELLS, [at], axis=_RECORD_PLACE)) for at in (_WHOLE, _GAPS)]
    for bad, what in _bought(whole, gaps):
        if bad.any():
            yield view.pair(cells[0], cells[1], bad, what)


def _gaps_buy_nothing_with_parts(view: _View) -> Iterator[CounterExample]:
    record_place = PART_AXES.index(Axis.RECORD)
    table = view.table.parts.reshape(PART_SHAPE)
    for task_class in range(RUN_SHAPE[0]):
        whole, gaps = (np.take(table[task_class], at, axis=record_place - 1) for at in (_WHOLE, _GAPS))
        codes = joined(pair_codes(whole, gaps))
        severities = [
            view.run_severities[task_class, record][JOINT_PRIOR[half], _SUCCESS]
            for record, half in ((_WHOLE, codes >> np.uint16(8)), (_GAPS, codes & np.uint16(255)))
        ]
        for bad, what in _bought(severities[0], severities[1]):
            if bad.any():
                at = int(np.argmax(bad.reshape(len(codes), -1).any(axis=1)))
                where = run_text(task_class, _GAPS, int(JOINT_PRIOR[codes[at] & np.uint16(255)]))
                yield CounterExample(f"{what}, in a run of several parts: {where}", ())


def _bought(whole: Array, gaps: Array) -> Iterator[tuple[Bools, str]]:
    yield (gaps == 0) & (whole != 0), "losing parts of the record must not turn a success claim's disposition into PASS"
    yield (gaps == 2) & (whole != 2), "losing parts of the record must not turn a success claim's disposition into FLAG"


def _success(array: npt.NDArray[_Kind]) -> npt.NDArray[_Kind]:
    return np.take(array, [_SUCCESS], axis=_CLAIM_PLACE)


def _monotone(view: _View) -> Iterator[CounterExample]:
    severities, cells = _success(view.severities), _success(_CELLS)
    for axis in FIELD_AXES:
        place = INPUT_AXES.index(axis)
        bad = _falls(view.states, place)
        if bad.any():
            yield view.pair(*_steps(_CELLS, place), bad, f"a worse {axis} improves the trace state")
        bad = _falls(severities, place)
        if bad.any():
            yield view.pair(*_steps(cells, place), bad, f"a worse {axis} moves a success claim towards PASS")
    yield from _monotone_with_parts(view)


def _steps(array: npt.NDArray[_Kind], place: int) -> tuple[npt.NDArray[_Kind], npt.NDArray[_Kind]]:
    """Return what stands before and after one step down the order of a field."""
    return np.take(array, range(3), axis=place), np.take(array, range(1, 4), axis=place)


def _falls(array: Array, place: int) -> Bools:
    before, after = _steps(array, place)
    return after < before


def _monotone_with_parts(view: _View) -> Iterator[CounterExample]:
    """Compare every step of one part beside everything that the other parts can be together."""
    for task_class, record, parts in groups(view.table.parts):
        severities = view.run_severities[task_class, record][:, _SUCCESS]
        rest = joined(np.append(np.unique(parts), NO_EVIDENCE_BYTE).astype(np.uint16))
        for axis in FIELD_AXES:
            pairs = np.unique(pair_codes(*_steps(parts, PART_AXES.index(axis) - 1)))
            before = JOINT_PRIOR[(pairs >> np.uint16(8))[:, None] | rest]
            after = JOINT_PRIOR[(pairs & np.uint16(255))[:, None] | rest]
            bad = (severities[after] < severities[before]).any(axis=(2, 3))
            if bad.any():
                at = np.unravel_index(int(np.argmax(bad)), bad.shape)
                first, second = (run_text(task_class, record, int(array[at])) for array in (before, after))
                what = f"a worse {axis} of one part moves a success claim towards PASS in a run of several parts"
                yield CounterExample(f"{what}: from {first} to {second}", ())


def _report_blind(view: _View) -> Iterator[CounterExample]:
    first = view.joints
    cells = _CELLS
    for axis in REPORT_AXES:
        first = np.take(first, [0], axis=INPUT_AXES.index(axis))
        cells = np.take(cells, [0], axis=INPUT_AXES.index(axis))
    bad = view.joints != first
    if bad.any():
        what = "the trace state depends on the report"
        yield view.pair(np.broadcast_to(cells, SHAPE), _CELLS, bad, what)
