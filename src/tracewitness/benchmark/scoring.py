"""All tables of an experiment."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from tracewitness.benchmark.comparing import compare
from tracewitness.benchmark.controls import controls
from tracewitness.benchmark.labelled import Grouping, Method
from tracewitness.benchmark.labels import agreements
from tracewitness.benchmark.loading import Experiment
from tracewitness.benchmark.scores import SEED, by_group, leaving_out, score
from tracewitness.benchmark.tables import (
    Table,
    agreement_table,
    comparison_table,
    detection_table,
    gating_table,
    group_table,
)


class View(StrEnum):
    """Which tables are made."""

    OVERALL = "overall"
    GROUPS = "groups"
    COMPARISON = "comparison"


def tables_of(
    experiment: Experiment, views: Sequence[View] = tuple(View), *, with_controls: bool = True, seed: int = SEED
) -> Iterator[Table]:
    """Yield the tables of an experiment.

    Args:
        experiment: Labelled runs and methods.
        views: Which tables.
        with_controls: Put the trivial controls beside the methods.
        seed: The seed of every bootstrap.
    """
    methods = (*experiment.methods, *(controls(experiment) if with_controls else ()))
    if View.OVERALL in views:
        scores = [score(experiment.labelled, method, seed=seed) for method in methods]
        yield detection_table(scores)
        yield gating_table(scores)
    if View.GROUPS in views:
        yield from _groups(experiment)
    if View.COMPARISON in views and len(methods) > 1:
        yield comparison_table(compare(experiment.labelled, methods, seed=seed))
    if found := agreements(experiment.gold.labels):
        yield agreement_table(found)


def _groups(experiment: Experiment) -> Iterator[Table]:
    labelled, methods = experiment.labelled, experiment.methods
    for grouping in Grouping:
        if len(labelled.groups[grouping].names) > 1:
            rows = [(method.name, one) for method in methods for one in by_group(labelled, method, grouping)]
            yield group_table(f"by {grouping}", f"By {grouping}", rows)
    yield from _without_one_agent(experiment, methods)


def _without_one_agent(experiment: Experiment, methods: Sequence[Method]) -> Iterator[Table]:
    rows = [(method.name, one) for method in methods for one in leaving_out(experiment.labelled, method)]
    if rows:
        yield group_table("without one agent", "Leaving one agent out", rows)
