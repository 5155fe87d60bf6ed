"""Rules and a model together: who is heard, and what a fact of the record does to a YES."""

from itertools import product
from typing import Any

import pytest
from answering import fields_of
from screens import step

from tracewitness.asking.vote import Ballots
from tracewitness.findings.causes import Gap, UnavailableCause
from tracewitness.findings.evidence_causes import EvidenceCause, Notice
from tracewitness.findings.labels import FieldName, FieldValue, StepPart, TaskClass
from tracewitness.findings.records import Evidence, FieldFinding, TraceFinding
from tracewitness.trace_side.extraction import Extraction, Scribe
from tracewitness.trace_side.grounding import ground
from tracewitness.trace_side.hybrid import combine
from tracewitness.trace_side.trace import Action, Step, Trace
from tracewitness.values.answers import AnswerValue, TextValue
from tracewitness.values.folding import folded

YES, NO, UNKNOWN, ABSENT = FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN, FieldValue.ABSENT
NAMES = (*(name.value for name in FieldName), "prior_state")
SAVE = Action("click", "button 'Save'")
QUIET = Trace(
    (step(1, Action("type", "field 'Name'", "Plan"), "page 'Edit'"), step(2, SAVE, "page 'Notes'\n  row 'Plan'"))
)
RULES_CAUSE, MODEL_CAUSE = EvidenceCause.READ_BACK, EvidenceCause.MODEL_READ


def side(
    quote: str, cause: EvidenceCause, why: str | None, answers: tuple[AnswerValue, ...] = (), **values: Any
) -> Extraction:
    """What one side found: the named fields with a citation, the others UNKNOWN."""
    scribe = Scribe()

    def field(name: str) -> FieldFinding:
        said: Any = values.get(name, UNKNOWN)
        value: FieldValue = said if isinstance(said, FieldValue) else said[0]
        given: EvidenceCause = cause if isinstance(said, FieldValue) else said[1]
        cited = (
            [scribe.cite(2, StepPart.AFTER, quote)] if value in {YES, NO} or given is EvidenceCause.UNGROUNDED else []
        )
        return scribe.found(value, given, *cited, rationale=why)

    part = Evidence(**fields_of(**{name: field(name) for name in NAMES}), answers=answers)
    return Extraction(TraceFinding((part,)), scribe.prose)


def rules(answers: tuple[AnswerValue, ...] = (), **values: Any) -> Extraction:
    return side("page 'Notes'", RULES_CAUSE, None, answers, **values)


def model(answers: tuple[AnswerValue, ...] = (), **values: Any) -> Extraction:
    return side("row 'Plan'", MODEL_CAUSE, "The row stands there.", answers, **values)


def joined(ours: Extraction, theirs: Extraction, trace: Trace = QUIET) -> tuple[Evidence, Extraction]:
    whole = combine(trace, TaskClass.CREATE_EDIT, ours, theirs)
    (part,) = whole.finding.parts
    return part, whole


def quotes(whole: Extraction, field: FieldFinding) -> list[str]:
    return [whole.prose[one.quote] for one in field.citations if one.quote is not None]


def expected(ours: FieldValue, theirs: FieldValue) -> FieldValue:
    """The simple model, without facts: what both say, else what one says, else what the rules say."""
    settled = {YES, NO}
    if theirs not in settled:
        return ours
    return UNKNOWN if ours in settled and ours is not theirs else theirs


@pytest.mark.parametrize("name", NAMES)
def test_who_is_heard(name: str) -> None:
    for ours, theirs in product(FieldValue, (YES, NO, UNKNOWN)):
        part, _ = joined(rules(**fields_of(**{name: ours})), model(**fields_of(**{name: theirs})))
        assert getattr(part, name).value is expected(ours, theirs), (ours, theirs)
        others = {each for each in NAMES if each != name}
        assert {getattr(part, each).value for each in others} == {UNKNOWN}


@pytest.mark.parametrize(("ours", "theirs"), [(YES, NO), (NO, YES)])
def test_a_contradiction_records_both_sides(ours: FieldValue, theirs: FieldValue) -> None:
    part, whole = joined(rules(target=ours), model(target=theirs))
    assert (part.target.value, part.target.cause) == (UNKNOWN, EvidenceCause.MODEL_CONTRADICTED)
    assert quotes(whole, part.target) == ["row 'Plan'", "page 'Notes'"]
    assert part.target.rationale is not None
    told = whole.prose[part.target.rationale]
    assert told == f"model: {theirs}, The row stands there.; record: {ours}, {RULES_CAUSE.sentence}"


def test_agreement_carries_the_citations_of_both() -> None:
    part, whole = joined(rules(action=YES), model(action=YES))
    assert (part.action.value, part.action.cause) == (YES, MODEL_CAUSE)
    assert quotes(whole, part.action) == ["row 'Plan'", "page 'Notes'"]


def test_a_citation_that_does_not_hold_is_seen_where_the_rules_are_silent() -> None:
    for ours in (UNKNOWN, ABSENT):
        part, _ = joined(rules(action=ours), model(action=(UNKNOWN, EvidenceCause.UNGROUNDED)))
        assert (part.action.value, part.action.cause) == (UNKNOWN, EvidenceCause.UNGROUNDED)
        assert part.action.citations != ()


@pytest.mark.parametrize("ours", [YES, NO])
def test_a_citation_that_does_not_hold_contradicts_the_model_and_both_are_told(ours: FieldValue) -> None:
    part, whole = joined(rules(action=ours), model(action=(UNKNOWN, EvidenceCause.UNGROUNDED)))
    assert (part.action.value, part.action.cause) == (UNKNOWN, EvidenceCause.MODEL_CONTRADICTED)
    assert quotes(whole, part.action) == ["row 'Plan'", "page 'Notes'"]
    assert part.action.rationale is not None
    told = whole.prose[part.action.rationale]
    assert told.startswith("model: the citation does not hold") and f"record: {ours}" in told


def test_that_nothing_could_be_seen_is_told() -> None:
    part, _ = joined(rules(action=ABSENT), model(action=(UNKNOWN, EvidenceCause.NOT_VISIBLE)))
    assert (part.action.value, part.action.cause) == (UNKNOWN, EvidenceCause.NOT_VISIBLE)


# --- facts of the record -------------------------------------------------------------------------------------------


def ended(after: str, error: str | None = None, *more: Step) -> Trace:
    made = step(2, SAVE, after) if error is None else step(2, SAVE, after, error=error)
    return Trace((step(1, Action("type", "field 'Name'", "Plan"), "page 'Edit'"), made, *more))


DIALOG = ended("page 'Notes'\n  dialog 'Discard changes?'\n    button 'Keep'")
SHOWN = ended("page 'Notes'\n  row 'Plan'\n  error 'Could not save'")
LATER = ended(
    "page 'Notes'\n  row 'Plan'", None, step(3, "wait", "page 'Notes'\n  row 'Plan'\n  error 'Could not save'")
)
REPORTED = ended("page 'Notes'\n  row 'Plan'", "element is not clickable")
REFUSED = ended("page 'Notes'\n  row 'Plan'\nnetwork: PUT /notes/4 -> 503")


@pytest.mark.parametrize(
    ("trace", "names", "cause"),
    [
        (DIALOG, ("commitment", "final_support"), EvidenceCause.DIALOG_LEFT_OPEN),
        (SHOWN, ("commitment",), EvidenceCause.ENVIRONMENT_ERROR),
        (LATER, ("commitment",), EvidenceCause.ENVIRONMENT_ERROR),
        (REPORTED, ("commitment",), EvidenceCause.ACTION_FAILED),
        (REFUSED, ("commitment",), EvidenceCause.SERVER_ERROR),
    ],
    ids=["dialog", "error", "later error", "reported error", "refused write"],
)
@pytest.mark.parametrize("ours", list(FieldValue))
def test_a_fact_against_a_yes_makes_it_unknown(
    trace: Trace, names: tuple[str, ...], cause: EvidenceCause, ours: FieldValue
) -> None:
    part, whole = joined(
        rules(**fields_of(**dict.fromkeys(NAMES, ours))), model(**fields_of(**dict.fromkeys(NAMES, YES))), trace
    )
    for name in NAMES:
        field = getattr(part, name)
        if name not in names:
            assert field.value is expected(ours, YES), name
            continue
        assert (field.value, field.cause) == (UNKNOWN, EvidenceCause.MODEL_CONTRADICTED), name
        assert field.rationale is not None
        told = whole.prose[field.rationale]
        assert told.startswith("model: YES, The row stands there.") and cause.sentence in told
        assert quotes(whole, field)[0] == "row 'Plan'"
        facts = [one for one in field.citations[1:2] if one.quote is not None]
        assert [ground(trace, one, whole.prose[one.quote]) for one in facts if one.quote is not None] == [None]


@pytest.mark.parametrize("trace", [DIALOG, SHOWN, LATER, REPORTED, REFUSED])
def test_a_fact_speaks_against_no_other_value(trace: Trace) -> None:
    for ours, theirs in product(FieldValue, (NO, UNKNOWN)):
        part, _ = joined(rules(commitment=ours), model(commitment=theirs), trace)
        assert part.commitment.value is expected(ours, theirs)


@pytest.mark.parametrize(
    "trace",
    [
        QUIET,
        Trace((step(1, SAVE, "page 'Edit'\n  error 'Enter a name'"), step(2, SAVE, "page 'Notes'\n  row 'Plan'"))),
        Trace((step(1, SAVE, "dialog 'Sure?'\n  button 'OK'"), step(2, SAVE, "page 'Notes'\n  row 'Plan'"))),
        Trace((step(1, SAVE, "page 'Edit'", error="timed out"), step(2, SAVE, "page 'Notes'\n  row 'Plan'"))),
        Trace(
            (step(1, "scroll", "dialog 'Cookies'"), step(2, "scroll", "page 'A'\n  row 'Plan'\n  error 'No picture'"))
        ),
        Trace(()),
    ],
    ids=["nothing", "error before", "dialog closed", "reported before", "nothing was changed", "no steps"],
)
def test_what_was_overcome_speaks_against_nothing(trace: Trace) -> None:
    part, _ = joined(rules(), model(commitment=YES, final_support=YES), trace)
    assert (part.commitment.value, part.final_support.value) == (YES, YES)


# --- the rest ------------------------------------------------------------------------------------------------------

LAMP, DESK = TextValue(folded("lamp")), TextValue(folded("desk"))


@pytest.mark.parametrize(
    ("ours", "theirs", "both"),
    [
        ((), (), ()),
        ((LAMP,), (), (LAMP,)),
        ((), (LAMP,), (LAMP,)),
        ((LAMP, DESK), (DESK, LAMP), (LAMP, DESK)),
        ((LAMP,), (DESK,), ()),
        ((LAMP,), (LAMP, DESK), ()),
    ],
)
def test_answers_that_differ_are_none(ours: Any, theirs: Any, both: Any) -> None:
    assert joined(rules(ours), model(theirs))[0].answers == both


@pytest.mark.parametrize("cause", list(UnavailableCause))
def test_a_model_that_fails_leaves_the_whole_unavailable(cause: UnavailableCause) -> None:
    failed = Extraction(TraceFinding((), (), (), cause))
    assert combine(QUIET, TaskClass.CREATE_EDIT, rules(action=YES), failed) == failed


def test_gaps_notices_and_ballots_of_both_are_kept() -> None:
    ballots = (Ballots("action", 0, ("YES",)),)
    ours = Extraction(TraceFinding((), (Gap.MISSING_STEPS,), (Notice.JUDGE_ADDRESSED,)))
    theirs = Extraction(
        TraceFinding((), (Gap.MISSING_STEPS, Gap.WINDOW_ELIDED), (Notice.INSTRUCTIONS_SEEN, Notice.JUDGE_ADDRESSED)),
        ballots=ballots,
    )
    whole = combine(QUIET, TaskClass.CREATE_EDIT, ours, theirs)
    assert whole.finding.gaps == (Gap.MISSING_STEPS, Gap.WINDOW_ELIDED)
    assert whole.finding.notices == (Notice.JUDGE_ADDRESSED, Notice.INSTRUCTIONS_SEEN)
    assert whole.ballots == ballots


def test_only_texts_that_the_evidence_names_are_handed_on() -> None:
    """What the rules quoted for a field on which the model is heard may hold a secret that nobody would look for."""
    part, whole = joined(rules(), model(action=YES))
    named = {one.quote for name in NAMES for one in getattr(part, name).citations}
    named |= {getattr(part, name).rationale for name in NAMES}
    assert set(whole.prose) == named - {None}
    ours = rules(action=YES, target=NO)
    _, other = joined(ours, model())
    assert "The row stands there." not in other.prose.values()


def test_a_question_makes_nothing_durable_so_an_open_dialog_is_no_objection() -> None:
    trace = ended("dialog 'Cookies'\n  button 'Accept'")
    part = combine(trace, TaskClass.QUERY, rules(), model(final_support=YES)).finding.parts[0]
    assert part.final_support.value is YES
    part = combine(trace, TaskClass.CREATE_EDIT, rules(), model(final_support=YES)).finding.parts[0]
    assert part.final_support.value is UNKNOWN
