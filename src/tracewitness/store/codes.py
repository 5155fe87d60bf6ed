"""The letters that replay reads: all a policy may look at, as one short text per record.

The text has eight letters (task class, claim, basis, answer check, record whole or with gaps, claim there or
unavailable or held back because the trace repeats the report, evidence there or unavailable, disposition), then six for
each part of the task: the five fields and the prior state, in capitals where a citation supports the value. A dash
stands where there is nothing. Letters, unlike numbers, keep their meaning when a list of values grows.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from tracewitness.findings.labels import AnswerCheck, Basis, Claim, Disposition, FieldName, FieldValue, TaskClass
from tracewitness.findings.records import Evidence
from tracewitness.store.record import AuditRecord
from tracewitness.values.digests import Digest

NOTHING = 255
"""The code of a value that is not there."""

_HEAD = 8
_PART = 6
# Letters are given one by one: once stored they may be added to, never reassigned.
_TASK_CLASSES: Final = {
    TaskClass.CREATE_EDIT: "E",
    TaskClass.DELETE: "D",
    TaskClass.CONFIGURE: "C",
    TaskClass.SEND: "S",
    TaskClass.QUERY: "Q",
    TaskClass.OTHER: "O",
}
_CLAIMS: Final = {Claim.SUCCESS: "S", Claim.FAILURE_OR_INCOMPLETE: "F", Claim.UNCLEAR: "U"}
_BASES: Final = {Basis.PERFORMED: "P", Basis.ALREADY_SO: "A", Basis.NOTHING_TO_DO: "N", Basis.UNSTATED: "U"}
_ANSWER_CHECKS: Final = {
    AnswerCheck.NOT_ASKED: "N",
    AnswerCheck.AGREES: "A",
    AnswerCheck.SHOWN: "S",
    AnswerCheck.UNKNOWN: "U",
    AnswerCheck.ABSENT: "M",
    AnswerCheck.CONTRADICTS: "C",
}
_DISPOSITIONS: Final = {Disposition.PASS: "P", Disposition.REVIEW: "R", Disposition.FLAG: "F"}
_FIELD_VALUES: Final = {FieldValue.YES: "Y", FieldValue.UNKNOWN: "U", FieldValue.ABSENT: "A", FieldValue.NO: "N"}
_WHOLE, _GAPS = "W", "G"
_THERE, _UNAVAILABLE, _HELD_BACK = "+", "!", "Q"
E = TypeVar("E", bound=StrEnum)

Codes = NDArray[np.uint8]
Flags = NDArray[np.bool_]


def codes_of(record: AuditRecord) -> str:
    """Return the letters of a record."""
    claim, trace, decision = record.claim, record.trace, record.decision
    head = (
        _TASK_CLASSES[record.task.task_class],
        _CLAIMS[claim.claim] if claim else "-",
        _BASES[claim.basis] if claim else "-",
        _ANSWER_CHECKS[record.answer_check],
        "-" if trace is None else _GAPS if trace.gaps else _WHOLE,
        _claim_letter(record),
        _THERE if trace and trace.unavailable is None else _UNAVAILABLE,
        _DISPOSITIONS[decision.disposition] if decision else "-",
    )
    parts = trace.parts if trace else ()
    return "".join(head) + "".join(_part_letters(part) for part in parts)


def _claim_letter(record: AuditRecord) -> str:
    if record.claim is None or record.claim.unavailable is not None:
        return _UNAVAILABLE
    return _HELD_BACK if record.quarantined else _THERE


def _part_letters(part: Evidence) -> str:
    findings = [finding for _, finding in part.fields()] + [part.prior_state]
    letters = ((_FIELD_VALUES[finding.value], finding.citations) for finding in findings)
    return "".join(letter if citations else letter.lower() for letter, citations in letters)


@dataclass(frozen=True, slots=True)
class DecisionColumns:
    """What a policy needs to decide many records anew, as arrays.

    The code of a value is its place in its enumeration, counted from 0; ``NOTHING`` (255) where there is none. Arrays
    named ``part_*`` have one entry per part of a task, the others one per record.

    Attributes:
        record_ids: The ids of the records.
        task_class: Codes of ``TaskClass``.
        claim: Codes of ``Claim``.
        basis: Codes of ``Basis``.
        answer_check: Codes of ``AnswerCheck``.
        gaps: Whether the record of the run has gaps.
        claim_unavailable: Whether the claim reader gave no answer.
        quarantined: Whether the trace repeats the report, where the claim reader gave an answer.
        trace_unavailable: Whether the extractor gave no answer.
        disposition: Codes of ``Disposition``: what was decided at the time.
        part_record: Place of the record that a part belongs to.
        part_fields: Codes of ``FieldValue`` for each of the five fields.
        part_prior: Codes of ``FieldValue`` for the prior state.
        part_cited: Whether a citation supports the value, for each of the five fields.
        part_prior_cited: The same for the prior state.
    """

    record_ids: tuple[Digest, ...]
    task_class: Codes
    claim: Codes
    basis: Codes
    answer_check: Codes
    gaps: Flags
    claim_unavailable: Flags
    quarantined: Flags
    trace_unavailable: Flags
    disposition: Codes
    part_record: NDArray[np.int64]
    part_fields: dict[FieldName, Codes]
    part_prior: Codes
    part_cited: dict[FieldName, Flags]
    part_prior_cited: Flags


def decision_columns(record_ids: Iterable[str], codes: list[str]) -> DecisionColumns:
    """Return the arrays of records from their letters, both in the same order.

    A record with no part at all has no entry in the arrays of parts.
    """
    letters = np.frombuffer("".join(codes).encode("ascii"), dtype=np.uint8)
    lengths = np.fromiter(map(len, codes), dtype=np.int64, count=len(codes))
    starts = np.cumsum(lengths) - lengths
    head = letters[starts[:, None] + np.arange(_HEAD)] if codes else np.empty((0, _HEAD), dtype=np.uint8)
    part_count = (lengths - _HEAD) // _PART
    part_record = np.repeat(np.arange(len(codes)), part_count)
    number_in_record = np.arange(len(part_record)) - np.repeat(np.cumsum(part_count) - part_count, part_count)
    part_starts = starts[part_record] + _HEAD + number_in_record * _PART
    parts = letters[part_starts[:, None] + np.arange(_PART)]
    cited = (parts >= ord("A")) & (parts <= ord("Z"))
    values = _table(FieldValue, _FIELD_VALUES, lower_too=True)[parts]
    return DecisionColumns(
        record_ids=tuple(Digest(record_id) for record_id in record_ids),
        task_class=_table(TaskClass, _TASK_CLASSES)[head[:, 0]],
        claim=_table(Claim, _CLAIMS)[head[:, 1]],
        basis=_table(Basis, _BASES)[head[:, 2]],
        answer_check=_table(AnswerCheck, _ANSWER_CHECKS)[head[:, 3]],
        gaps=head[:, 4] == ord(_GAPS),
        claim_unavailable=head[:, 5] == ord(_UNAVAILABLE),
        quarantined=head[:, 5] == ord(_HELD_BACK),
        trace_unavailable=head[:, 6] == ord(_UNAVAILABLE),
        disposition=_table(Disposition, _DISPOSITIONS)[head[:, 7]],
        part_record=part_record,
        part_fields={name: values[:, place] for place, name in enumerate(FieldName)},
        part_prior=values[:, 5],
        part_cited={name: cited[:, place] for place, name in enumerate(FieldName)},
        part_prior_cited=cited[:, 5],
    )


def _table(kind: Iterable[E], letters: Mapping[E, str], *, lower_too: bool = False) -> Codes:
    table = np.full(256, NOTHING, dtype=np.uint8)
    for code, member in enumerate(kind):
        table[ord(letters[member])] = code
        if lower_too:
            table[ord(letters[member].lower())] = code
    return table
