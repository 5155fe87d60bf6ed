"""The whole domain, written out: every combination of a run with one part, and every joint code of several parts."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tracewitness.policy.columns import RunColumns
from tracewitness.policy.domain import INPUT_AXES, VALUES, Axis, size
from tracewitness.policy.layout import JOINT_PRIOR, JOINTS, PART_AXES, PART_SHAPE, PRIORS

SHAPE: Final = tuple(size(axis) for axis in INPUT_AXES)
TOTAL: Final = int(np.prod(SHAPE))
"""Number of combinations: 2,654,208."""

PartCodes = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Combination:
    """One combination of values, in the order of ``INPUT_AXES``."""

    values: tuple[tuple[Axis, StrEnum], ...]

    def __str__(self) -> str:
        """Return the combination as people read it."""
        return " ".join(f"{axis}={value}" for axis, value in self.values)


def combination(index: int) -> Combination:
    """Return the combination at a place (0 to TOTAL - 1) of the written-out domain."""
    codes = np.unravel_index(index, SHAPE)
    return Combination(tuple((axis, VALUES[axis][int(at)]) for axis, at in zip(INPUT_AXES, codes, strict=True)))


def everything() -> RunColumns:
    """Return the columns of every combination, in order."""
    columns: dict[str, Any] = {}
    for place, axis in enumerate(INPUT_AXES):
        shape = [1] * len(SHAPE)
        shape[place] = SHAPE[place]
        codes = np.arange(SHAPE[place], dtype=np.uint8).reshape(shape)
        columns[axis.value] = np.broadcast_to(codes, SHAPE).reshape(-1)
    return RunColumns(**columns)


def groups(parts: npt.NDArray[np.uint8]) -> Iterator[tuple[int, int, npt.NDArray[np.uint8]]]:
    """Yield class code, record code and the part bytes that go with them, axes in the order of ``PART_AXES``.

    Class and record are shared by all parts of a run, so parts are only ever joined inside one such group.
    """
    table = parts.reshape(PART_SHAPE)
    record_place = PART_AXES.index(Axis.RECORD)
    for task_class in range(size(Axis.TASK_CLASS)):
        for record in range(size(Axis.RECORD)):
            yield task_class, record, table[task_class].take([record], axis=record_place - 1)


def joined(codes: PartCodes) -> PartCodes:
    """Return every code that any number of parts with these codes can have together.

    A code holds one canonical byte per table it was read from (one or two); joining is the bitwise OR, brought back to
    canonical form. There are 15 canonical bytes, so the closure is small and exact.
    """
    base = np.unique(codes)
    found = base
    while True:
        grown = np.unique(np.concatenate([found, canonical((found[:, None] | base[None, :]).reshape(-1))]))
        if len(grown) == len(found):
            return found
        found = grown


def canonical(codes: PartCodes) -> PartCodes:
    """Return codes with each byte replaced by the one of a single part that behaves alike in every join."""
    high = _CANONICAL[codes >> np.uint16(8)].astype(np.uint16) << np.uint16(8)
    return high | _CANONICAL[codes & np.uint16(255)]


def pair_codes(high: npt.NDArray[np.uint8], low: npt.NDArray[np.uint8]) -> PartCodes:
    """Return, in canonical form, codes that hold two part bytes each."""
    codes = np.unique(high.astype(np.uint16) << np.uint16(8) | low)
    return np.unique(canonical(codes))


def run_text(task_class: int, record: int, joint_prior: int) -> str:
    """Return what a run of several parts comes to, as people read it."""
    joint, prior = divmod(joint_prior, PRIORS)
    return (
        f"task_class={VALUES[Axis.TASK_CLASS][task_class]} record={VALUES[Axis.RECORD][record]} "
        f"parts together {JOINTS[joint]} with prior_state={VALUES[Axis.PRIOR_STATE][prior]}"
    )


def _canonical_bytes() -> npt.NDArray[np.uint8]:
    joint, prior = np.divmod(JOINT_PRIOR, np.uint8(PRIORS))
    found = (np.uint8(1) << joint) | (np.uint8(1) << (prior + np.uint8(len(JOINTS))))
    # A byte of nothing stands for nothing: it occurs as the unused half of a code.
    found[0] = 0
    return found.astype(np.uint8)


_CANONICAL: Final = _canonical_bytes()
