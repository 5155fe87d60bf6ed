"""Records as rows: what a stored row must be for a given record, and back.

Every column but the body is derived from the body, so ``verify`` can derive it again.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, cast

from tracewitness.findings.records import FieldFinding
from tracewitness.store.codec import decode, encode
from tracewitness.store.codes import codes_of
from tracewitness.store.errors import RecordError
from tracewitness.store.record import (
    AuditRecord,
    KeptAnswer,
    Prose,
    ProseSide,
    body_of,
    record_id_of,
)
from tracewitness.store.texts import to_column, to_stored
from tracewitness.values.digests import Digest, canonical_json, digest_text

_MOST_STEPS = 2**31 - 1
"""What an INTEGER column of every server holds."""

Row = dict[str, Any]
Reference = tuple[Digest, ProseSide]


def audit_row(record: AuditRecord) -> Row:
    """Return the row of a record.

    Raises:
        RecordError: The record is not whole: a kept text under a wrong digest, a text that is named but not kept, a
            time without a zone, or a value that its type does not allow.
    """
    _check_prose(record)
    try:
        body = body_of(record)
        return row_of_body(record, body)
    except ValueError as problem:
        raise RecordError(f"run {record.run_id!r:.100}: cannot be stored: {problem}") from problem


def row_of_body(record: AuditRecord, body: dict[str, Any]) -> Row:
    """Return the row of a record whose body is already there.

    Raises:
        ValueError: ``audited_at`` is not an ISO 8601 time with a zone.
    """
    text = canonical_json(body)
    return {
        "record_id": str(record_id_of(body)),
        "audited_at": _utc(record.audited_at),
        "body_digest": str(digest_text(text)),
        "run_id": to_column(record.run_id),
        "run_digest": str(record.run_digest),
        "makers_key": str(record.makers.key()),
        "complete": int(is_complete(record)),
        "agent": _optional(record.agent),
        "source": _optional(record.source),
        "format": to_column(record.makers.format_name),
        "policy": to_column(record.makers.policy_name),
        "policy_version": to_column(record.makers.policy_version),
        "policy_digest": str(record.makers.policy_digest),
        "triage": record.triage.value,
        "task_class": record.task.task_class.value,
        "claim": record.claim.claim.value if record.claim else None,
        "basis": record.claim.basis.value if record.claim else None,
        "answer_check": record.answer_check.value,
        "trace_state": record.decision.trace_state.value if record.decision else None,
        "disposition": record.decision.disposition.value if record.decision else None,
        "codes": codes_of(record),
        **_grouping(record),
        "declared": record.declared.value if record.declared else None,
        "body": text,
    }


def _grouping(record: AuditRecord) -> Row:
    """Return the columns by which experiments group; empty for records from before they were written down."""
    if record.task_key is None:
        return {"task_key": None, "language": None, "steps": None}
    found = record.claim or record.task
    return {
        "task_key": str(record.task_key),
        "language": found.language.value,
        "steps": max(0, min(record.steps, _MOST_STEPS)),
    }


def is_complete(record: AuditRecord) -> bool:
    """Return whether no component failed for a passing cause, so that there is nothing to take up again by itself.

    A model that refused, or whose answer was of no use, would cost as much again; that is taken up on request.
    """
    halves = (record.claim, record.trace)
    return not any(half.unavailable.passing for half in halves if half is not None and half.unavailable is not None)


def _utc(audited_at: str) -> str:
    """Return a time in one form, so that the order of texts is the order of times."""
    time = datetime.fromisoformat(audited_at)
    if time.tzinfo is None:
        raise ValueError(f"audited_at: expected a time in UTC such as 2026-01-31T09:30:00Z, found {audited_at!r:.40}")
    try:
        return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    except OverflowError as problem:
        raise ValueError(f"audited_at: {audited_at!r:.40} is outside the years 1 to 9999") from problem


def _optional(text: str | None) -> str | None:
    return None if text is None else to_column(text)


def evidence_row(kept: Prose) -> Row:
    """Return the row of a kept text."""
    return {"digest": str(kept.digest), "side": kept.side.value, "text": to_stored(kept.text)}


def answer_row(answer: KeptAnswer) -> Row:
    """Return the row of a kept model answer."""
    body = canonical_json(encode(answer))
    return {
        "cache_key": str(answer.key),
        "answer_digest": str(digest_text(body)),
        "side": answer.side.value,
        "model": to_column(answer.model),
        "body": body,
    }


def answer_from(body: str) -> KeptAnswer:
    """Return the kept answer of a row's body.

    Raises:
        ValueError: The body does not have the form of a kept answer.
    """
    return decode(KeptAnswer, load_object(body))


def load_object(text: str) -> dict[str, Any]:
    """Return a JSON object, refusing a key that occurs twice.

    Raises:
        ValueError: The text is not JSON, not an object, or names a key twice.
    """
    try:
        value: object = json.loads(text, object_pairs_hook=_once)
    except RecursionError as problem:
        raise ValueError("nested too deeply") from problem
    if not isinstance(value, dict):
        raise ValueError("expected a JSON object")
    return cast("dict[str, Any]", value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def references(record: AuditRecord) -> Iterator[Reference]:
    """Yield digest and side of every text that the findings of a record name."""
    for finding in _field_findings(record):
        for citation in finding.citations:
            if citation.quote is not None:
                yield citation.quote, ProseSide.TRACE
        if finding.rationale is not None:
            yield finding.rationale, ProseSide.TRACE
    yield from ((clause.quote, ProseSide.REPORT) for clause in record.clauses)
    yield from ((answer.raw, answer.side) for answer in record.answers)


def _field_findings(record: AuditRecord) -> Iterator[FieldFinding]:
    for part in record.trace.parts if record.trace else ():
        yield from (finding for _, finding in part.fields())
        yield part.prior_state


def _check_prose(record: AuditRecord) -> None:
    for kept in record.prose:
        if digest_text(kept.text) != kept.digest:
            raise RecordError(f"run {record.run_id!r:.100}: a kept text does not match its digest {kept.digest}")
    kept_texts = {(kept.digest, kept.side) for kept in record.prose}
    for digest, side in references(record):
        if (digest, side) not in kept_texts:
            raise RecordError(f"run {record.run_id!r:.100}: {digest} ({side}) is named, but its text is not kept")
