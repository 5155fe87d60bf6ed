"""How models voted, out of stored records, without reading the records that no model was asked for."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import select

from tracewitness.asking.vote import Ballots
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldName
from tracewitness.store.codec import decode
from tracewitness.store.connecting import guarded, lenient_reading
from tracewitness.store.errors import RecordError
from tracewitness.store.schema import AUDITS
from tracewitness.store.store import Store
from tracewitness.values.digests import Digest

_PAGE = 2_000
_MOST_KNOWN = 10_000


@dataclass(frozen=True, slots=True)
class VoteRow:
    """The votes behind one record.

    Attributes:
        record_id: The record.
        ballots: How the vote on each label went.
        by_model: The fields, by name and part, that stand in the record as the model's majority gave them: their
            citations hold, and neither rules nor facts of the ledger had a part in them.
    """

    record_id: Digest
    ballots: tuple[Ballots, ...]
    by_model: frozenset[tuple[str, int]]


def vote_rows(store: Store) -> Iterator[VoteRow]:
    """Yield the votes of every record that has any, in the order of storing.

    Raises:
        RecordError: A record is damaged.
    """
    # A quotation mark inside a text of a record is escaped, so this finds the key and nothing that a log says.
    query = select(AUDITS.c.record_id, AUDITS.c.body).where(AUDITS.c.body.contains('"ballots":')).order_by(AUDITS.c.seq)
    known: dict[str, Ballots] = {}
    with guarded(store.place), lenient_reading(store.engine) as connection:
        result = connection.execution_options(yield_per=_PAGE).execute(query)
        for record_id, body in result:
            try:
                yield _vote_row(record_id, json.loads(body), known)
            except (ValueError, KeyError, TypeError, AttributeError) as problem:
                raise RecordError(f"{store.place}: record {record_id} is damaged: {problem}") from problem


def _vote_row(record_id: str, body: dict[str, Any], known: dict[str, Ballots]) -> VoteRow:
    ballots = tuple(_ballots(note["ballots"], known) for note in body["ballots"])
    return VoteRow(Digest(record_id), ballots, frozenset(_by_model(body)))


def _ballots(form: Any, known: dict[str, Ballots]) -> Ballots:
    """Return the ballots of a form; most votes went like an earlier one, and those are decoded once."""
    words = repr(form)
    found = known.get(words)
    if found is None:
        found = decode(Ballots, form)
        if len(known) < _MOST_KNOWN:
            known[words] = found
    return found


def _by_model(body: dict[str, Any]) -> Iterator[tuple[str, int]]:
    trace = cast("dict[str, Any]", body.get("trace") or {})
    for number, part in enumerate(trace.get("parts", ())):
        for name in (*FieldName, "prior_state"):
            if part[name].get("cause") == EvidenceCause.MODEL_READ.id:
                yield str(name), number
