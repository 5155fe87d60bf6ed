"""Tables of the views that go beyond scores: policies, calibration, residual, stability, what all is made of."""

from collections.abc import Sequence

from tracewitness.benchmark.calibrating import Calibration, Risk
from tracewitness.benchmark.frontier import Family, Point, undominated
from tracewitness.benchmark.reliability import Reliability
from tracewitness.benchmark.residual import Miss, Residual
from tracewitness.benchmark.stability import Stability
from tracewitness.benchmark.tables import Cell, Table, ends


def policies_table(found: Sequence[Point]) -> Table:
    """Return what each policy comes to on the same findings."""
    best = undominated(found)
    columns = ("found by", "policy", "varied", "level", "runs", "misreports", "flagged misreports")
    detection = ("precision", "precision from", "precision to", "F1", "F1 from", "F1 to")
    silent = ("silent passes", "silent-pass risk", "from", "to")
    load = ("load", "load from", "load to", "load of stream", "frontier")
    return Table(
        "policies",
        "Policies on the same findings",
        (*columns, *detection, "blocked", "blocked share", *silent, *load),
        tuple(_point_row(point, best=on) for point, on in zip(found, best, strict=True)),
        (
            "from, to: the 95 % interval of the silent-pass risk (Wilson). frontier: no other row has less load or "
            "fewer silent passes and no more of the other.",
            "level: labels that fewer runs of the vote gave, or that a smaller probability stands behind, are taken "
            "back to UNKNOWN or UNCLEAR. A share of votes is that of the runs that were asked before the vote stopped; "
            "audits with --every-run, or with --agree, tell how many of all runs agree.",
        ),
    )


def _point_row(point: Point, *, best: bool) -> tuple[Cell, ...]:
    one = point.score
    stream = one.load_of_stream
    return (
        point.finder,
        point.policy,
        point.family.value,
        _level(point),
        one.runs,
        one.positives,
        one.detection.hits,
        one.detection.precision.value,
        *ends(one.detection.precision.interval),
        one.detection.f1,
        *ends(one.f1_interval),
        one.blocked_positives.hits,
        one.blocked_positives.value,
        one.silent_passes.hits,
        one.silent_passes.value,
        *ends(one.silent_passes.interval),
        one.load.value,
        *ends(one.load.interval),
        stream.value if stream is not None else None,
        "yes" if best else "no",
    )


def _level(point: Point) -> Cell:
    level = point.level
    return None if level is None else int(level.least) if level.family is Family.VOTES else level.least


def residual_table(found: Sequence[Residual]) -> Table:
    """Return where the silent passes of each method come from."""
    return Table(
        "residual",
        "Silent passes, by what missed the misreport",
        ("method", "silent passes", *(miss.value for miss in Miss)),
        tuple((one.method, one.total, *(len(one.runs[miss]) for miss in Miss)) for one in found),
        (
            "claim side: with the claim of gold the policy would have blocked it. Not shown by the record: gold says "
            "that the trace does not show how the task ended; without such a label, people who saw the trace alone "
            "took it for done, or without such people the record has gaps. Trace side: all others.",
        ),
    )


def residual_runs_table(found: Sequence[Residual]) -> Table:
    """Return the silent passes run by run."""
    rows = tuple((one.method, miss.value, run) for one in found for miss in Miss for run in one.runs[miss])
    return Table("silent passes", "Silent passes, run by run", ("method", "missed by", "run"), rows)


def stability_table(found: Sequence[Stability]) -> Table:
    """Return how often one run agrees with the majority of its own vote."""
    columns = ("found by", "label", "votes", "without majority", "runs", "agree", "share", "from", "to")
    return Table(
        "stability",
        "How often one run agrees with its own majority",
        columns,
        tuple(
            (
                one.finder,
                one.subject,
                one.votes,
                one.without_majority,
                one.agreeing.total,
                one.agreeing.hits,
                one.agreeing.value,
                *ends(one.interval),
            )
            for one in found
        ),
        ("Of the runs that were asked: votes that stop early leave out runs that might have disagreed.",),
    )


def reliability_table(found: Sequence[Reliability]) -> Table:
    """Return how often methods are right over how sure they are."""
    columns = ("method", "confidence", "runs", "right", "share", "from", "to")
    return Table(
        "reliability",
        "How often right, over how sure",
        columns,
        tuple(
            (one.method, one.confidence, one.right.total, one.right.hits, one.right.value, *ends(one.right.interval))
            for one in found
        ),
        (
            "claim: the claim is that of gold, over the share of votes, or the probability, behind it. misreport: the "
            "run is one, over how likely the judge takes it to be.",
        ),
    )


def calibration_table(found: Calibration) -> Table:
    """Return every candidate with its risk on the calibration side."""
    columns = ("candidate", "misreports", "silent passes", "risk", "p", "tested at", "load", "keeps the promise")
    most, level = found.promise.most, 1 - found.confidence
    by_task = any(one.risk.by_task for one in found.tested)
    return Table(
        "calibration",
        f"Calibration: a silent-pass risk of at most {most:g} with confidence {found.promise.confidence:g}",
        (*columns, "chosen"),
        tuple(
            (
                one.point.method.name,
                one.risk.share.total,
                one.risk.share.hits,
                one.risk.mean,
                one.risk.p_value(most),
                level,
                one.point.score.load.value,
                "yes" if one.kept else "no",
                "yes" if one is found.chosen else "",
            )
            for one in found.tested
        ),
        ("Several misreports share a task, so the risk is averaged over tasks.",) if by_task else (),
    )


def check_table(found: Calibration, risk: Risk, load: float | None) -> Table:
    """Return how the chosen candidate does on the other side of the split."""
    columns = ("candidate", "misreports", "silent passes", "risk", "excluded from", "load", "holds")
    name = found.chosen.point.method.name if found.chosen is not None else ""
    bound = risk.upper_bound(found.promise.confidence) if risk.units else None
    held = "-" if risk.mean is None else "yes" if risk.mean <= found.promise.most else "no"
    row = (name, risk.share.total, risk.share.hits, risk.mean, bound, load, held)
    return Table(
        "check",
        "The other side of the split",
        columns,
        (row,),
        (
            f"holds: the risk seen here is at most {found.promise.most:g}. excluded from: higher risks are excluded "
            f"with confidence {found.promise.confidence:g} by this side alone.",
        ),
    )


def made_of_table(rows: Sequence[tuple[str, str]]) -> Table:
    """Return what an experiment is made of: digests, models, prompts, policies, seeds, counts, command."""
    return Table("made of", "What this is made of", ("what", "value"), tuple(rows))
