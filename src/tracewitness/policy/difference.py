"""How two policies differ: the exact combinations, and the same put into few readable groups."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tracewitness.findings.decision import PolicyRef, RowId
from tracewitness.findings.labels import Disposition
from tracewitness.policy.domain import DISPOSITIONS, INPUT_AXES, VALUES
from tracewitness.policy.enumeration import (
    SHAPE,
    TOTAL,
    Combination,
    combination,
    everything,
    groups,
    joined,
    pair_codes,
    run_text,
)
from tracewitness.policy.layout import JOINT_PRIOR, JOINTS, NO_EVIDENCE_BYTE, PRIORS, RUN_SHAPE
from tracewitness.policy.rules import Condition, Policy
from tracewitness.policy.table import DecisionTable, compile_policy

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Box:
    """A group of combinations: those that meet every condition; an axis without one may have any value."""

    conditions: tuple[Condition, ...]
    count: int

    def __str__(self) -> str:
        """Return the conditions as people read them."""
        shown = (f"{item.axis}={'|'.join(item.values)}" for item in self.conditions)
        return " ".join(shown) or "every combination"


@dataclass(frozen=True, slots=True)
class DiffGroup:
    """Combinations that one row of the first policy and one of the second decide differently.

    Attributes:
        before: Disposition under the first policy.
        after: Disposition under the second.
        row_before: Row of the first policy that decides; None where none does.
        row_after: Row of the second policy.
        count: How many combinations.
        boxes: The combinations, exactly: each lies in one box, and the boxes hold no others.
    """

    before: Disposition
    after: Disposition
    row_before: RowId | None
    row_after: RowId | None
    count: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class DiffReport:
    """How two policies differ.

    Attributes:
        first: The first policy.
        second: The second policy.
        total: How many combinations of a run with one part there are.
        differing: Places, in the written-out domain, of those with different dispositions.
        other_state: How many have another trace state (also where the disposition is the same).
        groups: The differing combinations by the rows that decide them, most numerous first.
        several_parts: Kinds of runs on which the policies differ though they agree on each part of the run alone.
    """

    first: PolicyRef
    second: PolicyRef
    total: int
    differing: npt.NDArray[np.int64]
    other_state: int
    groups: tuple[DiffGroup, ...]
    several_parts: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Return whether the two give the same disposition to every run of any number of parts."""
        return not len(self.differing) and not self.several_parts

    def combinations(self) -> Iterator[Combination]:
        """Yield every combination on which they differ."""
        return (combination(int(place)) for place in self.differing)


def diff(first: Policy, second: Policy) -> DiffReport:
    """Return exactly where two policies give different dispositions."""
    columns = everything()
    tables = compile_policy(first), compile_policy(second)
    before, after = (table.decide_columns(columns) for table in tables)
    bad = before.severities != after.severities
    return DiffReport(
        first=first.ref,
        second=second.ref,
        total=TOTAL,
        differing=np.flatnonzero(bad),
        other_state=int(np.count_nonzero(before.states != after.states)),
        groups=tuple(_groups(tables, before.rows, after.rows, bad)),
        several_parts=tuple(_several_parts(tables)),
    )


def _groups(tables: tuple[DecisionTable, DecisionTable], rows: Codes, others: Codes, bad: Bools) -> list[DiffGroup]:
    pairs = rows.astype(np.uint16) << np.uint16(8) | others
    found: list[DiffGroup] = []
    for pair in np.unique(pairs[bad]).tolist():
        mask = bad & (pairs == pair)
        first, second = pair >> 8, pair & 255
        found.append(
            DiffGroup(
                before=DISPOSITIONS[int(tables[0].severities()[first])],
                after=DISPOSITIONS[int(tables[1].severities()[second])],
                row_before=_row_id(tables[0].policy, first),
                row_after=_row_id(tables[1].policy, second),
                count=int(np.count_nonzero(mask)),
                boxes=tuple(boxes(mask.reshape(SHAPE))),
            )
        )
    return sorted(found, key=lambda group: -group.count)


def _row_id(policy: Policy, number: int) -> RowId | None:
    return policy.rows[number].id if number < len(policy.rows) else None


_Merged = tuple[tuple[tuple[int, ...], ...], ...]
"""Per axis and per place along it, the codes that were merged into that place because they are alike."""


def boxes(mask: Bools) -> Iterator[Box]:
    """Yield disjoint boxes that together hold exactly the marked combinations.

    Args:
        mask: One axis per axis of ``INPUT_AXES``; at least one combination is marked.
    """
    for codes in _split(mask, tuple(tuple((at,) for at in range(length)) for length in mask.shape)):
        conditions = tuple(
            Condition(axis, tuple(VALUES[axis][at] for at in sorted(kept)))
            for axis, kept in zip(INPUT_AXES, codes, strict=True)
            if len(kept) < len(VALUES[axis])
        )
        yield Box(conditions, int(np.prod([len(kept) for kept in codes])))


def _split(mask: Bools, merged: _Merged) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Merge like values on every axis, then split along the one with the fewest kinds until only boxes are left."""
    for axis in range(mask.ndim):
        mask, merged = _merge(mask, merged, axis)
    open_axes = [axis for axis, length in enumerate(mask.shape) if length > 1]
    if not open_axes:
        yield tuple(places[0] for places in merged)
        return
    axis = min(open_axes, key=lambda at: mask.shape[at])
    for at in range(mask.shape[axis]):
        yield from _split(mask.take([at], axis=axis), (*merged[:axis], (merged[axis][at],), *merged[axis + 1 :]))


def _merge(mask: Bools, merged: _Merged, axis: int) -> tuple[Bools, _Merged]:
    """Drop the places along an axis with nothing marked, and make one of those that are marked alike."""
    kinds: dict[bytes, list[int]] = {}
    for at in range(mask.shape[axis]):
        piece = mask.take(at, axis=axis)
        if piece.any():
            kinds.setdefault(piece.tobytes(), []).append(at)
    places = tuple(tuple(code for at in group for code in merged[axis][at]) for group in kinds.values())
    kept = mask.take([group[0] for group in kinds.values()], axis=axis)
    return kept, (*merged[:axis], places, *merged[axis + 1 :])


def _several_parts(tables: tuple[DecisionTable, DecisionTable]) -> Iterator[str]:
    """Yield kinds of runs whose dispositions differ only through how their parts come together."""
    severities = [table.severities()[table.rows].reshape(_RUNS) for table in tables]
    for (task_class, record, parts), (_, _, others) in zip(*(groups(table.parts) for table in tables), strict=True):
        here, there = (of[task_class, record] for of in severities)
        alone = np.append(pair_codes(parts, others), np.uint16(NO_EVIDENCE_BYTE << 8 | NO_EVIDENCE_BYTE))
        alike = alone[_agree(here, there, _halves(alone))]
        together = joined(alike) if len(alike) else alike
        for high, low in zip(*_halves(together[~_agree(here, there, _halves(together))]), strict=True):
            yield f"{run_text(task_class, record, int(high))}, or {run_text(task_class, record, int(low))}"


def _halves(codes: npt.NDArray[np.uint16]) -> tuple[Codes, Codes]:
    return JOINT_PRIOR[codes >> np.uint16(8)], JOINT_PRIOR[codes & np.uint16(255)]


def _agree(here: Codes, there: Codes, at: tuple[Codes, Codes]) -> Bools:
    return (here[at[0]] == there[at[1]]).all(axis=(1, 2, 3))


_RUNS = (*RUN_SHAPE[:2], len(JOINTS) * PRIORS, *RUN_SHAPE[4:])
