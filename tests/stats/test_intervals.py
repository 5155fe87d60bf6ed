"""Intervals against independent implementations, and their coverage by simulation."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from independent import proportion_interval

from tracewitness.stats.detection import Detection, f1_of, precision_implied
from tracewitness.stats.intervals import Share, clopper_pearson, paired_difference, upper_bound, wilson

SHARES = st.integers(1, 400).flatmap(lambda n: st.builds(Share, st.integers(0, n), st.just(n)))
CONFIDENCE = st.floats(0.5, 0.999)
COUNTS = st.integers(0, 200)


@settings(deadline=None)
@given(SHARES, CONFIDENCE)
def test_intervals_of_a_share_equal_those_of_statsmodels(share: Share, confidence: float) -> None:
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "beta")):
        found = ours(share, confidence)
        low, high = proportion_interval(share.hits, share.total, confidence, method)
        assert found is not None
        assert found.low == pytest.approx(low, abs=1e-9)
        assert found.high == pytest.approx(high, abs=1e-9)
        assert 0 <= found.low <= share.hits / share.total <= found.high <= 1


@settings(deadline=None)
@given(SHARES, CONFIDENCE)
def test_the_upper_bound_solves_its_equation(share: Share, confidence: float) -> None:
    bound = upper_bound(share, confidence)
    if share.hits == share.total:
        assert bound == 1
        return
    at_most = sum(
        math.comb(share.total, k) * bound**k * (1 - bound) ** (share.total - k) for k in range(share.hits + 1)
    )
    assert at_most == pytest.approx(1 - confidence, rel=1e-6)


def test_an_empty_total_carries_nothing() -> None:
    none = Share(0, 0)
    assert (none.value, none.interval, wilson(none), clopper_pearson(none)) == (None, None, None, None)
    assert upper_bound(none) == 1
    assert paired_difference(0, 0, 0, 0) is None


@pytest.mark.parametrize(("hits", "total"), [(-1, 3), (4, 3), (1, 0)])
def test_counts_that_are_none_are_refused(hits: int, total: int) -> None:
    with pytest.raises(ValueError, match="expected 0 <= hits <= total"):
        Share(hits, total)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1.0, 2.0, float("nan")])
def test_a_confidence_that_is_none_is_refused(confidence: float) -> None:
    for interval in (wilson, clopper_pearson, upper_bound):
        with pytest.raises(ValueError, match="confidence"):
            interval(Share(1, 2), confidence)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_a_paired_difference_holds_the_difference_and_turns_its_sign_with_the_methods(
    both: int, first: int, second: int, neither: int
) -> None:
    found, turned = paired_difference(both, first, second, neither), paired_difference(both, second, first, neither)
    if found is None or turned is None:
        return
    difference = (first - second) / (both + first + second + neither)
    assert -1 <= found.low <= difference + 1e-12 and difference - 1e-12 <= found.high <= 1
    assert (found.low, found.high) == pytest.approx((-turned.high, -turned.low))


@pytest.mark.parametrize("chances", [(0.5, 0.2, 0.05, 0.25), (0.1, 0.3, 0.3, 0.3), (0.8, 0.1, 0.02, 0.08)])
@pytest.mark.parametrize("size", [30, 100])
def test_paired_differences_cover(chances: tuple[float, ...], size: int) -> None:
    chance = np.random.default_rng(5)
    truth = chances[1] - chances[2]
    tables = chance.multinomial(size, chances, size=2000)
    found = [paired_difference(*(int(count) for count in table)) for table in tables]
    assert sum(one is not None and one.low <= truth <= one.high for one in found) / len(found) >= 0.935


@pytest.mark.parametrize("share", [0.02, 0.2, 0.5])
def test_exact_intervals_cover_at_least_as_often_as_they_say(share: float) -> None:
    chance = np.random.default_rng(6)
    hits = chance.binomial(60, share, size=4000)
    exact = [clopper_pearson(Share(int(count), 60)) for count in hits]
    assert sum(one is not None and one.low <= share <= one.high for one in exact) / len(exact) >= 0.945
    bounds = [upper_bound(Share(int(count), 60)) >= share for count in hits]
    assert sum(bounds) / len(bounds) >= 0.94


@given(COUNTS, COUNTS, COUNTS, COUNTS)
@example(1, 0, 2, 0)  # its precision of 1 comes out as a little more by rounding
def test_rates_follow_from_the_counts(hits: int, false_alarms: int, misses: int, rejections: int) -> None:
    found = Detection(hits, false_alarms, misses, rejections)
    precision, recall, f1 = found.precision.value, found.recall.value, found.f1
    if precision is None or recall is None or precision + recall == 0:
        assert f1 is None or f1 == 0
        return
    assert f1 == pytest.approx(2 * precision * recall / (precision + recall))
    if recall > 0 and f1 is not None:
        assert precision_implied(f1, recall) == pytest.approx(precision)


def test_without_positives_there_is_no_f1_and_an_impossible_one_implies_nothing() -> None:
    assert f1_of(0, 3, 0) is None
    assert precision_implied(0.9, 0.4) is None
