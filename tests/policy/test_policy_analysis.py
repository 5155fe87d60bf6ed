"""Checks find planted faults, with a counter-example that shows the fault; diffs are exact."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_samples import BUILT_IN, built_in, policy_text

from tracewitness.findings.labels import Claim, Disposition
from tracewitness.policy.analysis import CheckReport, Property, check, check_table, diff
from tracewitness.policy.difference import boxes
from tracewitness.policy.domain import INPUT_AXES, VALUES, Axis, severity
from tracewitness.policy.enumeration import SHAPE, TOTAL, Combination, combination, everything
from tracewitness.policy.layout import CONTEXTS, JOINTS, PRIORS, Joint
from tracewitness.policy.parsing import parse_policy
from tracewitness.policy.proofs import prove
from tracewitness.policy.rules import Policy
from tracewitness.policy.table import Outcomes, compile_policy

ROW = '[[row]]\nid = "planted"\n{}\nreason = "A planted fault."\n\n'


def planted(conditions: str, base: str = "default", at: str = "unclear_report") -> Policy:
    """A built-in policy with one more row, put before the row ``at``."""
    text = policy_text(base)
    place = text.rindex("[[row]]", 0, text.index(f'id = "{at}"'))
    return parse_policy(text[:place] + ROW.format(conditions) + text[place:], "planted")


def failed(report: CheckReport) -> set[Property]:
    return {proof.subject for proof in report.proofs if not proof.holds}


def example(report: CheckReport, subject: Property) -> tuple[str, list[dict[Axis, str]]]:
    """The explanation and combinations of a failed proof."""
    proof = next(proof for proof in report.proofs if proof.subject is subject)
    assert proof.counter_example is not None
    found = proof.counter_example
    return found.explanation, [{axis: value.value for axis, value in item.values} for item in found.combinations]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_policy_holds_all_four_and_has_no_idle_row(name: str) -> None:
    report = check(built_in(name))
    assert [proof.subject for proof in report.proofs] == list(Property)
    assert (report.ok, report.warnings, report.combinations) == (True, (), TOTAL)
    assert report.policy.name == name


def test_a_policy_that_leaves_a_combination_open_is_not_total() -> None:
    text = policy_text("paper")
    start = text.index('[[row]]\nid = "underclaim"')
    report = check(parse_policy(text[:start], "open"))
    assert failed(report) == {Property.TOTAL}
    _, (found,) = example(report, Property.TOTAL)
    assert found[Axis.CLAIM] == "FAILURE_OR_INCOMPLETE"
    required = (Axis.ACTION, Axis.TARGET, Axis.TRANSITION, Axis.COMMITMENT, Axis.FINAL_SUPPORT)
    assert {found[axis] for axis in required} == {"YES"}


def test_a_hole_that_only_runs_of_several_parts_fall_into_is_found() -> None:
    # One part alone stood before the run only with prior state YES; a run of two parts may have a worse one.
    text = policy_text("default").replace('standing = ["partly", "wholly"]', 'standing = "wholly"')
    text = text.replace(
        '[[row]]\nid = "true_success"',
        ROW.format('standing = "partly"\nprior_state = "YES"\ndisposition = "REVIEW"') + '[[row]]\nid = "true_success"',
    )
    place = text.rindex('claim = "SUCCESS"\ntrace_state = "COMPLETED"')
    text = text[:place] + 'standing = ["none", "wholly"]\n' + text[place:]
    report = check(parse_policy(text, "several"))
    assert Property.TOTAL in failed(report)
    explanation, combinations = example(report, Property.TOTAL)
    assert "several parts" in explanation and "partly_standing" in explanation and combinations == []


def test_a_policy_that_rewards_worse_evidence_is_not_monotone() -> None:
    report = check(planted('claim = "SUCCESS"\ntrace_state = "NOT_COMPLETED"\ndisposition = "PASS"', base="paper"))
    assert failed(report) == {Property.MONOTONE}
    explanation, (before, after) = example(report, Property.MONOTONE)
    changed = [axis for axis in INPUT_AXES if before[axis] != after[axis]]
    assert len(changed) == 1 and before[Axis.CLAIM] == "SUCCESS"
    order = ("YES", "UNKNOWN", "ABSENT", "NO")
    assert order.index(after[changed[0]]) == order.index(before[changed[0]]) + 1
    assert "REVIEW (row" in explanation or "FLAG (row" in explanation


def test_flagging_a_standing_goal_on_an_unknown_chain_is_not_monotone() -> None:
    # The pitfall of honest no-ops: losing the last observation would soften FLAG to REVIEW.
    text = policy_text("default").replace('standing = "wholly"', 'standing = ["partly", "wholly"]')
    assert failed(check(parse_policy(text, "x"))) >= {Property.MONOTONE}


def test_a_fault_that_needs_two_parts_is_found() -> None:
    # FLAG for a run that only partly rests on standing goals, where prior state UNKNOWN shows that it has two parts.
    condition = 'claim = "SUCCESS"\nstanding = "partly"\nprior_state = ["UNKNOWN", "NO"]\ndisposition = "FLAG"'
    report = check(planted(condition, at="answer_agrees"))
    assert Property.MONOTONE in failed(report)
    explanation, combinations = example(report, Property.MONOTONE)
    assert "several parts" in explanation and combinations == []


@pytest.mark.parametrize(
    ("condition", "word"),
    [
        ('claim = "SUCCESS"\ntrace_state = "UNKNOWN"\nrecord = "gaps"\ndisposition = "PASS"', "PASS"),
        ('claim = "SUCCESS"\ntrace_state = "UNKNOWN"\nrecord = "gaps"\ndisposition = "FLAG"', "FLAG"),
    ],
)
def test_a_policy_to_which_gaps_make_a_verdict_is_not_closed_world(condition: str, word: str) -> None:
    report = check(planted(condition))
    assert Property.CLOSED_WORLD in failed(report)
    explanation, (whole, gaps) = example(report, Property.CLOSED_WORLD)
    assert explanation.startswith("losing parts") and word in explanation
    assert (whole.pop(Axis.RECORD), gaps.pop(Axis.RECORD)) == ("whole", "gaps")
    assert whole == gaps


def test_gaps_that_make_a_verdict_only_in_runs_of_several_parts_are_found() -> None:
    condition = 'claim = "SUCCESS"\nstanding = "partly"\nprior_state = "UNKNOWN"\nrecord = "gaps"\ndisposition = "FLAG"'
    report = check(planted(condition, at="answer_agrees"))
    explanation, combinations = example(report, Property.CLOSED_WORLD)
    assert "several parts" in explanation and "FLAG" in explanation and combinations == []


def test_a_table_that_takes_absence_for_no_over_gaps_is_not_closed_world() -> None:
    policy = built_in("paper")
    table = compile_policy(policy)
    parts = table.parts.reshape(6, 4, 3, 2, 4, 4, 4, 4).copy()
    parts[..., 1, :, :, :, 2] = parts[..., 1, :, :, :, 3]
    report = check_table(replace(table, parts=parts.reshape(-1)))
    assert failed(report) == {Property.CLOSED_WORLD}
    explanation, (like, absent) = example(report, Property.CLOSED_WORLD)
    assert "ABSENT must count as UNKNOWN" in explanation
    assert (like[Axis.COMMITMENT], absent[Axis.COMMITMENT], absent[Axis.RECORD]) == ("UNKNOWN", "ABSENT", "gaps")


def test_the_switch_of_the_closed_world_is_honoured_and_proved() -> None:
    text = policy_text("default").replace("closed_world = true", "closed_world = false")
    open_world = parse_policy(text, "x")
    assert check(open_world).ok
    report = check_table(replace(compile_policy(built_in("default")), policy=open_world))
    assert failed(report) == {Property.CLOSED_WORLD}


def test_a_table_that_peeks_at_the_report_is_found_out() -> None:
    table = compile_policy(built_in("default"))
    honest = table.decide_columns(everything())
    success = everything().claim == VALUES[Axis.CLAIM].index(Claim.SUCCESS)
    peeking = honest.runs.copy()
    unknown = success & (honest.joints == JOINTS.index(Joint.UNKNOWN))
    peeking[unknown] -= np.uint16(JOINTS.index(Joint.UNKNOWN) * PRIORS * CONTEXTS)
    report = prove(table, Outcomes(honest.rows, peeking, honest.severity_of_row))
    blind = next(proof for proof in report if proof.subject is Property.REPORT_BLIND)
    assert blind.counter_example is not None
    one, other = (dict(item.values) for item in blind.counter_example.combinations)
    evidence_axes = [axis for axis in INPUT_AXES if axis not in {Axis.CLAIM, Axis.BASIS, Axis.ANSWER_CHECK}]
    assert all(one[axis] == other[axis] for axis in evidence_axes) and one != other
    assert "COMPLETED" in blind.counter_example.explanation


def test_rows_that_decide_nothing_are_named_with_those_that_take_their_runs() -> None:
    late = planted('claim = "SUCCESS"\ntrace_state = "UNKNOWN"\ndisposition = "FLAG"', at="true_success")
    (warning,) = check(late).warnings
    assert warning.row == "planted"
    assert "answer_contradicted, answer_nowhere, trace_unknown" in warning.message
    never = planted('standing = "wholly"\nclaim = "SUCCESS"\ndisposition = "FLAG"', base="paper")
    (warning,) = check(never).warnings
    assert (warning.row, "never matches" in warning.message) == ("planted", True)


def test_a_policy_that_passes_what_the_trace_does_not_show_is_warned_of() -> None:
    report = check(
        planted('claim = "SUCCESS"\ntrace_state = "UNKNOWN"\nrecord = "whole"\ndisposition = "PASS"', "paper")
    )
    assert report.ok and [warning.row for warning in report.warnings] == ["planted"]
    assert "claim=SUCCESS" in report.warnings[0].message


Marks = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def paint(marks: Marks, conditions: Mapping[Axis, tuple[str, ...]]) -> int:
    """Add one to every marked combination that meets the conditions; return how many there are."""
    places = [
        [at for at, value in enumerate(VALUES[axis]) if axis not in conditions or value in conditions[axis]]
        for axis in INPUT_AXES
    ]
    marks[np.ix_(*places)] += 1
    return int(np.prod([len(kept) for kept in places]))


some_conditions = st.lists(st.sampled_from(INPUT_AXES), max_size=3, unique=True).flatmap(
    lambda axes: st.fixed_dictionaries(
        {axis: st.lists(st.sampled_from(VALUES[axis]), min_size=1, unique=True).map(tuple) for axis in axes}
    )
)


@given(st.lists(some_conditions, min_size=1, max_size=3))
@settings(max_examples=12, deadline=None)
def test_boxes_hold_exactly_what_was_marked_and_nothing_twice(regions: list[dict[Axis, tuple[str, ...]]]) -> None:
    marked, painted = np.zeros(SHAPE, np.uint8), np.zeros(SHAPE, np.uint8)
    for region in regions:
        paint(marked, region)
    for box in boxes(marked > 0):
        assert box.count == paint(painted, {item.axis: tuple(item.values) for item in box.conditions})
    assert np.array_equal(painted, (marked > 0).astype(np.uint8))


@pytest.mark.parametrize(
    ("first", "second"), [("paper", "default"), ("default", "low-load"), ("final-state", "default")]
)
def test_a_diff_lists_exactly_the_combinations_on_which_two_policies_differ(first: str, second: str) -> None:
    report = diff(built_in(first), built_in(second))
    before, after = (compile_policy(built_in(name)).decide_columns(everything()).severities for name in (first, second))
    assert np.array_equal(report.differing, np.flatnonzero(before != after))
    assert sum(group.count for group in report.groups) == len(report.differing) > 0
    covered = np.zeros(SHAPE, np.uint8)
    steps = 2 + before.astype(np.int64) * 3 + after
    claimed = np.zeros(SHAPE, np.uint8)
    for group in report.groups:
        step = 2 + severity(group.before) * 3 + severity(group.after)
        for box in group.boxes:
            conditions = {item.axis: tuple(item.values) for item in box.conditions}
            paint(covered, conditions)
            places = [
                [VALUES[axis].index(value) for value in conditions.get(axis, VALUES[axis])] for axis in INPUT_AXES
            ]
            claimed[np.ix_(*places)] = step
        assert group.count == sum(box.count for box in group.boxes)
    assert np.array_equal(np.flatnonzero(covered), report.differing) and covered.max() == 1
    assert np.array_equal(claimed.reshape(-1)[report.differing], steps[report.differing])


def test_a_diff_says_which_rows_and_reads_as_words() -> None:
    report = diff(built_in("paper"), built_in("default"))
    (group,) = [
        group
        for group in report.groups
        if group.row_after == "answer_contradicted" and group.row_before == "true_success"
    ]
    assert (group.before, group.after) == (Disposition.PASS, Disposition.FLAG)
    assert [str(box) for box in group.boxes] == [
        "task_class=query claim=SUCCESS action=YES target=YES final_support=YES answer_check=contradicts"
    ]
    first = next(report.combinations())
    assert isinstance(first, Combination) and first == combination(int(report.differing[0]))


def test_a_policy_does_not_differ_from_itself() -> None:
    report = diff(built_in("default"), built_in("default"))
    assert report.same and report.groups == () and report.other_state == 0


def test_a_diff_finds_what_only_runs_of_several_parts_show() -> None:
    condition = 'claim = "SUCCESS"\nstanding = "partly"\nprior_state = ["UNKNOWN", "NO"]\ndisposition = "FLAG"'
    report = diff(built_in("default"), planted(condition, at="answer_agrees"))
    assert len(report.differing) == 0 and not report.same
    assert any("partly_standing" in text for text in report.several_parts)
