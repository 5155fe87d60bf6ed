"""The claim reader by a model: what it is shown, and what becomes of its answers."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.asking.dialogue import settle
from tracewitness.asking.port import Askers
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.labels import Basis, Claim, Language
from tracewitness.findings.records import ClaimFinding
from tracewitness.report_side.by_model import claim_question, parse_claim, read_claim_by_model
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.testing.scripted import ScriptedAsker
from tracewitness.values.answers import NumberValue

REPORT = Report("The cheapest fare is 214.", None)


def _answer(claim: str = "SUCCESS", cause: str = "gave_answer", **changes: Any) -> dict[str, Any]:
    return {
        "rationale": "It says so.",
        "claim": claim,
        "basis": "unstated",
        "cause": cause,
        "answers": ["214"],
        **changes,
    }


def test_majority_decides_and_stops_early() -> None:
    asker = ScriptedAsker([_answer(), _answer("UNCLEAR", "hedged"), _answer(), _answer()])
    finding = settle(read_claim_by_model(REPORT), Askers.both(asker)).finding
    assert finding.claim is Claim.SUCCESS
    assert finding.answers == (NumberValue(Decimal(214)),)
    assert len(asker.questions) == 4


def test_without_a_majority_the_claim_is_unclear() -> None:
    replies = [_answer(), _answer(), _answer("UNCLEAR", "hedged"), _answer("UNCLEAR", "hedged")]
    asker = ScriptedAsker([*replies, _answer("FAILURE_OR_INCOMPLETE", "partial")])
    finding = settle(read_claim_by_model(REPORT), Askers.both(asker)).finding
    assert (finding.claim, finding.causes) == (Claim.UNCLEAR, (ClaimCause.NO_MAJORITY,))


@pytest.mark.parametrize("cause", [UnavailableCause.TIMEOUT, UnavailableCause.REFUSED])
def test_a_silent_model_is_never_a_verdict(cause: UnavailableCause) -> None:
    finding = settle(read_claim_by_model(REPORT), Askers.both(ScriptedAsker(lambda _: cause))).finding
    assert (finding.claim, finding.unavailable) == (Claim.UNCLEAR, cause)
    assert finding.causes == (ClaimCause.UNAVAILABLE,)


@pytest.mark.parametrize(
    "value",
    [
        {},
        _answer(claim="PASS"),
        _answer(cause="certain"),
        _answer(rationale=1),
        _answer(answers="214"),
        _answer(answers=[214]),
        _answer(extra=1),
        _answer(basis="certain"),
    ],
)
def test_an_answer_of_another_form_is_unparsable(value: dict[str, Any]) -> None:
    assert parse_claim(value, Language.EN) is UnavailableCause.SCHEMA_VIOLATION
    finding = settle(read_claim_by_model(REPORT), Askers.both(ScriptedAsker(lambda _: value))).finding
    assert finding.unavailable is UnavailableCause.SCHEMA_VIOLATION


def test_basis_and_answers_count_for_a_success_only() -> None:
    finding = parse_claim(_answer("FAILURE_OR_INCOMPLETE", "partial", basis="performed"), Language.EN)
    assert isinstance(finding, ClaimFinding)
    assert (finding.basis, finding.answers) == (Basis.UNSTATED, ())


@settings(max_examples=40)
@given(st.text(max_size=80))
def test_nothing_in_the_report_can_close_its_fence(text: str) -> None:
    question = claim_question(Report(text, DeclaredStatus.FAILURE))
    first, *_, last = [
        line for line in question.user.splitlines() if "report" in line and ("<<<" in line or ">>>" in line)
    ]
    mark = first.removeprefix("<<<report ")
    assert question.user.count(mark) == 2
    assert last == f"{mark} report>>>"
    assert "Success flag: failure" in question.user


def test_the_question_is_the_same_every_time_and_differs_by_run() -> None:
    assert claim_question(REPORT, 1) == claim_question(REPORT, 1)
    assert claim_question(REPORT, 1).cache_key("m") != claim_question(REPORT, 2).cache_key("m")


def test_a_cause_that_does_not_fit_the_claim_is_left_out() -> None:
    finding = parse_claim(_answer("SUCCESS", "no_claim_words"), Language.EN)
    assert isinstance(finding, ClaimFinding)
    assert (finding.claim, finding.causes) == (Claim.SUCCESS, (ClaimCause.MODEL_READ,))
