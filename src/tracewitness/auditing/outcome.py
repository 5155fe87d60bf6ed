"""What comes of one item of a batch."""

from dataclasses import dataclass
from typing import TypeAlias

from tracewitness.auditing.one_run import Run
from tracewitness.intake.errors import IntakeFailure
from tracewitness.store.record import AuditRecord


@dataclass(frozen=True, slots=True)
class Audited:
    """A run's record; ``resumed`` where it was in the store already."""

    record: AuditRecord
    resumed: bool = False


Item: TypeAlias = Run | IntakeFailure
Audit: TypeAlias = Audited | IntakeFailure
