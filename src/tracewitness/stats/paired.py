"""Two methods on the same items: who is right where the other is wrong, and whether that is chance."""

from collections.abc import Sequence
from dataclasses import dataclass

from tracewitness.stats.distributions import binomial_at_most


@dataclass(frozen=True, slots=True)
class Discordance:
    """Items on which exactly one of two methods is right.

    Attributes:
        first_only: Items on which the first alone is right.
        second_only: Items on which the second alone is right.
    """

    first_only: int
    second_only: int

    @property
    def total(self) -> int:
        """Return how many items tell the two apart."""
        return self.first_only + self.second_only


def discordance(first: Sequence[bool], second: Sequence[bool]) -> Discordance:
    """Count the items on which one method is right and the other is wrong.

    Args:
        first: Whether the first is right, item by item.
        second: Whether the second is right on the same items.

    Raises:
        ValueError: The two are of different lengths.
    """
    pairs = list(zip(first, second, strict=True))
    return Discordance(sum(a and not b for a, b in pairs), sum(b and not a for a, b in pairs))


def mcnemar_exact(found: Discordance) -> float:
    """Return the exact two-sided p-value of McNemar's test; 1 where no item tells the two apart.

    Under the hypothesis that both err equally often, the discordant items fall to either side as a fair coin does
    (McNemar 1947; the exact form is the binomial test with one half).
    """
    if not found.total:
        return 1.0
    return min(1.0, 2 * binomial_at_most(min(found.first_only, found.second_only), found.total, 0.5))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values corrected for their number, in the given order (Holm 1979, step-down)."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    corrected = [0.0] * len(p_values)
    so_far = 0.0
    for rank, at in enumerate(order):
        so_far = max(so_far, min(1.0, (len(p_values) - rank) * p_values[at]))
        corrected[at] = so_far
    return tuple(corrected)
