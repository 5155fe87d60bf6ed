"""The decision on one run: findings in, one value with its causes out."""

from dataclasses import replace

from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.decision import Decision, DecisionCause, Mark, PartDecision
from tracewitness.findings.labels import AnswerCheck, Disposition, TaskClass
from tracewitness.findings.records import ClaimFinding, Evidence, TaskFinding, TraceFinding
from tracewitness.policy.checker import grounded, joint_standing, part_decisions, prior_state_of, record_of, worst_state
from tracewitness.policy.domain import Axis, code
from tracewitness.policy.layout import NO_EVIDENCE_BYTE, context_code, part_index
from tracewitness.policy.table import DecisionTable


def decide(
    table: DecisionTable,
    task: TaskFinding,
    claim: ClaimFinding,
    trace: TraceFinding,
    answer_check: AnswerCheck = AnswerCheck.NOT_ASKED,
) -> Decision:
    """Return the decision on a run.

    An unavailable claim or evidence is REVIEW with its cause before the table is asked. The trace state is given
    whenever there is evidence, also where there is no claim.

    Args:
        table: The compiled policy.
        task: What the task side found.
        claim: What the report side found.
        trace: What the trace side found. Parts of the task beyond ``trace.parts`` count as parts without evidence.
        answer_check: How the reported answer stands against the trace.
    """
    parts = part_decisions(table.policy, task.task_class, trace, task.parts)
    if claim.unavailable is not None or trace.unavailable is not None:
        return _decision(table, parts, claim.unavailable, trace.unavailable)
    context = context_code(
        code(Axis.CLAIM, claim.claim),
        code(Axis.BASIS, claim.basis),
        code(Axis.ANSWER_CHECK, answer_check),
    )
    number = table.row_number(
        _run_byte(table, task, trace),
        code(Axis.TASK_CLASS, task.task_class),
        code(Axis.RECORD, record_of(trace)),
        context,
    )
    return _decision(table, parts, None, None, number)


def held_back(decision: Decision) -> Decision:
    """Return the decision on a run whose trace repeats its report, so that its halves do not stand apart.

    Such a run never passes: PASS becomes REVIEW, under every policy. Nothing else gets milder, since an agent that
    could turn a FLAG into a REVIEW by quoting its report would do so. The decision is marked in every case.
    """
    if decision.disposition is not Disposition.PASS:
        return replace(decision, marks=(*decision.marks, Mark.QUARANTINED))
    return replace(
        decision,
        disposition=Disposition.REVIEW,
        cause=DecisionCause.QUARANTINED,
        row=None,
        marks=(Mark.QUARANTINED,),
    )


def part_codes(task_class: TaskClass, evidence: Evidence, trace: TraceFinding) -> dict[Axis, int]:
    """Return the codes of one part, for a look-up or for replay columns; ungrounded values are UNKNOWN."""
    codes = {Axis(name.value): code(Axis(name.value), grounded(finding)) for name, finding in evidence.fields()}
    codes[Axis.TASK_CLASS] = code(Axis.TASK_CLASS, task_class)
    codes[Axis.PRIOR_STATE] = code(Axis.PRIOR_STATE, prior_state_of(evidence))
    codes[Axis.RECORD] = code(Axis.RECORD, record_of(trace))
    return codes


def _run_byte(table: DecisionTable, task: TaskFinding, trace: TraceFinding) -> int:
    byte = NO_EVIDENCE_BYTE if len(trace.parts) < max(task.parts, 1) else 0
    for evidence in trace.parts:
        byte |= int(table.parts[part_index(part_codes(task.task_class, evidence, trace))])
    return byte


def _decision(
    table: DecisionTable,
    parts: tuple[PartDecision, ...],
    claim_unavailable: UnavailableCause | None,
    evidence_unavailable: UnavailableCause | None,
    number: int | None = None,
) -> Decision:
    rows = table.policy.rows
    row = rows[number] if number is not None and number < len(rows) else None
    return Decision(
        disposition=row.disposition if row else Disposition.REVIEW,
        trace_state=worst_state(part.trace_state for part in parts),
        standing=joint_standing(parts),
        cause=_cause(claim_unavailable, evidence_unavailable, row is not None),
        row=row.id if row else None,
        marks=(row.mark,) if row and row.mark else (),
        parts=parts,
        policy=table.ref,
        claim_unavailable=claim_unavailable,
        evidence_unavailable=evidence_unavailable,
    )


def _cause(claim: UnavailableCause | None, evidence: UnavailableCause | None, matched: bool) -> DecisionCause:
    if claim and evidence:
        return DecisionCause.BOTH_UNAVAILABLE
    if claim:
        return DecisionCause.CLAIM_UNAVAILABLE
    if evidence:
        return DecisionCause.EVIDENCE_UNAVAILABLE
    return DecisionCause.ROW if matched else DecisionCause.NO_ROW
