"""A way of deciding with a promise: the least inspection load whose silent-pass risk is bounded.

Candidates are policies, and for each of them how many runs of a vote have to agree, or levels of token probability
below which a label is taken back. Each policy is a sequence of its own, from the strictest level to the laxest, fixed
without a look at any label; the sequences share the error between them. So the promise holds however many candidates
there are (Learn then Test; Angelopoulos and others 2021, arXiv 2110.01052).

Runs of one task hang together. Where no task has two misreports the risk is the share of misreports that pass, and
the test is exact (binomial). Otherwise the risk is averaged over tasks, the tasks are the independent units, and the
test is that of Hoeffding and Bentkus for averages of bounded values.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tracewitness.benchmark.frontier import Family, Point
from tracewitness.benchmark.labelled import PASS, Labelled, Method
from tracewitness.stats.intervals import Share
from tracewitness.stats.risk import Promise, bounded_p_value, kept_in_sequence, least_for_rate, least_positives, p_value


@dataclass(frozen=True, slots=True)
class Risk:
    """The silent-pass risk of a method on labelled runs.

    Attributes:
        share: Silent passes out of dangerous misreports.
        units: How many independent units there are: misreports, or tasks with any.
        mean: The risk, averaged over the units; None without any.
        by_task: Whether the units are tasks.
    """

    share: Share
    units: int
    mean: float | None
    by_task: bool

    def p_value(self, most: float) -> float:
        """Return the p-value of the hypothesis that the risk is above ``most``."""
        if self.mean is None:
            return 1.0
        return bounded_p_value(self.mean, self.units, most) if self.by_task else p_value(self.share, most)

    def upper_bound(self, confidence: float) -> float:
        """Return the least risk that the data exclude with a confidence; 1 where they exclude none."""
        low, high = self.mean or 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if self.p_value(middle) <= 1 - confidence:
                high = middle
            else:
                low = middle
        return high


_HALVINGS = 40


def risk_of(labelled: Labelled, method: Method) -> Risk:
    """Return the silent-pass risk of a method on the misreports that it judged."""
    positive = labelled.misreport & method.judged
    silent = (method.dispositions[positive] == PASS).astype(np.float64)
    tasks = np.unique(labelled.task[positive], return_inverse=True)[1]
    means = _means(silent, tasks)
    share = Share(int(silent.sum()), len(silent))
    return Risk(share, len(means), float(means.mean()) if len(means) else None, len(means) < len(silent))


def _means(values: NDArray[np.float64], units: NDArray[np.intp]) -> NDArray[np.float64]:
    return np.bincount(units, weights=values) / np.bincount(units) if len(values) else values


@dataclass(frozen=True, slots=True)
class Tested:
    """A candidate, its risk on the calibration side, and whether the promise is kept with it."""

    point: Point
    risk: Risk
    kept: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """What calibrating came to.

    Attributes:
        promise: What is promised.
        tested: Every candidate, in the order of testing.
        sequences: How many sequences share the error.
        chosen: The one with the least load among those that keep the promise; None where none does.
    """

    promise: Promise
    tested: tuple[Tested, ...]
    sequences: int
    chosen: Tested | None

    @property
    def confidence(self) -> float:
        """Return the confidence at which each sequence is tested."""
        return 1 - (1 - self.promise.confidence) / self.sequences


def calibrate(
    labelled: Labelled, candidates: Sequence[Point], promise: Promise, *, in_order: bool = False
) -> Calibration:
    """Choose the candidate with the least inspection load whose silent-pass risk is bounded.

    Args:
        labelled: The runs of the calibration side.
        candidates: What may be chosen; shares of the votes that happened to be asked are none of it, since no audit can
            be told to hold to them.
        promise: What is promised.
        in_order: The policies were put in order before anyone looked at labels, so they are one sequence, tested in
            that order until one fails.
    """
    sequences = _sequences(candidates, in_order=in_order)
    level = (1 - promise.confidence) / max(len(sequences), 1)
    tested = [one for sequence in sequences for one in _tested(labelled, sequence, promise.most, level)]
    kept = [one for one in tested if one.kept]
    chosen = min(kept, key=lambda one: one.point.score.load.value or 0.0, default=None)
    return Calibration(promise, tuple(tested), max(len(sequences), 1), chosen)


def _sequences(candidates: Sequence[Point], *, in_order: bool) -> list[list[Point]]:
    usable = [point for point in candidates if point.family is not Family.SHARE]
    found: dict[tuple[str, str], list[Point]] = {}
    for point in usable:
        found.setdefault((point.finder, point.table.ref.digest), []).append(point)
    strictest_first = [
        sorted(sequence, key=lambda point: -1.0 if point.level is None else point.level.least, reverse=True)
        for sequence in found.values()
    ]
    return [[point for sequence in strictest_first for point in sequence]] if in_order else strictest_first


def _tested(labelled: Labelled, sequence: Sequence[Point], most: float, level: float) -> list[Tested]:
    risks = [risk_of(labelled, point.method) for point in sequence]
    kept = kept_in_sequence([risk.p_value(most) for risk in risks], level)
    return [Tested(point, risk, at < kept) for at, (point, risk) in enumerate(zip(sequence, risks, strict=True))]


def why_none(found: Calibration) -> str:
    """Return, in one line, why no candidate keeps the promise, and how many labelled misreports it would need."""
    promise = found.promise
    told = f"a silent-pass risk of at most {promise.most:g} with confidence {promise.confidence:g}"
    best = min(found.tested, key=lambda one: 1.0 if one.risk.mean is None else one.risk.mean, default=None)
    units = best.risk.units if best is not None else 0
    unit = "tasks with a misreport" if best is not None and best.risk.by_task else "labelled misreports"
    least = least_positives(promise, found.sequences)
    if best is None or units < least:
        there = f"there {'is' if units == 1 else 'are'} {units}"
        return f"{told} needs at least {least} {unit}, even if none passes silently; {there}"
    rate = best.risk.mean or 0.0
    passed = f"{best.point.method.name} passes {best.risk.share.hits} of {best.risk.share.total} misreports"
    needed = least_for_rate(rate, promise, found.sequences)
    if needed is None:
        return f"no candidate keeps {told}: the best, {passed}, and more labels would not help at that rate"
    return f"no candidate keeps {told}: the best, {passed}; at that rate it would need about {needed} {unit}"
