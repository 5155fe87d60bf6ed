"""Bounds of a risk that hold with a stated confidence, and how many labels they need."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tracewitness.stats.distributions import binomial_at_most
from tracewitness.stats.intervals import Share


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


def kept_in_sequence(observed: Sequence[Share], promise: Promise) -> int:
    """Return how many of a sequence of choices, from its beginning, keep the promise together.

    Learn then Test (Angelopoulos and others 2021, arXiv 2110.01052) with fixed-sequence testing: the choices are tested
    in an order fixed without the data, each at the full level, and the first that fails ends the test. The chance that
    any of the kept ones breaks the promise is at most 1 - confidence, with no correction for their number.
    """
    level = 1 - promise.confidence
    for at, share in enumerate(observed):
        if p_value(share, promise.most) > level:
            return at
    return len(observed)


def kept_of_all(observed: Sequence[Share], promise: Promise) -> tuple[int, ...]:
    """Return which choices keep the promise where no order is fixed: each is tested at a level divided by their number.

    Bonferroni over the choices; the chance that any of the kept ones breaks the promise is at most 1 - confidence.
    """
    level = (1 - promise.confidence) / max(len(observed), 1)
    return tuple(at for at, share in enumerate(observed) if p_value(share, promise.most) <= level)


def least_positives(promise: Promise, choices: int = 1) -> int:
    """Return how many labelled positives the promise needs even where none of them passes silently.

    Without any silent pass the p-value of n positives is (1 - most)^n.

    Args:
        promise: The promise.
        choices: The number the level is divided by; 1 for a fixed sequence.
    """
    level = (1 - promise.confidence) / choices
    return math.ceil(math.log(level) / math.log1p(-promise.most) - 1e-12)
