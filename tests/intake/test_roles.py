"""What a call is one of: an end, an act of an app that is called like one, a note, a word to another agent."""

from typing import Any

import pytest

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call, action_of
from tracewitness.intake.delegating import hands_over
from tracewitness.intake.finishing import FINISH
from tracewitness.intake.not_carried_out import was_not_carried_out
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.roles import Role, role_of
from tracewitness.intake.stop_reasons import is_cut, says_cut
from tracewitness.intake.turn_calls import UNFINISHED
from tracewitness.intake.turn_split import Conversation, split_turns
from tracewitness.intake.turn_steps import ATTEMPT
from tracewitness.intake.turns import Result, Speaker, Turn

SAID = "I have placed the order."


def user(text: str) -> Turn:
    return Turn(Speaker.USER, "user", text)


def agent(*calls: Call, text: str = "", cut: bool = False) -> Turn:
    return Turn(Speaker.AGENT, "agent", text, calls=calls, cut=cut)


def answer(text: str, call_id: str = "1", **more: Any) -> Turn:
    return Turn(Speaker.TOOL, "tool", results=(Result(text, call_id, **more),))


def run_of(name: str, arguments: dict[str, Any], seen: str, task: str = "Do it.", **more: Any) -> Conversation:
    """Return a run of one call, its answer, and closing words."""
    return split_turns([user(task), agent(Call(name, arguments, "1")), answer(seen, **more), agent(text="All done.")])


@pytest.mark.parametrize(
    ("name", "arguments", "role"),
    [
        ("click", {"element": "OK"}, Role.ACTS),
        ("stop", {"device": "oven"}, Role.ACTS),
        ("stop", {"device": "oven", "reason": SAID}, Role.ACTS),
        ("media.stop", {"session_id": 4}, Role.ACTS),
        ("complete", {"task_id": 4}, Role.ACTS),
        ("submit", {"form": "#order"}, Role.ACTS),
        ("submit", {"form": SAID * 9}, Role.MAY_END),
        ("submit", {"answer": SAID}, Role.MAY_END),
        ("submit", {"answer": ""}, Role.MAY_END),
        ("exit", {}, Role.MAY_END),
        ("terminate", {"status": "success"}, Role.MAY_END),
        ("done", {"text": SAID}, Role.ENDS),
        ("done", {}, Role.ENDS),
        ("answer", {"text": SAID}, Role.ENDS),
        ("answer", {"call": 3}, Role.UNDECIDED),
        ("respond", {"to": "anna@x.test", "body": "yes"}, Role.UNDECIDED),
        ("send_message_to_user", {"user": "bob", "text": "hi"}, Role.UNDECIDED),
        ("report_back", {"text": SAID}, Role.ENDS),
        ("close", {"message": SAID, "taskComplete": True}, Role.ENDS),
        ("close", {"window": 2}, Role.ACTS),
        ("return", {"order_id": 5}, Role.ACTS),
        ("report_success", {"message": SAID}, Role.ENDS),
        ("finishWithData", {"data": SAID, "success": True}, Role.ENDS),
        ("mcp__run__report_to_user", {"message": SAID}, Role.ENDS),
        ("aufgabe_abschließen", {"ergebnis": SAID}, Role.ENDS),
        ("report_success", {}, Role.ENDS),
        ("end_conversation", {}, Role.ENDS),
        ("finish_work", {"summary_of_work": SAID}, Role.ENDS),
        ("submit_outcome", {"outcome": SAID}, Role.ENDS),
        ("provide_answer", {"final_answer_text": SAID}, Role.ENDS),
        ("завершить_задачу", {"результат": SAID}, Role.ENDS),
        ("terminar_tarea", {"resultado_final": SAID, "motivo": "x"}, Role.ENDS),
        ("提交报告", {"报告": SAID}, Role.ENDS),
        ("結果報告", {"結果": SAID}, Role.ENDS),
        ("작업_완료", {"결과": SAID}, Role.ENDS),
        ("submit_form", {"result": SAID}, Role.ACTS),
        ("report_status", {}, Role.ACTS),
        ("end_call", {}, Role.ACTS),
        ("complete_order", {}, Role.ACTS),
        ("return_results", {"query": "x"}, Role.ACTS),
        ("get_human_help", {}, Role.NOTES),
        ("ask_the_user", {}, Role.NOTES),
        ("get_user", {}, Role.ACTS),
        ("responder", {"mensaje": SAID}, Role.SPEAKS),
        ("report_issue", {"message": SAID}, Role.ACTS),
        ("report_user", {"message": SAID}, Role.ACTS),
        ("return_item", {"reason": SAID}, Role.ACTS),
        ("get_human_help", {"question": SAID}, Role.NOTES),
        ("requestHumanApproval", {"message": SAID}, Role.NOTES),
        ("get_user", {"query": SAID}, Role.ACTS),
        ("notify_user_group", {"message": SAID}, Role.ACTS),
        ("say", {"text": SAID}, Role.SPEAKS),
        ("reply", {"to": "bob", "text": "hi"}, Role.ACTS),
        ("TodoWrite", {"todos": []}, Role.NOTES),
        ("think_tank.search", {"query": "x"}, Role.ACTS),
        ("create_note", {"title": "x"}, Role.ACTS),
        ("task", {"description": SAID, "subagent_type": "x"}, Role.DELEGATES),
        ("task", {"id": 3}, Role.ACTS),
        ("Delegate work to coworker", {"task": SAID, "context": SAID, "coworker": "x"}, Role.DELEGATES),
        ("delegate_access", {"mailbox": "x", "rights": "read"}, Role.ACTS),
        ("runSubagent", {"prompt": SAID}, Role.DELEGATES),
        ("transfer_to_billing", {}, Role.DELEGATES),
        ("transfer_to_savings", {"amount": 5}, Role.ACTS),
        ("transfer_to_human_agents", {"summary": SAID}, Role.ACTS),
        ("handoff_to_agent", {"agent_name": "x", "message": SAID}, Role.DELEGATES),
    ],
)
def test_the_name_and_the_keys_of_a_call_tell_what_it_is(name: str, arguments: dict[str, Any], role: Role) -> None:
    assert role_of(name, arguments) is role


APPS: list[tuple[str, dict[str, Any], str]] = [
    ("stop", {"device": "oven"}, "Error: device offline"),
    ("complete", {"id": 4}, "Error: no todo 4"),
    ("submit", {"element": "Place order"}, "Error: card declined"),
    ("terminate", {"process": "17", "reason": SAID}, "Error: not permitted"),
    ("exit", {}, "Error: unsaved changes"),
    ("stop", {}, "Error: still running"),
]


@pytest.mark.parametrize(("name", "arguments", "seen"), APPS)
def test_an_app_that_is_called_like_an_end_shows_what_it_answered(
    name: str, arguments: dict[str, Any], seen: str
) -> None:
    told = run_of(name, arguments, seen)
    assert [step.action.kind for step in told.steps] == [name, FINISH]
    assert told.steps[0].after is not None and told.steps[0].after.text == f"result: {seen}"
    assert told.report.text == "All done."
    assert SAID not in repr(told.steps)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("answer", {"call": 3}),
        ("respond", {"to": "anna@x.test", "body": SAID}),
        ("send_message_to_user", {"user": "bob", "text": SAID}),
    ],
)
def test_of_what_cannot_be_told_the_deed_and_its_failure_stay_and_a_gap_says_so(
    name: str, arguments: dict[str, Any]
) -> None:
    told = run_of(name, arguments, f"Not done: {SAID}", failed=True)
    assert [step.action.kind for step in told.steps] == [name, FINISH]
    assert SAID not in repr(told.steps)
    assert Gap.UNREADABLE_OBSERVATION in told.gaps
    alone = split_turns([user("T"), agent(Call(name, arguments, "1"))])
    assert [step.action.kind for step in alone.steps] == [FINISH]


@pytest.mark.parametrize(
    ("name", "task", "other", "doubted"),
    [
        ("add_todo", "Add a to-do: buy milk", "click", True),
        ("add_todo", "Buy milk", "click", False),
        ("add_note", "Write it down", "list_notes", True),
        ("TodoWrite", "Fix the todo app", "click", False),
    ],
)
def test_notes_that_the_task_or_another_tool_speaks_of_may_be_those_of_an_app(
    name: str, task: str, other: str, doubted: bool
) -> None:
    turns = [user(task), agent(Call(name, {"text": SAID}, "1")), answer("Error 403"), agent(Call(other, {}, "2"))]
    told = split_turns([*turns, answer("ok", "2"), agent(text="Added.")])
    assert (Gap.UNREADABLE_OBSERVATION in told.gaps) is doubted
    assert told.steps[0].action.kind == name
    assert "403" not in repr(told.steps)


@pytest.mark.parametrize(
    ("name", "arguments"), [("task", {"prompt": SAID}), ("ask_agent", {"q": SAID}), ("delegate_task", {"task": SAID})]
)
def test_what_another_agent_is_told_and_says_is_narration_and_what_it_did_is_missing(
    name: str, arguments: dict[str, Any]
) -> None:
    told = run_of(name, arguments, "It says that all is well.", failed=True)
    assert told.steps[0].action.kind == name and told.steps[0].error
    assert "well" not in repr(told.steps) and SAID not in repr(told.steps)
    assert told.gaps == (Gap.MISSING_STEPS,)
    assert not run_of(name, arguments, "It says so.", inside=True).gaps
    assert any(one.plane is Plane.NARRATION and one.where.endswith("result") for one in told.stripped)


def test_another_agent_that_goes_on_in_the_same_log_leaves_nothing_out() -> None:
    assert hands_over("transfer_to_billing", {}) and not hands_over("task", {})
    told = run_of("transfer_to_billing", {}, '{"assistant": "billing"}')
    assert not told.gaps
    assert told.steps[0].action.kind == "transfer_to_billing"


def test_an_end_after_which_the_run_went_on_is_an_attempt_and_no_report() -> None:
    turns = [user("T"), agent(Call("finish", {"message": SAID}, "1")), answer("Not yet.")]
    told = split_turns([*turns, agent(Call("click", {}, "2")), answer("ok", "2"), agent(text="Now it is.")])
    assert [step.action.kind for step in told.steps] == [ATTEMPT, "click", FINISH]
    assert told.report.text == "Now it is."
    assert SAID not in repr(told.steps)


def test_words_that_the_model_was_stopped_in_are_no_report() -> None:
    before = [user("T"), agent(Call("click", {}, "1")), answer("ok")]
    told = split_turns([*before, agent(text="The order has been", cut=True)])
    assert told.report.text is None and not told.ended
    assert told.gaps == (Gap.LOG_CUT_OFF,)
    assert [one.text for one in told.narration] == ["The order has been"]
    told = split_turns([*before, agent(Call("finish", {"message": "The order"}, "2"), cut=True)])
    assert told.report.text is None and not told.ended
    assert [(step.action.kind, step.action.executed) for step in told.steps][1:] == [(UNFINISHED, False)]
    assert Gap.LOG_CUT_OFF in told.gaps
    again = split_turns([*before, agent(text="The order", cut=True), agent(text="It is placed.")])
    assert again.report.text == "It is placed." and not again.gaps


@pytest.mark.parametrize(
    ("reason", "cut"),
    [
        ("length", True),
        ("MAX_TOKENS", True),
        ("max_output_tokens", True),
        ("content_filter", True),
        ("FinishReason.MAX_TOKENS", True),
        (["length"], True),
        ("stop", False),
        ("end_turn", False),
        ("tool_calls", False),
        (None, False),
        (3, False),
    ],
)
def test_reasons_to_stop(reason: Any, cut: bool) -> None:
    assert is_cut(reason) is cut
    assert says_cut({"response_metadata": {"finish_reason": reason}}) is cut


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("The user doesn't want to proceed with this tool use. The tool use was rejected", True),
        ("The user doesn\u2019t want to take this action right now.", True),
        ("<tool_use_error>InputValidationError: Edit failed", True),
        ("Permission to use Bash has been denied", True),
        ("Error: pay is not a valid tool, try one of [look].", True),
        ("Permission to use the room was granted", False),
        ("page: The user doesn't want to proceed with this tool use", False),
        ("Error: card declined", False),
    ],
)
def test_a_call_that_was_not_carried_out_is_no_deed(text: str, refused: bool) -> None:
    assert was_not_carried_out(text) is refused
    told = run_of("Bash", {"command": "rm x"}, text, failed=True)
    assert told.steps[0].action.executed is not refused
    assert told.steps[0].error == text


@pytest.mark.parametrize("name", ["create_event", "calendar.add_event", "create_issue"])
def test_the_title_of_an_entry_is_no_explanation(name: str) -> None:
    action, hidden = action_of(Call(name, {"summary": "Lunch", "start": "19:00"}))
    assert "Lunch" in (action.raw or "") and not hidden
    action, hidden = action_of(Call("pay", {"summary": SAID}))
    assert SAID not in (action.raw or "") and hidden[0].route is LeakRoute.THOUGHTS
