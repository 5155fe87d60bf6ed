"""Replay: stored audits decided anew under another policy, by array look-up and with no model."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from tracewitness.findings.decision import DecisionCause
from tracewitness.findings.labels import AnswerCheck, Basis, Claim, Disposition, FieldName, FieldValue, TaskClass
from tracewitness.policy.columns import Outcomes, RunColumns
from tracewitness.policy.domain import DISPOSITIONS, Axis, Record, code, severity
from tracewitness.policy.table import DecisionTable
from tracewitness.store.codes import DecisionColumns
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import Store
from tracewitness.values.digests import Digest
from tracewitness.values.ternary import Ternary

Codes = npt.NDArray[np.uint8]

_UNKNOWN_FIELD = code(Axis.ACTION, FieldValue.UNKNOWN)
_UNKNOWN_PRIOR = code(Axis.PRIOR_STATE, Ternary.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a change: the disposition, and the row (or what stood in its place) that gave it."""

    disposition: Disposition
    row: str


@dataclass(frozen=True, slots=True)
class Change:
    """A record whose disposition changed.

    Attributes:
        run_id: The run's id.
        record_id: The record's id.
        before: As it was decided at the time, or under the policy compared with.
        after: As the new policy decides it.
        reason: The reason that the new policy states for its row.
    """

    run_id: str
    record_id: Digest
    before: Side
    after: Side
    reason: str


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of a replay.

    Attributes:
        record_ids: The replayed records: the latest of each run that has a decision, in the order of storing.
        before: Severity per record (0 PASS, 1 REVIEW, 2 FLAG) as compared with.
        after: Severity per record under the new policy.
        outcomes: What the new policy decided.
        against: What the policy compared with decided; None where the stored dispositions are compared with.
        changed: Places of the records whose disposition changed.
    """

    record_ids: tuple[Digest, ...]
    before: Codes
    after: Codes
    outcomes: Outcomes
    against: Outcomes | None
    changed: npt.NDArray[np.int64]

    def dispositions(self) -> Counter[Disposition]:
        """Return how many records have each disposition under the new policy."""
        counts = np.bincount(self.after, minlength=len(DISPOSITIONS))
        return Counter({name: int(counts[place]) for place, name in enumerate(DISPOSITIONS)})

    def moves(self) -> Counter[tuple[Disposition, Disposition]]:
        """Return how many records moved from which disposition to which."""
        pairs = self.before[self.changed].astype(np.intp) * len(DISPOSITIONS) + self.after[self.changed]
        counts = np.bincount(pairs, minlength=len(DISPOSITIONS) ** 2)
        return Counter(
            {
                (old, new): int(count)
                for place, count in enumerate(counts)
                if count
                for old, new in [(DISPOSITIONS[place // len(DISPOSITIONS)], DISPOSITIONS[place % len(DISPOSITIONS)])]
            }
        )


def replay(columns: DecisionColumns, table: DecisionTable, against: DecisionTable | None = None) -> Replay:
    """Decide stored records anew.

    Args:
        columns: What the store holds.
        table: The new policy.
        against: The policy to compare with; None compares with what was decided at the time.
    """
    runs = run_columns(columns)
    outcomes = table.decide_columns(runs)
    other = against.decide_columns(runs) if against is not None else None
    before = other.severities if other is not None else _stored_severities(columns)
    after = outcomes.severities
    return Replay(columns.record_ids, before, after, outcomes, other, np.flatnonzero(before != after))


def changes(
    store: Store, found: Replay, table: DecisionTable, against: DecisionTable | None = None
) -> Iterator[Change]:
    """Yield every record whose disposition changed, in the order of storing."""
    for place in map(int, found.changed):
        record = store.get(found.record_ids[place])
        row, reason = _told(table, found.outcomes, place)
        if found.against is None or against is None:
            old_row = _stored_row(record)
        else:
            old_row, _ = _told(against, found.against, place)
        yield Change(
            record.run_id,
            found.record_ids[place],
            Side(DISPOSITIONS[int(found.before[place])], old_row),
            Side(DISPOSITIONS[int(found.after[place])], row),
            reason,
        )


def run_columns(columns: DecisionColumns) -> RunColumns:
    """Return the columns of a store in the codes of policies. A value that no citation supports is UNKNOWN."""
    layout = _layout(columns)
    fields = {name.value: layout.spread(_field(columns, name)) for name in FieldName}
    whole, gaps = code(Axis.RECORD, Record.WHOLE), code(Axis.RECORD, Record.GAPS)
    return RunColumns(
        task_class=_recoded(columns.task_class, Axis.TASK_CLASS, TaskClass),
        claim=_recoded(columns.claim, Axis.CLAIM, Claim),
        basis=_recoded(columns.basis, Axis.BASIS, Basis),
        answer_check=_recoded(columns.answer_check, Axis.ANSWER_CHECK, AnswerCheck),
        record=np.where(columns.gaps, gaps, whole).astype(np.uint8),
        prior_state=layout.spread(_prior(columns)),
        first_part=layout.first_part,
        unavailable=(columns.claim_unavailable | columns.trace_unavailable | layout.partless).astype(np.uint8),
        quarantined=columns.quarantined.astype(np.uint8),
        **fields,
    )


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the parts of each record stand; a record without any gets one that is never looked at."""

    first_part: npt.NDArray[np.int64] | None
    partless: npt.NDArray[np.bool_]
    places: npt.NDArray[np.int64] | None

    def spread(self, values: Codes) -> Codes:
        return values if self.places is None else np.append(values, np.uint8(0))[self.places]


def _layout(columns: DecisionColumns) -> _Layout:
    counts = np.bincount(columns.part_record, minlength=len(columns.record_ids))
    partless = counts == 0
    if bool((counts == 1).all()):
        return _Layout(None, partless, None)
    lengths = np.maximum(counts, 1)
    first_part = np.cumsum(lengths) - lengths
    offsets = np.arange(int(lengths.sum())) - np.repeat(first_part, lengths)
    places = np.repeat(np.cumsum(counts) - counts, lengths) + offsets
    places[np.repeat(partless, lengths)] = len(columns.part_record)
    return _Layout(first_part, partless, places)


def _field(columns: DecisionColumns, name: FieldName) -> Codes:
    axis = Axis(name.value)
    values = _recoded(columns.part_fields[name], axis, FieldValue)
    return np.where(columns.part_cited[name] | ~_needs_citation(values, axis), values, _UNKNOWN_FIELD).astype(np.uint8)


def _needs_citation(values: Codes, axis: Axis) -> npt.NDArray[np.bool_]:
    return (values == code(axis, FieldValue.YES)) | (values == code(axis, FieldValue.NO))


def _prior(columns: DecisionColumns) -> Codes:
    meant = {FieldValue.YES: Ternary.YES, FieldValue.NO: Ternary.NO}
    table = np.full(256, _UNKNOWN_PRIOR, np.uint8)
    for place, value in enumerate(FieldValue):
        table[place] = code(Axis.PRIOR_STATE, meant.get(value, Ternary.UNKNOWN))
    return np.where(columns.part_prior_cited, table[columns.part_prior], _UNKNOWN_PRIOR).astype(np.uint8)


def _recoded(values: Codes, axis: Axis, vocabulary: type[StrEnum]) -> Codes:
    """Return the policy's codes of a store's codes; what is not there becomes 0 and is marked as unavailable."""
    table = np.zeros(256, np.uint8)
    for place, value in enumerate(vocabulary):
        table[place] = code(axis, value)
    return table[values]


def _stored_severities(columns: DecisionColumns) -> Codes:
    table = np.full(256, severity(Disposition.REVIEW), np.uint8)
    for place, disposition in enumerate(Disposition):
        table[place] = severity(disposition)
    return table[columns.disposition]


def _stored_row(record: AuditRecord) -> str:
    decision = record.decision
    if decision is None:
        return "none"
    return decision.row if decision.cause is DecisionCause.ROW and decision.row else decision.cause.id


def _told(table: DecisionTable, outcomes: Outcomes, place: int) -> tuple[str, str]:
    """Return the row that decided a record, or what stood in its place, and the reason stated for it."""
    if outcomes.held_back(place):
        return DecisionCause.QUARANTINED.id, DecisionCause.QUARANTINED.sentence
    rows, number = table.policy.rows, int(outcomes.rows[place])
    if number < len(rows):
        return rows[number].id, rows[number].reason
    return "none", "no row decides: a component gave no answer, or none matches"
