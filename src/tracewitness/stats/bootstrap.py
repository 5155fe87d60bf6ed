"""The bootstrap over clusters: whole tasks are drawn, since runs of one task are no independent witnesses."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tracewitness.stats.intervals import CONFIDENCE, Interval

Sums: TypeAlias = NDArray[np.float64]
Statistic = Callable[[Sums], NDArray[np.float64]]
"""Takes sums of shape (draws, counts) and gives one number a draw; NaN where a draw carries none."""

DRAWS = 2_000
_LEAST_CLUSTERS = 2
_BLOCK = 256
_MOST_LOST = 0.05
_MOST_CODES = 2.0**52


def cluster_interval(
    counts: NDArray[np.float64],
    clusters: Sequence[int] | NDArray[np.int64],
    statistic: Statistic,
    chance: np.random.Generator,
    *,
    draws: int = DRAWS,
    confidence: float = CONFIDENCE,
) -> Interval | None:
    """Return the percentile interval of a statistic of sums, drawing whole clusters with replacement.

    Efron and Tibshirani (1993), chapter 13; clusters are the units that are drawn, so runs of one task stay together.

    Args:
        counts: What each item adds to the sums; shape (items, counts).
        clusters: The cluster of each item, 0 to the number of clusters less one; shape (items,).
        statistic: The statistic.
        chance: The source of chance.
        draws: How many times is drawn.
        confidence: The coverage, above 0 and below 1.

    Returns:
        None where there are fewer than two clusters, where more than one draw in twenty carries no statistic, or where
        every draw gives the same: such data tell nothing of how far it could have come out otherwise.
    """
    sums = cluster_sums(counts, clusters)
    if len(sums) < _LEAST_CLUSTERS:
        return None
    # Clusters with equal sums cannot be told apart, so it is drawn how often each kind comes, which is the same chance.
    kinds, often = _kinds(sums)
    values = np.concatenate([_drawn(kinds, often, statistic, chance, size) for size in _blocks(draws)])
    carried = values[np.isfinite(values)]
    if len(carried) < (1 - _MOST_LOST) * len(values):
        return None
    if np.ptp(carried) == 0:
        return None
    low, high = np.quantile(carried, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def _kinds(sums: Sums) -> tuple[Sums, NDArray[np.int64]]:
    """Return the rows that differ, in order, and how often each comes."""
    low = sums.min(axis=0)
    spans = sums.max(axis=0) - low + 1
    if not (sums == np.floor(sums)).all() or spans.prod() >= _MOST_CODES:
        kinds, often = np.unique(sums, axis=0, return_counts=True)
        return kinds, often.astype(np.int64)
    # Whole numbers are told apart by one number a row, which is several times as fast and gives the same order.
    weights = np.array([spans[at + 1 :].prod() for at in range(len(spans))], dtype=np.float64)
    codes = ((sums - low) @ weights).astype(np.int64)
    _, first, often = np.unique(codes, return_index=True, return_counts=True)
    return sums[first], often.astype(np.int64)


def cluster_sums(counts: NDArray[np.float64], clusters: Sequence[int] | NDArray[np.int64]) -> Sums:
    """Return the sums of each cluster; shape (clusters, counts)."""
    places = np.asarray(clusters, dtype=np.int64)
    if not len(places):
        return np.zeros((0, counts.shape[1]))
    columns = [np.bincount(places, weights=counts[:, at]) for at in range(counts.shape[1])]
    return np.column_stack(columns).astype(np.float64)


def _blocks(draws: int) -> list[int]:
    """Return sizes of at most a block that add up to the draws, so that memory does not grow with them."""
    return [_BLOCK] * (draws // _BLOCK) + ([draws % _BLOCK] if draws % _BLOCK else [])


def _drawn(
    kinds: Sums, often: NDArray[np.int64], statistic: Statistic, chance: np.random.Generator, draws: int
) -> NDArray[np.float64]:
    size = int(often.sum())
    weights = chance.multinomial(size, often / size, size=draws).astype(np.float64)
    return np.asarray(statistic(weights @ kinds), dtype=np.float64)


def f1_of_sums(sums: Sums, first: int = 0) -> NDArray[np.float64]:
    """Return F1 from columns of hits, false alarms and misses that begin at ``first``; NaN without positives."""
    hits, false_alarms, misses = (sums[:, first + at] for at in range(3))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(hits + misses > 0, 2 * hits / (2 * hits + false_alarms + misses), np.nan)
