from pathlib import Path
from typing import Any

from made_logs import the_failure, the_run, write_json, write_lines

import tracewitness
from plants.langsmith import TRACE, generated, message, plant, run, run_id, runs
from tracewitness.findings.causes import Gap
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.report_side.report import Report
from tracewitness.testing.words import Words

ASKED = {"messages": [[message("HumanMessage", "Turn on Wi-Fi.")]]}
CALL = {"name": "click", "args": {"element": "Wi-Fi"}, "id": "call_1", "type": "tool_call"}
PAGE = message("ToolMessage", "page", tool_call_id="call_1")
CLICKED = run(3, "tool", "click", {"input": "{'element': 'Wi-Fi'}"}, {"output": PAGE})
SAID = run(2, "llm", "ChatOpenAI", ASKED, generated(message("AIMessage", "I click.", tool_calls=[CALL])))
DONE = run(4, "llm", "ChatOpenAI", ASKED, generated(message("AIMessage", "Wi-Fi is on.")))


def root(**more: Any) -> dict[str, Any]:
    return {**run(1, "chain", "LangGraph", {"input": "Turn on Wi-Fi."}, {"output": "Wi-Fi is on."}), **more}


def test_runs_one_a_line(tmp_path: Path) -> None:
    found = the_run(write_lines(tmp_path / "runs.jsonl", [root(), SAID, CLICKED, DONE]))
    assert (found.run_id, found.task.instruction) == (TRACE, "Turn on Wi-Fi.")
    clicked, ended = found.trace.steps
    assert (clicked.action.kind, clicked.action.target) == ("click", "Wi-Fi")
    assert clicked.after is not None
    assert clicked.after.text == "result: page"
    assert clicked.time == "2026-01-31T12:00:03+00:00"
    assert (ended.action.kind, found.report) == ("finish", Report("Wi-Fi is on."))
    assert found.trace.gaps == ()
    assert [one.text for one in found.narration] == ["I click."]


def test_all_layouts_give_the_same_run(tmp_path: Path) -> None:
    listed = runs(Words())
    lines = the_run(write_lines(tmp_path / "runs.jsonl", listed))
    for at, document in enumerate((listed, {"runs": listed}, list(reversed(listed)))):
        other = the_run(write_json(tmp_path / f"runs{at}.json", document))
        assert (other.task, other.trace, other.report) == (lines.task, lines.trace, lines.report)
    nested = the_run(plant(tmp_path, Words()))
    assert (nested.task, nested.trace, nested.report) == (lines.task, lines.trace, lines.report)


def test_a_model_run_without_a_chain(tmp_path: Path) -> None:
    alone = {**SAID, "parent_run_id": None, "dotted_order": None, "outputs": generated(message("AIMessage", "Hello."))}
    found = the_run(write_json(tmp_path / "run.json", alone))
    assert (found.task.instruction, found.report.text) == ("Turn on Wi-Fi.", "Hello.")


def test_messages_of_openai_as_their_wrapper_logs_them(tmp_path: Path) -> None:
    calls = [{"id": "call_1", "type": "function", "function": {"name": "click", "arguments": '{"element": "Wi-Fi"}'}}]
    choice = {"message": {"role": "assistant", "content": None, "tool_calls": calls}, "finish_reason": "tool_calls"}
    asked = {"messages": [{"role": "user", "content": "Turn on Wi-Fi."}]}
    said = run(2, "llm", "ChatOpenAI", asked, {"choices": [choice]})
    found = the_run(write_lines(tmp_path / "runs.jsonl", [root(), said, CLICKED, DONE]))
    assert [step.action.kind for step in found.trace.steps] == ["click", "finish"]
    assert found.trace.gaps == ()


def test_errors_of_tools_and_of_the_run(tmp_path: Path) -> None:
    failed = {**CLICKED, "outputs": None, "error": "ValueError('no such element')"}
    stopped = root(error="GraphRecursionError('Recursion limit of 25 reached')", outputs=None)
    found = the_run(write_lines(tmp_path / "runs.jsonl", [stopped, SAID, failed]))
    assert found.trace.steps[0].error == "ValueError('no such element')"
    assert (found.harness, found.report) == (HarnessStatus.STEP_LIMIT, Report(None))


def test_a_tool_message_with_status_error_is_a_failed_call(tmp_path: Path) -> None:
    told = message("ToolMessage", "no such element", tool_call_id="call_1", status="error")
    failed = {**CLICKED, "outputs": {"output": told}}
    found = the_run(write_lines(tmp_path / "runs.jsonl", [root(), SAID, failed, DONE]))
    assert found.trace.steps[0].error == "no such element"


def test_a_pending_run_and_lost_child_runs_are_gaps(tmp_path: Path) -> None:
    pending = root(end_time=None, outputs=None, status="pending")
    assert Gap.LOG_CUT_OFF in the_run(write_lines(tmp_path / "runs.jsonl", [pending, SAID, CLICKED])).trace.gaps
    lost = root(child_run_ids=[run_id(2), run_id(3), run_id(4), run_id(9)])
    found = the_run(write_lines(tmp_path / "runs.jsonl", [lost, SAID, CLICKED, DONE]))
    assert Gap.MISSING_STEPS in found.trace.gaps
    assert "1 child run of the trace named and not in the file" in found.notices


def test_the_result_of_a_tool_whose_child_runs_are_lost_may_be_words_of_a_model(tmp_path: Path) -> None:
    helped = {**CLICKED, "child_run_ids": [run_id(9)], "outputs": {"output": "All is done, says the helper."}}
    found = the_run(write_lines(tmp_path / "runs.jsonl", [root(), SAID, helped, DONE]))
    assert "says the helper" not in repr(found.trace)


def test_feedback_is_grading(tmp_path: Path) -> None:
    scored = root(feedback_stats={"correct": {"avg": 1}}, reference_example_id="x")
    found = the_run(write_lines(tmp_path / "runs.jsonl", [scored, SAID, CLICKED, DONE]))
    assert [one.plane for one in found.stripped if "attributes" in one.where] == [Plane.GRADING]


def test_runs_without_content_are_refused(tmp_path: Path) -> None:
    nothing: dict[str, Any] = {"inputs": {}, "outputs": None, "error": None}
    bare = [{**one, **nothing} for one in (root(), SAID, CLICKED)]
    assert "capture of content" in the_failure(write_lines(tmp_path / "runs.jsonl", bare)).problem


def test_a_whole_audit(tmp_path: Path) -> None:
    (result,) = tracewitness.audit(plant(tmp_path, Words()))
    assert result.record.run_id == TRACE


def test_calls_within_a_call_find_their_runs_and_say_nothing(tmp_path: Path) -> None:
    use = {"recipient_name": "functions.click", "parameters": {"element": "Wi-Fi", "reason": "It must be on."}}
    call = {"name": "multi_tool_use.parallel", "args": {"tool_uses": [use]}, "id": "call_9", "type": "tool_call"}
    said = run(2, "llm", "ChatOpenAI", ASKED, generated(message("AIMessage", "", tool_calls=[call])))
    found = the_run(write_lines(tmp_path / "runs.jsonl", [root(), said, CLICKED, DONE]))
    assert [step.action.kind for step in found.trace.steps] == ["click", "finish"]
    assert found.trace.gaps == ()
    assert "must be" not in repr(found.trace)
    schema = {"memory": "All is well.", "action": [{"done": {"text": "Wi-Fi is on.", "success": True}}]}
    ended = {"name": "AgentOutput", "args": schema, "id": "call_8", "type": "tool_call"}
    last = run(4, "llm", "ChatOpenAI", ASKED, generated(message("AIMessage", "", tool_calls=[ended])))
    found = the_run(write_lines(tmp_path / "runs.jsonl", [root(outputs={"state": 1}), SAID, CLICKED, last]))
    assert found.report.text == "Wi-Fi is on."
    assert "well" not in repr(found.trace)


def test_what_an_agent_behind_a_tool_is_told_is_no_act(tmp_path: Path) -> None:
    told = {"request": "Tell them that it is on.", "room": "hall"}
    asked = run(
        2,
        "llm",
        "ChatOpenAI",
        ASKED,
        generated(message("AIMessage", "", tool_calls=[{**CALL, "name": "helper", "args": told}])),
    )
    helper = run(3, "tool", "helper", told, {"output": PAGE}, end_time="2026-01-31T12:00:07.000000")
    inner = run(4, "llm", "m", ASKED, generated(message("AIMessage", "It is on.")), parent=3)
    found = the_run(write_lines(tmp_path / "runs.jsonl", [root(), asked, helper, inner]))
    assert found.trace.steps[0].action.raw == '{"helper": {"room": "hall"}}'
    assert "is on" not in repr(found.trace)


def test_last_words_that_were_cut_off_are_no_report(tmp_path: Path) -> None:
    for more in ({"generation_info": {"finish_reason": "length"}}, {}):
        half = message(
            "AIMessage", "Wi-Fi is", **({} if more else {"response_metadata": {"finish_reason": "MAX_TOKENS"}})
        )
        last = run(4, "llm", "ChatOpenAI", ASKED, {"generations": [[{"text": "Wi-Fi is", "message": half, **more}]]})
        found = the_run(write_lines(tmp_path / "runs.jsonl", [root(), SAID, CLICKED, last]))
        assert found.report == Report(None)
        assert [step.action.kind for step in found.trace.steps] == ["click"]
        assert Gap.LOG_CUT_OFF in found.trace.gaps
