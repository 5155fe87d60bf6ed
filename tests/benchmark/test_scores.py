"""Scores against scikit-learn and against the arithmetic of the publication."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from independent import f1_and_others
from labelled_samples import counted, labelled, method

from tracewitness.benchmark.comparing import compare
from tracewitness.benchmark.labelled import FLAG, NONE, PASS, REVIEW, Grouping, length_band, method_of
from tracewitness.benchmark.scores import by_group, leaving_out, score
from tracewitness.stats.detection import precision_implied
from tracewitness.stats.paired import mcnemar_exact

CODES = st.sampled_from([PASS, REVIEW, FLAG, NONE])
CASES = st.lists(st.tuples(st.booleans(), CODES, CODES), min_size=1, max_size=60)


@settings(deadline=None, max_examples=60)
@given(CASES)
def test_both_views_equal_those_of_scikit_learn(cases: list[tuple[bool, int, int]]) -> None:
    truth, said = labelled([case[0] for case in cases]), method("m", [case[1] for case in cases])
    found = score(truth, said, intervals=False)
    judged = [(positive, code) for positive, code, _ in cases if code != NONE]
    assert (found.runs, found.unjudged) == (len(judged), len(cases) - len(judged))
    for counts, least in ((found.detection, FLAG), (found.gating, REVIEW)):
        if not judged:
            assert counts.total == 0
            continue
        precision, recall, f1 = f1_and_others([p for p, _ in judged], [code >= least for _, code in judged])
        assert (counts.precision.value or 0.0) == pytest.approx(precision)
        assert (counts.recall.value or 0.0) == pytest.approx(recall)
        assert (counts.f1 or 0.0) == pytest.approx(f1)
    assert found.silent_passes.hits + found.blocked_positives.hits == found.positives
    assert found.load.hits == sum(code >= REVIEW for _, code in judged)


# The publication's counts: records, positives, blocked positives, load in whole percent, silent passes.
PUBLISHED = [
    ("qwen", 465, 180, 138, 48, 42),
    ("deepseek", 465, 180, 159, 56, 21),
    ("qwen, batch 2", 130, 50, 37, 45, 13),
    ("deepseek, batch 2", 130, 50, 45, 54, 5),
]


@pytest.mark.parametrize(("name", "runs", "positives", "blocked", "load", "silent"), PUBLISHED)
def test_the_publication_s_counts_give_its_rates(
    name: str, runs: int, positives: int, blocked: int, load: int, silent: int
) -> None:
    truth, said = counted(positives, blocked, runs, round(runs * load / 100))
    found = score(truth, said, intervals=False)
    assert (found.blocked_positives.hits, found.silent_passes.hits) == (blocked, silent)
    assert round(100 * (found.load.value or 0)) == load
    assert 74 <= round(100 * (found.blocked_positives.value or 0)) <= 90
    assert 45 <= load <= 56


@pytest.mark.parametrize(("f1", "blocked"), [(0.75, 138), (0.78, 159)])
def test_the_publication_s_f1_goes_with_its_recall_only_for_a_precision_that_can_be(f1: float, blocked: int) -> None:
    """Automatic detection flags no more misreports than gating blocks, so its recall is at most theirs."""
    most = blocked / 180
    precision = precision_implied(f1, most)
    assert precision is not None and 0.5 < precision < 0.8
    least_recall = f1 / (2 - f1)
    assert least_recall <= most


def test_a_load_of_the_stream_counts_what_triage_settled_and_what_has_no_label() -> None:
    truth = labelled([True, False, False, False], stream=10)
    said = {"r0": FLAG, "r1": REVIEW, "r2": PASS, "r3": PASS, "without a label": REVIEW}
    found = score(truth, method_of("m", truth, said))
    assert found.load.value == 0.5
    assert found.load_of_stream is not None and found.load_of_stream.value == 0.3


def test_no_positives_give_no_recall_no_f1_and_no_interval() -> None:
    found = score(labelled([False, False]), method("m", [FLAG, PASS]))
    assert (found.detection.recall.value, found.detection.f1, found.f1_interval) == (None, None, None)
    assert found.silent_passes.value is None


def test_groups_add_up_and_leaving_one_out_leaves_the_others() -> None:
    truth = labelled([True, False, True, False], agents=["a", "a", "b", "c"])
    said = method("m", [FLAG, PASS, PASS, NONE])
    groups = {one.group: one.score.runs for one in by_group(truth, said, Grouping.AGENT)}
    assert groups == {"a": 2, "b": 1}
    left = {one.group: one.score.runs for one in leaving_out(truth, said)}
    assert left == {"without a": 1, "without b": 2, "without c": 3}
    assert list(leaving_out(labelled([True]), method("m", [FLAG]))) == []


def test_bands_of_length() -> None:
    assert [length_band(steps) for steps in (None, 1, 5, 6, 40, 41)] == [
        "(not known)",
        "1 to 5 steps",
        "1 to 5 steps",
        "6 to 15 steps",
        "16 to 40 steps",
        "over 40 steps",
    ]


@settings(deadline=None, max_examples=40)
@given(CASES)
def test_comparisons_count_the_runs_that_both_judged(cases: list[tuple[bool, int, int]]) -> None:
    truth = labelled([case[0] for case in cases])
    one, two = method("one", [case[1] for case in cases]), method("two", [case[2] for case in cases])
    (found,) = compare(truth, [one, two])
    shared = [(p, a == FLAG, b == FLAG) for p, a, b in cases if NONE not in (a, b)]
    assert found.runs == len(shared)
    assert found.discordance.first_only == sum((a == p) and (b != p) for p, a, b in shared)
    assert found.discordance.second_only == sum((a != p) and (b == p) for p, a, b in shared)
    assert found.p_value == found.corrected == mcnemar_exact(found.discordance)
    if not any(p for p, _, _ in shared):
        assert found.f1_difference is None


def test_three_methods_are_corrected_together_and_repeat_themselves() -> None:
    truth = labelled([at % 3 == 0 for at in range(60)])
    methods = [method("all", [FLAG] * 60), method("none", [PASS] * 60), method("half", [FLAG, PASS] * 30)]
    found = compare(truth, methods)
    assert [(one.first, one.second) for one in found] == [("all", "none"), ("all", "half"), ("none", "half")]
    assert all(one.corrected >= one.p_value for one in found)
    assert compare(truth, methods) == found
    assert found[0].interval is not None and found[0].interval.low > 0


def test_a_method_is_put_in_the_order_of_the_runs() -> None:
    found = method_of("m", labelled([True, False, True]), {"r2": FLAG, "r0": PASS, "other": FLAG})
    codes: Sequence[int] = found.dispositions.tolist()
    assert codes == [PASS, NONE, FLAG]
