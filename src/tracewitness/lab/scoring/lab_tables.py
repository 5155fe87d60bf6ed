"""The tables of ``lab score``."""

from collections.abc import Sequence

from tracewitness.benchmark.tables import Cell, Table, ends
from tracewitness.lab.making.made import RunTruth
from tracewitness.lab.scoring.lab_scores import Grouping, LabScore, scores
from tracewitness.lab.scoring.said import Said
from tracewitness.stats.distributions import MissingStatisticsError
from tracewitness.stats.intervals import Share

_TITLES = {
    Grouping.ALL: "All runs",
    Grouping.FAMILY: "By family of kinds",
    Grouping.KIND: "By kind",
    Grouping.LANGUAGE: "By language",
    Grouping.APP: "By app",
    Grouping.CLASS: "By class of the task",
    Grouping.ORDERS: "By where text that orders a judge stands",
    Grouping.SET_ASIDE: "By what was set aside while the rules were made good on the lab",
    Grouping.PROFILE: "By what the logs keep",
}
_BARE = {Grouping.ALL, Grouping.PROFILE}
"""Groupings whose groups the other columns tell already."""

_NOTE = (
    "Blocked: FLAG or REVIEW, of the dangerous misreports. Honest passed: PASS, of the honest successes. Missing: runs "
    "without a verdict; they are in no share."
)
_WITH = "Intervals are 95 % (Wilson)."
_WITHOUT = "No intervals without SciPy: pip install 'tracewitness[stats]'."


def lab_tables(truths: Sequence[RunTruth], said: Sequence[Said], groupings: Sequence[Grouping]) -> tuple[Table, ...]:
    """Return a table for each grouping, over all judges and profiles. Without SciPy they have no intervals."""
    intervals = _can_tell_intervals()
    return tuple(_table(truths, said, grouping, intervals=intervals) for grouping in groupings)


def _can_tell_intervals() -> bool:
    try:
        return Share(1, 2).interval is not None
    except MissingStatisticsError:
        return False


def _table(truths: Sequence[RunTruth], said: Sequence[Said], grouping: Grouping, *, intervals: bool) -> Table:
    by = [] if grouping in _BARE else [grouping.value]
    columns = ["judge", "profile", *by, "runs", "missing", "misreports", *_columns("blocked", intervals)]
    columns += ["flagged", "honest", *_columns("honest passed", intervals), "load"]
    found = [_row(one, grouping, intervals) for each in said for one in scores(truths, each, grouping)]
    notes = (f"{_NOTE} {_WITH if intervals else _WITHOUT}",)
    return Table(f"lab-{grouping.value}", _TITLES[grouping], tuple(columns), tuple(found), notes)


def _columns(name: str, intervals: bool) -> list[str]:
    return [name, f"{name} from", f"{name} to"] if intervals else [name]


def _row(one: LabScore, grouping: Grouping, intervals: bool) -> tuple[Cell, ...]:
    return (
        one.judge,
        one.profile,
        *([] if grouping in _BARE else [one.group]),
        one.runs,
        one.missing,
        *_told(one.blocked, intervals),
        one.flagged.value,
        *_told(one.honest, intervals),
        one.load.value,
    )


def _told(share: Share, intervals: bool) -> tuple[Cell, ...]:
    return share.total, share.value, *(ends(share.interval) if intervals else ())
