"""Intervals of shares and of differences between shares."""

import math
from dataclasses import dataclass

from tracewitness.stats.distributions import beta_quantile, normal_quantile

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval; ``low`` is never above ``high``."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Share:
    """A count out of a total. Both are whole numbers, ``0 <= hits <= total``.

    Raises:
        ValueError: The counts are not such.
    """

    hits: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.total:
            raise ValueError(f"expected 0 <= hits <= total, found {self.hits} of {self.total}")

    @property
    def value(self) -> float | None:
        """Return the share, 0 to 1; None of an empty total, which carries none."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> Interval | None:
        """Return its 95 % interval (Wilson); None of an empty total."""
        return wilson(self)


def wilson(share: Share, confidence: float = CONFIDENCE) -> Interval | None:
    """Return the score interval of Wilson (1927), two-sided; None of an empty total.

    It is used for display: near the nominal coverage on average, never outside 0 to 1.

    Args:
        share: The count and the total.
        confidence: The coverage, above 0 and below 1.
    """
    if not share.total:
        return None
    z = _quantile(confidence)
    n, p = share.total, share.hits / share.total
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # At the ends the formula gives 0 and 1 but for rounding, and an interval must hold its share.
    return Interval(max(0.0, min(centre - half, p)), min(1.0, max(centre + half, p)))


def f1_score_interval(share: Share, confidence: float = CONFIDENCE) -> Interval | None:
    """Return the interval of F1 from that of the hits among hits, false alarms and misses; None of an empty total.

    F1 rises with that share s as 2s / (1 + s), so the ends of its Wilson interval go over into ends for F1 (Lam and
    others 2023, arXiv 2309.14621). It serves where a bootstrap tells nothing, as where there is no miss at all.
    """
    found = wilson(share, confidence)
    return None if found is None else Interval(_f1_of_share(found.low), _f1_of_share(found.high))


def _f1_of_share(share: float) -> float:
    return 2 * share / (1 + share)


def clopper_pearson(share: Share, confidence: float = CONFIDENCE) -> Interval | None:
    """Return the exact interval of Clopper and Pearson (1934), two-sided; None of an empty total.

    It is used for promises: its coverage is never below ``confidence``.
    """
    if not share.total:
        return None
    tail = (1 - _checked(confidence)) / 2
    return Interval(_exact_low(share, tail), _exact_high(share, tail))


def upper_bound(share: Share, confidence: float = CONFIDENCE) -> float:
    """Return the exact one-sided upper bound of a share (Clopper and Pearson); 1 of an empty total."""
    return _exact_high(share, 1 - _checked(confidence)) if share.total else 1.0


def paired_difference(
    both: int, first_only: int, second_only: int, neither: int, confidence: float = CONFIDENCE
) -> Interval | None:
    """Return the interval of the difference of two shares of the same items, first minus second; None of no items.

    Method 10 of Newcombe (Statistics in Medicine 17, 1998, 2635-2650): Wilson intervals of the two shares, put together
    with the correlation of the pairs, continuity-corrected.

    Args:
        both: Items that both have.
        first_only: Items that the first alone has.
        second_only: Items that the second alone has.
        neither: Items that none has.
        confidence: The coverage, above 0 and below 1.
    """
    total = both + first_only + second_only + neither
    if not total:
        return None
    first, second = Share(both + first_only, total), Share(both + second_only, total)
    one, two = wilson(first, confidence), wilson(second, confidence)
    assert one is not None and two is not None
    p, q = first.hits / total, second.hits / total
    phi = _correlation(both, first_only, second_only, neither)
    low = _root((p - one.low) ** 2, (p - one.low) * (two.high - q), (two.high - q) ** 2, phi)
    high = _root((one.high - p) ** 2, (one.high - p) * (q - two.low), (q - two.low) ** 2, phi)
    return Interval(max(-1.0, p - q - low), min(1.0, p - q + high))


def _root(first: float, cross: float, second: float, phi: float) -> float:
    return math.sqrt(max(0.0, first - 2 * phi * cross + second))


def _correlation(a: int, b: int, c: int, d: int) -> float:
    """Return phi of a fourfold table, its numerator brought towards zero by half the number of items where positive."""
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if not margins:
        return 0.0
    cross = a * d - b * c
    total = a + b + c + d
    corrected = max(cross - total / 2, 0) if cross > 0 else cross
    return corrected / math.sqrt(margins)


def _checked(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: expected above 0 and below 1, found {confidence:g}")
    return confidence


def _quantile(confidence: float) -> float:
    return normal_quantile(0.5 + _checked(confidence) / 2)


def _exact_low(share: Share, tail: float) -> float:
    return beta_quantile(tail, share.hits, share.total - share.hits + 1) if share.hits else 0.0


def _exact_high(share: Share, tail: float) -> float:
    if share.hits == share.total:
        return 1.0
    return beta_quantile(1 - tail, share.hits + 1, share.total - share.hits)
