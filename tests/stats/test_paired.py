"""Paired tests, agreement and the bootstrap against independent implementations and naive enumeration."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from independent import binomial_test, holm_corrected, kappa, kappa_interval
from numpy.typing import NDArray

from tracewitness.stats.agreement import cohen
from tracewitness.stats.bootstrap import cluster_interval, cluster_sums, f1_of_sums
from tracewitness.stats.intervals import Interval
from tracewitness.stats.paired import Discordance, discordance, holm, mcnemar_exact

BOOLS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60)
LABELS = st.sampled_from(["SUCCESS", "FAILURE", "UNCLEAR"])


@given(BOOLS)
def test_discordance_counts_who_is_right_alone(pairs: list[tuple[bool, bool]]) -> None:
    found = discordance([a for a, _ in pairs], [b for _, b in pairs])
    assert found == Discordance(pairs.count((True, False)), pairs.count((False, True)))


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_test(first: int, second: int) -> None:
    p = mcnemar_exact(Discordance(first, second))
    expected = binomial_test(first, first + second) if first + second else 1.0
    assert p == pytest.approx(expected, rel=1e-9)


def test_mcnemar_by_enumeration() -> None:
    for first, second in ((3, 1), (5, 0), (2, 2), (7, 2)):
        sides = list(product((0, 1), repeat=first + second))
        extreme = sum(max(sum(side), len(side) - sum(side)) >= max(first, second) for side in sides)
        assert mcnemar_exact(Discordance(first, second)) == pytest.approx(extreme / len(sides))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_equals_that_of_statsmodels(p_values: list[float]) -> None:
    expected = holm_corrected(p_values) if p_values else []
    assert holm(p_values) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.tuples(LABELS, LABELS), min_size=2, max_size=60))
def test_kappa_equals_that_of_others(pairs: list[tuple[str, str]]) -> None:
    found = cohen(pairs)
    names = sorted({label for pair in pairs for label in pair})
    assert found.raw.hits == sum(a == b for a, b in pairs)
    if found.kappa is None:
        assert len(names) == 1
        return
    assert found.kappa == pytest.approx(kappa(pairs, names), abs=1e-9)
    table = [[sum(pair == (a, b) for pair in pairs) for b in names] for a in names]
    low, high = kappa_interval(table)
    if math.isnan(low) or high - low < 1e-5:  # no variance, or one that rounding made negative, tells nothing
        assert found.interval is None
        return
    assert found.interval is not None
    assert found.interval.low == pytest.approx(max(-1.0, low), abs=1e-6)
    assert found.interval.high == pytest.approx(min(1.0, high), abs=1e-6)


def test_kappa_of_nothing_and_of_one_label_alone_is_not_stated() -> None:
    assert cohen(list[tuple[str, str]]()).kappa is None
    assert cohen([("A", "A")] * 5).kappa is None
    assert cohen([("A", "B")]).interval is None
    assert cohen([("A", "A"), ("B", "B")] * 9).kappa == 1 and cohen([("A", "A"), ("B", "B")] * 9).interval is None


def test_where_every_draw_gives_the_same_there_is_no_interval() -> None:
    ones = np.ones((30, 2))
    assert cluster_interval(ones, range(30), mean, np.random.default_rng(1)) is None


def test_sums_of_clusters_add_up() -> None:
    counts = np.array([[1.0, 0.0], [2.0, 1.0], [4.0, 1.0]])
    assert cluster_sums(counts, [1, 0, 1]).tolist() == [[2.0, 1.0], [5.0, 1.0]]


def mean(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return sums[:, 0] / sums[:, 1]


def test_the_bootstrap_repeats_itself_with_the_same_chance() -> None:
    counts = np.column_stack([np.arange(40.0), np.ones(40)])
    found = [cluster_interval(counts, range(40), mean, np.random.default_rng(3)) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0] is not None and found[0].low < 19.5 < found[0].high


def test_the_bootstrap_covers_where_runs_of_a_task_hang_together() -> None:
    chance = np.random.default_rng(11)
    covered = 0
    for _ in range(200):
        tasks = np.repeat(np.arange(40), 5)
        values = np.repeat(chance.normal(size=40), 5) + chance.normal(scale=0.2, size=200)
        found = cluster_interval(np.column_stack([values, np.ones(200)]), tasks, mean, chance, draws=400)
        covered += found is not None and found.low <= 0 <= found.high
    assert covered >= 178


def naive_interval(counts: NDArray[np.float64], clusters: NDArray[np.int64], draws: int) -> Interval:
    """Draw tasks one by one, and add up their runs."""
    chance = np.random.default_rng(5)
    names = np.unique(clusters)
    values: list[float] = []
    for _ in range(draws):
        picked = chance.choice(names, len(names))
        sums = np.sum([counts[clusters == name].sum(axis=0) for name in picked], axis=0)
        values.append(float(f1_of_sums(sums[None, :])[0]))
    low, high = np.quantile(values, [0.025, 0.975])
    return Interval(float(low), float(high))


def detections(chance: np.random.Generator, tasks: int, per_task: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return hits, false alarms and misses of runs that hang together by task; hits and misses are as likely."""
    clusters = np.repeat(np.arange(tasks), per_task)
    positive = np.repeat(chance.random(tasks) < 0.4, per_task)
    found = np.repeat(chance.random(tasks), per_task) * 0.5 + chance.random(len(clusters)) * 0.5 < 0.5
    counts = np.column_stack([positive & found, ~positive & found, positive & ~found]).astype(np.float64)
    return counts, clusters


def test_drawing_kinds_of_tasks_is_drawing_tasks() -> None:
    counts, clusters = detections(np.random.default_rng(2), 30, 4)
    ours = cluster_interval(counts, clusters, f1_of_sums, np.random.default_rng(5), draws=4000)
    naive = naive_interval(counts, clusters, 4000)
    assert ours is not None
    assert ours.low == pytest.approx(naive.low, abs=0.02) and ours.high == pytest.approx(naive.high, abs=0.02)


def test_the_interval_of_f1_covers_where_runs_of_a_task_hang_together() -> None:
    chance = np.random.default_rng(8)
    every, _ = detections(chance, 200_000, 1)
    truth = float(f1_of_sums(every.sum(axis=0)[None, :])[0])
    covered = 0
    for _ in range(300):
        counts, clusters = detections(chance, 80, 3)
        found = cluster_interval(counts, clusters, f1_of_sums, chance, draws=400)
        covered += found is not None and found.low <= truth <= found.high
    # One that took the runs for independent witnesses covers 83 % here.
    assert covered / 300 >= 0.9


def test_one_cluster_or_too_few_positives_give_no_interval() -> None:
    ones = np.ones((5, 2))
    assert cluster_interval(ones, [0] * 5, mean, np.random.default_rng(1)) is None
    assert cluster_interval(np.zeros((0, 2)), [], mean, np.random.default_rng(1)) is None
    rare = np.zeros((50, 3))
    rare[0] = (1, 0, 0)
    assert cluster_interval(rare, range(50), f1_of_sums, np.random.default_rng(1)) is None


@settings(max_examples=50)
@given(st.lists(st.tuples(*[st.integers(0, 30)] * 3), min_size=1, max_size=8))
def test_f1_of_sums_is_f1(rows: list[tuple[int, int, int]]) -> None:
    found = f1_of_sums(np.array(rows, dtype=float))
    for one, (hits, false_alarms, misses) in zip(found, rows, strict=True):
        if hits + misses:
            assert one == pytest.approx(2 * hits / (2 * hits + false_alarms + misses))
        else:
            assert np.isnan(one)
