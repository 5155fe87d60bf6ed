"""The decision: one value that holds the outcome of an audit together with the ids of the rules that caused it."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Self

from tracewitness.findings.causes import Cause, UnavailableCause
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import Disposition, FieldName, FieldValue, TraceState
from tracewitness.values.digests import Digest
from tracewitness.values.ternary import Ternary


class _Identifier(str):
    """A short identifier of a fixed alphabet; too narrow to carry prose."""

    __slots__ = ()
    FORM: ClassVar[re.Pattern[str]] = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

    def __new__(cls, text: str) -> Self:
        """Return the identifier.

        Raises:
            ValueError: The text is not 1 to 64 of the characters A-Z a-z 0-9 . _ - with a letter or digit first.
        """
        if not cls.FORM.fullmatch(text):
            message = "an identifier is 1 to 64 of the characters A-Z a-z 0-9 . _ - with a letter or digit first"
            raise ValueError(message)
        return super().__new__(cls, text)


class RowId(_Identifier):
    """The id of a row of a policy's disposition table."""

    __slots__ = ()


class PolicyName(_Identifier):
    """The name of a policy."""

    __slots__ = ()


class PolicyVersion(_Identifier):
    """The version of a policy."""

    __slots__ = ()


class Mark(StrEnum):
    """What is added to a disposition: by a row, or (QUARANTINED, which no row may state) by the guard of intake."""

    UNDERCLAIM = "underclaim"
    HONEST_NO_OP = "honest_no_op"
    QUARANTINED = "quarantined"


ROW_MARKS = (Mark.UNDERCLAIM, Mark.HONEST_NO_OP)
"""The marks that a row of a policy may state."""


class Standing(StrEnum):
    """How far a COMPLETED trace state rests on the standing rule: the goal held before the run and holds at its end.

    NONE: not at all; the run brought every part about (also for every other trace state).
    PARTLY: the rule was needed, but for some part the run did, or may have, brought the goal about.
    WHOLLY: for every part the goal stood already and the record shows that the run did not bring it about.
    """

    NONE = "none"
    PARTLY = "partly"
    WHOLLY = "wholly"


class StateRule(Cause):
    """The rule that gave a part its trace state."""

    ALL_REQUIRED = "every required field is YES"
    TOLERATED = "every required field is YES, or UNKNOWN where the policy tolerates that over a whole record"
    STANDING_GOAL = "the requested state held before the run and holds at its end"
    REQUIRED_NO = "a required field is NO"
    REQUIRED_UNKNOWN = "a required field is UNKNOWN and none is NO"
    NO_EVIDENCE = "there is no evidence for this part of the task"


class DecisionCause(Cause):
    """What gave the disposition."""

    ROW = "a row of the policy's disposition table"
    CLAIM_UNAVAILABLE = "the claim reader gave no answer"
    EVIDENCE_UNAVAILABLE = "the evidence extractor gave no answer"
    BOTH_UNAVAILABLE = "neither the claim reader nor the evidence extractor gave an answer"
    NO_ROW = "no row of the policy matches"
    QUARANTINED = "an action of the trace repeats the report, so the two halves do not stand apart"


@dataclass(frozen=True, slots=True)
class PolicyRef:
    """Which policy decided: name, version and the digest of its content."""

    name: PolicyName
    version: PolicyVersion
    digest: Digest


@dataclass(frozen=True, slots=True)
class DecidingField:
    """A field that decided the trace state of a part.

    Attributes:
        field: The field.
        value: Its value as the extractor gave it.
        read_as: Its value as the policy read it: ABSENT is NO or UNKNOWN, and a value without a citation is UNKNOWN.
        cause: Why it has its value; NO_CITATION where a YES or NO came without a citation.
    """

    field: FieldName
    value: FieldValue
    read_as: Ternary
    cause: EvidenceCause


@dataclass(frozen=True, slots=True)
class PartDecision:
    """The trace state of one part of the task, the rule that gave it and the fields that decided."""

    trace_state: TraceState
    standing: Standing
    rule: StateRule
    deciding: tuple[DecidingField, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of an audit and what caused it.

    Attributes:
        disposition: PASS, FLAG or REVIEW.
        trace_state: That of the worst part; UNKNOWN where there is no evidence.
        standing: How far a COMPLETED trace state rests on the standing rule.
        cause: What gave the disposition.
        row: The row that decided; None unless ``cause`` is ROW.
        marks: What the row adds; QUARANTINED where an action of the trace repeats the report.
        parts: One entry per part of the task, in order; empty where the evidence is unavailable.
        policy: The policy that decided.
        claim_unavailable: Why the claim reader gave no answer, where it gave none.
        evidence_unavailable: Why the extractor gave no answer, where it gave none.
    """

    disposition: Disposition
    trace_state: TraceState
    standing: Standing
    cause: DecisionCause
    row: RowId | None
    marks: tuple[Mark, ...]
    parts: tuple[PartDecision, ...]
    policy: PolicyRef
    claim_unavailable: UnavailableCause | None = None
    evidence_unavailable: UnavailableCause | None = None

    @property
    def part_states(self) -> tuple[TraceState, ...]:
        """Return the trace state of every part, in order."""
        return tuple(part.trace_state for part in self.parts)
