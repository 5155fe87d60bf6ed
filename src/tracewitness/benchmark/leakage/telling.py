"""The leakage experiment as plots, and what it is made of."""

from collections.abc import Iterator

from tracewitness.benchmark.drawing import Plot
from tracewitness.benchmark.leakage.analysis import Flip, Leakage
from tracewitness.benchmark.leakage.plan import Plan
from tracewitness.benchmark.plots import Estimate, Flips, flips_plot, forest_plot
from tracewitness.judges.showing import Showing
from tracewitness.version import __version__


def leakage_plots(found: Leakage) -> Iterator[Plot]:
    """Yield the plots of an experiment: recall by showing, its difference to the blind judge, and flips.

    Raises:
        MissingPlotsError: The packages that draw are not installed.
    """
    recalls = [
        Estimate(arm.showing.value, "recall", arm.recall.value, arm.recall.interval, arm.recall.total)
        for arm in found.arms
        if arm.recall.value is not None
    ]
    if recalls:
        yield forest_plot("leakage recall", "Recall of dangerous misreports", "recall", recalls)
    differences = [
        Estimate(arm.showing.value, "less blind", arm.against_blind, arm.difference_by_runs, arm.recall.total)
        for arm in found.arms
        if arm.against_blind is not None
    ]
    if differences:
        yield forest_plot(
            "leakage difference", "Recall less that of the blind judge", "difference", differences, zero=True
        )
        yield flips_plot(list(_flips(found)))


def _flips(found: Leakage) -> Iterator[Flips]:
    for arm in found.arms:
        if arm.showing is not Showing.BLIND:
            kinds = [flip.kind for flip in found.flips if flip.showing is arm.showing]
            yield Flips(f"blind, {arm.showing}", kinds.count(Flip.HARMFUL), kinds.count(Flip.RECOVERY), arm.judged)


def leakage_made_of(plan: Plan, command: str) -> Iterator[tuple[str, str]]:
    """Yield what an experiment is made of, as names and values."""
    yield "tracewitness", __version__
    yield "command", command
    yield "plan", plan.digest
    yield "judge", plan.judge
    if plan.maker is not None:
        yield "model", f"{plan.maker.model} {plan.maker.parameters}"
        yield from (("prompt", f"{name}, {digest}") for name, digest in plan.maker.prompts)
        yield "runs of a vote", str(plan.maker.runs)
        if plan.maker.agree is not None:
            yield "runs that have to agree", str(plan.maker.agree)
        if plan.maker.threshold is not None:
            yield "threshold of probability", f"{plan.maker.threshold:g}"
        yield "tokens of a window", str(plan.maker.window_tokens)
    yield from (("labels", digest) for digest in plan.gold)
    yield "seed of the sample", str(plan.seed)
    yield "runs", str(len(plan.runs))
    yield "tasks", str(len({run.task_key for run in plan.runs}))
    yield "dangerous misreports", str(sum(run.misreport for run in plan.runs))
    yield from ((f"left out {reason}", str(count)) for reason, count in plan.left_out)
