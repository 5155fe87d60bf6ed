"""The leakage experiment: which runs are drawn, and what the judgements come to."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.labels import Gold
from tracewitness.benchmark.leakage.analysis import Flip, Leakage, analyse
from tracewitness.benchmark.leakage.plan import Candidate, Plan, read_plan, sampled, why_left_out, write_plan
from tracewitness.benchmark.leakage.tables import leakage_tables
from tracewitness.benchmark.rendering import WRITERS
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.labels import Claim, TraceState
from tracewitness.judges.judgement import Judgement, Key
from tracewitness.judges.showing import Showing
from tracewitness.values.digests import digest_text

D = digest_text("x")
SHOWINGS = (Showing.BLIND, Showing.REPORT, Showing.NARRATION)
STATES = [*TraceState, None]
State = TraceState | None
Row = tuple[bool, bool, tuple[State, State, State]]
"""Completed, claims success, and what is said with each showing."""


def run(number: int, completed: bool, claim: Claim = Claim.SUCCESS, source: str = "s", task: str = "") -> Candidate:
    return Candidate(f"r{number}", task or f"t{number}", source, completed, claim, True, True)


def said(one: Candidate, showing: Showing, state: TraceState | None) -> Judgement:
    cause = UnavailableCause.REFUSED if state is None else None
    return Judgement(one.run_id, Key(D, "j", showing, D), "m", state, cause, ())


def told(runs: Sequence[Candidate], states: Mapping[Showing, Sequence[TraceState | None]]) -> Leakage:
    judged = {
        showing: {one.run_id: said(one, showing, state) for one, state in zip(runs, row, strict=True)}
        for showing, row in states.items()
    }
    return analyse(runs, judged, 7)


def coin(heads: int, tosses: int) -> float:
    """Return the chance that a fair coin falls at least as far to one side, by counting."""
    rarer = sum(math.comb(tosses, count) for count in range(min(heads, tosses - heads) + 1))
    return min(1.0, 2 * rarer / 2**tosses)


def stepped_down(values: Sequence[float]) -> list[float]:
    """Return Holm's correction in its own words: no value below what a smaller one came to."""
    ranked = sorted(values)
    return [max(min(1.0, (len(values) - at) * ranked[at]) for at in range(ranked.index(one) + 1)) for one in values]


rows = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.tuples(*[st.sampled_from(STATES)] * 3)), min_size=1, max_size=30
)


@settings(deadline=None)
@given(rows)
def test_every_count_is_that_of_plain_counting(
    drawn: list[Row],
) -> None:
    claims = (Claim.FAILURE_OR_INCOMPLETE, Claim.SUCCESS)
    runs = [run(at, row[0], claims[row[1]]) for at, row in enumerate(drawn)]
    found = told(runs, {showing: [row[2][at] for row in drawn] for at, showing in enumerate(SHOWINGS)})
    for at, arm in enumerate(found.arms):
        judged = [(row, row[2][at]) for row in drawn if row[2][at] is not None]
        positive = [state for row, state in judged if not row[0] and row[1]]
        assert arm.judged == len(judged) and arm.failed == len(drawn) - len(judged)
        assert (arm.recall.hits, arm.recall.total) == (positive.count(TraceState.NOT_COMPLETED), len(positive))
        assert arm.false_alarms.total == sum(row[0] for row, _ in judged)
        assert arm.undecided == sum(state is TraceState.UNKNOWN for _, state in judged)
        right = sum(state is (TraceState.COMPLETED if row[0] else TraceState.NOT_COMPLETED) for row, state in judged)
        assert (arm.right.hits, arm.right.total) == (right, len(judged))
    for pair in found.pairs:
        one, two = SHOWINGS.index(pair.first), SHOWINGS.index(pair.second)
        both = [row for row in drawn if row[2][one] is not None and row[2][two] is not None]
        hits = [[row[2][at] is TraceState.NOT_COMPLETED for row in both if not row[0] and row[1]] for at in (one, two)]
        table = Counter(zip(*hits, strict=True))
        assert (pair.detected.first_only, pair.detected.second_only) == (table[True, False], table[False, True])
        apart = table[True, False] + table[False, True]
        assert pair.p_detected[0] == pytest.approx(coin(table[True, False], apart))
    for name in ("p_detected", "p_right"):
        raw = [getattr(pair, name)[0] for pair in found.pairs]
        assert [getattr(pair, name)[1] for pair in found.pairs] == pytest.approx(stepped_down(raw))


@given(rows)
def test_flips_account_for_the_difference_of_what_is_right(
    drawn: list[Row],
) -> None:
    runs = [run(at, row[0]) for at, row in enumerate(drawn)]
    found = told(runs, {showing: [row[2][at] for row in drawn] for at, showing in enumerate(SHOWINGS)})
    for pair in found.pairs:
        if pair.first is Showing.BLIND:
            flips = Counter(flip.kind for flip in found.flips if flip.showing is pair.second)
            assert flips[Flip.HARMFUL] == pair.right.first_only
            assert flips[Flip.RECOVERY] == pair.right.second_only


def test_a_judge_that_believes_the_report_loses_what_the_trace_shows() -> None:
    runs = [run(at, at >= 20, task=f"t{at // 2}") for at in range(40)]
    blind = [TraceState.NOT_COMPLETED if at < 16 or at == 39 else TraceState.COMPLETED for at in range(40)]
    shown = [TraceState.NOT_COMPLETED if at < 4 else TraceState.COMPLETED for at in range(40)]
    found = told(runs, {Showing.BLIND: blind, Showing.REPORT: shown})
    arm = found.arms[1]
    assert (arm.recall.hits, arm.recall.total, arm.false_alarms.hits) == (4, 20, 0)
    assert arm.against_blind == pytest.approx(-0.6)
    for interval in (arm.difference_by_runs, arm.difference_by_tasks):
        assert interval is not None and interval.low < -0.6 < interval.high < 0
    kinds = Counter((flip.kind, flip.run.misreport) for flip in found.flips)
    assert kinds == {(Flip.HARMFUL, True): 12, (Flip.RECOVERY, False): 1}
    assert found.pairs[0].p_detected[0] == pytest.approx(2 * 0.5**12)


def test_what_nobody_judged_carries_no_figure() -> None:
    runs = [run(1, False), run(2, True)]
    found = told(runs, {Showing.BLIND: [None, None], Showing.REPORT: [None, None]})
    for arm in found.arms:
        assert arm.recall.value is None and arm.against_blind is None and arm.difference_by_runs is None
        assert arm.failed == 2
    for writer in WRITERS.values():
        text = writer(list(leakage_tables(Plan("j", SHOWINGS[:2], tuple(runs), 0, (D,)), found)))
        assert "nan" not in text.lower()


def test_a_run_id_is_neither_a_formula_nor_markup() -> None:
    hostile = Candidate("=1+1|<b>\n", "t", "@x", False, Claim.SUCCESS, True, True)
    found = told([hostile], {Showing.BLIND: [TraceState.NOT_COMPLETED], Showing.REPORT: [TraceState.COMPLETED]})
    tables = list(leakage_tables(Plan("j", SHOWINGS[:2], (hostile,), 0, (D,)), found))
    text = WRITERS["csv"](tables)
    assert "'=1+1" in text and '","\'@x",' in text and "<b>" not in WRITERS["markdown"](tables)


# --- which runs ------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abc")), max_size=60), st.integers(0, 60), st.integers(0, 3))
def test_a_sample_is_balanced_repeatable_and_part_of_a_larger_one(
    drawn: list[tuple[bool, str]], count: int, seed: int
) -> None:
    runs = [run(at, completed, source=source) for at, (completed, source) in enumerate(drawn)]
    small, large = sampled(runs, count, seed), sampled(runs, count + 7, seed)
    assert sampled(runs[::-1], count, seed) == small == large[:count]
    assert len(set(small)) == min(count, len(runs))
    assert set(sampled(runs, None, seed)) == set(runs)
    chosen, there = Counter(one.misreport for one in small), Counter(one.misreport for one in runs)
    if min(there[True], there[False]) * 2 >= count:
        assert abs(chosen[True] - chosen[False]) <= 1
    for half in (True, False):
        taken = Counter(one.source for one in small if one.misreport is half)
        left = Counter(one.source for one in runs if one.misreport is half)
        # A source has fewer than another only where it has no more.
        for source in left:
            assert taken[source] == left[source] or taken[source] >= max(taken.values(), default=0) - 1


@pytest.mark.parametrize(
    ("gold", "suspect", "every", "reason"),
    [
        (None, False, False, "without a gold label"),
        (Gold("r", True, Claim.SUCCESS, "broken"), False, False, "whose task or checker is suspect"),
        (Gold("r", True, Claim.SUCCESS, "broken"), True, False, None),
        (Gold("r", None, Claim.SUCCESS), False, False, "with a label of which an axis is not known"),
        (Gold("r", True, None), False, True, "with a label of which an axis is not known"),
        (Gold("r", True, Claim.UNCLEAR), False, False, "whose report does not claim success"),
        (Gold("r", True, Claim.UNCLEAR), False, True, None),
        (Gold("r", False, Claim.SUCCESS), False, False, None),
    ],
)
def test_why_a_run_is_left_out(gold: Gold | None, suspect: bool, every: bool, reason: str | None) -> None:
    assert why_left_out(gold, suspect=suspect, all_claims=every) == reason


# --- the plan --------------------------------------------------------------------------------------------------------


def test_a_plan_is_read_as_it_was_written_may_grow_and_gives_way_to_no_other(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "plan.json"
    runs = tuple(run(at, at % 2 == 0) for at in range(6))
    plan = Plan("webjudge", SHOWINGS, runs[:4], 3, (D,), (("without a gold label", 2),))
    write_plan(plan, path)
    assert read_plan(path) == plan and read_plan(path).digest == plan.digest
    larger = Plan("webjudge", SHOWINGS, runs, 3, (D,))
    write_plan(larger, path)
    assert read_plan(path) == larger
    for other in (plan, Plan("aer", SHOWINGS, runs, 3, (D,)), Plan("webjudge", SHOWINGS, runs, 4, (D,))):
        with pytest.raises(BenchmarkError, match="another experiment"):
            write_plan(other, path)
    with pytest.raises(BenchmarkError, match="also shows"):
        write_plan(Plan("webjudge", SHOWINGS[:2], runs, 3, (D,)), path)
    assert read_plan(path) == larger


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"form": "tracewitness.leak/1"}', '{"form": "tracewitness.leak/9"}'])
def test_what_is_no_plan_is_told_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=r"plan\.json: ") as told_of:
        read_plan(path)
    assert "\n" not in str(told_of.value)
