"""Why a record came out as it did, as a tree of plain values that a face can lay out. Pure: it reads a record alone.

Secrets are redacted once more on the way out: a record may have been imported from elsewhere.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tracewitness.auditing.words import field_sentence
from tracewitness.findings.decision import DecidingField, Decision, DecisionCause, PartDecision
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import (
    AnswerCheck,
    Claim,
    Disposition,
    FieldName,
    FieldValue,
    StepPart,
    TraceState,
    Triage,
)
from tracewitness.findings.records import Citation, Evidence, FieldFinding
from tracewitness.policy.checker import grounded, is_narrated
from tracewitness.policy.rules import Policy
from tracewitness.store.record import AuditRecord, ProseSide
from tracewitness.task_side.reading import read_task
from tracewitness.task_side.task import Task
from tracewitness.values.answer_words import answer_words
from tracewitness.values.digests import Digest
from tracewitness.values.plurals import plural
from tracewitness.values.redaction import redact
from tracewitness.values.ternary import Ternary

TRIAGE_WORDS = {
    Triage.SETTLED_PASSED: "settled: an independent check passed it",
    Triage.SETTLED_FAILED: "settled: an independent check failed it",
    Triage.NOT_AUDITABLE_TIMEOUT: "not auditable: time-out",
    Triage.NOT_AUDITABLE_ERROR: "not auditable: execution error",
    Triage.NOT_AUDITABLE_NO_REPORT: "not auditable: no report",
    Triage.NOT_AUDITABLE_EMPTY_TRACE: "not auditable: empty trace",
    Triage.AUDIT_TARGET: "audit target",
}

PLACE_WORDS = {
    StepPart.ACTION: "action",
    StepPart.BEFORE: "before",
    StepPart.AFTER: "after",
    StepPart.ERROR: "error",
    StepPart.URL_BEFORE: "URL before",
    StepPart.URL_AFTER: "URL after",
    StepPart.NARRATION: "the agent's own words",
}

_MOST_TELLING_FIRST = (
    FieldName.FINAL_SUPPORT,
    FieldName.TARGET,
    FieldName.COMMITMENT,
    FieldName.TRANSITION,
    FieldName.ACTION,
)
_NOT_SEEN = (EvidenceCause.NOT_SHOWN, EvidenceCause.CHANGE_UNOBSERVED, EvidenceCause.UNVERIFIED_CHANGE)

CHECK_WORDS = {
    AnswerCheck.NOT_ASKED: "the task asks for no answer",
    AnswerCheck.AGREES: "the reported answer is the one that the trace supports",
    AnswerCheck.SHOWN: "the reported answer was shown, but the trace does not settle that it is the one asked for",
    AnswerCheck.UNKNOWN: "the reported answer could not be checked",
    AnswerCheck.ABSENT: "the reported answer is nowhere in a whole record",
    AnswerCheck.CONTRADICTS: "the trace supports another answer than the reported one",
}


@dataclass(frozen=True, slots=True)
class ClauseView:
    """A clause of the report, and how it was read."""

    text: str
    cause: str
    deciding: bool


@dataclass(frozen=True, slots=True)
class CitationView:
    """A place in the trace in words, such as ``step 4 after``, with the line that is quoted from it."""

    place: str
    quote: str | None


@dataclass(frozen=True, slots=True)
class FieldView:
    """One evidence field.

    Attributes:
        name: Its name.
        value: YES, NO or UNKNOWN, as the policy read it; for prior_state also as found.
        cause: The sentence that says why.
        deciding: It decided the trace state.
        citations: What supports it.
        rationale: The extractor's own short words, if any.
        votes: How a model's runs voted, such as ``YES 4, NO 1``; empty without a vote.
    """

    name: str
    value: str
    cause: str
    deciding: bool
    citations: tuple[CitationView, ...]
    rationale: str | None
    votes: str = ""


@dataclass(frozen=True, slots=True)
class PartView:
    """One part of the task with its trace state and evidence.

    Attributes:
        text: Its words in the instruction; empty where they can no longer be told.
        trace_state: COMPLETED, NOT_COMPLETED or UNKNOWN.
        rule: The sentence that says how the state follows from the fields.
        fields: The evidence.
        answers: For a query, the answers that the trace itself supports.
        answer_places: Where it supports them.
    """

    text: str
    trace_state: str
    rule: str
    fields: tuple[FieldView, ...]
    answers: tuple[str, ...]
    answer_places: tuple[CitationView, ...]


@dataclass(frozen=True, slots=True)
class HiddenView:
    """One thing that the trace side never saw."""

    where: str
    plane: str
    route: str
    characters: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """The whole decision as a person reads it. Texts from a log stand in it as they are: escape them on showing."""

    run_id: str
    record_id: str
    origin: str
    format: str
    audited_at: str
    triage: str
    instruction: str
    task_class: str
    class_overridden: bool
    disposition: str | None
    marks: tuple[str, ...]
    claim: str | None
    basis: str | None
    claim_causes: tuple[str, ...]
    clauses: tuple[ClauseView, ...]
    reported_answers: tuple[str, ...]
    answer_check: str
    trace_state: str | None
    parts: tuple[PartView, ...]
    gaps: tuple[str, ...]
    notices: tuple[str, ...]
    row: str | None
    reason: str
    policy: str
    makers: str
    hidden: tuple[HiddenView, ...]
    claim_votes: str = ""
    models: tuple[str, ...] = ()


def explain(record: AuditRecord, policy: Policy | None = None) -> Explanation:
    """Return why a record came out as it did.

    Args:
        record: The record.
        policy: The policy that decided, for the reason stated in its row; another policy's reasons are never shown.
    """
    decision, claim, trace = record.decision, record.claim, record.trace
    makers = record.makers
    return Explanation(
        run_id=record.run_id,
        record_id=record.record_id,
        origin=_told(record.origin_path),
        format=" ".join(filter(None, (makers.format_name, makers.format_version))),
        audited_at=record.audited_at,
        triage=TRIAGE_WORDS[record.triage],
        instruction=_instruction(record),
        task_class=record.task.task_class,
        class_overridden=record.task.overridden,
        disposition=decision.disposition if decision else None,
        marks=decision.marks if decision else (),
        claim=claim.claim if claim else None,
        basis=claim.basis if claim else None,
        claim_causes=tuple(cause.sentence for cause in claim.causes) if claim else (),
        clauses=_clauses(record),
        reported_answers=tuple(answer_words(value) for value in claim.answers) if claim else (),
        answer_check=CHECK_WORDS[record.answer_check],
        trace_state=decision.trace_state if decision else None,
        parts=_parts(record),
        gaps=tuple(gap.sentence for gap in trace.gaps) if trace else (),
        notices=(*(notice.sentence for notice in (trace.notices if trace else ())), *map(_told, record.notices)),
        row=decision.row if decision else None,
        reason=decision_reason(record, policy),
        policy=f"{makers.policy_name} {makers.policy_version}",
        makers=f"claim reader {makers.claim_reader}, evidence extractor {makers.extractor}, "
        f"tracewitness {makers.tool_version}",
        hidden=tuple(HiddenView(_told(s.where), s.plane, s.route, s.characters) for s in record.stripped),
        claim_votes=votes_on(record, ProseSide.REPORT, "claim", 0),
        models=tuple(_models(record)),
    )


def votes_on(record: AuditRecord, side: ProseSide, subject: str, part: int) -> str:
    """Return how the runs of a model voted, the most frequent label first; with probabilities where it was weighed."""
    for note in record.ballots:
        told = note.ballots
        if note.side is side and told.subject == subject and told.part == part:
            if told.probabilities:
                shares = sorted(told.probabilities, key=lambda each: -each.share)
                return ", ".join(f"{each.label} {each.share:.0%}" for each in shares)
            return ", ".join(f"{label} {count}" for label, count in Counter(told.labels).most_common())
    return ""


def _models(record: AuditRecord) -> Iterator[str]:
    """Yield for each model that was asked: its side, its name, and what its answers came to."""
    for used in record.makers.models:
        answers = [answer for answer in record.answers if answer.side is used.side]
        asked, answered = sum(a.input_tokens for a in answers), sum(a.output_tokens for a in answers)
        prompts = ", ".join(prompt.prompt_id for prompt in used.prompts)
        told = f"{plural(len(answers), 'answer')}, {asked:,} tokens asked and {answered:,} answered"
        yield f"{used.side} side: {_told(used.model)} (prompt {prompts}); {told}"


def decision_reason(record: AuditRecord, policy: Policy | None) -> str:
    """Return the one sentence that says why a record has its disposition."""
    decision = record.decision
    if decision is None:
        return TRIAGE_WORDS[record.triage]
    if decision.cause is not DecisionCause.ROW:
        causes = [cause.sentence for cause in (decision.claim_unavailable, decision.evidence_unavailable) if cause]
        return ": ".join((decision.cause.sentence, "; ".join(causes))) if causes else decision.cause.sentence
    row = policy.row(decision.row) if policy is not None and decision.row and _decided_by(policy, decision) else None
    return row.reason if row is not None else f"row {decision.row} of the policy decided"


def short_reason(record: AuditRecord) -> str:
    """Return why a record came out as it did in half a line: the most telling field, or what was not available."""
    decision, claim = record.decision, record.claim
    if decision is None or claim is None:
        return TRIAGE_WORDS[record.triage]
    if decision.cause is not DecisionCause.ROW:
        return decision_reason(record, None)
    if claim.claim is Claim.UNCLEAR and claim.causes:
        return f"report: {claim.causes[0].sentence}"
    if record.answer_check in (AnswerCheck.ABSENT, AnswerCheck.CONTRADICTS) or _held_back_by_answer(record, decision):
        return CHECK_WORDS[record.answer_check]
    gaps = [gap.sentence for gap in record.trace.gaps] if record.trace is not None else []
    missing = gaps[:1] if decision.trace_state is TraceState.UNKNOWN else []
    return "; ".join([_deciding_field(decision), *missing])


def _held_back_by_answer(record: AuditRecord, decision: Decision) -> bool:
    completed = decision.trace_state is TraceState.COMPLETED
    open_check = record.answer_check in (AnswerCheck.UNKNOWN, AnswerCheck.SHOWN)
    return open_check and completed and decision.disposition is Disposition.REVIEW


def _deciding_field(decision: Decision) -> str:
    worst = [part for part in decision.parts if part.trace_state is decision.trace_state]
    if not worst or not worst[0].deciding:
        return worst[0].rule.sentence if worst else "there is no evidence"
    telling = min(worst[0].deciding, key=_how_telling)
    return f"{telling.field}: {telling.cause.sentence}"


def _how_telling(deciding: DecidingField) -> tuple[bool, int]:
    """Return a key that puts the most telling field first: what was seen to be wrong before what was not seen."""
    refuted_unseen = deciding.read_as is Ternary.NO and deciding.cause in _NOT_SEEN
    return refuted_unseen, _MOST_TELLING_FIRST.index(deciding.field)


def _decided_by(policy: Policy, decision: Decision) -> bool:
    return policy.digest == decision.policy.digest


def _instruction(record: AuditRecord) -> str:
    return _told(next((kept.text for kept in record.prose if kept.side is ProseSide.TASK), ""))


def _told(text: str) -> str:
    return redact(text).text


def _kept(record: AuditRecord, digest: Digest | None, side: ProseSide) -> str | None:
    text = None if digest is None else record.text(digest, side)
    return None if text is None else _told(text)


def _clauses(record: AuditRecord) -> tuple[ClauseView, ...]:
    return tuple(
        ClauseView(_kept(record, clause.quote, ProseSide.REPORT) or "", clause.cause.sentence, clause.decided)
        for clause in record.clauses
    )


def _parts(record: AuditRecord) -> tuple[PartView, ...]:
    if record.trace is None or record.decision is None:
        return ()
    decided: Sequence[PartDecision | None] = record.decision.parts or (None,) * len(record.trace.parts)
    texts = _part_texts(record, len(record.trace.parts))
    numbered = enumerate(zip(texts, record.trace.parts, decided, strict=False))
    return tuple(_part(record, number, text, found, decision) for number, (text, found, decision) in numbered)


def _part_texts(record: AuditRecord, count: int) -> tuple[str, ...]:
    """Return the words of each part, by splitting the instruction again; a record of another version may differ."""
    goals = read_task(Task(_instruction(record), given_class=record.task.task_class)).goals
    return tuple(goal.text for goal in goals) if len(goals) == count else ("",) * count


def _part(record: AuditRecord, number: int, text: str, evidence: Evidence, decision: PartDecision | None) -> PartView:
    deciding = {field.field: field.read_as for field in decision.deciding} if decision else {}
    fields = [
        _field(record, name, finding, deciding.get(name, _resolved(finding, record)), name in deciding)
        for name, finding in evidence.fields()
    ]
    fields.append(_field(record, "prior_state", evidence.prior_state, _resolved(evidence.prior_state, record), False))
    fields = [replace(one, votes=votes_on(record, ProseSide.TRACE, one.name, number)) for one in fields]
    answers = tuple(answer_words(value) for value in evidence.answers)
    return PartView(
        text=text,
        trace_state=decision.trace_state if decision else "UNKNOWN",
        rule=decision.rule.sentence if decision else "the evidence extractor gave no answer",
        fields=tuple(fields),
        answers=answers,
        answer_places=tuple(_citation(record, cited) for cited in evidence.final_support.citations) if answers else (),
    )


def _resolved(finding: FieldFinding, record: AuditRecord) -> str:
    """Return a field's value as people are shown it: ABSENT is NO over a whole record, else UNKNOWN."""
    if finding.value is not FieldValue.ABSENT:
        return grounded(finding)
    return "UNKNOWN" if record.trace is not None and record.trace.gaps else "NO"


def _field(record: AuditRecord, name: str, finding: FieldFinding, value: str, deciding: bool) -> FieldView:
    rationale = _kept(record, finding.rationale, ProseSide.TRACE)
    citations = tuple(_citation(record, citation) for citation in finding.citations)
    narrated = ", told by the agent alone (narrated)" if is_narrated(finding) else ""
    sentence = field_sentence(name, value, finding.cause) + narrated
    return FieldView(name, value, sentence, deciding, citations, rationale)


def _citation(record: AuditRecord, citation: Citation) -> CitationView:
    quote = _kept(record, citation.quote, ProseSide.TRACE)
    return CitationView(f"step {citation.step} {PLACE_WORDS[citation.part]}", quote)
