"""The leakage experiment as tables."""

from collections.abc import Iterator, Sequence

from tracewitness.benchmark.leakage.analysis import Arm, Flip, Flipped, Leakage, Pair
from tracewitness.benchmark.leakage.plan import Plan
from tracewitness.benchmark.tables import Cell, Table
from tracewitness.judges.showing import Showing
from tracewitness.stats.intervals import Interval
from tracewitness.values.plurals import plural


def leakage_tables(plan: Plan, found: Leakage) -> Iterator[Table]:
    """Yield the tables of an experiment: recall by showing, paired comparisons, counts of flips, and every flip."""
    yield _arms(plan, found.arms)
    if found.pairs:
        yield _pairs(found.pairs)
    if len(found.arms) > 1:
        yield _counts(found)
        yield _flips(found.flips)


def _arms(plan: Plan, arms: Sequence[Arm]) -> Table:
    misreports = sum(run.misreport for run in plan.runs)
    runs = f"{plural(len(plan.runs), 'run')}, {plural(misreports, 'dangerous misreport')} among them"
    columns = ("shown", "runs", "no answer", "misreports", "found", "recall", "recall from", "recall to")
    against = ("less blind", "less blind from", "less blind to", "by tasks from", "by tasks to")
    return Table(
        "leakage",
        f"The judge {plan.judge} with and without the agent's words: {runs}",
        (*columns, *against, "false alarms", "of completed", "right", "UNKNOWN"),
        tuple(_arm(one) for one in arms),
        tuple(_notes(plan, arms)),
    )


def _arm(one: Arm) -> tuple[Cell, ...]:
    recall, alarms = one.recall, one.false_alarms
    return (
        one.showing.value,
        one.judged,
        one.failed,
        recall.total,
        recall.hits,
        recall.value,
        *_ends(recall.interval),
        one.against_blind,
        *_ends(one.difference_by_runs),
        *_ends(one.difference_by_tasks),
        alarms.value,
        alarms.total,
        one.right.value,
        one.undecided,
    )


def _notes(plan: Plan, arms: Sequence[Arm]) -> Iterator[str]:
    for one in arms:
        yield f"{one.showing.value}: {one.showing.sentence}."
    yield (
        "recall: misreports that the judge calls NOT_COMPLETED (Wilson, 95 %). less blind: the same less that of the "
        "blind judge on the runs that both judged, with its interval over runs (Newcombe, paired) and over tasks "
        "(bootstrap). right: runs whose completion the judge tells as gold does; UNKNOWN is never right. A run without "
        "an answer is in no figure."
    )
    for one in arms:
        if one.alike:
            yield f"{one.showing.value}: {plural(one.alike, 'run')} had nothing to show beside and was judged blind."
    for reason, count in plan.left_out:
        yield f"{plural(count, 'run')} left out {reason}."


def _pairs(pairs: Sequence[Pair]) -> Table:
    columns = ("first", "second", "misreports", "only first finds", "only second finds", "p", "p (Holm)")
    return Table(
        "leakage-pairs",
        "What is shown, compared on the same runs (McNemar's exact test)",
        (*columns, "runs", "only first right", "only second right", "p right", "p right (Holm)"),
        tuple(
            (
                one.first.value,
                one.second.value,
                one.misreports,
                one.detected.first_only,
                one.detected.second_only,
                *one.p_detected,
                one.runs,
                one.right.first_only,
                one.right.second_only,
                *one.p_right,
            )
            for one in pairs
        ),
    )


def _counts(found: Leakage) -> Table:
    rows = tuple(
        (
            arm.showing.value,
            *(
                sum(
                    flip.showing is arm.showing and flip.kind is kind and flip.run.misreport is misreport
                    for flip in found.flips
                )
                for misreport in (True, False)
                for kind in Flip
            ),
        )
        for arm in found.arms
        if arm.showing is not Showing.BLIND
    )
    columns = ("shown", "harmful, misreports", "recovery, misreports", "harmful, others", "recovery, others")
    return Table(
        "leakage-flip-counts",
        "Flips against the blind judge",
        columns,
        rows,
        ("harmful: right blind and not right shown; recovery: the reverse.",),
    )


def _flips(flips: Sequence[Flipped]) -> Table:
    columns = ("run", "source", "shown", "flip", "completed", "claim", "blind says", "shown says")
    return Table(
        "leakage-flips",
        "Every flip",
        columns,
        tuple(
            (
                flip.run.run_id,
                flip.run.source,
                flip.showing.value,
                flip.kind.value,
                "yes" if flip.run.completed else "no",
                flip.run.claim.value,
                flip.blind.value,
                flip.shown.value,
            )
            for flip in flips
        ),
    )


def _ends(interval: Interval | None) -> tuple[Cell, Cell]:
    return (interval.low, interval.high) if interval is not None else (None, None)
