"""Messages of Anthropic's interface."""

from pathlib import Path
from typing import Any

from made_logs import the_failure, the_run, write_json, write_lines

from plants.chats import ENCODED, PICTURE
from tracewitness.findings.causes import Gap
from tracewitness.report_side.report import Report
from tracewitness.values.digests import digest_bytes

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ENCODED}}


def use(call_id: str, name: str, given: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given, **more}


def result(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def conversation(*blocks: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"role": "user", "content": "Press OK."},
        {"role": "assistant", "content": [{"type": "text", "text": "I press it."}, *blocks]},
        {"role": "user", "content": [result("t1", [{"type": "text", "text": "clicked"}, IMAGE])]},
        {"role": "assistant", "content": [{"type": "text", "text": "Pressed."}]},
    ]


def test_computer_use_by_tool_and_by_toolset(tmp_path: Path) -> None:
    old = use("t1", "computer", {"action": "left_click", "coordinate": [10, 20]})
    new = use("t1", "left_click", {"coordinate": [10, 20]}, toolset_name="computer")
    for block in (old, new):
        run = the_run(write_json(tmp_path / "messages.json", conversation(block)))
        click, finish = run.trace.steps
        assert (click.action.kind, click.action.target) == ("click", "(10, 20)")
        assert click.action.raw == '{"left_click": {"coordinate": [10, 20]}}'
        assert click.after is not None
        assert click.after.text == "result: clicked"
        assert click.after.screenshot is not None
        assert click.after.screenshot.digest == digest_bytes(PICTURE)
        assert click.after.screenshot.name == "!messages[2].content[0].content[1]"
        assert finish.action.kind == "finish"
        assert run.report == Report("Pressed.")


def test_errors_and_parallel_calls(tmp_path: Path) -> None:
    messages = conversation(use("t1", "bash", {"command": "ls"}), use("t2", "bash", {"command": "rm x"}))
    messages[2]["content"] = [result("t2", "no such file", is_error=True), result("t1", "x")]
    run = the_run(write_json(tmp_path / "messages.json", messages))
    first, second, _ = run.trace.steps
    assert first.after is not None and first.after.text == "result: x"
    assert (second.error, second.after) == ("no such file", None)
    messages[2]["content"] = [result("t1", "x")]
    assert Gap.UNREADABLE_OBSERVATION in the_run(write_json(tmp_path / "messages.json", messages)).trace.gaps


def test_growing_bodies_the_longest_counts_with_its_response(tmp_path: Path) -> None:
    whole = conversation(use("t1", "left_click", {"coordinate": [1, 2]}))
    bodies = [
        {
            "model": "m",
            "system": "s",
            "messages": whole[:1],
            "response": {"type": "message", "stop_reason": "tool_use", **whole[1]},
        },
        {
            "model": "m",
            "system": "s",
            "messages": whole[:3],
            "response": {"type": "message", "stop_reason": "end_turn", **whole[3]},
        },
    ]
    for path in (write_lines(tmp_path / "bodies.jsonl", bodies), write_json(tmp_path / "bodies.json", bodies)):
        run = the_run(path)
        assert [step.action.kind for step in run.trace.steps] == ["click", "finish"]
        assert run.report == Report("Pressed.")
        assert run.origin.agent == "m"


def test_tools_that_the_provider_ran(tmp_path: Path) -> None:
    hits = [{"type": "web_search_result", "title": "Shop", "url": "https://shop.test/", "encrypted_content": "x"}]
    messages = [
        {"role": "user", "content": "Find a shop."},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I search."},
                {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "shop"}},
                {"type": "web_search_tool_result", "tool_use_id": "s1", "content": hits},
                {"type": "text", "text": "Found it."},
            ],
        },
    ]
    run = the_run(write_json(tmp_path / "messages.json", messages))
    search, finish = run.trace.steps
    assert search.after is not None and search.after.text == "result: Shop\nhttps://shop.test/"
    assert finish.action.kind == "finish"
    assert run.report == Report("Found it.")


def test_a_document_of_the_user_is_seen_and_no_task(tmp_path: Path) -> None:
    document = {"type": "document", "source": {"type": "text", "data": "Press OK twice."}, "title": "Manual"}
    turns = conversation(use("t1", "press", {"button": "OK"}))
    turns[0] = {"role": "user", "content": [document, {"type": "text", "text": "Press OK."}]}
    run = the_run(write_json(tmp_path / "messages.json", turns))
    assert run.task.instruction == "Press OK."
    before = run.trace.steps[0].before
    assert before is not None and "Press OK twice." in (before.text or "")


def test_what_another_model_advises_is_no_evidence_and_a_gap(tmp_path: Path) -> None:
    call: dict[str, Any] = {"type": "server_tool_use", "id": "s1", "name": "advisor", "input": {}}
    told = {"type": "advisor_tool_result", "tool_use_id": "s1", "content": {"text": "All is done already."}}
    turns = conversation(call, told, use("t1", "press", {"button": "OK"}))
    run = the_run(write_json(tmp_path / "messages.json", turns))
    assert "done already" not in repr(run.trace)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


def test_a_page_that_the_provider_fetched_is_evidence(tmp_path: Path) -> None:
    call = {"type": "server_tool_use", "id": "s1", "name": "web_fetch", "input": {"url": "https://x.test/"}}
    page = {"type": "document", "source": {"type": "text", "data": "the page"}, "title": "X"}
    told = {
        "type": "web_fetch_tool_result",
        "tool_use_id": "s1",
        "content": {"type": "web_fetch_result", "content": page},
    }
    run = the_run(write_json(tmp_path / "messages.json", conversation(call, told, use("t1", "press", {}))))
    assert "the page" in repr(run.trace)


def test_an_answer_that_a_program_took_out_is_a_gap(tmp_path: Path) -> None:
    turns = conversation(use("t1", "press", {"button": "OK"}))
    turns[2] = {"role": "user", "content": [result("t1", "[Old tool result content cleared]")]}
    run = the_run(write_json(tmp_path / "messages.json", turns))
    assert "cleared" not in repr(run.trace)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


def test_events_of_a_streamed_answer_are_refused_by_name(tmp_path: Path) -> None:
    events: list[Any] = [
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        {"type": "message_stop"},
    ]
    assert "events of a streamed answer" in the_failure(write_lines(tmp_path / "events.jsonl", events)).line()
