"""Stored audits and gold, brought together: every problem is counted and named, and none is passed over."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.labelled import (
    FLAG,
    NONE,
    NOT_KNOWN,
    PASS,
    REVIEW,
    Grouping,
    Groups,
    Labelled,
    Method,
    length_band,
    method_of,
)
from tracewitness.benchmark.labels import Gold, GoldSet
from tracewitness.findings.labels import Claim, Disposition, Triage
from tracewitness.store.finding import RecordFilter
from tracewitness.store.record import Makers
from tracewitness.store.run_rows import RunRow, run_rows
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


@dataclass(frozen=True, slots=True)
class Audited:
    """The latest audits of one store by one maker.

    Attributes:
        name: What the maker is called in tables.
        rows: Its runs, by id.
        makers: Who it is.
    """

    name: str
    rows: Mapping[str, RunRow]
    makers: Makers


@dataclass(frozen=True, slots=True)
class Experiment:
    """Labelled runs, what each method says of them, and what was left out.

    Attributes:
        labelled: The runs.
        methods: The methods that stored audits make, by name.
        audited: The stored audits behind each method.
        gold: The labels.
        unknown: Labels for runs that no store holds.
    """

    labelled: Labelled
    methods: tuple[Method, ...]
    audited: tuple[Audited, ...]
    gold: GoldSet
    unknown: int = 0
    remarks: tuple[str, ...] = field(default=())


def load(stores: Sequence[Store], gold: GoldSet, *, suspect: bool = False) -> Experiment:
    """Bring stored audits and labels together.

    Args:
        stores: The stores; each maker in each of them is a method.
        gold: The labels.
        suspect: Keep runs whose task or checker is suspect, too.

    Raises:
        BenchmarkError: The stores hold no audit, or no label fits any of them.
    """
    audited = tuple(found for store in stores for found in _by_maker(store))
    if not audited:
        raise BenchmarkError("the stores hold no audits; run 'tracewitness audit' first")
    wanted = {to_column(run): told for run, told in gold.runs.items()}
    rows: dict[str, RunRow] = {}
    for one in audited:
        for run, row in one.rows.items():
            rows.setdefault(run, row)
    kept, left_out = _sorted_out(rows, wanted, suspect=suspect)
    unknown = len(wanted.keys() - rows.keys())
    if not kept:
        raise BenchmarkError(_nothing_fits(rows, wanted, left_out))
    labelled = _labelled(kept, wanted, left_out, len(rows))
    methods = tuple(_method(one, labelled) for one in audited)
    return Experiment(labelled, methods, audited, gold, unknown, tuple(_remarks(labelled, unknown)))


def _by_maker(store: Store) -> Iterator[Audited]:
    makers: dict[str, dict[str, RunRow]] = {}
    for row in run_rows(store, RecordFilter()):
        makers.setdefault(row.makers_key, {})[row.run_id] = row
    told = {key: store.get(next(iter(rows.values())).record_id).makers for key, rows in makers.items()}
    joined: dict[str, Audited] = {}
    for key, rows in makers.items():
        name = maker_name(told[key])
        before = joined.get(name)
        # Formats and encodings make makers of their own; in tables they are one method.
        joined[name] = Audited(name, {**before.rows, **rows} if before else rows, told[key])
    yield from joined.values()


def maker_name(makers: Makers) -> str:
    """Return what a maker is called in tables: who extracts, the models, the policy."""
    models = sorted({used.model for used in makers.models})
    by = f" by {', '.join(models)}" if models else ""
    return f"{makers.extractor}{by} ({makers.policy_name})"


def _sorted_out(
    rows: Mapping[str, RunRow], gold: Mapping[str, Gold], *, suspect: bool
) -> tuple[list[RunRow], Counter[str]]:
    kept: list[RunRow] = []
    left_out: Counter[str] = Counter()
    for run, row in rows.items():
        reason = _why_left_out(row, gold.get(run), suspect=suspect)
        if reason is None:
            kept.append(row)
        else:
            left_out[reason] += 1
    return kept, left_out


def _why_left_out(row: RunRow, told: Gold | None, *, suspect: bool) -> str | None:
    if row.disposition is None:
        return NOT_AUDITED
    if told is None:
        return NO_GOLD
    if told.suspect and not suspect:
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
        np.array([one.claim is Claim.SUCCESS for one in told], dtype=np.bool_),
        np.array([tasks[row.task_key or row.run_id] for row in kept], dtype=np.int32),
        groups,
        dict(left_out),
        stream,
    )


def _method(one: Audited, labelled: Labelled) -> Method:
    return method_of(one.name, labelled, {run: CODES[row.disposition] for run, row in one.rows.items()})


def targets(rows: Iterable[RunRow]) -> int:
    """Return how many runs are audit targets."""
    return sum(row.triage is Triage.AUDIT_TARGET for row in rows)


def _remarks(labelled: Labelled, unknown: int) -> Iterator[str]:
    for reason, count in sorted(labelled.left_out.items()):
        yield f"{plural(count, 'run')} left out {reason}"
    if unknown:
        yield f"{plural(unknown, 'label')} for runs that no store holds"
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
