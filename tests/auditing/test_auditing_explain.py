from dataclasses import replace

import pytest
from auditing_samples import rules, saved, unsaved

from tracewitness.auditing.explain import explain, short_reason
from tracewitness.auditing.one_run import audit_run
from tracewitness.findings.causes import Gap
from tracewitness.findings.decision import DecidingField, RowId
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldName, FieldValue, TraceState
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.values.ternary import Ternary
from tracewitness.wiring.policies import find_policy

POLICY = find_policy("default")


def test_a_flag_is_explained_by_claim_fields_and_row() -> None:
    told = explain(audit_run(unsaved().build(), rules()), POLICY)
    assert (told.disposition, told.claim, told.trace_state) == ("FLAG", "SUCCESS", "NOT_COMPLETED")
    assert told.row == "false_success"
    row = POLICY.row(RowId(told.row))
    assert row is not None and told.reason == row.reason
    assert any(clause.deciding and "555-0142" in clause.text for clause in told.clauses)
    (part,) = told.parts
    deciding = [field for field in part.fields if field.deciding]
    assert deciding
    assert all(field.value == "NO" for field in deciding)
    assert [field.name for field in part.fields] == [
        "action",
        "target",
        "transition",
        "commitment",
        "final_support",
        "prior_state",
    ]


def test_a_yes_comes_with_the_line_that_it_rests_on() -> None:
    run = saved().build()
    told = explain(audit_run(run, rules()), POLICY)
    shown = "\n".join(str(step) for step in run.trace.steps)
    quotes = [c for field in told.parts[0].fields if field.value == "YES" for c in field.citations]
    assert quotes
    assert any(citation.quote for citation in quotes)
    for citation in quotes:
        assert citation.place.startswith("step ")
        assert citation.quote is None or repr(citation.quote)[1:-1] in shown or citation.quote in shown


def test_another_policys_reason_is_never_shown() -> None:
    told = explain(audit_run(unsaved().build(), rules()), find_policy("paper"))
    assert told.reason == "row false_success of the policy decided"


def test_absence_is_shown_as_the_policy_read_it() -> None:
    record = audit_run(unsaved().build(), rules())
    assert record.trace is not None
    (part,) = record.trace.parts
    absent = replace(part, prior_state=replace(part.prior_state, value=FieldValue.ABSENT))
    told = explain(replace(record, trace=replace(record.trace, parts=(absent,))), POLICY)
    assert told.parts[0].fields[-1].value == "NO"


def test_what_triage_ended_is_explained_by_triage() -> None:
    record = audit_run(saved().harness(HarnessStatus.FAILED).build(), rules())
    told = explain(record, POLICY)
    assert (told.disposition, told.parts, told.clauses) == (None, (), ())
    assert told.reason == short_reason(record) == "settled: an independent check failed it"


F, C = FieldName, EvidenceCause


def reason(state: TraceState, deciding: dict[FieldName, EvidenceCause], gaps: tuple[Gap, ...] = ()) -> str:
    """Return the short reason of a success claim where these fields decided."""
    record = audit_run(unsaved().build(), rules())
    assert record.decision is not None and record.trace is not None
    read = {TraceState.COMPLETED: Ternary.YES, TraceState.NOT_COMPLETED: Ternary.NO}.get(state, Ternary.UNKNOWN)
    fields = tuple(DecidingField(name, FieldValue(read.value), read, cause) for name, cause in deciding.items())
    part = replace(record.decision.parts[0], trace_state=state, deciding=fields)
    decision = replace(record.decision, trace_state=state, parts=(part,))
    return short_reason(replace(record, decision=decision, trace=replace(record.trace, gaps=gaps)))


@pytest.mark.parametrize(
    ("deciding", "told"),
    [
        ({F.ACTION: C.NO_RELEVANT_ACTION, F.FINAL_SUPPORT: C.CONTRADICTED}, "final_support: the last relevant obs"),
        ({F.TRANSITION: C.NO_CHANGE, F.COMMITMENT: C.NOT_COMMITTED}, "commitment: the change was left unsaved"),
        ({F.ACTION: C.RELEVANT_ACTION, F.TARGET: C.WRONG_TARGET, F.COMMITMENT: C.DISCARDED}, "target: another object"),
        ({F.TRANSITION: C.NO_CHANGE, F.ACTION: C.ACTION_FAILED}, "transition: nothing changed"),
        ({F.COMMITMENT: C.VALIDATION_ERROR, F.FINAL_SUPPORT: C.NOT_SHOWN}, "commitment: a validation error"),
        ({F.FINAL_SUPPORT: C.NOT_SHOWN}, "final_support: no observation shows"),
    ],
)
def test_a_flag_is_told_by_the_most_telling_field(deciding: dict[FieldName, EvidenceCause], told: str) -> None:
    assert reason(TraceState.NOT_COMPLETED, deciding).startswith(told)


def test_a_review_names_the_missing_evidence_and_the_gap() -> None:
    deciding = {F.TRANSITION: C.CHANGE_UNOBSERVED, F.FINAL_SUPPORT: C.NOT_SHOWN}
    missing = "final_support: no observation shows the requested state"
    assert reason(TraceState.UNKNOWN, deciding) == missing
    assert (
        reason(TraceState.UNKNOWN, deciding, (Gap.LOG_CUT_OFF,)) == f"{missing}; the log ends in the middle of a step"
    )


def test_an_unclear_report_is_named_as_the_reason() -> None:
    record = audit_run(saved().report("Should I save it now?").build(), rules())
    assert short_reason(record) == "report: the report asks a question"
