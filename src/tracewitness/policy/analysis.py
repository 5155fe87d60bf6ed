"""What can be said of a policy without any run: its proofs, its warnings, and how it differs from another."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tracewitness.findings.decision import PolicyRef, RowId
from tracewitness.findings.labels import Claim, TraceState
from tracewitness.policy.compiling import row_matches
from tracewitness.policy.difference import DiffGroup, DiffReport, diff
from tracewitness.policy.domain import STATES, Axis, code
from tracewitness.policy.enumeration import TOTAL, Combination, combination, everything
from tracewitness.policy.proofs import CounterExample, Proof, Property, prove, reachable_cells
from tracewitness.policy.rules import Policy
from tracewitness.policy.table import DecisionTable, Outcomes, compile_policy

__all__ = [
    "CheckReport",
    "Combination",
    "CounterExample",
    "DiffGroup",
    "DiffReport",
    "PolicyWarning",
    "Proof",
    "Property",
    "check",
    "check_table",
    "diff",
]


@dataclass(frozen=True, slots=True)
class PolicyWarning:
    """Something that breaks no property but is hardly meant.

    Attributes:
        row: The row concerned.
        message: One sentence.
    """

    row: RowId
    message: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The outcome of a check.

    Attributes:
        policy: The policy that was checked.
        combinations: How many combinations of a run with one part were enumerated.
        proofs: One per property.
        warnings: Rows that are hardly meant as they stand.
    """

    policy: PolicyRef
    combinations: int
    proofs: tuple[Proof, ...]
    warnings: tuple[PolicyWarning, ...]

    @property
    def ok(self) -> bool:
        """Return whether every property holds; warnings do not count."""
        return all(proof.holds for proof in self.proofs)


def check(policy: Policy) -> CheckReport:
    """Prove the four properties of ``proofs`` for a policy, or show where they fail.

    A failed property is a value in the report; only a badly written policy is an exception, and that when it is parsed.
    """
    return check_table(compile_policy(policy))


def check_table(table: DecisionTable) -> CheckReport:
    """Check a compiled policy through the same look-up that audits and replays use."""
    outcomes = table.decide_columns(everything())
    warnings = (*_unused_rows(table), *_unearned_passes(table, outcomes))
    return CheckReport(table.ref, TOTAL, prove(table, outcomes), warnings)


def _unused_rows(table: DecisionTable) -> Iterator[PolicyWarning]:
    """Warn of rows that decide nothing, for runs of any number of parts."""
    possible = reachable_cells(table)
    rows = table.policy.rows
    deciding = table.rows.reshape(possible.shape)
    used = set(np.unique(deciding[possible]).tolist())
    for number, row in enumerate(rows):
        if number in used:
            continue
        takers = np.unique(deciding[row_matches(row) & possible]).tolist()
        if takers:
            names = ", ".join(rows[int(taker)].id for taker in takers)
            yield PolicyWarning(row.id, f"this row never decides: everything it matches goes to earlier rows ({names})")
        else:
            yield PolicyWarning(row.id, "this row never matches: its conditions never hold together under this policy")


def _unearned_passes(table: DecisionTable, outcomes: Outcomes) -> Iterator[PolicyWarning]:
    """Warn of rows that PASS a success claim although the trace state is not COMPLETED."""
    success = everything().claim == code(Axis.CLAIM, Claim.SUCCESS)
    open_state = outcomes.states != STATES.index(TraceState.COMPLETED)
    unearned = success & open_state & (outcomes.severities == 0)
    for number in np.unique(outcomes.rows[unearned]).tolist():
        example = combination(int(np.argmax(unearned & (outcomes.rows == number))))
        message = f"this row PASSes a success claim that the trace does not show to be true, such as {example}"
        yield PolicyWarning(table.policy.rows[int(number)].id, message)
