"""What a batch of audits amounts to: counts by name, and the load on people."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tracewitness.findings.labels import Disposition, Triage
from tracewitness.intake.errors import IntakeFailure
from tracewitness.store.record import AuditRecord

_SPOKEN_FOR = (Triage.AUDIT_TARGET, Triage.SETTLED_PASSED)
_BLOCKED = (Disposition.FLAG, Disposition.REVIEW)


@dataclass(slots=True)
class Summary:
    """Counts over a batch, filled record by record.

    Attributes:
        runs: All runs that could be read.
        triage: Runs by how triage sorted them.
        dispositions: Audited runs by disposition.
        marks: Marks by name, such as ``underclaim``.
        targets_blocked: Audit targets that got FLAG or REVIEW.
        blocked: Runs that got FLAG or REVIEW.
        resumed: Records taken from the store instead of audited again.
        failures: Inputs that could not be read.
        unavailable: Components that gave no answer, by side and cause, such as ``claim: refused``.
    """

    runs: int = 0
    triage: Counter[Triage] = field(default_factory=Counter[Triage])
    dispositions: Counter[Disposition] = field(default_factory=Counter[Disposition])
    marks: Counter[str] = field(default_factory=Counter[str])
    targets_blocked: int = 0
    blocked: int = 0
    resumed: int = 0
    failures: int = 0
    unavailable: Counter[str] = field(default_factory=Counter[str])

    def add(self, item: AuditRecord | IntakeFailure, *, resumed: bool = False) -> None:
        """Count a record or a failure."""
        if isinstance(item, IntakeFailure):
            self.failures += 1
            return
        self.runs += 1
        self.resumed += resumed
        self.triage[item.triage] += 1
        if item.decision is not None:
            self._add_decided(item.decision.disposition, item.triage)
            self.marks.update(item.decision.marks)
        for name, half in (("claim", item.claim), ("evidence", item.trace)):
            if half is not None and half.unavailable is not None:
                self.unavailable[f"{name}: {half.unavailable.id}"] += 1

    def _add_decided(self, disposition: Disposition, triage: Triage) -> None:
        self.dispositions[disposition] += 1
        if disposition in _BLOCKED:
            self.blocked += 1
            self.targets_blocked += triage is Triage.AUDIT_TARGET

    @property
    def audited(self) -> int:
        """Return how many runs have a disposition."""
        return self.dispositions.total()

    @property
    def unsettled(self) -> int:
        """Return how many runs nothing speaks for: not auditable, or failed by an independent check."""
        return sum(count for kind, count in self.triage.items() if kind not in _SPOKEN_FOR)

    @property
    def load_of_targets(self) -> float | None:
        """Return the inspection load within the audit targets, 0 to 1; None without a target."""
        targets = self.triage[Triage.AUDIT_TARGET]
        return self.targets_blocked / targets if targets else None

    @property
    def load_of_stream(self) -> float | None:
        """Return the inspection load within the full stream of readable runs, 0 to 1; None without a run."""
        return self.blocked / self.runs if self.runs else None

    def to_json(self) -> dict[str, Any]:
        """Return the summary as JSON values."""
        return {
            "runs": self.runs,
            "audited": self.audited,
            "dispositions": {name: self.dispositions[name] for name in Disposition},
            "triage": {name: self.triage[name] for name in Triage},
            "marks": dict(sorted(self.marks.items())),
            "inspection_load": {"of_audit_targets": self.load_of_targets, "of_full_stream": self.load_of_stream},
            "unavailable": dict(sorted(self.unavailable.items())),
            "resumed": self.resumed,
            "failures": self.failures,
        }
