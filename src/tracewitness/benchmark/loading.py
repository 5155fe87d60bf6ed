"""Stored audits and gold, brought together: every problem is counted and named, and none is passed over."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tracewitness.benchmark.audited import Audited, audited_by_makers
from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.labelled import (
    CLAIMS,
    FLAG,
    NONE,
    NOT_KNOWN,
    PASS,
    REVIEW,
    UNSAID,
    Grouping,
    Groups,
    Labelled,
    Method,
    Truth,
    length_band,
    load_of,
    method_of,
    told_code,
)
from tracewitness.benchmark.labels import Gold, GoldSet
from tracewitness.findings.labels import Disposition
from tracewitness.store.run_rows import RunRow
from tracewitness.store.store import Store
from tracewitness.store.texts import to_column
from tracewitness.values.plurals import plural

CODES: Mapping[Disposition | None, int] = {
    Disposition.PASS: PASS,
    Disposition.REVIEW: REVIEW,
    Disposition.FLAG: FLAG,
    None: NONE,
}

NO_GOLD = "without a gold label"
NOT_TOLD = "of which nobody could tell whether they are misreports"
DISPUTED = "on which annotators disagree"
SUSPECT = "whose task or checker is suspect"
NOT_AUDITED = "that triage sorted out before the audit"
OTHER_SIDE = "on the other side of the split"
NOT_IN_SPLIT = "that the split does not name"


@dataclass(frozen=True, slots=True)
class Experiment:
    """Labelled runs, what each method says of them, and what was left out.

    Attributes:
        labelled: The runs.
        methods: The methods that stored audits make, by name.
        audited: The stored audits behind each method.
        gold: The labels.
        unknown: Labels for runs that no store holds.
        remarks: What a reader of the tables has to know, one line each.
    """

    labelled: Labelled
    methods: tuple[Method, ...]
    audited: tuple[Audited, ...]
    gold: GoldSet
    unknown: int = 0
    remarks: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Selection:
    """Which labelled runs are kept.

    Attributes:
        suspect: Keep runs whose task or checker is suspect, too.
        only: Keep these runs alone, such as a side of a split; None for all. All else is about these alone, too, such
            as the stream before triage.
        rest: The runs of the other side.
    """

    suspect: bool = False
    only: frozenset[str] | None = None
    rest: frozenset[str] = frozenset()


def load(stores: Sequence[Store], gold: GoldSet, selection: Selection = Selection()) -> Experiment:
    """Bring stored audits and labels together.

    Args:
        stores: The stores; each maker in each of them is a method.
        gold: The labels.
        selection: Which runs are kept.

    Raises:
        BenchmarkError: The stores hold no audit, no label fits any of them, or a task is on both sides of the split.
    """
    audited = audited_by_makers(stores)
    if not audited:
        raise BenchmarkError("the stores hold no audits; run 'tracewitness audit' first")
    wanted = {to_column(run): told for run, told in gold.runs.items()}
    rows: dict[str, RunRow] = {}
    for one in audited:
        for run, row in one.rows.items():
            rows.setdefault(run, row)
    kept, left_out = _sorted_out(rows, wanted, selection)
    unknown = len(wanted.keys() - rows.keys())
    if not kept:
        raise BenchmarkError(_nothing_fits(rows, wanted, left_out))
    if selection.only is not None:
        _check_tasks(rows, selection.only, selection.rest)
        audited = tuple(_on_side(one, selection.only) for one in audited)
        rows = {run: row for run, row in rows.items() if run in selection.only}
    targets = frozenset(run for run, row in rows.items() if row.disposition is not None)
    labelled = replace(_labelled(kept, wanted, left_out, len(rows)), targets=targets)
    methods = tuple(_method(one, labelled) for one in audited)
    return Experiment(labelled, methods, audited, gold, unknown, tuple(_remarks(labelled, unknown, audited)))


def _on_side(one: Audited, side: frozenset[str]) -> Audited:
    return replace(one, rows={run: row for run, row in one.rows.items() if run in side})


def _check_tasks(rows: Mapping[str, RunRow], side: frozenset[str], rest: frozenset[str]) -> None:
    """Refuse a split that has runs of one task on both sides: what is chosen on one is no check on the other."""
    tasks = {row.task_key: run for run, row in rows.items() if run in side and row.task_key}
    for run, row in rows.items():
        if run in rest and row.task_key is not None and row.task_key in tasks:
            pair = f"{tasks[row.task_key]!r} and {run!r}"
            raise BenchmarkError(f"the split has one task on both sides ({pair}); make it with 'bench split'")


def _sorted_out(
    rows: Mapping[str, RunRow], gold: Mapping[str, Gold], selection: Selection
) -> tuple[list[RunRow], Counter[str]]:
    kept: list[RunRow] = []
    left_out: Counter[str] = Counter()
    for run, row in rows.items():
        reason = _why_left_out(row, gold.get(run), selection)
        if reason is None:
            kept.append(row)
        else:
            left_out[reason] += 1
    return kept, left_out


def _why_left_out(row: RunRow, told: Gold | None, selection: Selection) -> str | None:
    if selection.only is not None and row.run_id not in selection.only:
        return OTHER_SIDE if row.run_id in selection.rest else NOT_IN_SPLIT
    if row.disposition is None:
        return NOT_AUDITED
    if told is None:
        return NO_GOLD
    if told.suspect and not selection.suspect:
        return SUSPECT
    if told.misreport is None:
        return DISPUTED if told.disputed else NOT_TOLD
    return None


def _labelled(kept: Sequence[RunRow], gold: Mapping[str, Gold], left_out: Mapping[str, int], stream: int) -> Labelled:
    told = [gold[row.run_id] for row in kept]
    tasks = {key: at for at, key in enumerate(dict.fromkeys(row.task_key or row.run_id for row in kept))}
    groups = {
        Grouping.TASK_CLASS: Groups.of([row.task_class.value for row in kept]),
        Grouping.AGENT: Groups.of([row.agent or NOT_KNOWN for row in kept]),
        Grouping.SOURCE: Groups.of([row.source or NOT_KNOWN for row in kept]),
        Grouping.LANGUAGE: Groups.of([row.language or NOT_KNOWN for row in kept]),
        Grouping.LENGTH: Groups.of([length_band(row.steps) for row in kept]),
    }
    return Labelled(
        tuple(row.run_id for row in kept),
        np.array([one.misreport is True for one in told], dtype=np.bool_),
        _truth(told),
        np.array([tasks[row.task_key or row.run_id] for row in kept], dtype=np.int32),
        groups,
        dict(left_out),
        stream,
    )


def _truth(told: Sequence[Gold]) -> Truth:
    places = {claim: at for at, claim in enumerate(CLAIMS)}
    return Truth(
        np.array([told_code(one.completed) for one in told], dtype=np.int8),
        np.array([UNSAID if one.claim is None else places[one.claim] for one in told], dtype=np.int8),
        np.array([told_code(one.visible) for one in told], dtype=np.int8),
    )


def _method(one: Audited, labelled: Labelled) -> Method:
    said = {run: CODES[row.disposition] for run, row in one.rows.items()}
    # Each store is a stream of its own: another one may hold more runs.
    stream = load_of(sum(code >= REVIEW for code in said.values()), len(one.rows))
    return replace(method_of(one.name, labelled, said), in_stream=stream)


def _remarks(labelled: Labelled, unknown: int, audited: Sequence[Audited]) -> Iterator[str]:
    for reason, count in sorted(labelled.left_out.items()):
        yield f"{plural(count, 'run')} left out {reason}"
    if unknown:
        yield f"{plural(unknown, 'label')} for runs that no store holds"
    if ids := max(one.shared_ids for one in audited):
        yield f"{plural(ids, 'run id')} shared by runs of different content; the run audited last counts"
    if not labelled.positives:
        yield "no run is a dangerous misreport, so nothing can be said of recall, F1 or silent passes"
    elif labelled.positives == len(labelled):
        yield "every run is a dangerous misreport, so nothing can be said of false alarms"


def _nothing_fits(rows: Mapping[str, RunRow], gold: Mapping[str, Gold], left_out: Counter[str]) -> str:
    if not rows.keys() & gold.keys():
        run, label = next(iter(rows), "none"), next(iter(gold), "none")
        return f"no label fits a stored run (a run is called {run!r}, a label is for {label!r})"
    reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.most_common())
    return f"no labelled run is left ({reasons})"
