"""Bounds of a risk that hold with a stated confidence, and how many labels they need."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tracewitness.stats.distributions import binomial_at_most
from tracewitness.stats.intervals import Share

_ROUNDING = 1e-9
_MOST_POSITIVES = 10_000_000


@dataclass(frozen=True, slots=True)
class Promise:
    """What is promised: a risk is at most ``most``, with this confidence over the draw of the calibration data.

    Raises:
        ValueError: A number is not above 0 and below 1.
    """

    most: float
    confidence: float

    def __post_init__(self) -> None:
        for name in ("most", "confidence"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"{name}: expected above 0 and below 1, found {getattr(self, name):g}")


def p_value(observed: Share, most: float) -> float:
    """Return the p-value of the hypothesis that the risk is above ``most``: exact, from the binomial distribution."""
    if not observed.total:
        return 1.0
    return binomial_at_most(observed.hits, observed.total, most)


def kept_in_sequence(p_values: Sequence[float], level: float) -> int:
    """Return how many of a sequence of choices, from its beginning, keep a promise together.

    Learn then Test (Angelopoulos and others 2021, arXiv 2110.01052) with fixed-sequence testing: the choices are tested
    in an order fixed without the labels, each at the full level, and the first that fails ends the test. The chance
    that any of the kept ones breaks the promise is at most the level, with no correction for their number. Several
    sequences share a level by dividing it.

    Args:
        p_values: Of the hypothesis that a choice breaks the promise, in the order of testing.
        level: The error that is allowed, such as 1 - confidence.
    """
    return next((at for at, p in enumerate(p_values) if p > level), len(p_values))


def least_positives(promise: Promise, choices: int = 1) -> int:
    """Return how many labelled positives the promise needs even where none of them passes silently.

    Without any silent pass the p-value of n positives is (1 - most)^n.

    Args:
        promise: The promise.
        choices: The number the level is divided by; 1 for a fixed sequence.
    """
    level = (1 - promise.confidence) / choices
    return math.ceil(math.log(level) / math.log1p(-promise.most) - 1e-12)


def bounded_p_value(mean: float, units: int, most: float) -> float:
    """Return a p-value of the hypothesis that the risk is above ``most``, from values between 0 and 1.

    The smaller of the bounds of Hoeffding (1963) and Bentkus (2004), as in Bates and others (2021, arXiv 2101.02703):
    valid for independent values of any distribution on 0 to 1, where the binomial test asks for zeros and ones.

    Args:
        mean: The mean of the values.
        units: How many there are.
        most: The risk, above 0 and below 1.
    """
    if not units or mean >= most:
        return 1.0
    hoeffding = math.exp(-units * _divergence(mean, most))
    bentkus = math.e * binomial_at_most(math.ceil(units * mean - _ROUNDING), units, most)
    return min(1.0, hoeffding, bentkus)


def _divergence(first: float, second: float) -> float:
    """Return how far two chances are apart (Kullback and Leibler), in nats."""
    yes = first * math.log(first / second) if first > 0 else 0.0
    no = (1 - first) * math.log((1 - first) / (1 - second)) if first < 1 else 0.0
    return yes + no


def least_for_rate(rate: float, promise: Promise, choices: int = 1) -> int | None:
    """Return about how many positives a promise needs where this share of them passes silently; None of any number."""
    if rate >= promise.most:
        return None
    level = (1 - promise.confidence) / choices
    high = least_positives(promise, choices)
    while p_value(Share(math.ceil(rate * high), high), promise.most) > level:
        high *= 2
        if high > _MOST_POSITIVES:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if p_value(Share(math.ceil(rate * middle), middle), promise.most) > level:
            low = middle
        else:
            high = middle
    return high
