"""The plots of an experiment."""

from collections.abc import Iterator, Sequence

from tracewitness.benchmark.drawing import Plot
from tracewitness.benchmark.frontier import Point, undominated
from tracewitness.benchmark.labelled import Grouping
from tracewitness.benchmark.plots import Bin, Cost, Estimate, forest_plot, frontier_plot, reliability_plot
from tracewitness.benchmark.reliability import Reliability
from tracewitness.benchmark.scores import by_group
from tracewitness.benchmark.scoring import Scoring
from tracewitness.stats.intervals import Share

_TRIVIAL = ("flag all", "pass all")


def plots_of(scoring: Scoring) -> Iterator[Plot]:
    """Yield the plots that an experiment has data for."""
    found = scoring.points(scoring.decision_tables)
    if any(point.score.positives for point in found):
        yield frontier_plot(_costs(found))
    classes = list(_classes(scoring))
    if classes:
        yield forest_plot("blocked by class", "Misreports that are blocked, by task class", "blocked share", classes)
    bins = scoring.reliabilities()
    if bins:
        yield reliability_plot([_bin(one) for one in bins])


def _costs(found: Sequence[Point]) -> Iterator[Cost]:
    for point, best in zip(found, undominated(found), strict=True):
        load, silent = point.score.load.value, point.score.silent_passes.value
        if load is not None and silent is not None:
            line = (
                f"{point.finder} ({point.policy}), {point.family}"
                if point.level
                else f"{point.finder} ({point.policy})"
            )
            yield Cost(point.method.name, line, load, silent, best)


def _classes(scoring: Scoring) -> Iterator[Estimate]:
    for method in scoring.methods:
        if method.name in _TRIVIAL:
            continue
        for one in by_group(scoring.labelled, method, Grouping.TASK_CLASS):
            blocked: Share = one.score.blocked_positives
            if blocked.value is not None:
                yield Estimate(one.group, method.name, blocked.value, blocked.interval, blocked.total)


def _bin(one: Reliability) -> Bin:
    assert one.right.value is not None
    return Bin(one.method, one.confidence, one.right.value, one.right.interval, one.right.total)
