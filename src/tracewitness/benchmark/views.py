"""All tables of an experiment, view by view."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum

from tracewitness.benchmark.comparing import compare
from tracewitness.benchmark.labelled import Grouping
from tracewitness.benchmark.labels import agreements
from tracewitness.benchmark.scores import by_group, leaving_out, score
from tracewitness.benchmark.scoring import Scoring
from tracewitness.benchmark.tables import (
    Table,
    agreement_table,
    comparison_table,
    detection_table,
    gating_table,
    group_table,
)
from tracewitness.benchmark.view_tables import (
    policies_table,
    reliability_table,
    residual_runs_table,
    residual_table,
    stability_table,
)


class View(StrEnum):
    """Which tables are made."""

    OVERALL = "overall"
    GROUPS = "groups"
    GOLD_CLAIM = "gold-claim"
    RESIDUAL = "residual"
    STABILITY = "stability"
    RELIABILITY = "reliability"
    POLICIES = "policies"
    COMPARISON = "comparison"


def tables_of(scoring: Scoring, views: Sequence[View] = tuple(View)) -> Iterator[Table]:
    """Yield the tables of some views, in the order of ``View``, and how far annotators agree."""
    for view in View:
        if view in views:
            yield from _TABLES[view](scoring)
    if found := agreements(scoring.experiment.gold.labels):
        yield agreement_table(found)


def _overall(scoring: Scoring) -> Iterator[Table]:
    scores = [score(scoring.labelled, method, seed=scoring.wanted.seed) for method in scoring.methods]
    yield detection_table(scores)
    yield gating_table(scores)


def _groups(scoring: Scoring) -> Iterator[Table]:
    labelled, methods, seed = scoring.labelled, scoring.methods, scoring.wanted.seed
    for grouping in Grouping:
        if len(labelled.groups[grouping].names) > 1:
            rows = [(method.name, one) for method in methods for one in by_group(labelled, method, grouping, seed)]
            yield group_table(f"by {grouping}", f"By {grouping}", rows)
    rows = [(method.name, one) for method in methods for one in leaving_out(labelled, method, seed=seed)]
    if rows:
        yield group_table("without one agent", "Leaving one agent out", rows)


def _gold_claim(scoring: Scoring) -> Iterator[Table]:
    scores = [score(scoring.labelled, one, seed=scoring.wanted.seed) for one in scoring.under_gold_claims()]
    if scores:
        yield detection_table(scores, "gold claim detection", "Automatic detection with the claims of gold")
        yield gating_table(scores, "gold claim gating", "Audit-stage gating with the claims of gold")


def _residual(scoring: Scoring) -> Iterator[Table]:
    found = list(scoring.residuals())
    if found:
        yield residual_table(found)
    if any(one.total for one in found):
        yield residual_runs_table(found)


def _stability(scoring: Scoring) -> Iterator[Table]:
    found = list(scoring.stabilities())
    if found:
        yield stability_table(found)


def _reliability(scoring: Scoring) -> Iterator[Table]:
    if found := scoring.reliabilities():
        yield reliability_table(found)


def _policies(scoring: Scoring) -> Iterator[Table]:
    if tables := scoring.decision_tables:
        yield policies_table(scoring.points(tables, seed=scoring.wanted.seed))


def _comparison(scoring: Scoring) -> Iterator[Table]:
    if len(scoring.compared) > 1:
        yield comparison_table(compare(scoring.labelled, scoring.compared, seed=scoring.wanted.seed))


_TABLES: Mapping[View, Callable[[Scoring], Iterator[Table]]] = {
    View.OVERALL: _overall,
    View.GROUPS: _groups,
    View.GOLD_CLAIM: _gold_claim,
    View.RESIDUAL: _residual,
    View.STABILITY: _stability,
    View.RELIABILITY: _reliability,
    View.POLICIES: _policies,
    View.COMPARISON: _comparison,
}
