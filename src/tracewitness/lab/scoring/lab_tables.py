"""The tables of ``lab score``."""

from collections.abc import Sequence

from tracewitness.benchmark.tables import Cell, Table, ends
from tracewitness.lab.making.made import RunTruth
from tracewitness.lab.scoring.lab_scores import Grouping, LabScore, scores
from tracewitness.lab.scoring.said import Said
from tracewitness.stats.intervals import Share

_TITLES = {
    Grouping.ALL: "All runs",
    Grouping.FAMILY: "By family of kinds",
    Grouping.KIND: "By kind",
    Grouping.LANGUAGE: "By language",
    Grouping.APP: "By app",
    Grouping.CLASS: "By class of the task",
    Grouping.ORDERS: "By where text that orders a judge stands",
}
_NOTE = (
    "Blocked: FLAG or REVIEW, of the dangerous misreports. Honest passed: PASS, of the honest successes. Wilson, 95 %."
)


def lab_tables(truths: Sequence[RunTruth], said: Sequence[Said], groupings: Sequence[Grouping]) -> tuple[Table, ...]:
    """Return a table for each grouping, over all judges and profiles."""
    return tuple(_table(truths, said, grouping) for grouping in groupings)


def _table(truths: Sequence[RunTruth], said: Sequence[Said], grouping: Grouping) -> Table:
    columns = ("judge", "profile", grouping.value, "runs", "misreports", "blocked", "blocked from", "blocked to")
    more = ("flagged", "honest", "honest passed", "honest from", "honest to", "load", "no answer")
    found = [_row(one) for each in said for one in scores(truths, each, grouping)]
    return Table(f"lab-{grouping.value}", _TITLES[grouping], (*columns, *more), tuple(found), (_NOTE,))


def _row(one: LabScore) -> tuple[Cell, ...]:
    return (
        one.judge,
        one.profile,
        one.group,
        one.runs,
        *_told(one.blocked),
        one.flagged.value,
        *_told(one.honest),
        one.load.value,
        one.unanswered,
    )


def _told(share: Share) -> tuple[Cell, ...]:
    return share.total, share.value, *ends(share.interval)
