"""How far labels of the same items agree."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tracewitness.stats.distributions import normal_quantile
from tracewitness.stats.intervals import CONFIDENCE, Interval, Share

L = TypeVar("L", bound=Hashable)

_LEAST_VARIANCE = 1e-12


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two raters.

    Attributes:
        raw: Items on which they agree.
        kappa: Cohen's kappa, -1 to 1; None where no items were rated, or where chance alone makes them agree always.
        interval: Its 95 % interval; None where kappa is, of fewer than two items, and where its variance vanishes, as
            it does where two raters agree on everything: the approximation then tells nothing.
    """

    raw: Share
    kappa: float | None
    interval: Interval | None


def cohen(pairs: Sequence[tuple[L, L]], confidence: float = CONFIDENCE) -> Agreement:
    """Return the agreement of two raters, corrected for chance.

    Cohen (1960); the interval by the large-sample variance of Fleiss, Cohen and Everitt (1969), cut to -1 to 1.

    Args:
        pairs: The two labels of each item that both rated.
        confidence: The coverage, above 0 and below 1.
    """
    total = len(pairs)
    raw = Share(sum(a == b for a, b in pairs), total)
    if not total:
        return Agreement(raw, None, None)
    first, second = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    labels = sorted(first.keys() | second.keys(), key=str)
    rows = {label: first[label] / total for label in labels}
    columns = {label: second[label] / total for label in labels}
    chance = sum(rows[label] * columns[label] for label in labels)
    if math.isclose(chance, 1.0):
        return Agreement(raw, None, None)
    kappa = (raw.hits / total - chance) / (1 - chance)
    variance = _variance(pairs, rows, columns, chance, kappa)
    carried = total > 1 and variance > _LEAST_VARIANCE
    return Agreement(raw, kappa, _interval(kappa, variance, confidence) if carried else None)


def _variance(
    pairs: Sequence[tuple[L, L]], rows: dict[L, float], columns: dict[L, float], chance: float, kappa: float
) -> float:
    total = len(pairs)
    cells = Counter(pairs)
    agreeing = sum(
        cells[label, label] / total * (1 - (rows[label] + columns[label]) * (1 - kappa)) ** 2 for label in rows
    )
    differing = sum(count / total * (columns[a] + rows[b]) ** 2 for (a, b), count in cells.items() if a != b)
    below = total * (1 - chance) ** 2
    return (agreeing + (1 - kappa) ** 2 * differing - (kappa - chance * (1 - kappa)) ** 2) / below


def _interval(kappa: float, variance: float, confidence: float) -> Interval:
    half = normal_quantile(0.5 + confidence / 2) * math.sqrt(max(0.0, variance))
    return Interval(max(-1.0, kappa - half), min(1.0, kappa + half))
