"""Deriving stored decisions anew, for ``store verify``."""

from collections.abc import Callable

from tracewitness.auditing.deciding import decide_again
from tracewitness.findings.decision import Decision
from tracewitness.policy.table import DecisionTable
from tracewitness.store.record import AuditRecord
from tracewitness.values.digests import Digest


class Rederiver:
    """Gives the decision that a record's own policy makes on its findings.

    Args:
        find: Returns the compiled policy with a digest, or None where it is not at hand. Asked once per digest.
    """

    def __init__(self, find: Callable[[Digest], DecisionTable | None]) -> None:
        self._find = find
        self._tables: dict[Digest, DecisionTable | None] = {}

    def __call__(self, record: AuditRecord) -> Decision | None:
        """Return the decision; None where the policy is not at hand or the record has no decision."""
        digest = record.makers.policy_digest
        if digest not in self._tables:
            self._tables[digest] = self._find(digest)
        table = self._tables[digest]
        return None if table is None else decide_again(record, table)

    @property
    def missing(self) -> tuple[Digest, ...]:
        """Return the digests of the policies that were not at hand."""
        return tuple(digest for digest, table in self._tables.items() if table is None)
