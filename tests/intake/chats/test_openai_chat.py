"""Chats in the form of Chat Completions, in the shapes in which people dump them."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import REGISTRY, failures, outcomes, runs, the_failure, the_run, write_json, write_lines

from plants.chats import DATA_URL, PICTURE
from tracewitness import audit
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import FailureKind
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import Report
from tracewitness.values.digests import digest_bytes


def called(name: str, call_id: str, **arguments: Any) -> dict[str, Any]:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return {"role": "assistant", "content": "I call it.", "tool_calls": [call]}


TURNS: list[dict[str, Any]] = [
    {"role": "system", "content": "You help."},
    {"role": "user", "content": "Cancel order 17."},
    called("cancel_order", "c1", order_id="17", thought="easy"),
    {"role": "tool", "tool_call_id": "c1", "content": '{"order": "17", "status": "cancelled"}'},
    {"role": "assistant", "content": "Order 17 is cancelled."},
]


def check(run: SealedRun) -> None:
    assert run.task.instruction == "Cancel order 17."
    assert [step.action.kind for step in run.trace.steps] == ["cancel_order", "finish"]
    assert run.trace.steps[0].action.raw == '{"cancel_order": {"order_id": "17"}}'
    assert run.trace.steps[0].after is not None
    assert run.trace.steps[0].after.text == 'result: {"order": "17", "status": "cancelled"}'
    assert run.report == Report("Order 17 is cancelled.")
    assert run.harness is HarnessStatus.COMPLETED


RESPONSE = {"object": "chat.completion", "choices": [{"index": 0, "message": TURNS[-1], "finish_reason": "stop"}]}
FIRST = {"object": "chat.completion", "choices": [{"index": 0, "message": TURNS[2]}]}


@pytest.mark.parametrize(
    "dump",
    [
        TURNS,
        {"messages": TURNS},
        [TURNS],
        [{"messages": TURNS}],
        {"messages": TURNS[:-1], "response": RESPONSE},
        {"request": {"model": "m", "messages": TURNS[:-1]}, "response": RESPONSE},
        [
            {"request": {"messages": TURNS[:2]}, "response": FIRST},
            {"request": {"messages": TURNS[:-1]}, "response": RESPONSE},
        ],
        {"calls": [{"body": {"messages": TURNS[:-1]}, "response": {"body": RESPONSE}}]},
    ],
    ids=["list", "object", "lists", "objects", "with response", "pair", "pairs", "calls"],
)
def test_whatever_stands_around_the_messages(dump: Any, tmp_path: Path) -> None:
    check(the_run(write_json(tmp_path / "dump.json", dump)))


def test_lines_of_messages_are_one_run_and_lines_of_conversations_many(tmp_path: Path) -> None:
    check(the_run(write_lines(tmp_path / "messages.jsonl", TURNS)))
    other = [{**TURNS[1], "content": "Cancel order 18."}, TURNS[-1]]
    path = write_lines(tmp_path / "conversations.jsonl", [{"messages": TURNS}, {"messages": other}])
    first, second = runs(path)
    check(first)
    assert second.task.instruction == "Cancel order 18."
    assert first.run_id != second.run_id


def test_growing_bodies_by_line_are_one_run(tmp_path: Path) -> None:
    bodies = [{"messages": TURNS[:2]}, {"messages": TURNS[:4]}, {"messages": TURNS}]
    check(the_run(write_lines(tmp_path / "bodies.jsonl", bodies)))


def test_requests_without_the_last_answer_have_no_report(tmp_path: Path) -> None:
    run = the_run(write_json(tmp_path / "request.json", {"messages": TURNS[:-1]}))
    assert run.report == Report(None)
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT
    assert any("none is inferred" in notice for notice in run.notices)


def test_a_damaged_line_leaves_the_others(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "messages.jsonl", TURNS)
    text = path.read_text()
    path.write_text(text + '{"role": "assis')
    assert Gap.LOG_CUT_OFF in the_run(path).trace.gaps
    lines = text.splitlines(keepends=True)
    path.write_text("".join([*lines[:3], "{broken\n", *lines[3:]]))
    assert Gap.MISSING_STEPS in the_run(path).trace.gaps
    path = write_lines(tmp_path / "conversations.jsonl", [{"messages": TURNS}])
    path.write_text("{broken\n" + path.read_text())
    assert [one.where for one in failures(path)] == ["line 1, column 2"]
    assert len(runs(path)) == 1


def test_pictures_by_value_by_file_and_missing_ones(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PICTURE)

    def shown(url: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}

    chat = [*TURNS[:3], shown(DATA_URL), called("look", "c2"), shown("a.png"), called("look", "c3"), shown("../up.png")]
    run = the_run(write_json(tmp_path / "chat.json", [*chat, TURNS[-1]]))
    inline, file, missing = [step.after.screenshot for step in run.trace.steps[:3] if step.after]
    assert inline is not None and (inline.name, inline.digest) == ("!messages[3].content[0]", digest_bytes(PICTURE))
    assert file is not None and (file.name, file.digest) == ("a.png", digest_bytes(PICTURE))
    assert missing is not None and missing.digest is None
    assert any("picture" in notice for notice in run.notices)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


def test_thoughts_between_tags_are_narration(tmp_path: Path) -> None:
    chat = [TURNS[1], {"role": "assistant", "content": "<think>It may have failed.</think>It is cancelled."}]
    run = the_run(write_json(tmp_path / "chat.json", chat))
    assert run.report.text == "It is cancelled."
    assert [one.text for one in run.narration] == ["It may have failed."]


def test_a_refusal_is_the_report(tmp_path: Path) -> None:
    chat = [TURNS[1], {"role": "assistant", "content": None, "refusal": "I cannot help with that."}]
    assert the_run(write_json(tmp_path / "chat.json", chat)).report.text == "I cannot help with that."


def test_other_keys_beside_the_messages_are_grading(tmp_path: Path) -> None:
    run = the_run(write_json(tmp_path / "chat.json", {"messages": TURNS, "reward": 0.0, "judge": {"why": "wrong"}}))
    assert {one.where for one in run.stripped} >= {"reward", "judge"}
    assert run.harness is HarnessStatus.COMPLETED


def test_the_task_may_stand_beside_the_log(tmp_path: Path) -> None:
    path = write_json(tmp_path / "chat.json", [TURNS[0], *TURNS[2:]])
    assert the_failure(path).kind is FailureKind.NO_TASK
    (tmp_path / "chat.task.txt").write_text("Cancel order 17.")
    check(the_run(path))


@pytest.mark.parametrize(
    "other",
    [
        {"messages": TURNS, "info": {}, "trajectory_format": "mini-swe-agent-1.1"},
        [{"task_id": 1, "traj": TURNS, "info": {}}],
        {"schema_version": "ATIF-v1.4", "steps": []},
        {"eval": {}, "samples": [{"messages": TURNS}]},
        {"trace": {"input": TURNS}, "observations": []},
        [{"type": "human", "content": "Hi"}],
        {"history": TURNS},
        {"role": "admin", "content": "x"},
        [{"type": "tool_call", "id": "e1", "toolCallId": "c1", "name": "look", "arguments": {}}],
    ],
)
def test_files_of_other_formats_are_left_to_them(other: Any, tmp_path: Path) -> None:
    path = write_json(tmp_path / "other.json", other)
    verdicts = REGISTRY.verdicts(Candidate(path, path.name))
    for name in ("openai_chat", "openai_responses", "anthropic_messages"):
        assert not verdicts[name].yes, name
        assert verdicts[name].why


def test_a_whole_audit(tmp_path: Path) -> None:
    path = write_json(tmp_path / "chat.json", TURNS)
    (result,) = audit(path).results
    assert result.disposition is not None
    assert not [one for one in outcomes(path) if not isinstance(one, SealedRun)]


def test_words_that_were_spoken_aloud_are_the_report(tmp_path: Path) -> None:
    spoken = {"role": "assistant", "content": None, "audio": {"id": "a", "transcript": "Order 17 is cancelled."}}
    check(the_run(write_json(tmp_path / "chat.json", [*TURNS[:-1], spoken])))


def test_chunks_of_a_streamed_answer_are_refused_by_name(tmp_path: Path) -> None:
    chunk = {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Order"}}]}
    assert "events of a streamed answer" in the_failure(write_lines(tmp_path / "chunks.jsonl", [chunk, chunk])).line()


def test_arguments_that_cannot_be_read_are_a_gap(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "cancel_order", "arguments": '{"order_id": "17'}}
    turns = [*TURNS[:2], {"role": "assistant", "content": None, "tool_calls": [call]}, *TURNS[3:]]
    run = the_run(write_json(tmp_path / "chat.json", turns))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


@pytest.mark.parametrize("name", ["WebFetch", "mcp__x__webfetch"])
def test_what_a_model_made_of_a_page_is_no_evidence_and_a_gap(tmp_path: Path, name: str) -> None:
    turns = [
        TURNS[1],
        called(name, "c1", url="https://x.test/", prompt="Is it cancelled?"),
        {"role": "tool", "tool_call_id": "c1", "content": "It seems to be cancelled."},
        TURNS[-1],
    ]
    run = the_run(write_json(tmp_path / "chat.json", turns))
    assert "https://x.test/" in repr(run.trace)
    assert "cancelled" not in repr(run.trace)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


def test_one_action_in_text_and_closing_words_are_a_grammar(tmp_path: Path) -> None:
    call = '<tool_call>\n{"name": "open", "arguments": {"app": "Clock"}}\n</tool_call>'
    turns = [
        {"role": "user", "content": "Open the clock."},
        {"role": "assistant", "content": f"I open it. {call}"},
        {"role": "user", "content": "opened"},
        {"role": "assistant", "content": "It is open."},
    ]
    run = the_run(write_json(tmp_path / "chat.json", turns))
    assert [step.action.kind for step in run.trace.steps] == ["open_app", "finish"] or "Clock" in repr(
        run.trace.steps[0]
    )
    assert run.report == Report("It is open.")
