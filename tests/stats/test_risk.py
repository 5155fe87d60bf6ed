"""Promises about a risk: exact, kept in simulation, refused where the labels cannot carry them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from independent import rarely_more

from tracewitness.stats.intervals import Share, upper_bound
from tracewitness.stats.risk import (
    Promise,
    bounded_p_value,
    kept_in_sequence,
    least_for_rate,
    least_positives,
    p_value,
)

PROMISE = Promise(0.05, 0.95)


@settings(deadline=None)
@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.5))
def test_a_promise_is_kept_exactly_where_the_upper_bound_allows_it(counts: tuple[int, int], most: float) -> None:
    share = Share(*counts)
    level = p_value(share, most)
    if abs(level - 0.05) > 1e-9:
        assert (level <= 0.05) == (upper_bound(share, 0.95) <= most)


@settings(deadline=None)
@given(st.floats(0.005, 0.6), st.floats(0.5, 0.999), st.integers(1, 20))
def test_the_least_number_of_positives_is_the_least(most: float, confidence: float, choices: int) -> None:
    promise = Promise(most, confidence)
    least = least_positives(promise, choices)
    level = (1 - confidence) / choices
    assert p_value(Share(0, least), most) <= level * (1 + 1e-9)
    assert least == 1 or p_value(Share(0, least - 1), most) > level


def test_five_percent_needs_fifty_nine() -> None:
    assert least_positives(PROMISE) == 59
    assert p_value(Share(0, 58), 0.05) > 0.05 >= p_value(Share(0, 59), 0.05)


def test_a_sequence_ends_at_the_first_that_fails() -> None:
    assert kept_in_sequence([0.01, 0.05, 0.2, 0.01], 0.05) == 2
    assert kept_in_sequence([], 0.05) == 0
    assert kept_in_sequence([0.01, 0.02], 0.05) == 2


@pytest.mark.parametrize("sequences", [1, 4])
def test_promises_are_kept_in_simulation(sequences: int) -> None:
    """The risks of the choices rise through the promised one; what is kept breaks it no more often than is allowed."""
    chance = np.random.default_rng(4)
    risks = [0.01 * number for number in range(1, 13)]
    draws, broken = 2000, 0
    for _ in range(draws):
        for _ in range(sequences):
            p_values = [p_value(Share(int(chance.binomial(150, risk)), 150), PROMISE.most) for risk in risks]
            kept = kept_in_sequence(p_values, (1 - PROMISE.confidence) / sequences)
            if any(risk > PROMISE.most for risk in risks[:kept]):
                broken += 1
                break
    assert broken <= rarely_more(draws, 1 - PROMISE.confidence)


@settings(deadline=None)
@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.6))
def test_bounds_for_averages_are_never_below_the_exact_test_of_zeros_and_ones(
    counts: tuple[int, int], most: float
) -> None:
    hits, units = counts
    bound = bounded_p_value(hits / units, units, most)
    exact = p_value(Share(hits, units), most)
    assert 0 <= bound <= 1
    if hits / units < most:
        assert bound >= exact - 1e-12
        assert bound <= math.e * exact + 1e-9
    if hits == 0:
        assert bound == pytest.approx((1 - most) ** units)


@pytest.mark.parametrize("spread", [0.5, 2.0])
def test_averages_of_any_values_keep_their_level(spread: float) -> None:
    chance = np.random.default_rng(9)
    draws, most = 2000, 0.1
    means = chance.beta(spread * most, spread * (1 - most), size=(draws, 80)).mean(axis=1)
    refused = sum(bounded_p_value(float(mean), 80, most) <= 0.05 for mean in means)
    assert refused <= rarely_more(draws, 0.05)


@settings(deadline=None, max_examples=40)
@given(st.floats(0, 0.04), st.integers(1, 6))
def test_the_number_named_for_a_rate_is_enough(rate: float, choices: int) -> None:
    needed = least_for_rate(rate, PROMISE, choices)
    level = (1 - PROMISE.confidence) / choices
    assert needed is not None and needed >= least_positives(PROMISE, choices)
    assert p_value(Share(math.ceil(rate * needed), needed), PROMISE.most) <= level


def test_no_number_is_enough_where_the_rate_is_that_of_the_promise() -> None:
    assert least_for_rate(0.05, PROMISE) is None
    assert bounded_p_value(0.0, 0, 0.1) == bounded_p_value(0.2, 100, 0.1) == 1.0


@pytest.mark.parametrize(("most", "confidence"), [(0, 0.9), (1, 0.9), (0.1, 0), (0.1, 1), (float("nan"), 0.9)])
def test_a_promise_that_is_none_is_refused(most: float, confidence: float) -> None:
    with pytest.raises(ValueError, match="expected above 0 and below 1"):
        Promise(most, confidence)
