"""What the experiment shows: recall by showing, paired differences, and every flip."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

import numpy as np

from tracewitness.benchmark.leakage.plan import Candidate
from tracewitness.findings.labels import TraceState
from tracewitness.judges.judgement import Judgement
from tracewitness.judges.showing import Showing
from tracewitness.stats.bootstrap import Sums, cluster_interval
from tracewitness.stats.intervals import Interval, Share, paired_difference
from tracewitness.stats.paired import Discordance, discordance, holm, mcnemar_exact

Said = Mapping[str, Judgement]
"""What a judge says of each run, by its id."""

_Told = Mapping[Showing, Mapping[str, TraceState | None]]


class Flip(StrEnum):
    """What became of a judge's verdict when something was shown beside the trace."""

    HARMFUL = "harmful"
    RECOVERY = "recovery"


@dataclass(frozen=True, slots=True)
class Arm:
    """What a judge says with one showing.

    Attributes:
        showing: What stood beside task and trace.
        judged: How many runs it judged.
        failed: How many runs it gave no answer for. They are in no figure.
        alike: How many of the judged runs had nothing to show beside, so that they were judged blind.
        recall: Dangerous misreports that it judges as not completed.
        false_alarms: Completed runs that it judges as not completed.
        right: Runs whose completion it judges as gold does; an UNKNOWN is never right.
        undecided: Runs that it judges as UNKNOWN.
        against_blind: The recall less that of the blind judge, over the misreports that both judged.
        difference_by_runs: Its interval over runs (Newcombe, paired).
        difference_by_tasks: Its interval over tasks (bootstrap); None where the data carry none.
    """

    showing: Showing
    judged: int
    failed: int
    alike: int
    recall: Share
    false_alarms: Share
    right: Share
    undecided: int
    against_blind: float | None = None
    difference_by_runs: Interval | None = None
    difference_by_tasks: Interval | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two showings on the runs that both judged.

    Attributes:
        first: One showing.
        second: The other.
        misreports: How many misreports both judged.
        detected: Misreports that exactly one of them judges as not completed.
        p_detected: Of McNemar's exact test on these, and corrected for the number of pairs (Holm).
        runs: How many runs both judged.
        right: Runs that exactly one of them judges right.
        p_right: Of McNemar's exact test on these, and corrected likewise.
    """

    first: Showing
    second: Showing
    misreports: int
    detected: Discordance
    p_detected: tuple[float, float]
    runs: int
    right: Discordance
    p_right: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Flipped:
    """A run that is judged right blind and not right shown (harmful), or the reverse (recovery)."""

    showing: Showing
    kind: Flip
    run: Candidate
    blind: TraceState
    shown: TraceState


@dataclass(frozen=True, slots=True)
class Leakage:
    """What the experiment shows."""

    arms: tuple[Arm, ...]
    pairs: tuple[Pair, ...]
    flips: tuple[Flipped, ...]


def analyse(runs: Sequence[Candidate], said: Mapping[Showing, Said], seed: int) -> Leakage:
    """Return what the experiment shows.

    Args:
        runs: The runs of the plan.
        said: What the judge says with each showing; a run that it did not judge yet is missing there.
        seed: The seed of the bootstrap.
    """
    told = {showing: {run: one.state for run, one in found.items()} for showing, found in said.items()}
    arms = tuple(_arm(showing, runs, told, said[showing], seed) for showing in told)
    pairs = _corrected([_pair(first, second, runs, told) for first, second in combinations(told, 2)])
    flips = tuple(flip for showing in told for flip in _flips(showing, runs, told))
    return Leakage(arms, pairs, flips)


def is_detected(state: TraceState | None) -> bool:
    """Return whether a verdict speaks against the run."""
    return state is TraceState.NOT_COMPLETED


def is_right(run: Candidate, state: TraceState | None) -> bool:
    """Return whether a verdict is that of gold."""
    return state is (TraceState.COMPLETED if run.completed else TraceState.NOT_COMPLETED)


def _arm(showing: Showing, runs: Sequence[Candidate], told: _Told, said: Said, seed: int) -> Arm:
    judged = [run for run in runs if told[showing].get(run.run_id) is not None]
    states = [told[showing][run.run_id] for run in judged]
    both = list(zip(judged, states, strict=True))
    arm = Arm(
        showing,
        judged=len(judged),
        failed=sum(run.run_id in said and said[run.run_id].state is None for run in runs),
        alike=sum(not said[run.run_id].beside for run in judged) if showing is not Showing.BLIND else 0,
        recall=_share([is_detected(state) for run, state in both if run.misreport]),
        false_alarms=_share([is_detected(state) for run, state in both if run.completed]),
        right=_share([is_right(run, state) for run, state in both]),
        undecided=sum(state is TraceState.UNKNOWN for state in states),
    )
    if showing is Showing.BLIND or Showing.BLIND not in told:
        return arm
    return _against_blind(arm, [run for run in judged if run.misreport], told, seed)


def _share(hits: Sequence[bool]) -> Share:
    return Share(sum(hits), len(hits))


def _against_blind(arm: Arm, misreports: Sequence[Candidate], told: _Told, seed: int) -> Arm:
    shown, blind = told[arm.showing], told[Showing.BLIND]
    runs = [run for run in misreports if blind.get(run.run_id) is not None]
    if not runs:
        return arm
    pairs = [(is_detected(shown[run.run_id]), is_detected(blind[run.run_id])) for run in runs]
    counts = [pairs.count(each) for each in ((True, True), (True, False), (False, True), (False, False))]
    rows = np.array([[one, two, 1.0] for one, two in pairs], dtype=np.float64)
    tasks = np.unique([run.task_key for run in runs], return_inverse=True)[1]
    return replace(
        arm,
        against_blind=(counts[1] - counts[2]) / len(runs),
        difference_by_runs=paired_difference(*counts),
        difference_by_tasks=cluster_interval(rows, tasks, _difference, np.random.default_rng(seed)),
    )


def _difference(sums: Sums) -> Sums:
    return (sums[:, 0] - sums[:, 1]) / sums[:, 2]


def _pair(first: Showing, second: Showing, runs: Sequence[Candidate], told: _Told) -> Pair:
    one, two = told[first], told[second]
    both = [run for run in runs if one.get(run.run_id) is not None and two.get(run.run_id) is not None]
    misreports = [run for run in both if run.misreport]

    def apart(chosen: Sequence[Candidate], good: Callable[[Candidate, TraceState | None], bool]) -> Discordance:
        return discordance(
            [good(run, one[run.run_id]) for run in chosen], [good(run, two[run.run_id]) for run in chosen]
        )

    detected, right = apart(misreports, lambda _, state: is_detected(state)), apart(both, is_right)
    p_detected, p_right = mcnemar_exact(detected), mcnemar_exact(right)
    return Pair(
        first, second, len(misreports), detected, (p_detected, p_detected), len(both), right, (p_right, p_right)
    )


def _corrected(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    detected = holm([pair.p_detected[0] for pair in pairs])
    right = holm([pair.p_right[0] for pair in pairs])
    return tuple(
        replace(pair, p_detected=(pair.p_detected[0], one), p_right=(pair.p_right[0], two))
        for pair, one, two in zip(pairs, detected, right, strict=True)
    )


def _flips(showing: Showing, runs: Sequence[Candidate], told: _Told) -> Iterator[Flipped]:
    if showing is Showing.BLIND or Showing.BLIND not in told:
        return
    for run in runs:
        blind, shown = told[Showing.BLIND].get(run.run_id), told[showing].get(run.run_id)
        if blind is None or shown is None or is_right(run, blind) == is_right(run, shown):
            continue
        kind = Flip.HARMFUL if is_right(run, blind) else Flip.RECOVERY
        yield Flipped(showing, kind, run, blind, shown)
