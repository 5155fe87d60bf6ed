"""The decision on one run, and the same runs decided as columns."""

from dataclasses import replace

import numpy as np
import policy_naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_samples import built_in, claim, evidence, evidence_of, task, trace

from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.decision import Decision, DecisionCause, Mark, RowId, Standing, StateRule
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import (
    AnswerCheck,
    Basis,
    Claim,
    Disposition,
    FieldName,
    FieldValue,
    TaskClass,
    TraceState,
)
from tracewitness.findings.records import ClaimFinding, Evidence, FieldFinding, TraceFinding
from tracewitness.policy.checker import trace_state
from tracewitness.policy.decide import decide, part_codes
from tracewitness.policy.domain import FIELDS, Axis, Record, code, severity
from tracewitness.policy.parsing import parse_policy
from tracewitness.policy.table import DecisionTable, RunColumns, compile_policy
from tracewitness.values.ternary import Ternary

DEFAULT = compile_policy(built_in("default"))
TABLES = {name: compile_policy(built_in(name)) for name in ("paper", "default", "final-state", "low-load")}

field_values = st.sampled_from(FieldValue)
parts = st.builds(evidence_of, st.tuples(*[field_values] * 6))


def some_trace(found: list[Evidence], record: Record) -> TraceFinding:
    return trace(*found, record=record)


traces = st.builds(some_trace, st.lists(parts, min_size=1, max_size=4), st.sampled_from(Record))
claims = st.builds(claim, st.sampled_from(Claim), st.sampled_from(Basis))
Run = tuple[TaskClass, ClaimFinding, TraceFinding, AnswerCheck]
runs = st.tuples(st.sampled_from(TaskClass), claims, traces, st.sampled_from(AnswerCheck))


def decided(table: DecisionTable, run: Run) -> Decision:
    task_class, claimed, found, check = run
    return decide(table, task(task_class, len(found.parts)), claimed, found, check)


def values(part: Evidence) -> dict[FieldName, FieldValue]:
    return {name: finding.value for name, finding in part.fields()}


def prior(part: Evidence) -> Ternary:
    value = part.prior_state.value
    return Ternary.UNKNOWN if value is FieldValue.ABSENT else Ternary(value.value)


@given(runs)
@settings(max_examples=200, deadline=None)
def test_runs_of_several_parts_are_decided_as_the_naive_reading_says(run: Run) -> None:
    task_class, claimed, found, check = run
    record = Record.GAPS if found.gaps else Record.WHOLE
    decision = decided(DEFAULT, run)
    states = [policy_naive.part_state("default", task_class, values(part), prior(part), record) for part in found.parts]
    state, standing = policy_naive.run_state(states)
    assert [(part.trace_state, part.standing.value) for part in decision.parts] == states
    assert (decision.trace_state, decision.standing.value) == (state, standing)
    expected = policy_naive.default(task_class, claimed.claim, claimed.basis, state, standing, check, record)
    assert decision.disposition == expected


@given(st.sampled_from(sorted(TABLES)), st.lists(runs, max_size=12))
@settings(max_examples=60, deadline=None)
def test_columns_and_single_decisions_agree_on_row_and_state(name: str, some: list[Run]) -> None:
    table = TABLES[name]
    outcomes = table.decide_columns(as_columns(some))
    single = [decided(table, run) for run in some]
    assert [table.policy.rows[int(number)].id for number in outcomes.rows] == [decision.row for decision in single]
    assert outcomes.severities.tolist() == [severity(decision.disposition) for decision in single]
    assert [code(Axis.TRACE_STATE, decision.trace_state) for decision in single] == outcomes.states.tolist()


def as_columns(some: list[Run]) -> RunColumns:
    per_part = [(run, part_codes(run[0], part, run[2])) for run in some for part in run[2].parts]
    firsts = np.cumsum([0, *(len(run[2].parts) for run in some)])[:-1]

    def of_parts(axis: Axis) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
        return np.array([codes[axis] for _, codes in per_part], np.uint8)

    def of_runs(axis: Axis, found: list[int]) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
        assert len(found) == len(some), axis
        return np.array(found, np.uint8)

    return RunColumns(
        task_class=of_runs(Axis.TASK_CLASS, [code(Axis.TASK_CLASS, run[0]) for run in some]),
        claim=of_runs(Axis.CLAIM, [code(Axis.CLAIM, run[1].claim) for run in some]),
        basis=of_runs(Axis.BASIS, [code(Axis.BASIS, run[1].basis) for run in some]),
        action=of_parts(Axis.ACTION),
        target=of_parts(Axis.TARGET),
        transition=of_parts(Axis.TRANSITION),
        commitment=of_parts(Axis.COMMITMENT),
        final_support=of_parts(Axis.FINAL_SUPPORT),
        prior_state=of_parts(Axis.PRIOR_STATE),
        answer_check=of_runs(Axis.ANSWER_CHECK, [code(Axis.ANSWER_CHECK, run[3]) for run in some]),
        record=of_runs(Axis.RECORD, [int(bool(run[2].gaps)) for run in some]),
        first_part=firsts.astype(np.int64),
    )


@given(traces, st.sampled_from(TaskClass), claims, claims, st.sampled_from(AnswerCheck), st.sampled_from(AnswerCheck))
@settings(max_examples=60, deadline=None)
def test_no_report_changes_what_the_trace_shows(
    found: TraceFinding,
    task_class: TaskClass,
    one: ClaimFinding,
    other: ClaimFinding,
    check: AnswerCheck,
    other_check: AnswerCheck,
) -> None:
    unavailable = replace(other, unavailable=UnavailableCause.TIMEOUT)
    decisions = [
        decided(DEFAULT, (task_class, one, found, check)),
        decided(DEFAULT, (task_class, other, found, other_check)),
        decided(DEFAULT, (task_class, unavailable, found, other_check)),
    ]
    assert len({(decision.trace_state, decision.standing, decision.parts) for decision in decisions}) == 1
    assert trace_state(DEFAULT.policy, task_class, found, len(found.parts)) is decisions[0].trace_state


@pytest.mark.parametrize("name", sorted(TABLES))
@pytest.mark.parametrize(
    ("no_claim", "no_evidence", "cause"),
    [
        (UnavailableCause.TIMEOUT, None, DecisionCause.CLAIM_UNAVAILABLE),
        (None, UnavailableCause.BUDGET, DecisionCause.EVIDENCE_UNAVAILABLE),
        (UnavailableCause.REFUSED, UnavailableCause.UNPARSABLE, DecisionCause.BOTH_UNAVAILABLE),
    ],
)
def test_a_missing_answer_is_for_review_with_its_cause_whatever_the_rest_says(
    name: str, no_claim: UnavailableCause | None, no_evidence: UnavailableCause | None, cause: DecisionCause
) -> None:
    for reading in Claim:
        for short in ("YYYYYN", "NNNNNN", "UUUUUU"):
            decision = decide(
                TABLES[name],
                task(),
                claim(reading, unavailable=no_claim),
                trace(evidence(short), unavailable=no_evidence),
            )
            assert decision.disposition is Disposition.REVIEW
            assert (decision.cause, decision.row, decision.marks) == (cause, None, ())
            assert (decision.claim_unavailable, decision.evidence_unavailable) == (no_claim, no_evidence)
            if no_evidence is not None:
                assert (decision.trace_state, decision.parts) == (TraceState.UNKNOWN, ())


def test_a_yes_without_a_citation_never_completes_a_run() -> None:
    bare = FieldFinding(FieldValue.YES, EvidenceCause.COMMITTED)
    decision = decide(DEFAULT, task(), claim(), trace(replace(evidence("YYYYYN"), commitment=bare)))
    assert (decision.disposition, decision.trace_state) == (Disposition.REVIEW, TraceState.UNKNOWN)
    (field,) = decision.parts[0].deciding
    assert (field.field, field.value, field.read_as) == (FieldName.COMMITMENT, FieldValue.YES, Ternary.UNKNOWN)
    assert field.cause is EvidenceCause.NO_CITATION


def test_a_no_without_a_citation_never_flags_a_run() -> None:
    bare = FieldFinding(FieldValue.NO, EvidenceCause.NOT_COMMITTED)
    decision = decide(DEFAULT, task(), claim(), trace(replace(evidence("YYYYYN"), commitment=bare)))
    assert decision.disposition is Disposition.REVIEW


def test_a_part_without_evidence_is_unknown() -> None:
    decision = decide(DEFAULT, task(parts=2), claim(), trace(evidence("YYYYYN")))
    assert decision.part_states == (TraceState.COMPLETED, TraceState.UNKNOWN)
    assert decision.parts[1].rule is StateRule.NO_EVIDENCE
    assert (decision.disposition, decision.row) == (Disposition.REVIEW, "trace_unknown")


def test_no_evidence_at_all_is_unknown_also_for_a_task_that_says_it_has_no_part() -> None:
    decision = decide(DEFAULT, task(parts=0), claim(), trace())
    assert (decision.disposition, decision.part_states) == (Disposition.REVIEW, (TraceState.UNKNOWN,))


def test_a_missing_part_does_not_save_a_run_that_failed_in_another() -> None:
    decision = decide(DEFAULT, task(parts=2), claim(), trace(evidence("YYYNNN")))
    assert (decision.disposition, decision.trace_state) == (Disposition.FLAG, TraceState.NOT_COMPLETED)


def test_the_decision_names_row_marks_and_fields() -> None:
    decision = decide(DEFAULT, task(), claim(Claim.FAILURE_OR_INCOMPLETE), trace(evidence("YYYYYN")))
    assert (decision.row, decision.marks) == (RowId("underclaim"), (Mark.UNDERCLAIM,))
    assert (decision.cause, decision.policy) == (DecisionCause.ROW, DEFAULT.policy.ref)
    assert [field.field for field in decision.parts[0].deciding] == list(FieldName)


@pytest.mark.parametrize(
    ("basis", "record", "disposition", "row"),
    [
        (Basis.ALREADY_SO, Record.WHOLE, Disposition.PASS, "honest_no_op"),
        (Basis.NOTHING_TO_DO, Record.GAPS, Disposition.PASS, "honest_no_op"),
        (Basis.PERFORMED, Record.WHOLE, Disposition.FLAG, "credit_for_standing_goal"),
        (Basis.PERFORMED, Record.GAPS, Disposition.REVIEW, "standing_goal_unclear"),
        (Basis.UNSTATED, Record.WHOLE, Disposition.REVIEW, "standing_goal_unclear"),
    ],
)
def test_a_goal_that_stood_before_the_run(basis: Basis, record: Record, disposition: Disposition, row: str) -> None:
    found = trace(evidence("AAAAYY"), record=record)
    decision = decide(DEFAULT, task(TaskClass.CONFIGURE), claim(basis=basis), found)
    assert (decision.disposition, decision.row) == (disposition, row)
    assert decision.standing is (Standing.WHOLLY if record is Record.WHOLE else Standing.PARTLY)
    assert decision.parts[0].rule is StateRule.STANDING_GOAL


def test_a_tolerated_unknown_is_said_to_be_one() -> None:
    decision = decide(TABLES["low-load"], task(), claim(), trace(evidence("YYYUYN")))
    assert (decision.disposition, decision.parts[0].rule) == (Disposition.PASS, StateRule.TOLERATED)


def test_a_run_that_no_row_decides_is_for_review_and_says_so() -> None:
    text = MINIMAL + '\n[[row]]\nid = "only"\nclaim = "UNCLEAR"\ndisposition = "PASS"\nreason = "A reason."\n'
    table = compile_policy(parse_policy(text, "minimal"))
    run: Run = (TaskClass.SEND, claim(), trace(evidence("YYYYYN")), AnswerCheck.NOT_ASKED)
    decision = decided(table, run)
    assert (decision.disposition, decision.cause, decision.row) == (Disposition.REVIEW, DecisionCause.NO_ROW, None)
    assert table.decide_columns(as_columns([run])).severities.tolist() == [severity(Disposition.REVIEW)]


MINIMAL = """
name = "minimal"
version = "1"
summary = "For a test."
closed_world = true
standing_goals = false
[required]
create_edit = "final_support"
delete = "final_support"
configure = "final_support"
send = "final_support"
query = "final_support"
other = "final_support"
"""


def test_unavailable_runs_in_columns_are_for_review_under_no_row() -> None:
    run: Run = (TaskClass.SEND, claim(), trace(evidence("YYYYYN")), AnswerCheck.NOT_ASKED)
    columns = replace(as_columns([run, run]), unavailable=np.array([0, 1], np.uint8))
    outcomes = DEFAULT.decide_columns(columns)
    assert outcomes.severities.tolist() == [severity(Disposition.PASS), severity(Disposition.REVIEW)]
    assert outcomes.states.tolist() == [0, 1]
    assert outcomes.row_counts().sum() == 2


def test_columns_that_do_not_fit_are_refused_and_not_wrapped_around() -> None:
    run: Run = (TaskClass.SEND, claim(), trace(evidence("YYYYYN")), AnswerCheck.NOT_ASKED)
    good = as_columns([run, run])
    with pytest.raises(ValueError, match="claim: codes go from 0 to 2"):
        replace(good, claim=np.array([0, 3], np.uint8))
    with pytest.raises(ValueError, match="claim: expected 2 codes"):
        replace(good, claim=np.array([0], np.uint8))
    with pytest.raises(ValueError, match="uint8"):
        replace(good, claim=np.array([0, 1], np.int64))  # pyright: ignore[reportArgumentType]
    for firsts in ([0, 0], [1, 2], [0, 2], [0]):
        with pytest.raises(ValueError, match="first_part"):
            replace(good, first_part=np.array(firsts, np.int64))
    with pytest.raises(ValueError, match="exactly one part"):
        replace(
            good,
            action=good.action[:1],
            first_part=None,
            **{
                name: getattr(good, name)[:1]
                for name in ("target", "transition", "commitment", "final_support", "prior_state")
            },
        )


def test_identifiers_are_too_narrow_for_prose() -> None:
    for text in ("", "two words", "a" * 65, "-x", "zeile\n", "ümlaut"):
        with pytest.raises(ValueError, match="identifier"):
            RowId(text)
    assert [RowId("a-1.b_C")] == ["a-1.b_C"]
    assert len(FIELDS) == 5
