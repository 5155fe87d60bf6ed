"""How firmly models said what they said: the votes, or the probability, behind each label of stored audits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tracewitness.asking.vote import Ballots
from tracewitness.benchmark.labelled import CLAIMS, Flags
from tracewitness.benchmark.replaying import UNKNOWN, Stored
from tracewitness.findings.labels import Claim, FieldName, FieldValue
from tracewitness.store.codes import NOTHING
from tracewitness.store.vote_rows import VoteRow
from tracewitness.values.digests import Digest

Supports: TypeAlias = NDArray[np.float64]
CLAIM, PRIOR = "claim", "prior_state"
_VALUES = tuple(FieldValue)
_UNCLEAR = CLAIMS.index(Claim.UNCLEAR)


def support_of(ballots: Ballots, label: str) -> float | None:
    """Return the share of the runs that were asked that gave a label, or its probability; None of no ballots."""
    if ballots.probabilities:
        return next((one.share for one in ballots.probabilities if one.label == label), 0.0)
    return ballots.labels.count(label) / len(ballots.labels) if ballots.labels else None


@dataclass(frozen=True, slots=True)
class Measure:
    """A number behind every label of stored audits; NaN where no model's vote stands behind it.

    Attributes:
        claims: Behind each audit's claim.
        fields: Behind each part's fields.
        priors: Behind each part's prior state.
    """

    claims: Supports
    fields: Mapping[FieldName, Supports]
    priors: Supports

    def every(self) -> Supports:
        """Return all numbers, those of labels without a vote as well."""
        return np.concatenate([self.claims, *self.fields.values(), self.priors])


@dataclass(frozen=True, slots=True)
class Support:
    """The support of every label of stored audits.

    Attributes:
        shares: The share of the runs that were asked that gave it, or its probability.
        by_probability: Whether token probabilities, not votes, stand behind the labels.
        counts: How many runs gave it.
        reachable: How many could have given it, had the vote not stopped early; infinite where the record does not say.
        runs: The full number of runs of a vote; 0 where no record says.
    """

    shares: Measure
    by_probability: bool
    counts: Measure
    reachable: Measure
    runs: int

    def levels(self) -> tuple[float, ...]:
        """Return the shares that occur, from the lowest."""
        every = self.shares.every()
        return tuple(float(one) for one in np.unique(every[np.isfinite(every)]))

    def tells(self, agree: int) -> bool:
        """Return whether the votes tell of every label whether so many runs give it, however early they stopped."""
        counts, reachable = self.counts.every(), self.reachable.every()
        return not bool(((counts < agree) & (reachable >= agree)).any())


_SHARE, _COUNT, _REACHABLE = range(3)


def supports(found: Stored, votes: Mapping[Digest, VoteRow]) -> Support | None:
    """Return the support of what was found; None where no model voted."""
    columns = found.columns
    if not votes.keys() & set(columns.record_ids):
        return None
    records, parts = len(columns.record_ids), len(columns.part_record)
    first = np.searchsorted(columns.part_record, np.arange(records))
    table = {name: np.full((parts, 3), np.nan) for name in (*map(str, FieldName), PRIOR)}
    claims = np.full((records, 3), np.nan)
    weighed, runs = False, 0
    for at, record_id in enumerate(columns.record_ids):
        row = votes.get(record_id)
        for ballots in row.ballots if row is not None else ():
            weighed, runs = weighed or bool(ballots.probabilities), max(runs, ballots.runs)
            place = int(first[at]) + ballots.part
            if ballots.subject == CLAIM:
                claims[at] = _of_claim(ballots, int(columns.claim[at]))
            elif row is not None and (ballots.subject, ballots.part) in row.by_model and ballots.subject in table:
                table[ballots.subject][place] = _of_field(ballots, found, place)
    shares, counts, reachable = (_measure(claims, table, what) for what in (_SHARE, _COUNT, _REACHABLE))
    return Support(shares, weighed, counts, reachable, runs)


def _measure(claims: Supports, table: Mapping[str, Supports], what: int) -> Measure:
    fields = {name: table[name][:, what] for name in FieldName}
    return Measure(claims[:, what], fields, table[PRIOR][:, what])


def _of_claim(ballots: Ballots, code: int) -> tuple[float, float, float]:
    return _numbers(ballots, CLAIMS[code] if code != NOTHING else None, settled=code != _UNCLEAR)


def _of_field(ballots: Ballots, found: Stored, place: int) -> tuple[float, float, float]:
    columns = found.columns
    codes = columns.part_prior if ballots.subject == PRIOR else columns.part_fields[FieldName(ballots.subject)]
    code = int(codes[place])
    return _numbers(ballots, _VALUES[code], settled=code != UNKNOWN)


def _numbers(ballots: Ballots, label: str | None, *, settled: bool) -> tuple[float, float, float]:
    """Return the share, the count, and the count that could have been; of a label that says nothing no counts."""
    share = support_of(ballots, label) if label is not None else None
    if share is None or label is None:
        return np.nan, np.nan, np.nan
    if not settled or ballots.probabilities:
        return share, np.nan, np.nan
    count = ballots.labels.count(label)
    unasked = ballots.runs - len(ballots.labels) if ballots.runs else np.inf
    return share, count, count + unasked


def firmer(found: Stored, measure: Measure, least: float) -> Stored:
    """Return what was found without the labels behind which stands less than a level."""
    return found.with_less(
        _below(measure.claims, least),
        {name: _below(values, least) for name, values in measure.fields.items()},
        _below(measure.priors, least),
    )


def _below(values: Supports, least: float) -> Flags:
    return values < least  # NaN, which stands for no vote, is below nothing
