"""Replies as Anthropic and Google word them, for the same small server."""

import json
from typing import Any

from fake_endpoint import Call, Reply, smallest


def anthropic(call: Call) -> Reply:
    """Answer as Anthropic does: a tool call, or the object that the output format asks for."""
    config: dict[str, Any] = call.body.get("output_config") or {}
    wanted: dict[str, Any] = config.get("format") or {}
    if call.body.get("tools"):
        value = smallest(call.body["tools"][0]["input_schema"])
        return anthropic_message({"type": "tool_use", "id": "t1", "name": "answer", "input": value}, "tool_use")
    text = json.dumps(smallest(wanted["schema"])) if wanted else "Hello!"
    return anthropic_message({"type": "text", "text": text})


def anthropic_message(block: dict[str, Any] | None, stop: str = "end_turn") -> Reply:
    """Return a message of Anthropic."""
    usage = {"input_tokens": 11, "output_tokens": 7}
    whole: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "usage": usage}
    return Reply({**whole, "content": [block] if block else [], "stop_reason": stop, "stop_sequence": None})


def anthropic_failure(status: int, kind: str, message: str) -> Reply:
    """Return an error as Anthropic words it."""
    return Reply({"type": "error", "error": {"type": kind, "message": message}}, status)


def google(call: Call) -> Reply:
    """Answer as Google does: a function call, or the object that the response schema asks for."""
    config: dict[str, Any] = call.body.get("generationConfig") or {}
    if call.body.get("tools"):
        declared: dict[str, Any] = call.body["tools"][0]["functionDeclarations"][0]
        schema = declared["parameters_json_schema"]
        return google_content({"functionCall": {"name": "answer", "args": smallest(schema)}})
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    return google_content({"text": json.dumps(smallest(schema)) if schema else "Hello!"})


def google_content(part: dict[str, Any] | None, finish: str = "STOP") -> Reply:
    """Return a reply of Google."""
    candidate: dict[str, Any] = {"finishReason": finish, "index": 0}
    if part:
        candidate["content"] = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}
    return Reply({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini"})


def google_failure(status: int, kind: str, message: str) -> Reply:
    """Return an error as Google words it."""
    return Reply({"error": {"code": status, "message": message, "status": kind}}, status)
