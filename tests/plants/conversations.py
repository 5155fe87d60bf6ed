"""Planted conversations with the places in which an agent's words hide: calls within calls, other agents, quotes.

One list of exchanges is written in the form of every format that holds conversations.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plants import Planted
from plants.atif import document
from plants.chats import called, lines, written
from plants.langsmith import generated, message, run
from plants.otlp import calling, otlp_span, text, tool, write_spans
from plants.otlp import chat as model_span
from tracewitness.intake.formats.anthropic_messages import FORMAT as ANTHROPIC
from tracewitness.intake.formats.atif import FORMAT as ATIF
from tracewitness.intake.formats.claude_code import FORMAT as CLAUDE_CODE
from tracewitness.intake.formats.langsmith import FORMAT as LANGSMITH
from tracewitness.intake.formats.openai_chat import FORMAT as CHAT
from tracewitness.intake.formats.openai_responses import FORMAT as RESPONSES
from tracewitness.intake.formats.otlp import FORMAT as OTLP
from tracewitness.testing.words import Words


@dataclass(frozen=True)
class Exchange:
    """A call and what answered it."""

    name: str
    arguments: dict[str, Any]
    answer: str


def within(words: Words) -> list[Exchange]:
    """Return calls that carry others."""
    shown, said = words.evidence, words.narration
    uses = [
        {"recipient_name": "functions.click", "parameters": {"element": shown("in parallel"), "reason": said("why")}},
        {"recipient_name": "functions.think", "parameters": {"thought": said("in parallel too")}},
    ]
    schema = {
        "thinking": said("of the schema"),
        "evaluation_previous_goal": said("evaluated"),
        "memory": said("remembered"),
        "next_goal": said("next"),
        "action": [{"click": {"index": 3}}, {"input": {"index": 4, "text": shown("typed by schema")}}],
    }
    gateway = {"server_name": "shop", "tool_name": "open", "arguments": {"path": shown("path"), "rationale": said("r")}}
    batch = {"tool_calls": [{"tool": "look", "parameters": {"at": shown("looked at"), "thought": said("in a batch")}}]}
    return [
        Exchange("multi_tool_use.parallel", {"tool_uses": uses}, shown("after both")),
        Exchange("AgentOutput", schema, shown("after the schema")),
        Exchange("use_mcp_tool", gateway, shown("through the gateway")),
        Exchange("batch", batch, shown("after the batch")),
    ]


def of_others(words: Words) -> list[Exchange]:
    """Return calls that tell another agent something, and those that a framework fills with what was said."""
    shown, said = words.evidence, words.narration
    state = {"messages": [{"type": "ai", "content": said("in the state")}], "drafts": [said("beside the messages")]}
    own = {"type": "tool", "content": shown("own message"), "tool_call_id": "x"}
    command = {"update": {"messages": [own, {"type": "ai", "content": said("in the command")}]}, "goto": "next"}
    return [
        Exchange("task", {"description": said("order"), "subagent_type": "general"}, said("what the helper says")),
        Exchange("transfer_to_agent", {"agent_name": "b", "request": said("request")}, said("what b says")),
        Exchange("get", {"id": shown("id"), "state": state}, json.dumps(command)),
    ]


def like_ends(words: Words) -> list[Exchange]:
    """Return calls of an app that are called like ends, ends that are refused, and answers that quote the call."""
    shown, said = words.evidence, words.narration
    quoted = said("quoted")
    return [
        Exchange("stop", {"device": shown("device"), "motivo": said("in Spanish")}, shown("no stop")),
        Exchange("complete", {"task_id": shown("task id"), "reason": said("completed why")}, shown("not completed")),
        Exchange("exit", {}, shown("not left")),
        Exchange("submit", {"element": shown("button"), "summary": said("summed up")}, shown("not submitted")),
        Exchange("say", {"text": said("said aloud")}, shown("after it was said")),
        Exchange("finish", {"message": said("too early")}, said("of the harness, which may repeat it")),
        Exchange("click", {"element": shown("element"), "理由": quoted}, f"{shown('page')} ({quoted}) {shown('rest')}"),
    ]


def exchanges(words: Words) -> list[Exchange]:
    """Return all of them."""
    return [*within(words), *of_others(words), *like_ends(words)]


def plant_chat(folder: Path, words: Words) -> Path:
    told: list[dict[str, Any]] = [{"role": "user", "content": words.task()}]
    for at, one in enumerate(exchanges(words)):
        call = called(at, one.name, **one.arguments)
        told.append({"role": "assistant", "content": None, "tool_calls": [call]})
        told.append({"role": "tool", "tool_call_id": f"c{at}", "content": one.answer})
    if words.finished:
        told.append({"role": "assistant", "content": words.report("last words")})
    return written(folder / "messages.json", told)


def _blocks(told: Sequence[Exchange]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for at, one in enumerate(told):
        use = {"type": "tool_use", "id": f"c{at}", "name": one.name, "input": one.arguments}
        found.append({"role": "assistant", "content": [use]})
        answer = {"type": "tool_result", "tool_use_id": f"c{at}", "content": one.answer}
        found.append({"role": "user", "content": [answer]})
    return found


def _last(words: Words) -> list[dict[str, Any]]:
    content = [{"type": "text", "text": words.report("last words")}] if words.finished else []
    return [{"role": "assistant", "content": content}] if content else []


def plant_blocks(folder: Path, words: Words) -> Path:
    asked = {"role": "user", "content": words.task()}
    return written(folder / "messages.json", [asked, *_blocks(exchanges(words)), *_last(words)])


def plant_session(folder: Path, words: Words) -> Path:
    """Write a session in which a program speaks in the user's name, and a user refuses a call."""
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    notes = f"<task-notification><result>{words.narration('notification', plain=True)}</result></task-notification>"
    mail = {"to": "lead", "message": words.narration("mail"), "summary": words.narration("mail in short")}
    told = [
        *exchanges(words),
        Exchange("SendMessage", mail, words.narration("mail answer")),
        Exchange("Bash", {"command": words.evidence("refused command")}, refused),
    ]
    messages = [
        {"role": "user", "content": words.task()},
        *_blocks(told),
        {"role": "user", "content": notes},
        {"role": "user", "content": f"Stop hook feedback:\n- {words.narration('hook', plain=True)}"},
        {"role": "user", "content": f"<bash-input>ls</bash-input><bash-stdout>{words.evidence('ran')}</bash-stdout>"},
        *_last(words),
    ]
    place = {"sessionId": "s", "version": "2.1.5", "isSidechain": False}
    values = [
        {**place, "uuid": str(at), "type": one["role"], "message": one, "timestamp": f"2026-01-31T12:{at:02}:00.000Z"}
        for at, one in enumerate(messages)
    ]
    return lines(folder / "s.jsonl", values)


def plant_items(folder: Path, words: Words) -> Path:
    told: list[dict[str, Any]] = [{"role": "user", "content": [{"type": "input_text", "text": words.task()}]}]
    for at, one in enumerate(exchanges(words)):
        call = {"type": "function_call", "call_id": f"c{at}", "name": one.name}
        told.append({**call, "arguments": json.dumps(one.arguments)})
        told.append({"type": "function_call_output", "call_id": f"c{at}", "output": one.answer})
    asked = {"type": "mcp_approval_request", "id": "m", "name": "pay", "arguments": words.narration("to be approved")}
    told += [asked, {"type": "mcp_approval_response", "approval_request_id": "m", "approve": False}]
    told.append({"type": "mcp_call", "id": "n", "name": "look", "arguments": "{}", "output": words.evidence("looked")})
    if words.finished:
        content = [{"type": "output_text", "text": words.report("last words")}]
        told.append({"type": "message", "role": "assistant", "content": content})
    return written(folder / "items.json", told)


def plant_runs(folder: Path, words: Words) -> Path:
    """Write runs of LangSmith, each call in a run of a model and in one of a tool."""
    user = {"type": "human", "content": words.task()}
    asked = {"messages": [[message("HumanMessage", words.task())]]}
    found: list[dict[str, Any]] = []
    for at, one in enumerate(exchanges(words)):
        call = {"name": one.name, "args": one.arguments, "id": f"c{at}", "type": "tool_call"}
        found.append(run(2 * at + 2, "llm", "model", asked, generated(message("AIMessage", "", tool_calls=[call]))))
        answer = {"type": "tool", "content": one.answer, "tool_call_id": f"c{at}", "status": "success"}
        given = {"input": json.dumps(one.arguments)}
        found.append(run(2 * at + 3, "tool", one.name, given, {"output": answer}))
    final = {"type": "ai", "content": words.report("answer")} if words.finished else None
    if final is not None:
        found.append(run(50, "llm", "model", asked, generated(message("AIMessage", words.report("of the model")))))
    root = {"messages": [user, *([final] if final else [{"type": "tool", "content": "x", "tool_call_id": "y"}])]}
    inner = [one["id"] for one in found]
    first = run(1, "chain", "LangGraph", {"messages": [user]}, root, child_run_ids=inner)
    return lines(folder / "runs.jsonl", [first, *found])


def plant_spans(folder: Path, words: Words) -> Path:
    """Write spans of OpenTelemetry, each call in a span of a model and in one of a tool."""
    asked = [text("user", words.task())]
    spans: list[dict[str, Any]] = []
    for at, one in enumerate(exchanges(words)):
        said = calling(f"c{at}", one.name, one.arguments, "", "")
        spans.append(model_span(2 * at + 2, asked, [said]))
        spans.append(tool(2 * at + 3, one.name, f"c{at}", one.arguments, one.answer))
    root: dict[str, Any] = {"gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": json.dumps(asked)}
    if words.finished:
        final = text("assistant", words.report("answer"))
        spans.append(model_span(50, asked, [final]))
        root["gen_ai.output.messages"] = json.dumps([final])
    return write_spans(folder / "spans.json", [*spans, otlp_span(1, None, "invoke_agent a", root)])


def plant_trajectory(folder: Path, words: Words) -> Path:
    steps: list[dict[str, Any]] = [{"source": "user", "message": words.task()}]
    for at, one in enumerate(exchanges(words)):
        call = {"tool_call_id": f"c{at}", "function_name": one.name, "arguments": one.arguments}
        results = [{"source_call_id": f"c{at}", "content": one.answer}]
        steps.append({"source": "agent", "message": "", "tool_calls": [call], "observation": {"results": results}})
    if words.finished:
        steps.append({"source": "agent", "message": words.report("last words")})
    return written(folder / "trajectory.json", document(steps))


PLANTS = {
    "chat_hidden": Planted(CHAT, plant_chat),
    "anthropic_hidden": Planted(ANTHROPIC, plant_blocks),
    "claude_code_hidden": Planted(CLAUDE_CODE, plant_session),
    "responses_hidden": Planted(RESPONSES, plant_items),
    "langsmith_hidden": Planted(LANGSMITH, plant_runs),
    "otlp_hidden": Planted(OTLP, plant_spans),
    "atif_hidden": Planted(ATIF, plant_trajectory),
}
