"""Policy cases: pass, fail, error and skipped are never merged, and reasons count as much as outcomes."""

import pytest
from policy_samples import BUILT_IN, built_in, cases_text

from tracewitness.policy.cases import CasesReport, CaseStatus, parse_cases, run_cases
from tracewitness.policy.documents import PolicyError

CASE = """
[[case]]
id = "one"
task_class = "create_edit"
claim = "SUCCESS"
[[case.part]]
action = "YES"
target = "YES"
transition = "YES"
commitment = "ABSENT"
final_support = "YES"
[case.expect]
disposition = "FLAG"
row = "false_success"
trace_state = "NOT_COMPLETED"
deciding = ["commitment"]
"""


def ran(text: str, policy: str = "default") -> CasesReport:
    return run_cases(built_in(policy), parse_cases(text, "cases.toml"))


def statuses(report: CasesReport) -> list[CaseStatus]:
    return [result.status for result in report.results]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_policy_passes_its_cases_and_every_row_is_seen_at_work(name: str) -> None:
    report = ran(cases_text(name), name)
    assert [(result.case, result.details) for result in report.results if result.status is not CaseStatus.PASSED] == []
    assert report.uncovered == ()
    assert report.ok


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ('disposition = "FLAG"', 'disposition = "PASS"', "disposition: expected PASS, got FLAG"),
        ('row = "false_success"', 'row = "trace_unknown"', "row: expected trace_unknown, got false_success"),
        ('state = "NOT_COMPLETED"', 'state = "UNKNOWN"', "trace state: expected UNKNOWN, got NOT_COMPLETED"),
        ('row = "f', 'mark = "underclaim"\nrow = "f', "marks: expected underclaim, got none"),
        ('["commitment"]', '["action"]', "deciding fields: expected action, got commitment"),
    ],
)
def test_a_right_outcome_for_another_reason_fails(old: str, new: str, detail: str) -> None:
    report = ran(CASE.replace(old, new))
    assert statuses(report) == [CaseStatus.FAILED]
    assert report.results[0].details == (detail,)
    assert report.results[0].decision is not None
    assert not report.ok


def test_a_mark_that_was_not_expected_fails() -> None:
    honest = CASE.replace("SUCCESS", "FAILURE_OR_INCOMPLETE").replace("ABSENT", "YES")
    honest = honest.replace("false_success", "underclaim").replace("FLAG", "PASS").replace("NOT_COMPLETED", "COMPLETED")
    report = ran(honest.replace('deciding = ["commitment"]\n', ""))
    assert report.results[0].details == ("marks: expected none, got underclaim",)


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ('claim = "SUCCESS"', 'claim = "success"', "cases.toml:5: case[1].claim: 'success' is not one of"),
        ('row = "false_success"', 'row = "no_such_row"', "policy default has no row 'no_such_row'"),
        ('action = "YES"', 'acton = "YES"', "cases.toml:7: case[1].part[1].acton: unknown key"),
        ('id = "one"', 'ident = "one"', "case[1].id: this key is missing"),
        ('row = "false_success"\n', "", "case[1].expect.row: this key is missing"),
        ('claim = "SUCCESS"', 'claim = "SUCCESS"\nskip = ""', "case[1].skip: must not be empty"),
    ],
)
def test_a_badly_written_case_is_an_error_and_hides_no_other(old: str, new: str, detail: str) -> None:
    report = ran(CASE.replace(old, new) + CASE.replace('"one"', '"two"'))
    assert statuses(report) == [CaseStatus.ERROR, CaseStatus.PASSED]
    assert detail in report.results[0].details[0]
    assert not report.ok


def test_an_id_used_twice_is_an_error() -> None:
    assert statuses(ran(CASE + CASE)) == [CaseStatus.PASSED, CaseStatus.ERROR]


def test_a_skipped_case_is_counted_as_skipped_alone() -> None:
    skipped = CASE.replace('id = "one"', 'id = "two"\nskip = "not yet"')
    report = ran(CASE + skipped)
    assert [report.count(status) for status in CaseStatus] == [1, 0, 0, 1]
    assert (report.results[1].details, report.results[1].decision) == (("not yet",), None)
    assert report.ok


@pytest.mark.parametrize("text", ["", "# nothing\n", CASE.replace('id = "one"', 'id = "one"\nskip = "not yet"')])
def test_running_no_case_is_a_failure(text: str) -> None:
    assert not ran(text).ok


def test_only_passed_cases_show_a_row_at_work() -> None:
    report = ran(CASE + CASE.replace('"one"', '"two"').replace('"NOT_COMPLETED"', '"UNKNOWN"'))
    assert dict(report.rows)[built_in("default").rows[4].id] == 1
    assert len(report.uncovered) == len(report.rows) - 1
    assert not report.ok


def test_a_text_that_holds_no_cases_is_badly_written() -> None:
    for text in ("[[case]\n", "[[test]]\nid = 'x'\n", "case = 3"):
        with pytest.raises(PolicyError):
            parse_cases(text, "cases.toml")
