"""How often a method is right, over how sure it says it is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tracewitness.benchmark.labelled import UNSAID, Labelled
from tracewitness.benchmark.replaying import Stored
from tracewitness.benchmark.support import Support
from tracewitness.benchmark.verdicts import Verdicts
from tracewitness.stats.intervals import Share
from tracewitness.store.texts import to_column

BINS = 10


@dataclass(frozen=True, slots=True)
class Reliability:
    """Runs of about one confidence.

    Attributes:
        method: Of whom.
        confidence: The mean confidence.
        right: How many of them are right.
    """

    method: str
    confidence: float
    right: Share


def binned(method: str, told: Iterable[tuple[float, bool]]) -> Iterator[Reliability]:
    """Yield the bins that are not empty.

    Args:
        method: Of whom.
        told: How sure it was, 0 to 1, and whether it was right, run by run.
    """
    pairs = [(sure, right) for sure, right in told if np.isfinite(sure)]
    places = [min(int(sure * BINS), BINS - 1) for sure, _ in pairs]
    for place in sorted(set(places)):
        inside = [pair for pair, at in zip(pairs, places, strict=True) if at == place]
        right = Share(sum(one for _, one in inside), len(inside))
        yield Reliability(method, sum(sure for sure, _ in inside) / len(inside), right)


def of_claims(labelled: Labelled, found: Stored, support: Support) -> Iterator[Reliability]:
    """Yield how often the claim is that of gold, over the share of votes (or the probability) behind it."""
    told: list[tuple[float, bool]] = []
    for at, place in enumerate(map(int, found.places)):
        if place >= 0 and labelled.truth.claim[place] != UNSAID:
            right = int(found.columns.claim[at]) == int(labelled.truth.claim[place])
            told.append((float(support.shares.claims[at]), right))
    yield from binned(f"{found.name}, claim", told)


def of_verdicts(labelled: Labelled, given: Sequence[Verdicts]) -> Iterator[Reliability]:
    """Yield how often runs are misreports, over how likely a judge takes them to be."""
    misreport = dict(zip(labelled.run_ids, map(bool, labelled.misreport), strict=True))
    for verdicts in given:
        said = ((to_column(run), verdict.misreport_probability) for run, verdict in verdicts.said.items())
        told = [(sure, misreport[run]) for run, sure in said if sure is not None and run in misreport]
        yield from binned(f"{verdicts.method}, misreport", told)
