"""Words of the agent in the actions of browser-use, and in what they answer, whatever the action is called."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from made_logs import browser_round, browser_use, the_run

from tracewitness.intake.finishing import FINISH
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import Report
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


CUSTOM = (
    *(("report_success", "message"), ("finish_with_data", "data"), ("reportResult", "result"), ("end_task", "summary")),
    *(("aufgabe_beenden", "nachricht"), ("terminar_tarea", "mensaje"), ("finalizar_tarea", "resultado")),
    *(("get_human_help", "question"), ("request_human_approval", "reason"), ("askUserForConfirmation", "message")),
    *(("mcp__desk__ask_human", "prompt"), ("preguntar_usuario", "pregunta"), ("run_subagent", "task")),
)


@pytest.mark.parametrize(("name", "key"), CUSTOM)
def test_actions_of_a_user_that_end_or_speak_carry_no_words_nor_does_what_answers_them(name: str, key: str) -> None:
    said, other = (
        browser_run([{name: {key: words}}], [{"extracted_content": f"Delivered: {words}"}], more=True)
        for words in (SAID, "There is nothing to be seen here.")
    )
    assert said.trace == other.trace
    assert SAID not in repr(said.trace)


@pytest.mark.parametrize("name", ["get_human_help", "ask_user", "request_human_input", "preguntar_usuario"])
def test_what_a_person_answers_is_shown_as_theirs(name: str) -> None:
    run = browser_run([{name: {"question": SAID}}], [{"extracted_content": f"{SAID} Use code 4711."}], more=True)
    seen = run.trace.steps[0].after
    assert seen is not None
    assert "user says: Use code 4711." in (seen.text or "")
    assert SAID not in repr(run.trace)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("report_issue", {"message": SAID}),
        ("get_user", {"user_id": "u-1"}),
        ("notify_team", {"message": SAID}),
        ("report_user", {"user_id": "u-1", "message": SAID}),
        ("return_item", {"item": "u-1"}),
        ("submit_data", {"data": SAID}),
        ("confirm_order", {"message": SAID}),
    ],
)
def test_actions_of_a_user_that_act_keep_their_arguments_and_results(name: str, arguments: dict[str, Any]) -> None:
    run = browser_run([{name: arguments}], [{"extracted_content": "Ticket T-9 was filed"}], more=True)
    assert all(value in (run.trace.steps[0].action.raw or "") for value in arguments.values())
    assert "Ticket T-9 was filed" in repr(run.trace.steps[0].after)


REFUSALS = (
    "1 validation error for BookParams\nreason\n  Input should be short [type=x, input_value='{}', input_type=str]",
    "Error executing action book_lift: could not place {!r}",
    "Could not find {}",
    "Failed: {}\n for the lift",
)


@pytest.mark.parametrize("refusal", REFUSALS)
@pytest.mark.parametrize("key", ["error", "extracted_content"])
@pytest.mark.parametrize(("name", "told"), [("book_lift", "reason"), ("wait", "reason"), ("click", "reasoning")])
def test_results_that_quote_what_was_kept_back_are_shown_without_it(
    name: str, told: str, key: str, refusal: str
) -> None:
    said, other = (
        browser_run([{name: {"index": 3, told: words}}], [{key: refusal.format(words)}], more=True)
        for words in (SAID, "There is no other lift at all.")
    )
    assert said.trace == other.trace
    shown = repr(said.trace)
    assert SAID not in shown
    assert refusal.split("{")[0][:15].splitlines()[0] in shown
    assert any(one.where == "history[0].result[0].quoted" for one in said.stripped)


def test_what_was_typed_and_is_shown_again_stays() -> None:
    run = browser_run([{"input": {"index": 1, "text": SAID}}], [{"extracted_content": f"Typed {SAID}"}], more=True)
    assert SAID in repr(run.trace.steps[0].after)


ENDING_TOOLS = (
    *(("report_success", "summary"), ("finish_with_data", "data"), ("reportResult", "result"), ("end_task", "summary")),
    *(("aufgabe_beenden", "nachricht"), ("terminar_tarea", "mensaje"), ("finish_task", "text"), ("answer", "text")),
)


@pytest.mark.parametrize("answer", [{}, {"extracted_content": f"Told the user: {SAID}"}])
@pytest.mark.parametrize(("name", "key"), ENDING_TOOLS)
def test_a_tool_of_the_user_that_ends_the_run_is_the_report_also_without_is_done(
    name: str, key: str, answer: dict[str, Any]
) -> None:
    run = browser_run([{"click": {"index": 1}}, {name: {key: SAID}}], [{"extracted_content": "Clicked"}, answer])
    assert run.report.text is not None and SAID in run.report.text
    assert run.trace.steps[-1].action == Action(FINISH)
    assert run.harness is HarnessStatus.COMPLETED
    assert SAID not in repr(run.trace)
    assert all(one.plane is Plane.REPORT for one in run.stripped if one.where.endswith(f"{name}.{key}"))


@pytest.mark.parametrize("results", [[{"error": "refused"}], []])
@pytest.mark.parametrize("more", [True, False])
def test_an_end_that_was_refused_not_carried_out_or_gone_on_after_is_no_report(
    results: list[dict[str, Any]], more: bool
) -> None:
    assert browser_run([{"report_success": {"summary": SAID}}], results, more=more).report == Report(None)
    assert browser_run([{"report_success": {"summary": SAID}}], [{}], more=True).report == Report(None)


def test_done_behind_other_actions_of_a_round_is_not_carried_out() -> None:
    for more in (True, False):
        actions = [{"click": {"index": 1}}, {"done": {"text": SAID, "success": True}}]
        run = browser_run(actions, [{"extracted_content": "Clicked"}], more=more)
        attempt = run.trace.steps[1].action
        assert (attempt.kind, attempt.executed, attempt.raw) == ("attempt to finish", False, None)
        assert run.report == Report(None)
        assert run.harness is HarnessStatus.UNKNOWN
        assert SAID not in repr(run.trace)


@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize(
    ("key", "plane"),
    [
        *(("judgement", Plane.GRADING), ("judgement_trace", Plane.GRADING), ("ground_truth", Plane.GRADING)),
        *(("score", Plane.GRADING), ("verdict", Plane.GRADING), ("reasoning", None), ("attachments", None)),
    ],
)
def test_every_other_key_of_a_result_is_hidden_and_recorded(key: str, plane: Plane | None, final: bool) -> None:
    run = browser_run([{"click": {"index": 1}}], [{"is_done": final, "extracted_content": "Clicked", key: [SAID]}])
    hidden = {one.where: one.plane for one in run.stripped}
    assert hidden[f"history[0].result[0].{key}"] is (plane or (Plane.REPORT if final else Plane.NARRATION))
    assert SAID not in repr((run.trace, run.report))
