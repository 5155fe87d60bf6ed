"""Policy cases: data that says what a policy must decide, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tracewitness.findings.causes import Gap
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.decision import ROW_MARKS, Decision, Mark, RowId
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import (
    AnswerCheck,
    Basis,
    Claim,
    Disposition,
    FieldName,
    FieldValue,
    Language,
    StepPart,
    TaskClass,
    TraceState,
)
from tracewitness.findings.records import Citation, ClaimFinding, Evidence, FieldFinding, TaskFinding, TraceFinding
from tracewitness.policy.decide import decide
from tracewitness.policy.documents import Document, PolicyError, Table
from tracewitness.policy.domain import DISPOSITIONS, FIELD_AXES, FIELDS, STATES, VALUES, Axis, Record
from tracewitness.policy.rules import Policy
from tracewitness.policy.table import DecisionTable, compile_policy
from tracewitness.values.digests import digest_text


class CaseStatus(StrEnum):
    """How a case ended; the four are never merged."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Expected:
    """What a case expects: the outcome, and the reasons for it.

    Attributes:
        disposition: The disposition.
        row: The row that decides.
        trace_state: The trace state.
        marks: What the row adds; compared also where it is empty.
        deciding: The fields that decide the trace state of the worst parts; not compared where None.
    """

    disposition: Disposition
    row: str
    trace_state: TraceState
    marks: tuple[Mark, ...]
    deciding: tuple[FieldName, ...] | None


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a case, as a run would have them."""

    task: TaskFinding
    claim: ClaimFinding
    trace: TraceFinding
    answer_check: AnswerCheck


@dataclass(frozen=True, slots=True)
class PolicyCase:
    """One case.

    Attributes:
        id: Its id, unique in the file where it is well written.
        skip: Why it is not run, where it is not.
        error: What is wrong with it, where it is badly written; such a case is an error, never a failure.
        findings: What it feeds to the policy; None where there is an error.
        expected: What it expects; None where there is an error.
    """

    id: str
    skip: str | None = None
    error: str | None = None
    findings: Findings | None = None
    expected: Expected | None = None


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How one case ended.

    Attributes:
        case: The id of the case.
        status: How it ended.
        details: One line for each difference from what was expected, or why it was skipped or is an error.
        decision: The decision, where there is one.
    """

    case: str
    status: CaseStatus
    details: tuple[str, ...] = ()
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class CasesReport:
    """How all cases of a file ended.

    Attributes:
        results: One per case, in order.
        rows: Every row of the policy with the number of passed cases that it decided.
    """

    results: tuple[CaseResult, ...]
    rows: tuple[tuple[RowId, int], ...]

    def count(self, status: CaseStatus) -> int:
        """Return how many cases ended in a way."""
        return sum(result.status is status for result in self.results)

    @property
    def uncovered(self) -> tuple[RowId, ...]:
        """Return the rows that no passed case shows at work."""
        return tuple(row for row, cases in self.rows if not cases)

    @property
    def ok(self) -> bool:
        """Return whether at least one case passed and none failed or is an error; running no case is a failure."""
        bad = self.count(CaseStatus.FAILED) + self.count(CaseStatus.ERROR)
        return bad == 0 and self.count(CaseStatus.PASSED) > 0


_CASE_KEYS: Final = (
    "id",
    "skip",
    Axis.TASK_CLASS,
    Axis.CLAIM,
    Axis.BASIS,
    Axis.ANSWER_CHECK,
    Axis.RECORD,
    "part",
    "expect",
)
_PART_KEYS: Final = (*FIELD_AXES, Axis.PRIOR_STATE)
_EXPECT_KEYS: Final = ("disposition", "row", Axis.TRACE_STATE, "mark", "deciding")
_RULE: Final = digest_text("policy case")


def parse_cases(text: str, source: str) -> tuple[PolicyCase, ...]:
    """Return the cases that a TOML text states, as ``[[case]]`` tables.

    A case that is badly written is kept with its error, so that one of them does not hide the others.

    Args:
        text: The TOML text. A case names ``task_class``, ``claim``, one ``[[case.part]]`` per part, and
            ``[case.expect]``; ``basis`` is unstated, ``answer_check`` not_asked and ``record`` whole unless said. A
            field or prior state that a part leaves out is UNKNOWN.
        source: The name of the text, for errors.

    Raises:
        PolicyError: The text is no TOML or holds something else than cases. No case at all is no error here: it is a
            report that is not ok.
    """
    root = Document(text, source).root
    root.only("case")
    if not root.has("case"):
        return ()
    cases: list[PolicyCase] = []
    for place, table in enumerate(root.tables("case")):
        case = _case(table, place)
        if any(case.id == earlier.id for earlier in cases):
            case = PolicyCase(case.id, error=f"{source}: the id '{case.id}' is taken by an earlier case")
        cases.append(case)
    return tuple(cases)


def run_cases(policy: Policy, cases: tuple[PolicyCase, ...]) -> CasesReport:
    """Run cases against a policy."""
    table = compile_policy(policy)
    results = tuple(_run(table, case) for case in cases)
    passed = [result.decision.row for result in results if result.status is CaseStatus.PASSED and result.decision]
    return CasesReport(results, tuple((row.id, passed.count(row.id)) for row in policy.rows))


def _run(table: DecisionTable, case: PolicyCase) -> CaseResult:
    # A badly written case is an error even where it is to be skipped: nobody could tell what it skips.
    if case.error is not None or case.findings is None or case.expected is None:
        return CaseResult(case.id, CaseStatus.ERROR, (case.error or "the case has no findings",))
    if case.skip is not None:
        return CaseResult(case.id, CaseStatus.SKIPPED, (case.skip,))
    rows = [row.id for row in table.policy.rows]
    if case.expected.row not in rows:
        return CaseResult(case.id, CaseStatus.ERROR, (f"policy {table.ref.name} has no row '{case.expected.row}'",))
    found = case.findings
    decision = decide(table, found.task, found.claim, found.trace, found.answer_check)
    details = tuple(_differences(case.expected, decision))
    return CaseResult(case.id, CaseStatus.FAILED if details else CaseStatus.PASSED, details, decision)


def _differences(expected: Expected, decision: Decision) -> Iterator[str]:
    # Parts that are better than the run as a whole decide nothing.
    worst = (part for part in decision.parts if part.trace_state is decision.trace_state)
    named = {field.field for part in worst for field in part.deciding}
    compared = (
        ("disposition", expected.disposition, decision.disposition),
        ("row", expected.row, decision.row),
        ("trace state", expected.trace_state, decision.trace_state),
        ("marks", _listed(expected.marks), _listed(decision.marks)),
    )
    for what, wanted, got in compared:
        if wanted != got:
            yield f"{what}: expected {wanted}, got {got}"
    if expected.deciding is not None and set(expected.deciding) != named:
        got_fields = _listed(tuple(field for field in FIELDS if field in named))
        yield f"deciding fields: expected {_listed(expected.deciding)}, got {got_fields}"


def _listed(values: tuple[StrEnum, ...]) -> str:
    return ", ".join(values) or "none"


def _case(table: Table, place: int) -> PolicyCase:
    name = f"case {place + 1}"
    try:
        name = table.text("id")
        table.only(*_CASE_KEYS)
        skip = table.text("skip") if table.has("skip") else None
        return PolicyCase(name, skip, None, _findings(table), _expected(table.table("expect")))
    except PolicyError as error:
        return PolicyCase(name, error=str(error))


def _findings(table: Table) -> Findings:
    parts = tuple(_evidence(part) for part in table.tables("part"))
    claim = table.member(Axis.CLAIM, tuple(Claim))
    basis = table.member(Axis.BASIS, tuple(Basis)) if table.has(Axis.BASIS) else Basis.UNSTATED
    record = table.member(Axis.RECORD, tuple(Record)) if table.has(Axis.RECORD) else Record.WHOLE
    answer = AnswerCheck.NOT_ASKED
    if table.has(Axis.ANSWER_CHECK):
        answer = table.member(Axis.ANSWER_CHECK, tuple(AnswerCheck))
    return Findings(
        task=TaskFinding(table.member(Axis.TASK_CLASS, tuple(TaskClass)), _RULE, False, len(parts), Language.NONE),
        claim=ClaimFinding(claim, basis, (ClaimCause.NO_CLAIM_WORDS,), Language.NONE),
        trace=TraceFinding(parts, (Gap.MISSING_STEPS,) if record is Record.GAPS else ()),
        answer_check=answer,
    )


def _evidence(part: Table) -> Evidence:
    part.only(*_PART_KEYS)
    return Evidence(
        action=_finding(part, Axis.ACTION),
        target=_finding(part, Axis.TARGET),
        transition=_finding(part, Axis.TRANSITION),
        commitment=_finding(part, Axis.COMMITMENT),
        final_support=_finding(part, Axis.FINAL_SUPPORT),
        prior_state=_finding(part, Axis.PRIOR_STATE),
    )


def _finding(part: Table, axis: Axis) -> FieldFinding:
    value = part.member(axis, VALUES[axis]) if part.has(axis) else FieldValue.UNKNOWN
    cause = EvidenceCause.PRIOR_UNKNOWN if axis is Axis.PRIOR_STATE else EvidenceCause.NOT_SHOWN
    return FieldFinding(FieldValue(value.value), cause, (Citation(0, StepPart.AFTER),))


def _expected(expect: Table) -> Expected:
    expect.only(*_EXPECT_KEYS)
    return Expected(
        disposition=expect.member("disposition", DISPOSITIONS),
        row=expect.text("row"),
        trace_state=expect.member(Axis.TRACE_STATE, STATES),
        marks=expect.members("mark", ROW_MARKS) if expect.has("mark") else (),
        deciding=expect.members("deciding", FIELDS) if expect.has("deciding") else None,
    )
