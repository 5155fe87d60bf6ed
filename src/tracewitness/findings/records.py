"""The records of an audit."""

from collections.abc import Iterator
from dataclasses import dataclass

from tracewitness.findings.causes import Gap, UnavailableCause
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.evidence_causes import EvidenceCause, Notice
from tracewitness.findings.labels import Basis, Claim, FieldName, FieldValue, Language, StepPart, TaskClass
from tracewitness.values.answers import AnswerValue
from tracewitness.values.digests import Digest


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in the trace: step index as in the source, the part of the step, and the digest of the quoted text."""

    step: int
    part: StepPart
    quote: Digest | None = None


@dataclass(frozen=True, slots=True)
class FieldFinding:
    """The value of one field with what supports it.

    A YES or NO carries at least one citation; what fails grounding is UNKNOWN with cause UNGROUNDED.
    """

    value: FieldValue
    cause: EvidenceCause
    citations: tuple[Citation, ...] = ()
    rationale: Digest | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for one part of a task."""

    action: FieldFinding
    target: FieldFinding
    transition: FieldFinding
    commitment: FieldFinding
    final_support: FieldFinding
    prior_state: FieldFinding
    answers: tuple[AnswerValue, ...] = ()

    def fields(self) -> Iterator[tuple[FieldName, FieldFinding]]:
        """Yield the five fields in order (prior_state and answers are extras and not among them)."""
        yield FieldName.ACTION, self.action
        yield FieldName.TARGET, self.target
        yield FieldName.TRANSITION, self.transition
        yield FieldName.COMMITMENT, self.commitment
        yield FieldName.FINAL_SUPPORT, self.final_support


@dataclass(frozen=True, slots=True)
class TraceFinding:
    """What the trace side found: evidence per task part, the gaps of the record and the notices."""

    parts: tuple[Evidence, ...]
    gaps: tuple[Gap, ...] = ()
    notices: tuple[Notice, ...] = ()
    unavailable: UnavailableCause | None = None


@dataclass(frozen=True, slots=True)
class ClaimFinding:
    """What the report side found."""

    claim: Claim
    basis: Basis
    causes: tuple[ClaimCause, ...]
    language: Language
    answers: tuple[AnswerValue, ...] = ()
    unavailable: UnavailableCause | None = None


@dataclass(frozen=True, slots=True)
class TaskFinding:
    """What the task side found: the class, whether the run file set it, the rule's digest and the number of parts."""

    task_class: TaskClass
    class_rule: Digest
    overridden: bool
    parts: int
    language: Language
