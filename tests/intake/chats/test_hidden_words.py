"""Odd conversations of every dialect: what an agent says in any corner stays out, what was shown is never lost.

Words that begin with ``own`` are an agent's, those with ``env`` the environment's or the user's, those with ``end`` the
report's; each has a number of its own.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from made_logs import the_run, write_json, write_lines

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.sealed import SealedRun
from tracewitness.intake.triage import triage

Turns = list[dict[str, Any]]


def held(run: SealedRun, path: Path) -> None:
    """Hold a run to its log: every word of it is where it belongs."""
    text = path.read_text(encoding="utf-8").replace("\\n", " ")
    words = {kind: set(re.findall(rf"\b{kind}\d+", text)) for kind in ("own", "env", "end")}
    trace, report = (repr(one).replace("\\n", " ") for one in ((run.task, run.trace), run.report))
    assert not [one for one in words["own"] | words["end"] if re.search(rf"\b{one}\b", trace)]
    assert not [one for one in words["env"] if not re.search(rf"\b{one}\b", trace)]
    assert not [one for one in words["end"] if not re.search(rf"\b{one}\b", report)]
    assert not [one for one in words["own"] | words["env"] if re.search(rf"\b{one}\b", report)]


def called(call_id: str, name: str, arguments: Any) -> dict[str, Any]:
    told = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": told}}


def said(*calls: dict[str, Any], text: Any = None, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **({"tool_calls": list(calls)} if calls else {}), **more}


def tool(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


TASK = {"role": "user", "content": "Please do env1"}
LAST = said(text="It is end1.")
ACT = [said(called("x", "click", {"element": "env90"})), tool("x", "page env91")]


def use(name: str, **parameters: Any) -> dict[str, Any]:
    return {"recipient_name": f"functions.{name}", "parameters": parameters}


CHATS: dict[str, Turns] = {
    "developer and reasoning details": [
        {"role": "developer", "content": "You are own1"},
        TASK,
        said(called("a", "click", {"element": "env2"}), text="own2", reasoning_details=[{"text": "own3"}]),
        tool("a", "env3"),
        LAST,
    ],
    "arguments in other languages": [
        TASK,
        said(called("a", "klick", {"element": "env2", "Begründung": "own1 denn es passt", "思考": "own2"})),
        tool("a", "env3"),
        said(called("b", "pulsar", {"selector": "env4", "razón": "own3", "мысль": "own4", "理由": "own5"})),
        tool("b", "env5"),
        LAST,
    ],
    "ends in other languages": [TASK, *ACT, said(called("b", "完成", {"消息": "end1"}))],
    "parts of unknown types": [
        {"role": "user", "content": [{"type": "text", "text": "env1"}, {"type": "input_audio", "input_audio": {}}]},
        said(called("a", "look", {})),
        tool(
            "a",
            [
                {"type": "text", "text": "env2"},
                {"type": "resource", "resource": {"uri": "x", "text": "env3"}},
                {"type": "json", "json": {"deep": ["env4"]}},
                {"type": "document", "source": {"type": "text", "data": "env5"}},
            ],
        ),
        said(text=[{"type": "thinking", "thinking": "own1"}, {"type": "text", "text": "end1"}]),
    ],
    "a refusal in the midst": [
        TASK,
        *ACT,
        {"role": "assistant", "content": None, "refusal": "own1"},
        {"role": "user", "content": "env2"},
        said(called("b", "click", {"element": "env3"})),
        tool("b", "env4"),
        LAST,
    ],
    "an answer ahead of its call": [TASK, tool("a", "env2"), said(called("a", "click", {"element": "env3"})), LAST],
    "one id for two calls": [
        TASK,
        said(called("a", "click", {"element": "env2"}), called("a", "think", {"thought": "own1"})),
        tool("a", "env3"),
        tool("a", "own1 is noted"),
        LAST,
    ],
    "calls in a text in calls": [
        TASK,
        *ACT,
        said(called("a", "AgentOutput", {"memory": "own1", "action": json.dumps([{"done": {"text": "end1"}}])})),
    ],
    "a single call for a list": [
        TASK,
        *ACT,
        said(called("a", "AgentOutput", {"next_goal": "own1", "action": {"done": {"text": "end1"}}})),
    ],
    "arguments in texts in texts": [
        TASK,
        said(called("a", "act", {"input": json.dumps({"input": json.dumps({"thought": "own1", "id": "env2"})})})),
        tool("a", "env3"),
        LAST,
    ],
    "calls that cannot be read": [
        TASK,
        said(called("a", "multi_tool_use.parallel", {"tool_uses": [use("click", element="own1"), "own2"]})),
        tool("a", "env2"),
        LAST,
    ],
    "parallel in parallel": [
        TASK,
        *ACT,
        said(
            called(
                "a",
                "multi_tool_use.parallel",
                {"tool_uses": [use("parallel", tool_uses=[use("finish", message="end1")])]},
            )
        ),
        tool("a", "end1"),
    ],
    "two ends and words": [
        TASK,
        *ACT,
        said(called("a", "finish", {"message": "end1"}), called("b", "done", {"text": "end2"})),
        LAST,
    ],
    "an old call that ends nothing": [
        TASK,
        {"role": "assistant", "content": "", "function_call": {"name": "finish", "arguments": '{"summary": "own1"}'}},
        {"role": "function", "name": "finish", "content": "own1 is refused"},
        *ACT,
        LAST,
    ],
    "a state that is an app's": [
        TASK,
        said(called("a", "set_light", {"state": "env2", "config": {"brightness": "env3"}})),
        tool("a", json.dumps({"state": {"light": "env4"}, "messages": [{"role": "user", "content": "env5"}]})),
        LAST,
    ],
    "words of a user that quote the agent": [
        TASK,
        said(text="I have done own1"),
        {"role": "user", "content": "No call in: I have done own1. env2"},
        *ACT,
        LAST,
    ],
    "blocks and calls of the same message": [
        TASK,
        said(
            called("a", "click", {"element": "env2"}),
            text=[{"type": "text", "text": "own1"}, {"type": "tool_use", "id": "a", "name": "click", "input": {}}],
        ),
        tool("a", "env3"),
        LAST,
    ],
    "a call of free text": [
        TASK,
        said({"id": "a", "type": "custom", "custom": {"name": "patch", "input": "env2"}}),
        tool("a", "env3"),
        LAST,
    ],
}


@pytest.mark.parametrize("name", CHATS)
def test_chats(name: str, tmp_path: Path) -> None:
    path = write_json(tmp_path / "chat.json", CHATS[name])
    held(the_run(path), path)


ITEMS: Turns = [
    {"role": "developer", "content": "own1"},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "env1"}]},
    {"type": "mcp_list_tools", "id": "m", "server_label": "s", "tools": []},
    {"type": "mcp_approval_request", "id": "r", "name": "pay", "arguments": '{"amount": "own2"}'},
    {"type": "mcp_approval_response", "approval_request_id": "r", "approve": False, "reason": "env2"},
    {
        "type": "mcp_call",
        "id": "c",
        "name": "pay",
        "arguments": '{"amount": "env3", "reason": "own3"}',
        "output": None,
        "error": {"type": "tool_error", "content": [{"type": "text", "text": "env4"}]},
    },
    {"type": "web_search_call", "id": "w", "status": "completed", "action": {"type": "search", "query": "env5"}},
    {"type": "file_search_call", "id": "f", "queries": ["env6"], "results": [{"filename": "env7", "text": "env8"}]},
    {
        "type": "code_interpreter_call",
        "id": "i",
        "code": "env9",
        "outputs": [{"type": "logs", "logs": "env10"}, {"type": "image", "url": "x"}],
    },
    {
        "type": "computer_call",
        "call_id": "k",
        "action": {"type": "type", "text": "env11"},
        "pending_safety_checks": [{"message": "own4"}],
    },
    {"type": "computer_call_output", "call_id": "k", "output": {"type": "input_text", "text": "env12"}},
    {
        "type": "reasoning",
        "id": "s",
        "summary": [{"type": "summary_text", "text": "own5"}],
        "encrypted_content": "own6",
    },
    {"type": "custom_tool_call", "call_id": "p", "name": "apply_patch", "input": "env13"},
    {"type": "custom_tool_call_output", "call_id": "p", "output": "env14"},
    {"type": "image_generation_call", "id": "g", "result": "aGVsbG8=", "revised_prompt": "own7"},
    {"type": "local_shell_call", "call_id": "l", "action": {"type": "exec", "command": ["env15"], "env": {}}},
    {"type": "local_shell_call_output", "call_id": "l", "output": "env16"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "end1"}]},
]


def test_items_that_the_provider_runs_and_asks_leave_for(tmp_path: Path) -> None:
    path = write_json(tmp_path / "items.json", ITEMS)
    run = the_run(path)
    held(run, path)
    assert [step.action.kind for step in run.trace.steps if step.action.kind == "pay"] == ["pay"]
    assert Gap.MISSING_STEPS not in run.trace.gaps


BLOCKS: Turns = [
    {"role": "user", "content": "env1"},
    {
        "role": "assistant",
        "content": [
            {"type": "redacted_thinking", "data": "own1"},
            {"type": "server_tool_use", "id": "s", "name": "code_execution", "input": {"code": "env2"}},
            {
                "type": "code_execution_tool_result",
                "tool_use_id": "s",
                "content": {"type": "code_execution_result", "stdout": "env3", "stderr": "env4", "return_code": 1},
            },
            {"type": "server_tool_use", "id": "w", "name": "web_fetch", "input": {"url": "https://env5"}},
            {
                "type": "web_fetch_tool_result",
                "tool_use_id": "w",
                "content": {
                    "type": "web_fetch_result",
                    "content": {"type": "document", "title": "env6", "source": {"type": "text", "data": "env7"}},
                },
            },
            {"type": "text", "text": "own2"},
            {"type": "tool_use", "id": "a", "name": "look", "input": {"at": "env8", "explicación": "own3"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "a",
                "content": [
                    {"type": "search_result", "source": "env9", "content": [{"type": "text", "text": "env10"}]},
                ],
            }
        ],
    },
    {"role": "assistant", "stop_reason": "end_turn", "content": [{"type": "text", "text": "end1", "citations": []}]},
]


def test_blocks_of_what_the_provider_ran(tmp_path: Path) -> None:
    path = write_json(tmp_path / "blocks.json", BLOCKS)
    held(the_run(path), path)


CUT = "The order has been own1"
BEFORE = [TASK, *ACT]
HALVES: dict[str, Any] = {
    "chat": [
        {
            "request": {"messages": BEFORE},
            "response": {"choices": [{"finish_reason": "length", "message": said(text=CUT)}]},
        }
    ],
    "filtered": [
        {
            "request": {"messages": BEFORE},
            "response": {"choices": [{"finish_reason": "content_filter", "message": said(text=CUT)}]},
        }
    ],
    "a call": [
        {
            "request": {"messages": BEFORE},
            "response": {
                "choices": [{"finish_reason": "length", "message": said(called("z", "finish", '{"message": "own1 ha'))}]
            },
        }
    ],
    "blocks": {
        "messages": [
            *BLOCKS[:1],
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "b", "input": {}}]},
        ],
        "response": {
            "type": "message",
            "role": "assistant",
            "stop_reason": "max_tokens",
            "content": [{"type": "text", "text": CUT}],
        },
    },
    "items": [
        {
            "request": {"input": [ITEMS[1], *ITEMS[14:17]]},
            "response": {
                "object": "response",
                "id": "resp_1",
                "status": "incomplete",
                "incomplete_details": {"reason": "max_output_tokens"},
                "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": CUT}]}],
            },
        }
    ],
}


@pytest.mark.parametrize("name", HALVES)
def test_words_that_were_cut_off_are_no_report(name: str, tmp_path: Path) -> None:
    path = write_json(tmp_path / "chat.json", HALVES[name])
    run = the_run(path)
    held(run, path)
    assert run.report.text is None
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT
    assert Gap.LOG_CUT_OFF in run.trace.gaps


def session(path: Path, *lines: tuple[str, Any] | tuple[str, Any, dict[str, Any]]) -> SealedRun:
    """Write lines of a session of Claude Code and read them."""
    told: Turns = []
    for at, (kind, content, *more) in enumerate(lines):
        line = {"uuid": str(at), "sessionId": "s", "version": "2.1", "isSidechain": False, "type": kind}
        line |= {"timestamp": f"2026-01-31T12:00:{at:02}.000Z", "message": {"role": kind, "content": content}}
        told.append({**line, **(more[0] if more else {})})
    return the_run(write_lines(path, told))


def used(tool: str, **given: Any) -> tuple[str, Any]:
    return "assistant", [{"type": "tool_use", "id": tool, "name": tool, "input": given}]


def result(name: str, content: str, **more: Any) -> tuple[str, Any]:
    return "user", [{"type": "tool_result", "tool_use_id": name, "content": content, **more}]


REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit)."


def test_a_session_with_refused_calls_mails_and_words_of_the_program(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    run = session(
        path,
        ("user", "<system-reminder>a</system-reminder> own1 </system-reminder>env1"),
        used("Bash", command="env2", description="own2"),
        result("Bash", REFUSED, is_error=True),
        ("user", [{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
        used("SendMessage", to="lead", message="own3", summary="own4"),
        result("SendMessage", "sent: own3"),
        used("Monitor", command="env3", description="own5"),
        result("Monitor", "env4"),
        ("user", '<teammate-message teammate_id="a">own6</teammate-message>'),
        ("user", "<task-notification><result>own7</result></task-notification>"),
        ("user", "Stop hook feedback:\n- own8"),
        ("user", "This session is being continued from a previous conversation. own9"),
        ("user", "<bash-input>ls</bash-input><bash-stdout>env5</bash-stdout><bash-stderr></bash-stderr>"),
        ("assistant", [{"type": "text", "text": "It is end1."}]),
    )
    held(run, path)
    assert run.task.instruction == "env1"
    assert [step.action.executed for step in run.trace.steps] == [False, True, True, True]


def test_a_subagent_without_its_lines_leaves_a_gap_and_one_with_them_none(tmp_path: Path) -> None:
    aside = {"isSidechain": True}
    inner: list[Any] = [
        (*used("Read", file_path="env2"), aside),
        (*result("Read", "env3"), aside),
        ("assistant", [{"type": "text", "text": "own4"}], aside),
    ]
    for lines, gaps in ((inner, ()), ([], (Gap.NO_OBSERVATIONS, Gap.MISSING_STEPS))):
        path = tmp_path / f"{len(lines)}.jsonl"
        run = session(
            path,
            ("user", "env1"),
            used("Agent", prompt="own1", description="own2", name="own5"),
            *lines,
            result("Agent", "own3"),
            ("assistant", [{"type": "text", "text": "end1"}]),
        )
        held(run, path)
        assert set(run.trace.gaps) == set(gaps)


def test_an_error_of_the_provider_is_no_report(tmp_path: Path) -> None:
    failed = ("assistant", [{"type": "text", "text": "API Error: own1"}], {"isApiErrorMessage": True})
    run = session(tmp_path / "s.jsonl", ("user", "env1"), used("Bash", command="ls"), result("Bash", "env2"), failed)
    held(run, tmp_path / "s.jsonl")
    assert run.report.text is None
