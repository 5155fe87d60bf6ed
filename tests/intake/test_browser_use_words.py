"""Words of the agent in the actions of browser-use, and in what they answer, whatever the action is called."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from made_logs import browser_round, browser_use, the_run

from tracewitness.intake.finishing import FINISH
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import SealedRun
from tracewitness.trace_side.trace import Action

SAID = "The Aero chair costs 129."


def browser_run(actions: list[dict[str, Any]], results: list[dict[str, Any]], *, more: bool = False) -> SealedRun:
    rounds = [browser_round(1, actions, results)]
    if more:
        rounds.append(browser_round(2, [{"click": {"index": 2}}], [{"extracted_content": "Clicked"}]))
    with TemporaryDirectory() as folder:
        return the_run(browser_use(Path(folder) / "h.json", rounds))


@pytest.mark.parametrize("name", ["done", "Done", "finish_task", "answer", "wrap_up", "click"])
def test_an_action_whose_result_is_final_carries_nothing(name: str) -> None:
    for more in (False, True):
        said, other = (
            browser_run([{name: {"text": words}}], [{"is_done": True, "extracted_content": words}], more=more)
            for words in (SAID, "I failed.")
        )
        assert said.trace == other.trace
        assert said.trace.steps[0].action == Action(FINISH)
        assert said.report.text == SAID
        assert any(one.where.endswith(f"{name}.text") and one.plane is Plane.REPORT for one in said.stripped)


def test_the_last_action_is_final_where_the_last_result_is_though_results_are_fewer() -> None:
    actions = [{"click": {"index": 1}}, {"wrap_up": {"words": SAID}}]
    run = browser_run(actions, [{"is_done": True, "extracted_content": SAID}])
    assert SAID not in repr(run.trace)
    assert run.report.text == SAID


@pytest.mark.parametrize("key", ["error", "extracted_content", "long_term_memory"])
@pytest.mark.parametrize("name", ["done", "answer", "send_msg_to_user"])
def test_a_refused_ending_shows_nothing_of_its_words(name: str, key: str) -> None:
    for more in (False, True):
        run = browser_run([{name: {"text": SAID}}], [{"is_done": False, key: SAID}], more=more)
        assert SAID not in repr(run.trace)
        assert any(one.where == f"history[0].result[0].{key}" for one in run.stripped)


NARRATED = (
    *(("think", "thought"), ("note", "text"), ("notes", "items"), ("save_memory", "fact"), ("update_todo", "todo")),
    *(("plan", "steps"), ("ask_human", "question"), ("wait", "reason"), ("extract_structured_data", "query")),
    *(("extract", "query"), ("click", "reasoning"), ("navigate", "why"), ("write_file", "content")),
    *(("book_lift", "thought"), ("book_lift", "nextGoal"), ("book_lift", "Reason"), ("book_lift", "summary")),
    *(("answer", "text"), ("send_msg_to_user", "message")),
)


@pytest.mark.parametrize(("name", "key"), NARRATED)
def test_arguments_in_which_the_agent_speaks_are_narration(name: str, key: str) -> None:
    said, other = (
        browser_run([{name: {"index": 1, key: words}}], [{"extracted_content": "ok"}], more=True)
        for words in (SAID, "Nothing.")
    )
    assert said.trace == other.trace
    hidden = {one.where: one for one in said.stripped}[f"history[0].model_output.action[0].{name}.{key}"]
    assert (hidden.plane, hidden.characters) == (Plane.NARRATION, len(SAID))


def test_explanations_below_an_argument_are_narration() -> None:
    order = {"items": [{"id": 3, "note": SAID}], "goal": SAID}
    run = browser_run([{"place_order": {"order": order}}], [{"extracted_content": "ok"}])
    assert SAID not in repr(run.trace)
    assert '"id": 3' in (run.trace.steps[0].action.raw or "")
    places = [one.where.removeprefix("history[0].model_output.action[0].") for one in run.stripped]
    assert {"place_order.order.items.0.note", "place_order.order.goal"} <= set(places)


@pytest.mark.parametrize(
    ("action", "kept"),
    [
        ({"input": {"index": 1, "text": SAID, "clear": True}}, SAID),
        ({"input_text": {"index": 1, "text": SAID}}, SAID),
        ({"go_to_url": {"url": "http://x.test/#done"}}, "http://x.test/#done"),
        ({"send_keys": {"keys": "Control+S"}}, "Control+S"),
        ({"scroll": {"down": True, "num_pages": 2}}, '"num_pages": 2'),
        ({"select_dropdown": {"index": 1, "text": "Two"}}, "Two"),
        ({"wait": {"seconds": 3}}, '"seconds": 3'),
        ({"post_comment": {"comment": SAID, "issue": 4}}, SAID),
    ],
)
def test_arguments_that_act_are_evidence(action: dict[str, Any], kept: str) -> None:
    assert kept in (browser_run([action], [{"extracted_content": "ok"}], more=True).trace.steps[0].action.raw or "")
