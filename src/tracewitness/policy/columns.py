"""Many runs as columns of codes, and what was decided for them."""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import numpy.typing as npt

from tracewitness.policy.domain import FIELD_AXES, Axis, size
from tracewitness.policy.layout import CONTEXTS, JOINT_PRIORS, PRIORS, STATE_CODE_OF_JOINT, Codes, Places


@dataclass(frozen=True, slots=True)
class RunColumns:
    """Codes of many runs, one array per axis; a code is the place of the value in ``domain.VALUES[axis]``.

    Every array is of type uint8. ``action`` to ``prior_state`` have one entry per part, the others one per run. Where
    ``first_part`` is None every run has exactly one part; else it holds, per run, the index of its first part (strictly
    rising from 0). ``unavailable`` is nonzero for a run whose claim or evidence is unavailable; its other codes must be
    valid and are not looked at. ``quarantined`` is nonzero for a run whose trace repeats its report: it never passes.
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
    quarantined: Codes | None = None

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
        for name, flags in (("unavailable", self.unavailable), ("quarantined", self.quarantined)):
            if flags is not None and flags.shape != (runs,):
                raise ValueError(f"{name}: expected {runs} entries")
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


_PART_COLUMNS: Final = frozenset({*FIELD_AXES, Axis.PRIOR_STATE})


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What was decided for many runs.

    Attributes:
        rows: Row numbers (uint8) in the order of the policy's rows; NO_ROW or UNAVAILABLE_ROW where no row decided.
        runs: Places (uint16) of the runs in the table's rows before claim, basis and answer check are counted in; they
            hold class, record, prior state and what ``joints`` tells, and nothing of the report.
        severity_of_row: For every row number the severity of its disposition (256 entries).
        quarantined: Nonzero for a run whose trace repeats its report, for which a row's PASS is a REVIEW (see
            ``decide.held_back``); None where there is none.
    """

    rows: Codes
    runs: Places
    severity_of_row: Codes
    quarantined: Codes | None = None

    @property
    def severities(self) -> Codes:
        """Return 0 for PASS, 1 for REVIEW and 2 for FLAG per run."""
        found = np.take(self.severity_of_row, self.rows)
        return found if self.quarantined is None else np.maximum(found, (self.quarantined != 0).astype(np.uint8))

    def held_back(self, place: int) -> bool:
        """Tell whether the PASS that a row gave a run became a REVIEW."""
        passed = int(self.severity_of_row[self.rows[place]]) == 0
        return passed and self.quarantined is not None and bool(self.quarantined[place])

    @property
    def joints(self) -> Codes:
        """Return codes of ``Joint`` per run: trace state and standing; UNKNOWN where unavailable."""
        joint_prior = self.runs // np.uint16(CONTEXTS) % np.uint16(JOINT_PRIORS)
        return (joint_prior // np.uint16(PRIORS)).astype(np.uint8)

    @property
    def states(self) -> Codes:
        """Return codes of the trace state (``domain.STATES``) per run."""
        return np.take(STATE_CODE_OF_JOINT, self.joints)

    def row_counts(self) -> npt.NDArray[np.int64]:
        """Return how many runs each row number decided (256 entries)."""
        return np.bincount(self.rows, minlength=256)
