"""Paired comparison of methods on the same runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.labelled import Flags, Labelled, Method
from tracewitness.benchmark.scores import SEED
from tracewitness.stats.bootstrap import cluster_interval, f1_of_sums
from tracewitness.stats.detection import f1_of
from tracewitness.stats.intervals import Interval
from tracewitness.stats.paired import Discordance, holm, mcnemar_exact

_LEAST = 2


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two methods on the runs that both judged.

    Attributes:
        first: One method.
        second: The other.
        runs: How many runs both judged.
        discordance: Runs on which exactly one is right (FLAG for a misreport, anything else for another run).
        p_value: Of McNemar's exact test.
        corrected: The same, corrected for the number of comparisons made together (Holm).
        f1_difference: F1 of the first less that of the second; None where it is not defined.
        interval: Its interval by a paired bootstrap over tasks; None where the data carry none.
    """

    first: str
    second: str
    runs: int
    discordance: Discordance
    p_value: float
    corrected: float
    f1_difference: float | None
    interval: Interval | None


def chosen(methods: Sequence[Method], names: Sequence[str]) -> tuple[Method, ...]:
    """Return the methods of some names, each once, in the order in which they were named.

    Args:
        methods: All methods.
        names: The name of each, or how the name of no other begins.

    Raises:
        BenchmarkError: A name is that of no method or could be that of several, or fewer than two methods are named.
    """
    found = {method.name: method for method in (_chosen(methods, name) for name in names)}
    if len(found) < _LEAST:
        raise BenchmarkError(f"a comparison needs two methods, named is {next(iter(found), 'none')!r} alone")
    return tuple(found.values())


def _chosen(methods: Sequence[Method], name: str) -> Method:
    whole = [method for method in methods if method.name == name]
    fitting = whole or [method for method in methods if name and method.name.startswith(name)]
    if len(fitting) != 1:
        problem = f"{name!r} could be several methods" if fitting else f"there is no method {name!r}"
        raise BenchmarkError(f"{problem}; there are {', '.join(repr(method.name) for method in fitting or methods)}")
    return fitting[0]


def compare(labelled: Labelled, methods: Sequence[Method], *, seed: int = SEED) -> tuple[Comparison, ...]:
    """Compare every two methods, and correct for the number of comparisons."""
    found = [_pair(labelled, first, second, seed) for first, second in combinations(methods, 2)]
    corrected = holm([one.p_value for one in found])
    return tuple(replace(one, corrected=p) for one, p in zip(found, corrected, strict=True))


def _pair(labelled: Labelled, first: Method, second: Method, seed: int) -> Comparison:
    both = first.judged & second.judged
    positive, one, two = labelled.misreport[both], first.flagged[both], second.flagged[both]
    first_right, second_right = one == positive, two == positive
    told = Discordance(int((first_right & ~second_right).sum()), int((second_right & ~first_right).sum()))
    counts = np.column_stack([_columns(positive, one), _columns(positive, two)])
    sums = counts.sum(axis=0)
    f1 = [f1_of(*map(float, sums[at : at + 3])) for at in (0, 3)]
    difference = f1[0] - f1[1] if f1[0] is not None and f1[1] is not None else None
    interval = _interval(counts, labelled.task[both], seed) if difference is not None else None
    p = mcnemar_exact(told)
    return Comparison(first.name, second.name, int(both.sum()), told, p, p, difference, interval)


def _columns(positive: Flags, predicted: Flags) -> NDArray[np.float64]:
    return np.column_stack([positive & predicted, ~positive & predicted, positive & ~predicted]).astype(np.float64)


def _interval(counts: NDArray[np.float64], tasks: NDArray[np.int32], seed: int) -> Interval | None:
    clusters = np.unique(tasks, return_inverse=True)[1]
    chance = np.random.default_rng(seed)
    return cluster_interval(counts, clusters, lambda sums: f1_of_sums(sums) - f1_of_sums(sums, 3), chance)
