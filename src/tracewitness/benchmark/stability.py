"""How often one run of a model agrees with the majority of its own runs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from tracewitness.asking.vote import Ballots
from tracewitness.benchmark.scores import SEED
from tracewitness.stats.bootstrap import Sums, cluster_interval
from tracewitness.stats.intervals import Interval, Share

_LEAST_RUNS = 2


@dataclass(frozen=True, slots=True)
class Stability:
    """How steady the votes on one subject were.

    Attributes:
        finder: Who was asked.
        subject: What was voted on: ``claim``, the name of a field, ``answer``.
        votes: How many votes there were, of two runs and more.
        without_majority: In how many of them no label had more than half of the runs that were asked.
        agreeing: Runs that agree with the majority of their vote, of all runs of the votes with one.
        interval: Its interval by a bootstrap over tasks; None where the data carry none.
    """

    finder: str
    subject: str
    votes: int
    without_majority: int
    agreeing: Share
    interval: Interval | None


@dataclass(slots=True)
class _Tally:
    """Counts of one subject: runs that agree and all runs, for each vote, with its task."""

    tasks: list[int] = field(default_factory=list[int])
    counts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    without: int = 0


def stability(
    finder: str, votes: Iterable[tuple[int, tuple[Ballots, ...]]], *, seed: int = SEED
) -> Iterator[Stability]:
    """Yield the stability of each subject, in the order in which they were met.

    Args:
        finder: Who was asked.
        votes: The task of each audit, as a number, and its votes; those of one run, and weighed ones, tell nothing.
        seed: The seed of the bootstrap.
    """
    for subject, tally in _tallied(votes).items():
        agreeing, runs = (sum(counts[at] for counts in tally.counts) for at in (0, 1))
        clusters = np.unique(tally.tasks, return_inverse=True)[1]
        counts = np.array(tally.counts, dtype=np.float64).reshape(-1, 2)
        interval = cluster_interval(counts, clusters, _share, np.random.default_rng(seed))
        votes_held = len(tally.counts) + tally.without
        yield Stability(finder, subject, votes_held, tally.without, Share(agreeing, runs), interval)


def _tallied(votes: Iterable[tuple[int, tuple[Ballots, ...]]]) -> Mapping[str, _Tally]:
    found: dict[str, _Tally] = {}
    for task, ballots in votes:
        for one in ballots:
            if one.probabilities or len(one.labels) < _LEAST_RUNS:
                continue
            tally = found.setdefault(one.subject, _Tally())
            most = max(Counter(one.labels).values())
            if most * 2 > len(one.labels):
                tally.tasks.append(task)
                tally.counts.append((most, len(one.labels)))
            else:
                tally.without += 1
    return found


def _share(sums: Sums) -> Sums:
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums[:, 0] / sums[:, 1]
