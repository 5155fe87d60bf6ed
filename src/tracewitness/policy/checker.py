"""The checker: the trace state, from task class and evidence alone. Nothing of the report can be given to it."""

from collections.abc import Iterable

from tracewitness.findings.decision import DecidingField, PartDecision, Standing, StateRule
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldName, FieldValue, StepPart, TaskClass, TraceState
from tracewitness.findings.records import Evidence, FieldFinding, TraceFinding
from tracewitness.policy.domain import STATES, Record
from tracewitness.policy.rules import ClassRule, Policy
from tracewitness.values.ternary import Ternary

NO_EVIDENCE = PartDecision(TraceState.UNKNOWN, Standing.NONE, StateRule.NO_EVIDENCE, ())
"""The decision on a part of the task for which there is no evidence."""


def trace_state(policy: Policy, task_class: TaskClass, trace: TraceFinding, parts: int = 1) -> TraceState:
    """Return the trace state of a run: that of its worst part; UNKNOWN where the evidence is unavailable.

    Args:
        policy: The policy.
        task_class: The class of the task.
        trace: What the trace side found.
        parts: How many parts the task has; a part without evidence is UNKNOWN.
    """
    return worst_state(part.trace_state for part in part_decisions(policy, task_class, trace, parts))


def part_decisions(policy: Policy, task_class: TaskClass, trace: TraceFinding, parts: int) -> tuple[PartDecision, ...]:
    """Return the decision on every part of the task; none where the evidence is unavailable."""
    if trace.unavailable is not None:
        return ()
    rule = policy.class_rule(task_class)
    record = record_of(trace)
    found = tuple(_part(policy, rule, evidence, record) for evidence in trace.parts)
    return found + (NO_EVIDENCE,) * (max(parts, 1) - len(found))


def worst_state(states: Iterable[TraceState]) -> TraceState:
    """Return the worst of the states; UNKNOWN for none, since nothing was shown."""
    return max(states, key=STATES.index, default=TraceState.UNKNOWN)


def joint_standing(parts: Iterable[PartDecision]) -> Standing:
    """Return how far a run with these parts rests on the standing rule.

    Only a COMPLETED run can rest on it. It does so WHOLLY only where every part does: a run that brought one part about
    and found the other done already may truly say that it performed the task.
    """
    seen = {(part.trace_state, part.standing) for part in parts}
    if not seen or any(state is not TraceState.COMPLETED for state, _ in seen):
        return Standing.NONE
    if len(seen) == 1:
        return next(iter(seen))[1]
    return Standing.PARTLY


def record_of(trace: TraceFinding) -> Record:
    """Return whether the record is whole; any gap opens it."""
    return Record.GAPS if trace.gaps else Record.WHOLE


def grounded(finding: FieldFinding) -> FieldValue:
    """Return the value of a field as far as it is supported.

    A YES or NO without a citation is UNKNOWN, whoever let it through. The agent's own words can be an admission, so
    they support a NO; they never support a YES.
    """
    if finding.value in {FieldValue.YES, FieldValue.NO} and not finding.citations:
        return FieldValue.UNKNOWN
    if finding.value is FieldValue.YES and is_narrated(finding):
        return FieldValue.UNKNOWN
    return finding.value


def is_narrated(finding: FieldFinding) -> bool:
    """Tell whether a value rests on the agent's own words alone."""
    return bool(finding.citations) and all(cited.part is StepPart.NARRATION for cited in finding.citations)


def read_as(value: FieldValue, record: Record, *, closed_world: bool) -> Ternary:
    """Return a field's value as the policy reads it: ABSENT is NO only in a closed world over a whole record."""
    if value is FieldValue.ABSENT:
        return Ternary.NO if closed_world and record is Record.WHOLE else Ternary.UNKNOWN
    return Ternary(value.value)


def prior_state_of(evidence: Evidence) -> Ternary:
    """Return whether the goal held before the run; ABSENT says nothing about that, so it is UNKNOWN."""
    value = grounded(evidence.prior_state)
    return Ternary.UNKNOWN if value is FieldValue.ABSENT else Ternary(value.value)


def _part(policy: Policy, rule: ClassRule, evidence: Evidence, record: Record) -> PartDecision:
    fields = {name: _field(policy, name, finding, record) for name, finding in evidence.fields()}
    chain = _chain(rule, fields, record)
    holds = fields[FieldName.FINAL_SUPPORT]
    stood = prior_state_of(evidence) is Ternary.YES and holds.read_as is Ternary.YES
    if not (policy.standing_goals and stood) or chain.trace_state is TraceState.COMPLETED:
        return chain
    standing = Standing.WHOLLY if chain.trace_state is TraceState.NOT_COMPLETED else Standing.PARTLY
    return PartDecision(TraceState.COMPLETED, standing, StateRule.STANDING_GOAL, (holds, *chain.deciding))


def _field(policy: Policy, name: FieldName, finding: FieldFinding, record: Record) -> DecidingField:
    value = grounded(finding)
    unsupported = EvidenceCause.NARRATION_ONLY if is_narrated(finding) else EvidenceCause.NO_CITATION
    cause = finding.cause if value is finding.value else unsupported
    return DecidingField(name, finding.value, read_as(value, record, closed_world=policy.closed_world), cause)


def _chain(rule: ClassRule, fields: dict[FieldName, DecidingField], record: Record) -> PartDecision:
    """Decide by the required fields alone."""
    required = tuple(fields[name] for name in rule.required)
    refuted = tuple(field for field in required if field.read_as is Ternary.NO)
    if refuted:
        return PartDecision(TraceState.NOT_COMPLETED, Standing.NONE, StateRule.REQUIRED_NO, refuted)
    tolerated = rule.tolerated if record is Record.WHOLE else ()
    unknown = tuple(field for field in required if field.read_as is Ternary.UNKNOWN)
    missing = tuple(field for field in unknown if field.field not in tolerated)
    if missing:
        return PartDecision(TraceState.UNKNOWN, Standing.NONE, StateRule.REQUIRED_UNKNOWN, missing)
    state_rule = StateRule.TOLERATED if unknown else StateRule.ALL_REQUIRED
    return PartDecision(TraceState.COMPLETED, Standing.NONE, state_rule, required)
