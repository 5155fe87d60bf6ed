"""What stored audits found, decided anew: under another policy, with the gold claim, with firmer votes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tracewitness.auditing.replay import run_columns
from tracewitness.benchmark.audited import Audited
from tracewitness.benchmark.labelled import CLAIMS, NONE, REVIEW, UNSAID, Flags, Labelled, Method, Small, load_of
from tracewitness.findings.labels import Claim, FieldName, FieldValue
from tracewitness.policy.table import DecisionTable
from tracewitness.store.codes import DecisionColumns, decision_columns

Places: TypeAlias = NDArray[np.int64]
_NOWHERE = -1
_UNCLEAR = CLAIMS.index(Claim.UNCLEAR)
UNKNOWN = list(FieldValue).index(FieldValue.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Stored:
    """What one maker found, of labelled runs and others, ready to be decided.

    Attributes:
        name: Who found it.
        columns: What was found.
        places: Where each audit stands among the labelled runs; -1 for one without a label.
        labelled: The labelled runs.
        stream: How many runs there were before triage.
    """

    name: str
    columns: DecisionColumns
    places: Places
    labelled: Labelled
    stream: int

    def decided(self, table: DecisionTable, name: str | None = None) -> Method:
        """Return what a policy decides on what was found.

        Args:
            table: The compiled policy.
            name: What it is called in tables; the finder and the policy without one.
        """
        severities = table.decide_columns(run_columns(self.columns)).severities.astype(np.int8)
        share = load_of(int((severities >= REVIEW).sum()), self.stream)
        told = f"{self.name} ({table.policy.name})" if name is None else name
        return Method(told, self.at_runs(severities), in_stream=share)

    def at_runs(self, codes: Small) -> Small:
        """Return codes of audits in the order of the labelled runs; NONE for a run that was not audited."""
        found = np.full(len(self.labelled), NONE, np.int8)
        there = self.places >= 0
        found[self.places[there]] = codes[there]
        return found

    def with_gold_claims(self) -> "Stored":
        """Return the same with the claims that gold gives, instead of those that were read."""
        there = np.flatnonzero(self.places >= 0)
        gold = self.labelled.truth.claim[self.places[there]]
        told = there[gold != UNSAID]
        claim, unavailable = self.columns.claim.copy(), self.columns.claim_unavailable.copy()
        claim[told] = gold[gold != UNSAID]
        unavailable[told] = False
        return replace(self, columns=replace(self.columns, claim=claim, claim_unavailable=unavailable))

    def with_less(self, claims: Flags, fields: dict[FieldName, Flags], priors: Flags) -> "Stored":
        """Return the same with some labels taken back: a claim becomes UNCLEAR, a field UNKNOWN.

        Args:
            claims: Audits whose claim is taken back.
            fields: Parts whose field is taken back, for each field.
            priors: Parts whose prior state is taken back.
        """
        columns = self.columns
        values = {name: np.where(fields[name], UNKNOWN, columns.part_fields[name]).astype(np.uint8) for name in fields}
        return replace(
            self,
            columns=replace(
                columns,
                claim=np.where(claims, _UNCLEAR, columns.claim).astype(np.uint8),
                part_fields=values,
                part_prior=np.where(priors, UNKNOWN, columns.part_prior).astype(np.uint8),
            ),
        )


def stored(one: Audited, labelled: Labelled) -> Stored:
    """Return what a maker found in the audits that it decided."""
    rows = [row for row in one.rows.values() if row.disposition is not None]
    order = {run: at for at, run in enumerate(labelled.run_ids)}
    places = np.fromiter((order.get(row.run_id, _NOWHERE) for row in rows), np.int64, len(rows))
    columns = decision_columns([row.record_id for row in rows], [row.codes for row in rows])
    return Stored(one.found_by, columns, places, labelled, len(one.rows))


def finders(audited: Sequence[Audited]) -> tuple[Audited, ...]:
    """Return one maker for each finder: policies share what was found, so the one with the most runs stands for all."""
    best: dict[str, Audited] = {}
    for one in audited:
        before = best.get(one.found_by)
        if before is None or len(one.rows) > len(before.rows):
            best[one.found_by] = one
    return tuple(best.values())
