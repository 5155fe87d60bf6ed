"""Promises about a risk: exact, kept in simulation, refused where the labels cannot carry them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.stats.intervals import Share, upper_bound
from tracewitness.stats.risk import Promise, kept_in_sequence, kept_of_all, least_positives, p_value

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
    assert kept_in_sequence([Share(0, 58)], PROMISE) == 0
    assert kept_in_sequence([Share(0, 59)], PROMISE) == 1


def test_a_sequence_ends_at_the_first_that_fails() -> None:
    good, bad = Share(0, 100), Share(20, 100)
    assert kept_in_sequence([good, good, bad, good], PROMISE) == 2
    assert kept_in_sequence([], PROMISE) == 0
    assert kept_of_all([good, bad, good], Promise(0.05, 0.9)) == (0, 2)


@pytest.mark.parametrize("in_sequence", [True, False])
def test_promises_are_kept_in_simulation(in_sequence: bool) -> None:
    """The risks of the choices rise through the promised one; what is kept breaks it in at most 5 of 100 draws."""
    chance = np.random.default_rng(4)
    risks = [0.01 * number for number in range(1, 13)]
    broken = 0
    for _ in range(2000):
        observed = [Share(int(chance.binomial(150, risk)), 150) for risk in risks]
        kept = range(kept_in_sequence(observed, PROMISE)) if in_sequence else kept_of_all(observed, PROMISE)
        broken += any(risks[at] > PROMISE.most for at in kept)
    assert broken / 2000 <= 0.055


@pytest.mark.parametrize(("most", "confidence"), [(0, 0.9), (1, 0.9), (0.1, 0), (0.1, 1), (float("nan"), 0.9)])
def test_a_promise_that_is_none_is_refused(most: float, confidence: float) -> None:
    with pytest.raises(ValueError, match="expected above 0 and below 1"):
        Promise(most, confidence)
