"""Planted event streams of Agent TARS: a document of events, and an event a line."""

import base64
import json
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.agent_tars import FORMAT
from tracewitness.testing.words import Words

PNG = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
        "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
    )
).decode()


def event(number: float, kind: str, **more: Any) -> dict[str, Any]:
    """Return the ``number``-th event of a stream."""
    return {"id": f"event-{number}", "type": kind, "timestamp": 1_757_351_879_000 + number * 1000, **more}


def call(number: int, call_id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the event of a call."""
    tool: dict[str, Any] = {"name": name, "description": "a tool", "schema": {}}
    return event(number, "tool_call", toolCallId=call_id, name=name, arguments=arguments, startTime=1, tool=tool)


def message(number: int, words: str, raw: str, *calls: dict[str, Any]) -> dict[str, Any]:
    """Return a message of the agent on the way."""
    listed = [
        {"id": one["toolCallId"], "function": {"name": one["name"], "arguments": json.dumps(one["arguments"])}}
        for one in calls
    ]
    told = {"content": words, "rawContent": raw, "toolCalls": listed, "finishReason": "tool_calls"}
    return event(number, "assistant_message", **told)


def events(words: Words) -> list[dict[str, Any]]:
    """Return the events of a session on a screen."""
    typed = words.evidence("typed")
    seen = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    go = call(6, "call_1", "browser_navigate", {"url": words.evidence("address"), "reason": words.narration("reason")})
    acted = {
        "action": f"type(content='{typed}')",
        "thought": words.narration("thought"),
        "step": words.narration("step"),
    }
    write = call(10, "call_2", "browser_vision_control", acted)
    shell = call(14, "call_3", "run_command", {"command": words.evidence("command")})
    again = {"action": acted["action"], "status": "success", "thought": words.narration("thought again")}
    repeated = [{"type": "text", "text": json.dumps({**again, "step": words.narration("step in a text")})}]
    found = [
        event(1, "agent_run_start", sessionId="session-1", runOptions={"input": words.task()}, agentName="Agent"),
        event(2, "user_message", content=[{"type": "text", "text": words.task()}]),
        event(3, "plan_update", sessionId="session-1", steps=[{"content": words.narration("plan"), "done": True}]),
        event(4, "assistant_thinking_message", content=words.narration("thinking"), isComplete=True),
        message(5, words.narration("said"), words.narration("raw"), go),
        go,
        event(
            7, "tool_result", toolCallId="call_1", name="browser_navigate", content=[{"type": "text", "text": typed}]
        ),
        event(8, "environment_input", content=[{"type": "text", "text": words.evidence("page")}, seen]),
        event(
            8.1, "environment_input", content=[{"type": "text", "text": f"Task progress: {words.narration('past')}"}]
        ),
        message(9, words.narration("said 2"), words.narration("raw 2"), write),
        write,
        event(11, "tool_result", toolCallId="call_2", name="browser_vision_control", content=again),
        event(11.1, "tool_call", toolCallId="call_4", name="browser_vision_control", arguments=acted),
        event(11.2, "tool_result", toolCallId="call_4", name="browser_vision_control", content=repeated),
        event(12, "system", level="info", message=words.narration("system")),
        message(13, "", words.narration("raw 3"), shell),
        shell,
        event(15, "tool_result", toolCallId="call_3", name="run_command", content=None, error=words.evidence("error")),
        event(16, "assistant_streaming_message", content=words.narration("streamed")),
        event(17, "custom_event", content=words.narration("of a type that is not known")),
    ]
    if not words.finished:
        stopped = {"content": "Sorry, I could not complete this task.", "finishReason": "max_iterations"}
        return [*found, event(18, "assistant_message", **stopped), _end()]
    final = {"content": words.narration("before the answer"), "rawContent": words.narration("raw 4")}
    return [
        *found,
        event(18, "final_answer_streaming", content=words.report("streamed answer")),
        event(19, "assistant_message", **final, finishReason="stop"),
        event(20, "final_answer", content=words.report("answer"), title=words.report("title")),
        _end(),
    ]


def _end() -> dict[str, Any]:
    return event(21, "agent_run_end", sessionId="session-1", iterations=4, elapsedMs=1, status="executing")


def plant(folder: Path, words: Words) -> Path:
    """Write a document of events."""
    path = folder / "trace.json"
    path.write_text(json.dumps({"events": events(words)}), encoding="utf-8")
    return path


def plant_lines(folder: Path, words: Words) -> Path:
    """Write an event a line."""
    path = folder / "trace.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in events(words)), encoding="utf-8")
    return path


PLANTS = {"agent_tars": Planted(FORMAT, plant), "agent_tars_lines": Planted(FORMAT, plant_lines)}
