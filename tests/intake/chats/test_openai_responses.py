"""Items of the Responses interface."""

from pathlib import Path
from typing import Any

from made_logs import the_failure, the_run, write_json

from plants.chats import DATA_URL, PICTURE
from tracewitness.report_side.report import Report
from tracewitness.values.digests import digest_bytes

ASKED = {"role": "user", "content": [{"type": "input_text", "text": "Press OK."}]}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Pressed."}]}
CLICK = {"type": "click", "button": "left", "x": 5, "y": 6}


def shot(call_id: str) -> dict[str, Any]:
    output = {"type": "computer_screenshot", "image_url": DATA_URL, "current_url": "https://x.test/"}
    return {"type": "computer_call_output", "call_id": call_id, "output": output}


def test_one_action_and_several_in_a_computer_call(tmp_path: Path) -> None:
    items: list[Any] = [
        ASKED,
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "It is there."}]},
        {"type": "computer_call", "call_id": "c1", "action": CLICK, "status": "completed"},
        shot("c1"),
        {
            "type": "computer_call",
            "call_id": "c2",
            "actions": [CLICK, {"type": "type", "text": "Ana"}, {"type": "keypress", "keys": ["CTRL", "S"]}],
        },
        shot("c2"),
        SAID,
    ]
    run = the_run(write_json(tmp_path / "items.json", items))
    assert [step.action.kind for step in run.trace.steps] == ["click", "click", "type", "press_key", "finish"]
    first, second, typing, keys, _ = run.trace.steps
    assert first.after is not None and first.after.screenshot is not None
    assert first.after.screenshot.digest == digest_bytes(PICTURE)
    assert first.after.url == "https://x.test/"
    assert second.after is None and typing.after is None
    assert keys.after is not None
    assert (typing.action.text, keys.action.text) == ("Ana", "CTRL+S")
    assert run.report == Report("Pressed.")
    assert not run.trace.gaps or "SCREENSHOT_ONLY" in repr(run.trace.gaps)
    assert [one.text for one in run.narration] == ["It is there."]


def test_function_calls_and_tools_of_the_provider(tmp_path: Path) -> None:
    items: list[Any] = [
        {"role": "user", "content": "Cancel order 17."},
        {"type": "function_call", "call_id": "c1", "name": "cancel", "arguments": '{"id": "17"}'},
        {"type": "function_call_output", "call_id": "c1", "output": '{"status": "cancelled"}'},
        {"type": "mcp_call", "id": "m1", "name": "look_up", "arguments": "{}", "output": None, "error": "no server"},
        {"type": "code_interpreter_call", "id": "k1", "code": "print(1)", "outputs": [{"type": "logs", "logs": "1"}]},
        SAID,
    ]
    run = the_run(write_json(tmp_path / "items.json", items))
    assert [step.action.kind for step in run.trace.steps] == ["cancel", "look_up", "code_interpreter", "finish"]
    cancel, look_up, code, _ = run.trace.steps
    assert cancel.after is not None and cancel.after.text == 'result: {"status": "cancelled"}'
    assert look_up.error == "no server"
    assert code.after is not None and code.after.text == "result: 1"


def test_commentary_is_narration(tmp_path: Path) -> None:
    items = [ASKED, {**SAID, "phase": "commentary", "content": [{"type": "output_text", "text": "Nearly."}]}, SAID]
    run = the_run(write_json(tmp_path / "items.json", items))
    assert run.report == Report("Pressed.")


def response(number: int, *output: dict[str, Any], previous: str | None = None) -> dict[str, Any]:
    return {"object": "response", "id": f"resp_{number}", "previous_response_id": previous, "output": list(output)}


def test_a_chain_of_requests_and_responses(tmp_path: Path) -> None:
    call = {"type": "computer_call", "call_id": "c1", "action": CLICK}
    pairs = [
        {"request": {"input": [ASKED]}, "response": response(1, call)},
        {
            "request": {"input": [shot("c1")], "previous_response_id": "resp_1"},
            "response": response(2, SAID, previous="resp_1"),
        },
    ]
    run = the_run(write_json(tmp_path / "pairs.json", pairs))
    assert [step.action.kind for step in run.trace.steps] == ["click", "finish"]
    assert run.trace.steps[0].after is not None
    assert run.report == Report("Pressed.")


def test_a_response_whose_beginning_is_not_there_is_refused(tmp_path: Path) -> None:
    path = write_json(tmp_path / "response.json", {"input": [shot("c1")], **response(2, SAID, previous="resp_1")})
    failure = the_failure(path)
    assert "it goes on from the response resp_1, which is not in this file" in failure.problem
    assert "whole list" in failure.remedy


def test_what_providers_ran_is_seen_whole(tmp_path: Path) -> None:
    printed = {"stdout": "built", "stderr": "1 warning", "outcome": {"type": "exit", "exit_code": 1}}
    searched = {"type": "search", "query": "wifi", "sources": [{"type": "url", "url": "https://found.test/"}]}
    items: list[Any] = [
        ASKED,
        {"type": "shell_call", "call_id": "s", "action": {"commands": ["make"]}},
        {"type": "shell_call_output", "call_id": "s", "output": [printed]},
        {"type": "web_search_call", "id": "w", "status": "completed", "action": searched},
        {"type": "code_interpreter_call", "id": "k", "code": "x = 1\nprint('It is pressed now')", "outputs": None},
        SAID,
    ]
    shell, search, code, _ = the_run(write_json(tmp_path / "items.json", items)).trace.steps
    assert shell.after is not None and shell.after.text == "result: built\n1 warning\nexit code 1"
    assert search.after is not None and "https://found.test/" in (search.after.text or "")
    assert "found.test" not in (search.action.raw or "")
    assert "x = 1" in (code.action.raw or "")
    assert "pressed now" not in repr(code)


def test_what_is_asked_for_and_warned_of_is_seen(tmp_path: Path) -> None:
    check = {"id": "s", "code": "malicious_instructions", "message": "The page tells the agent what to do."}
    items: list[Any] = [
        ASKED,
        {"type": "computer_call", "call_id": "c1", "action": CLICK, "pending_safety_checks": [check]},
        {**shot("c1"), "acknowledged_safety_checks": [check]},
        {"type": "mcp_approval_request", "id": "a", "name": "pay", "arguments": '{"why": "It was agreed."}'},
        {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True},
        {"type": "mcp_call", "id": "m", "name": "pay", "arguments": "{}", "output": "paid"},
        SAID,
    ]
    shown = repr(the_run(write_json(tmp_path / "items.json", items)).trace)
    assert "The page tells the agent what to do." in shown
    assert "user says: approves the call of pay" in shown
    assert "It was agreed" not in shown


def test_a_file_in_an_output_is_no_text(tmp_path: Path) -> None:
    given = [
        {"type": "input_text", "text": "made"},
        {"type": "input_file", "file_data": "data:application/pdf;base64,QUJD"},
    ]
    items: list[Any] = [
        ASKED,
        {"type": "function_call", "call_id": "f", "name": "export", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "f", "output": given},
        SAID,
    ]
    after = the_run(write_json(tmp_path / "items.json", items)).trace.steps[0].after
    assert after is not None and after.text == "result: made"
