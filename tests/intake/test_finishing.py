"""Actions by which an agent ends: their words are the report, whatever the action is called."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_logs import neutral, the_run, write_json

from tracewitness.intake.finishing import DEEDS, FINISH, FINISH_KINDS, bare, is_finish_like, without_final_words
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import SealedRun
from tracewitness.trace_side.trace import Action, Observation, Step

SAID = "The Aero chair costs 129."
SCREEN = Observation(text="page 'Order'\n  button 'Place order'\n  field 'Note'")
ENDINGS = (
    *("done", "Done", "FINISH", "Finish ", "submit_answer", "SubmitAnswer", "send-msg-to-user", "terminate", "stop"),
    *("answer", "final answer", "complete", "exit", "respond", "report_infeasible", "end_task", "finished"),
)
CARRYING = ["target", "text", "raw"]


def neutral_run(*steps: dict[str, Any]) -> SealedRun:
    numbered = [{"index": at + 1, **step} for at, step in enumerate(steps)]
    with TemporaryDirectory() as folder:
        return the_run(write_json(Path(folder) / "run.json", neutral(steps=numbered)))


def opening(text: str = "page 'Chairs'\n  row 'Aero chair 129'") -> dict[str, Any]:
    return {"action": {"kind": "open_url", "raw": "open_url('https://x.test')"}, "after": {"text": text}}


@pytest.mark.parametrize("key", CARRYING)
@pytest.mark.parametrize("kind", ENDINGS)
def test_the_words_of_the_last_action_are_no_evidence(kind: str, key: str) -> None:
    said, other = (neutral_run(opening(), {"action": {"kind": kind, key: words}}) for words in (SAID, "I failed."))
    assert said.trace == other.trace
    assert said.trace.steps[-1].action == Action(FINISH)
    hidden = {one.where: one for one in said.stripped}[f"steps[1].action.{key}"]
    assert (hidden.plane, hidden.route, hidden.characters) == (Plane.REPORT, LeakRoute.FINISH_ARGUMENTS, len(SAID))


def test_an_answer_ahead_of_other_endings_is_stripped_as_well() -> None:
    run = neutral_run(opening(), {"action": {"kind": "answer", "text": SAID}}, {"action": {"kind": "finish"}})
    assert [step.action for step in run.trace.steps[1:]] == [Action(FINISH), Action(FINISH)]


def test_what_is_said_to_a_user_who_answers_is_an_action() -> None:
    raw = "respond('Which booking?')"
    run = neutral_run(
        opening(), {"action": {"kind": "respond", "raw": raw}, "after": {"text": "user: 4WQ150"}}, opening()
    )
    assert run.trace.steps[1].action == Action("respond", raw=raw)
    last = neutral_run(opening(), {"action": {"kind": "respond", "raw": SAID}, "after": {"text": "user: thanks"}})
    assert last.trace.steps[1].action == Action(FINISH)
    assert last.trace.steps[1].after == Observation(text="user: thanks")


def test_what_is_said_in_the_midst_with_nothing_seen_is_stripped() -> None:
    run = neutral_run(opening(), {"action": {"kind": "answer", "raw": SAID}}, opening())
    assert run.trace.steps[1].action == Action("answer")
    assert any(one.where == "steps[1].action.raw" and one.plane is Plane.NARRATION for one in run.stripped)


@pytest.mark.parametrize("kind", ["submit", "Stop", "complete"])
def test_a_deed_on_a_widget_with_the_screen_seen_after_it_is_evidence(kind: str) -> None:
    deed = {"kind": kind, "target": "button 'Place order'", "raw": f"{kind}(order) # {SAID}"}
    seen = opening("page 'Order'\n  button 'Place order'")
    run = neutral_run(seen, {"action": deed, "after": {"text": "page 'Thanks'"}}, {"action": {"kind": "finish"}})
    assert run.trace.steps[1].action == Action(kind, "button 'Place order'")
    assert any(one.where == "steps[1].action.raw" for one in run.stripped)
    later = neutral_run(seen, {"action": deed}, opening("page 'Thanks'"))
    assert later.trace.steps[1].action == Action(kind, deed["target"], raw=deed["raw"])


@pytest.mark.parametrize("target", [SAID, "button 'Pay now'", "'Place order' and 'all is well'"])
def test_words_that_name_no_widget_on_a_screen_make_no_deed(target: str) -> None:
    seen = opening("page 'Order'\n  button 'Place order'")
    run = neutral_run(seen, {"action": {"kind": "submit", "target": target}, "after": {"text": "page 'Order'"}})
    assert run.trace.steps[1].action == Action(FINISH)


def test_the_list_can_be_replaced(tmp_path: Path) -> None:
    path = write_json(tmp_path / "run.json", neutral(steps=[{"index": 1, "action": {"kind": "over", "raw": SAID}}]))
    assert the_run(path).trace.steps[0].action.raw == SAID
    kinds = frozenset({bare("Over")})
    assert the_run(path, ReadOptions(finish_kinds=kinds)).trace.steps[0].action == Action(FINISH)


def test_a_run_of_nothing_but_endings_is_read_at_once() -> None:
    screen = Observation(text="page 'Order'\n" * 50)
    steps = [Step(at, Action("submit", f"button '{at}'"), screen, screen) for at in range(3_000)]
    started = time.perf_counter()
    kept, stripped = without_final_words(steps, str)
    assert time.perf_counter() - started < 5
    assert {step.action for step in kept} == {Action(FINISH)}
    assert len(stripped) == len(steps)


KINDS = st.sampled_from(["click", "wait", "finish", "answer", "Submit", "respond", "done"])
TARGETS = st.sampled_from([None, "button 'Place order'", "#order", SAID])
WORDS = st.none() | st.sampled_from([SAID, "I failed."])
SEEN = st.sampled_from([None, SCREEN])


@st.composite
def any_steps(draw: st.DrawFn) -> tuple[Step, ...]:
    made = draw(st.lists(st.tuples(KINDS, TARGETS, WORDS, SEEN, SEEN, st.booleans()), max_size=6))
    return tuple(
        Step(at, Action(kind, target, words, words, executed), before, after)
        for at, (kind, target, words, before, after, executed) in enumerate(made)
    )


@settings(max_examples=300, deadline=None)
@given(any_steps())
def test_only_actions_by_which_agents_end_lose_anything_and_all_of_it_is_recorded(steps: tuple[Step, ...]) -> None:
    kept, stripped = without_final_words(steps, str)
    lost = 0
    for before, after in zip(steps, kept, strict=True):
        assert (before.index, before.before, before.after) == (after.index, after.before, after.after)
        if not is_finish_like(before.action.kind) or not before.action.executed:
            assert after == before
        held = [[one.action.target, one.action.text, one.action.raw] for one in (before, after)]
        lost += sum(was is not None and now is None for was, now in zip(*held, strict=True))
        assert all(now in (was, None) for was, now in zip(*held, strict=True))
    assert len(stripped) == lost
    assert without_final_words(kept, str) == (kept, ())


@settings(max_examples=200, deadline=None)
@given(any_steps(), st.sampled_from(sorted(FINISH_KINDS - DEEDS)))
def test_what_a_run_ends_with_never_says_anything(steps: tuple[Step, ...], kind: str) -> None:
    kept, _ = without_final_words((*steps, Step(9, Action(kind, SAID, SAID, SAID))), str)
    assert kept[-1].action == Action(FINISH)
