"""How well a method detects: counts against labels, and the rates that follow from them."""

from dataclasses import dataclass

from tracewitness.stats.intervals import Share

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Detection:
    """Counts of a method against labels.

    Attributes:
        hits: Positives that it predicts.
        false_alarms: Negatives that it predicts.
        misses: Positives that it does not predict.
        rejections: Negatives that it does not predict.
    """

    hits: int
    false_alarms: int
    misses: int
    rejections: int

    @property
    def positives(self) -> int:
        """Return how many items are positive."""
        return self.hits + self.misses

    @property
    def total(self) -> int:
        """Return how many items there are."""
        return self.hits + self.false_alarms + self.misses + self.rejections

    @property
    def precision(self) -> Share:
        """Return the share of its predictions that are right."""
        return Share(self.hits, self.hits + self.false_alarms)

    @property
    def recall(self) -> Share:
        """Return the share of the positives that it predicts."""
        return Share(self.hits, self.positives)

    @property
    def false_alarm_rate(self) -> Share:
        """Return the share of the negatives that it predicts."""
        return Share(self.false_alarms, self.false_alarms + self.rejections)

    @property
    def predicted(self) -> Share:
        """Return the share of all items that it predicts."""
        return Share(self.hits + self.false_alarms, self.total)

    @property
    def f1(self) -> float | None:
        """Return F1; None where there are no positives and no predictions, or no positives at all."""
        return f1_of(self.hits, self.false_alarms, self.misses)


def f1_of(hits: float, false_alarms: float, misses: float) -> float | None:
    """Return the harmonic mean of precision and recall; None without positives, where recall is not defined."""
    return 2 * hits / (2 * hits + false_alarms + misses) if hits + misses else None


def precision_implied(f1: float, recall: float) -> float | None:
    """Return the precision that an F1 and a recall imply; None where no precision gives such an F1.

    From F1 = 2PR / (P + R): P = F1 R / (2R - F1).
    """
    below = 2 * recall - f1
    precision = f1 * recall / below if below > 0 else None
    # A precision of 1 may come out as a little more by rounding.
    return min(1.0, precision) if precision is not None and precision <= 1 + _ROUNDING else None
