"""How firmly models said what they said: the share of runs, or the probability, behind each label of stored audits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tracewitness.asking.vote import Ballots
from tracewitness.benchmark.labelled import CLAIMS
from tracewitness.benchmark.replaying import Stored
from tracewitness.findings.labels import FieldName, FieldValue
from tracewitness.store.codes import NOTHING
from tracewitness.store.vote_rows import VoteRow
from tracewitness.values.digests import Digest

Supports: TypeAlias = NDArray[np.float64]
CLAIM, PRIOR = "claim", "prior_state"
_VALUES = tuple(FieldValue)


def support_of(ballots: Ballots, label: str) -> float | None:
    """Return the share of the runs that were asked that gave a label, or its probability; None of no ballots."""
    if ballots.probabilities:
        return next((one.share for one in ballots.probabilities if one.label == label), 0.0)
    return ballots.labels.count(label) / len(ballots.labels) if ballots.labels else None


@dataclass(frozen=True, slots=True)
class Support:
    """The support of every label of stored audits; NaN where no model's vote stands behind it.

    Attributes:
        claims: Of each audit's claim.
        fields: Of each part's fields.
        priors: Of each part's prior state.
        by_probability: Whether token probabilities, not votes, stand behind them.
    """

    claims: Supports
    fields: Mapping[FieldName, Supports]
    priors: Supports
    by_probability: bool

    def levels(self) -> tuple[float, ...]:
        """Return the levels of support that occur, from the lowest."""
        every = np.concatenate([self.claims, *self.fields.values(), self.priors])
        return tuple(float(one) for one in np.unique(every[np.isfinite(every)]))


def supports(found: Stored, votes: Mapping[Digest, VoteRow]) -> Support | None:
    """Return the support of what was found; None where no model voted."""
    columns = found.columns
    records, parts = len(columns.record_ids), len(columns.part_record)
    first = np.searchsorted(columns.part_record, np.arange(records))
    table = {name: np.full(parts, np.nan) for name in (*map(str, FieldName), PRIOR)}
    claims = np.full(records, np.nan)
    weighed = False
    for at, record_id in enumerate(columns.record_ids):
        row = votes.get(record_id)
        for ballots in row.ballots if row is not None else ():
            weighed = weighed or bool(ballots.probabilities)
            place = int(first[at]) + ballots.part
            if ballots.subject == CLAIM:
                claims[at] = _of_claim(ballots, int(columns.claim[at]))
            elif row is not None and (ballots.subject, ballots.part) in row.by_model and ballots.subject in table:
                table[ballots.subject][place] = _of_field(ballots, found, place)
    if not votes.keys() & set(columns.record_ids):
        return None
    return Support(claims, {name: table[name] for name in FieldName}, table[PRIOR], weighed)


def _of_claim(ballots: Ballots, code: int) -> float:
    support = support_of(ballots, CLAIMS[code]) if code != NOTHING else None
    return np.nan if support is None else support


def _of_field(ballots: Ballots, found: Stored, place: int) -> float:
    columns = found.columns
    codes = columns.part_prior if ballots.subject == PRIOR else columns.part_fields[FieldName(ballots.subject)]
    support = support_of(ballots, _VALUES[int(codes[place])])
    return np.nan if support is None else support


def firmer(found: Stored, support: Support, least: float) -> Stored:
    """Return what was found without the labels whose support is below a level."""
    return found.with_less(
        support.claims < least,
        {name: values < least for name, values in support.fields.items()},
        support.priors < least,
    )
