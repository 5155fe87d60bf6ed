"""Rules and model together: the ledger's facts overrule a model that reads the trace against them.

Both are handed the same trace. Where both settle a field alike, it is settled. Where one says nothing, the other is
heard. Where they contradict each other, or a fact of the record stands against what the model says (a citation that
does not hold, a dialog still open, an error after the last change), the field is UNKNOWN, with the citations of both
and what each said. A model that gave no answer leaves the finding unavailable.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldName, FieldValue, StepPart, TaskClass
from tracewitness.findings.records import Citation, Evidence, FieldFinding
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.extraction import Extraction, Scribe
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.sightings import Sighting
from tracewitness.trace_side.speakers import is_narrated, named_prose
from tracewitness.trace_side.trace import Trace

_SETTLED = frozenset({FieldValue.YES, FieldValue.NO})
_COMMITTED = (FieldName.COMMITMENT,)
_DURABLE = (FieldName.COMMITMENT, FieldName.FINAL_SUPPORT)
_TELLING_SILENCES = frozenset({EvidenceCause.UNGROUNDED, EvidenceCause.NOT_VISIBLE, EvidenceCause.NARRATION_ONLY})


@dataclass(frozen=True, slots=True)
class Objection:
    """A fact of the record against a YES: which fields it speaks to, what it is, and where it stands."""

    fields: tuple[FieldName, ...]
    cause: EvidenceCause
    step: int
    part: StepPart
    quote: str


def combine(trace: Trace, task_class: TaskClass, rules: Extraction, model: Extraction) -> Extraction:
    """Return what rules and a model found together.

    Args:
        trace: The trace that both read, without secrets.
        task_class: The class of the task. A question makes nothing durable, so no fact stands against that.
        rules: What the rules found.
        model: What the model found.
    """
    if model.finding.unavailable is not None or len(rules.finding.parts) != len(model.finding.parts):
        return model
    scribe = Scribe({**rules.prose, **model.prose})
    objections = () if task_class is TaskClass.QUERY else tuple(objections_of(build_ledger(trace)))
    parts = tuple(
        _part(ours, theirs, objections, scribe)
        for ours, theirs in zip(rules.finding.parts, model.finding.parts, strict=True)
    )
    notices = tuple(dict.fromkeys((*rules.finding.notices, *model.finding.notices)))
    gaps = tuple(dict.fromkeys((*rules.finding.gaps, *model.finding.gaps)))
    return Extraction(
        replace(model.finding, parts=parts, notices=notices, gaps=gaps), named_prose(parts, scribe.prose), model.ballots
    )


def objections_of(ledger: Ledger) -> Iterator[Objection]:
    """Yield the facts that stand against a change having been made durable.

    They are: a dialog that is open on the last screen; an error that the environment reports for the last action that
    changes state; and an error on screen, or a refused write, seen at or after that action.
    """
    last = ledger.last_state_changing()
    if not ledger.steps or last is None:
        return
    dialog = ledger.open_dialog_at(ledger.steps[-1].index)
    if dialog is not None:
        yield _seen(_DURABLE, EvidenceCause.DIALOG_LEFT_OPEN, dialog)
    if last.error:
        yield Objection(_COMMITTED, EvidenceCause.ACTION_FAILED, last.index, StepPart.ERROR, last.error)
    after = {
        (step.after.step, step.after.part)
        for step in ledger.steps
        if step.index >= last.index and step.after is not None
    }
    for cause, sights in (
        (EvidenceCause.ENVIRONMENT_ERROR, ledger.errors()),
        (EvidenceCause.SERVER_ERROR, ledger.network_failures()),
    ):
        found = next((sight for sight in sights if (sight.step, sight.part) in after), None)
        if found is not None:
            yield _seen(_COMMITTED, cause, found)


def _seen(fields: tuple[FieldName, ...], cause: EvidenceCause, sight: Sighting) -> Objection:
    return Objection(fields, cause, sight.step, sight.part, sight.element.line)


def _part(ours: Evidence, theirs: Evidence, objections: tuple[Objection, ...], scribe: Scribe) -> Evidence:
    joined: Mapping[FieldName, FieldFinding] = {
        name: _joined(found, read, [each for each in objections if name in each.fields], scribe)
        for (name, found), (_, read) in zip(ours.fields(), theirs.fields(), strict=True)
    }
    conflict = bool(ours.answers) and bool(theirs.answers) and set(ours.answers) != set(theirs.answers)
    return Evidence(
        action=joined[FieldName.ACTION],
        target=joined[FieldName.TARGET],
        transition=joined[FieldName.TRANSITION],
        commitment=joined[FieldName.COMMITMENT],
        final_support=joined[FieldName.FINAL_SUPPORT],
        prior_state=_joined(ours.prior_state, theirs.prior_state, [], scribe),
        answers=() if conflict else ours.answers or theirs.answers,
    )


def _joined(ours: FieldFinding, theirs: FieldFinding, objections: list[Objection], scribe: Scribe) -> FieldFinding:
    if theirs.value is FieldValue.YES and is_narrated(theirs):
        # The agent's own words support no YES, so nothing of the record can be contradicted by them.
        theirs = replace(theirs, value=FieldValue.UNKNOWN, cause=EvidenceCause.NARRATION_ONLY)
    if theirs.value is FieldValue.YES and objections:
        return _contradicted(ours, theirs, objections, scribe)
    if theirs.cause is EvidenceCause.UNGROUNDED and ours.value in _SETTLED:
        return _contradicted(ours, theirs, [], scribe)
    if theirs.value not in _SETTLED:
        return _where_the_model_is_silent(ours, theirs)
    if ours.value in _SETTLED and ours.value is not theirs.value:
        return _contradicted(ours, theirs, [], scribe)
    citations = tuple(dict.fromkeys((*theirs.citations, *ours.citations))) if ours.value is theirs.value else None
    return replace(theirs, citations=citations) if citations else theirs


def _where_the_model_is_silent(ours: FieldFinding, theirs: FieldFinding) -> FieldFinding:
    """Return the rules' finding, unless they cannot tell either and the model's silence tells more."""
    if ours.value in _SETTLED or theirs.cause not in _TELLING_SILENCES:
        return ours
    if ours.value is FieldValue.ABSENT and theirs.cause is EvidenceCause.NARRATION_ONLY:
        return ours
    return theirs


def _contradicted(
    ours: FieldFinding, theirs: FieldFinding, objections: list[Objection], scribe: Scribe
) -> FieldFinding:
    facts = [scribe.cite(each.step, each.part, each.quote) for each in objections]
    citations: tuple[Citation, ...] = (*theirs.citations, *facts, *ours.citations)
    reason = scribe.prose.get(theirs.rationale) if theirs.rationale is not None else None
    value = theirs.cause.sentence if theirs.cause is EvidenceCause.UNGROUNDED else theirs.value
    said = f"model: {value}" + (f", {reason}" if reason else "")
    against = "; ".join(each.cause.sentence for each in objections) or f"{ours.value}, {ours.cause.sentence}"
    return scribe.found(
        FieldValue.UNKNOWN, EvidenceCause.MODEL_CONTRADICTED, *citations, rationale=f"{said}; record: {against}"
    )
