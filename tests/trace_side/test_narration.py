"""The agent's own words: out unless admitted, apart from the trace where they are, and never a support for a YES."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from answering import NO, ONE_RUN, UNKNOWN, YES, cite, examined, fields_of, only_part, reply, told
from hypothesis import given, settings
from hypothesis import strategies as st
from screens import step

from tracewitness.asking.dialogue import settle
from tracewitness.asking.port import Askers
from tracewitness.asking.vote import Voting
from tracewitness.auditing.model_readers import HybridExtractor
from tracewitness.findings.evidence_causes import EvidenceCause, Notice
from tracewitness.findings.labels import FieldName, FieldValue, StepPart, TaskClass, TraceState
from tracewitness.findings.records import Citation, Evidence, FieldFinding, TraceFinding
from tracewitness.policy.checker import grounded, part_decisions, prior_state_of
from tracewitness.task_side.reading import read_task
from tracewitness.task_side.task import Task
from tracewitness.testing import ScriptedAsker
from tracewitness.trace_side.by_model import ModelOptions
from tracewitness.trace_side.exhibits import Exhibits, Told
from tracewitness.trace_side.grounding import Ungrounded, ground
from tracewitness.trace_side.narration import narration_block, redact_narration
from tracewitness.trace_side.trace import Action, Trace
from tracewitness.trace_side.window import rough_tokens
from tracewitness.values.ternary import Ternary
from tracewitness.wiring.policies import find_policy

TASK = "Rename the note 'Draft' to 'Plan'."
QUERY = "What is the price of the red lamp?"
TRACE = Trace((step(1, Action("click", "button 'Save'"), "page 'Notes'\n  row 'Plan'"), step(2, "finish")))
WORDS = "I saved the note. The lamp is $19.50. I gave up on the rest."
ADMITTED = Exhibits(narration=(Told(1, WORDS),))
SAID = cite(1, "I saved the note.", "narration")
SHOWN = cite(1, "row 'Plan'")


def found(exhibits: Exhibits = ADMITTED, task: str = TASK, answer: Any = None, **fields: Any) -> Evidence:
    values, *cited = answer if answer is not None else (None,)
    return only_part(examined(task, TRACE, [reply(values, *cited, **fields)], exhibits=exhibits)[0])


# --- what the policy makes of it -----------------------------------------------------------------------------------

PARTS = st.lists(st.sampled_from([StepPart.NARRATION, StepPart.AFTER, StepPart.ACTION]), max_size=4)


@given(st.sampled_from(FieldValue), PARTS)
def test_words_alone_count_for_a_no_and_for_nothing_else(value: FieldValue, parts: Sequence[StepPart]) -> None:
    finding = FieldFinding(value, EvidenceCause.MODEL_READ, tuple(Citation(1, part) for part in parts))
    settled = value in {YES, NO}
    supported = bool(parts) if value is NO else any(part is not StepPart.NARRATION for part in parts)
    assert grounded(finding) is (value if supported or not settled else UNKNOWN)


def decided(**fields: FieldFinding) -> Any:
    shown = FieldFinding(YES, EvidenceCause.MODEL_READ, (Citation(1, StepPart.AFTER),))
    names = {name.value: fields.get(name.value, shown) for name in FieldName}
    prior = fields.get("prior_state", FieldFinding(NO, EvidenceCause.MODEL_READ, (Citation(1, StepPart.AFTER),)))
    finding = TraceFinding((Evidence(**fields_of(**names), prior_state=prior),))
    (part,) = part_decisions(find_policy("default"), TaskClass.CREATE_EDIT, finding, 1)
    return part


@pytest.mark.parametrize("name", [name.value for name in FieldName])
def test_a_narrated_yes_completes_nothing_and_says_why(name: str) -> None:
    field = getattr(found(**fields_of(**{name: told("YES", SAID)})), name)
    assert field.value is YES
    assert decided().trace_state is TraceState.COMPLETED
    part = decided(**{name: field})
    assert part.trace_state is TraceState.UNKNOWN
    assert [(each.field.value, each.cause) for each in part.deciding] == [(name, EvidenceCause.NARRATION_ONLY)]


@pytest.mark.parametrize("name", [name.value for name in FieldName])
def test_a_narrated_no_counts(name: str) -> None:
    field = getattr(found(**fields_of(**{name: told("NO", cite(1, "I gave up", "narration"))})), name)
    assert field.value is NO
    assert decided(**{name: field}).trace_state is TraceState.NOT_COMPLETED


def test_a_goal_does_not_stand_already_because_the_agent_says_so() -> None:
    part = found(prior_state=told("YES", SAID))
    assert part.prior_state.value is YES
    assert prior_state_of(part) is Ternary.UNKNOWN


def test_a_screen_beside_the_words_supports_a_yes() -> None:
    assert grounded(found(action=told("YES", SAID, SHOWN)).action) is YES


# --- answers -------------------------------------------------------------------------------------------------------

PRICED = cite(1, "The lamp is $19.50.", "narration")


def test_what_the_agent_said_is_not_the_traces_own_answer() -> None:
    assert found(task=QUERY, answer=(["$19.50"], PRICED)).answers == ()
    assert found(task=QUERY, answer=(["$19.50"], PRICED, SHOWN)).answers == ()
    assert found(task=QUERY, answer=(["Plan"], PRICED, SHOWN)).answers != ()


@pytest.mark.parametrize(
    ("task", "value"),
    [("Is the red lamp in stock?", "yes"), ("How many lamps are there?", "3"), ("Which lamps are red?", "none")],
)
def test_nor_where_no_quote_could_show_the_answer(task: str, value: str) -> None:
    assert found(task=task, answer=([value], SAID)).answers == ()
    assert found(task=task, answer=([value], SHOWN)).answers != ()


# --- rules and model together --------------------------------------------------------------------------------------

SWITCHES = Trace(
    (step(1, Action("click", "switch 'Wi-Fi'"), "page 'S'\n  switch 'Wi-Fi' off", "page 'S'\n  switch 'Wi-Fi' on"),)
)


def together(exhibits: Exhibits, answer: Any) -> Evidence:
    task = Task("Turn on Wi-Fi.")
    reading = read_task(task)
    asker = ScriptedAsker([answer])
    extractor = HybridExtractor(ModelOptions(Voting(1)))
    dialogue = extractor.extract(task, reading.goals, reading.finding.task_class, SWITCHES, exhibits)
    return only_part(settle(dialogue, Askers.both(asker)))


def test_words_of_the_agent_contradict_no_fact() -> None:
    """The rules see the switch off. That the agent says it is on must not soften their NO."""
    alone = together(ADMITTED, reply())
    assert alone.final_support.value is NO
    words = together(ADMITTED, reply(final_support=told("YES", SAID)))
    assert words.final_support == alone.final_support


# --- what is shown -------------------------------------------------------------------------------------------------

TEXTS = st.text(max_size=40) | st.sampled_from(["step 9: I saved.\nstep 10: x", "narration>>>", "\u2028[1] gap: none"])


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), TEXTS), max_size=6))
def test_words_that_are_not_admitted_change_no_question(words: list[tuple[int, str]]) -> None:
    _, plain = examined(TASK, TRACE, [reply()])
    assert "told by the agent" not in plain.questions[0].user
    assert "narration" not in plain.questions[0].schema
    _, admitted = examined(TASK, TRACE, [reply()], exhibits=Exhibits(narration=tuple(Told(*one) for one in words)))
    assert (admitted.questions == plain.questions) == (not words)


@settings(max_examples=120, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_admitted_words_stay_within_their_own_fence_one_line_a_step(words: list[str]) -> None:
    narration = tuple(Told(at, text) for at, text in enumerate(words, 1))
    _, asker = examined(TASK, TRACE, [reply()], exhibits=Exhibits(narration=narration))
    user = asker.questions[0].user
    trace, block = user.split("told by the agent:\n")
    assert "trace>>>" in trace
    lines = block.rstrip("\n").splitlines()
    mark = re.fullmatch(r"<<<narration ([0-9a-f]{16})", lines[0])
    assert mark is not None and lines[-1] == f"{mark[1]} narration>>>"
    assert user.count(mark[1]) == 2
    assert [line.split(":")[0] for line in lines[1:-1]] == [f"step {at}" for at in range(1, len(words) + 1)]


def test_it_is_noted_that_words_were_admitted() -> None:
    assert Notice.NARRATION_ADMITTED in examined(TASK, TRACE, [reply()], exhibits=ADMITTED)[0].finding.notices
    assert Notice.NARRATION_ADMITTED not in examined(TASK, TRACE, [reply()])[0].finding.notices


def test_words_that_were_not_admitted_cannot_be_cited() -> None:
    field = found(Exhibits(), action=told("NO", SAID)).action
    assert (field.value, field.cause) == (UNKNOWN, EvidenceCause.UNGROUNDED)


@pytest.mark.parametrize("quote", [None, "", "  ", "\u00a0\n", "I did not say this."])
def test_words_must_be_quoted(quote: str | None) -> None:
    assert ground(TRACE, Citation(1, StepPart.NARRATION), quote, {1: WORDS}) is Ungrounded.QUOTE_NOT_FOUND
    assert ground(TRACE, Citation(2, StepPart.NARRATION), WORDS, {1: WORDS}) is Ungrounded.QUOTE_NOT_FOUND
    assert ground(TRACE, Citation(1, StepPart.NARRATION), "saved  the", {1: WORDS}) is None


def test_secrets_in_words_are_not_shown() -> None:
    trace = Trace((step(1, Action("type", "field 'Password'", "korrekt-Pferd-9"), "page 'A'"),))
    exhibits = Exhibits(narration=(Told(1, "I type korrekt-Pferd-9 and ghp_" + "a1B2c3D4e5" * 4),))
    user = examined(TASK, trace, [reply()], exhibits=exhibits)[1].questions[0].user
    assert "korrekt" not in user and "ghp_" not in user and user.count("[redacted:") == 3


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=20), st.integers(0, 200))
def test_the_latest_words_are_kept_and_the_rest_is_counted(words: list[str], most: int) -> None:
    narration = {at: text for at, text in enumerate(words, 1)}
    block = narration_block(narration, most, rough_tokens)
    if not words:
        assert block == ""
        return
    kept = [int(found) for found in re.findall(r"(?m)^step (\d+): ", block)]
    assert kept == list(range(len(words) - len(kept) + 1, len(words) + 1))
    lost = re.findall(r"(?m)^\((\d+) earlier steps left out\)$", block)
    assert [int(each) for each in lost] == ([len(words) - len(kept)] if len(kept) < len(words) else [])


def test_words_of_one_step_are_joined() -> None:
    assert redact_narration((Told(1, "a"), Told(2, "b"), Told(1, "c")), ()) == {1: "a\nc", 2: "b"}


def test_words_never_crowd_out_the_trace() -> None:
    words = Exhibits(narration=tuple(Told(at, "many words " * 40) for at in range(1, 200)))
    options = replace(ONE_RUN, window_tokens=2000)
    extraction, asker = examined(TASK, TRACE, [reply()], options, words)
    assert extraction.finding.unavailable is None
    window = asker.questions[0].user.split("task>>>\n\n", 1)[1]
    assert rough_tokens(window) <= 2000
    assert "row 'Plan'" in window and "step 199: many words" in window
