"""Tables of an experiment, apart from how they are written out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tracewitness.benchmark.comparing import Comparison
from tracewitness.benchmark.labels import PairAgreement
from tracewitness.benchmark.scores import GroupScore, Score
from tracewitness.stats.intervals import Interval, Share
from tracewitness.values.plurals import plural

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what it shows, its columns, its rows, and what has to be known to read it.

    Attributes:
        name: A short name, such as ``gating``; file names are made of it.
        title: What it shows.
        columns: The names of the columns.
        rows: The cells, row by row; None where a figure cannot be carried by the data.
        notes: Sentences below it.

    Raises:
        ValueError: Two columns have one name, so that a row written by column would lose a cell.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.columns)) < len(self.columns):
            raise ValueError(f"{self.name}: two columns have one name")


_INTERVALS = (
    "Intervals are 95 %: Wilson for shares; for F1 a bootstrap over tasks, or, where F1 is 0 or 1, Wilson's interval "
    "of the hits over tasks."
)


def detection_table(
    scores: Sequence[Score], name: str = "detection", title: str = "Automatic detection: FLAG counts as found"
) -> Table:
    """Return the view of automatic detection: FLAG is the positive prediction."""
    columns = ("method", "runs", "misreports", "flagged of them", "flagged others", "precision")
    return Table(
        name,
        title,
        (*columns, "precision from", "precision to", "recall", "recall from", "recall to", "F1", "F1 from", "F1 to"),
        tuple(_detection_row(one.method, one) for one in scores),
        (_INTERVALS, *_not_judged(scores)),
    )


def _detection_row(name: str, one: Score) -> tuple[Cell, ...]:
    found = one.detection
    return (
        name,
        one.runs,
        found.positives,
        found.hits,
        found.false_alarms,
        found.precision.value,
        *ends(found.precision.interval),
        found.recall.value,
        *ends(found.recall.interval),
        found.f1,
        *ends(one.f1_interval),
    )


def gating_table(
    scores: Sequence[Score], name: str = "gating", title: str = "Audit-stage gating: FLAG and REVIEW block"
) -> Table:
    """Return the view of audit-stage gating: FLAG and REVIEW block."""
    columns = ("method", "runs", "misreports", "blocked", "blocked share", "from", "to", "silent passes")
    return Table(
        name,
        title,
        (*columns, "silent-pass risk", "load", "load from", "load to", "load of stream"),
        tuple(_gating_row(one.method, one) for one in scores),
        (
            "load: share of the audited runs that a person has to look at; load of stream: the same of all runs "
            "before triage, for methods that judged all of them.",
            *_not_judged(scores),
        ),
    )


def _not_judged(scores: Sequence[Score]) -> Iterator[str]:
    """Say which methods did not judge every labelled run, so that nobody compares them by these figures alone."""
    for one in scores:
        if one.unjudged:
            yield (
                f"{one.method}: {one.unjudged} of the labelled runs were not judged and are in no figure of it; "
                f"see the paired comparison."
            )


def _gating_row(name: str, one: Score) -> tuple[Cell, ...]:
    blocked, stream = one.blocked_positives, one.load_of_stream
    return (
        name,
        one.runs,
        one.positives,
        blocked.hits,
        blocked.value,
        *ends(blocked.interval),
        one.silent_passes.hits,
        one.silent_passes.value,
        one.load.value,
        *ends(one.load.interval),
        stream.value if stream is not None else None,
    )


def group_table(name: str, title: str, scores: Iterable[tuple[str, GroupScore]]) -> Table:
    """Return scores by group: a method and a group each row."""
    precision, recall = ("precision", "precision from", "precision to"), ("recall", "recall from", "recall to")
    f1, blocked = ("F1", "F1 from", "F1 to"), ("blocked share", "from", "to", "silent passes")
    return Table(
        name,
        title,
        ("method", "group", "runs", "misreports", *precision, *recall, *f1, *blocked, "load", "load from", "load to"),
        tuple(_group_row(method, one) for method, one in scores),
        (_INTERVALS,),
    )


def _group_row(method: str, one: GroupScore) -> tuple[Cell, ...]:
    found, detection, blocked = one.score, one.score.detection, one.score.blocked_positives
    return (
        method,
        one.group,
        found.runs,
        found.positives,
        detection.precision.value,
        *ends(detection.precision.interval),
        detection.recall.value,
        *ends(detection.recall.interval),
        detection.f1,
        *ends(found.f1_interval),
        blocked.value,
        *ends(blocked.interval),
        found.silent_passes.hits,
        found.load.value,
        *ends(found.load.interval),
    )


def comparison_table(found: Sequence[Comparison]) -> Table:
    """Return the paired comparisons."""
    columns = ("first", "second", "runs", "only first right", "only second right", "p", "p (Holm)")
    return Table(
        "comparison",
        "Paired comparison on the same runs: FLAG for a misreport is right, and nothing else for another run",
        (*columns, "F1 difference", "from", "to"),
        tuple(
            (
                one.first,
                one.second,
                one.runs,
                one.discordance.first_only,
                one.discordance.second_only,
                one.p_value,
                one.corrected,
                one.f1_difference,
                *ends(one.interval),
            )
            for one in found
        ),
        (
            f"p: McNemar's exact test; Holm: corrected for {plural(len(found), 'comparison')}. The F1 difference has a "
            "paired bootstrap over tasks.",
        ),
    )


def agreement_table(found: Sequence[PairAgreement]) -> Table:
    """Return how far annotators agree."""
    columns = ("label", "first", "second", "runs", "agree", "agreement", "kappa", "from", "to")
    return Table(
        "agreement",
        "Agreement of annotators",
        columns,
        tuple(
            (
                one.axis.value,
                one.first,
                one.second,
                one.agreement.raw.total,
                one.agreement.raw.hits,
                one.agreement.raw.value,
                one.agreement.kappa,
                *ends(one.agreement.interval),
            )
            for one in found
        ),
    )


def ends(interval: Interval | None) -> Iterator[float | None]:
    """Yield the two ends of an interval; twice None without one."""
    yield interval.low if interval is not None else None
    yield interval.high if interval is not None else None


def share_cells(share: Share) -> tuple[Cell, ...]:
    """Return a share with its interval, as four cells."""
    return (share.hits, share.value, *ends(share.interval))
