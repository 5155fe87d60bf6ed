"""Planted exports of OpenTelemetry spans: GenAI conventions (new and old), OpenInference, AI SDK."""

import base64
import json
from pathlib import Path
from typing import Any, cast

from plants import Planted
from tracewitness.intake.formats.otlp import FORMAT
from tracewitness.testing.words import Words

TRACE = "5b8efff798038103d269b633813fc60c"
START = 1_790_000_000_000_000_000
PNG = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
        "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
    )
).decode()


def value(one: Any) -> dict[str, Any]:
    """Return a value with its type, as OTLP writes it."""
    if isinstance(one, bool):
        return {"boolValue": one}
    if isinstance(one, int):
        return {"intValue": str(one)}
    if isinstance(one, list):
        return {"arrayValue": {"values": [value(item) for item in cast(list[Any], one)]}}
    if isinstance(one, dict):
        items = cast(dict[str, Any], one).items()
        return {"kvlistValue": {"values": [{"key": key, "value": value(item)} for key, item in items]}}
    return {"stringValue": one}


def otlp_span(number: int, parent: int | None, name: str, attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a span of OTLP JSON, the ``number``-th of its trace."""
    parents = {"parentSpanId": f"{parent:016x}"} if parent else {}
    return {
        "traceId": TRACE,
        "spanId": f"{number:016x}",
        **parents,
        "name": name,
        "kind": 1,
        "startTimeUnixNano": str(START + number * 1_000_000_000),
        "endTimeUnixNano": str(START + number * 1_000_000_000 + 900_000_000),
        "attributes": [{"key": key, "value": value(one)} for key, one in attributes.items()],
        "status": {},
        **more,
    }


def event(name: str, attributes: dict[str, Any]) -> dict[str, Any]:
    """Return an event of a span."""
    listed = [{"key": key, "value": value(one)} for key, one in attributes.items()]
    return {"name": name, "timeUnixNano": str(START), "attributes": listed}


def write_spans(path: Path, spans: list[dict[str, Any]]) -> Path:
    """Write spans as the file exporter of the collector does: one batch a line."""
    resource = {"attributes": [{"key": "service.name", "value": value("shop-agent")}]}
    scope = {"name": "tracer", "version": "1"}
    batches = [
        {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": [span]}]}]} for span in spans
    ]
    path.write_text("".join(json.dumps(batch) + "\n" for batch in batches), encoding="utf-8")
    return path


def text(role: str, content: str) -> dict[str, Any]:
    """Return a message of the GenAI conventions."""
    return {"role": role, "parts": [{"type": "text", "content": content}]}


def calling(call_id: str, name: str, arguments: dict[str, Any], thought: str, words: str) -> dict[str, Any]:
    """Return a message that calls a tool."""
    return {
        "role": "assistant",
        "parts": [
            {"type": "reasoning", "content": thought},
            {"type": "text", "content": words},
            {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments},
        ],
        "finish_reason": "tool_calls",
    }


def chat(number: int, asked: list[Any], answered: list[Any], **more: Any) -> dict[str, Any]:
    """Return the span of a model."""
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "model-1",
        "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(answered),
    }
    return otlp_span(number, 1, "chat model-1", {**attributes, **more})


def tool(number: int, name: str, call_id: str, arguments: dict[str, Any], result: Any, **more: Any) -> dict[str, Any]:
    """Return the span of a tool."""
    attributes: dict[str, Any] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": call_id,
        "gen_ai.tool.call.arguments": json.dumps(arguments),
    }
    if result is not None:
        attributes["gen_ai.tool.call.result"] = result if isinstance(result, str) else json.dumps(result)
    return otlp_span(number, 1, f"execute_tool {name}", attributes, **more)


def plant(folder: Path, words: Words) -> Path:
    """Write a trace of the GenAI conventions as OTLP JSON Lines; the outermost span is exported last."""
    asked = [text("system", words.narration("system")), text("user", words.task())]
    clicked = {"element": words.evidence("element")}
    typed = {"text": words.evidence("typed"), "reasoning": words.narration("argument that explains")}
    first = calling("call_1", "click", clicked, words.narration("thought 1"), words.narration("said 1"))
    second = calling("call_2", "type_text", typed, words.narration("thought 2"), words.narration("said 2"))
    note = calling("call_3", "take_note", {"text": words.narration("noted")}, words.narration("thought 3"), "")
    screen = [
        {"type": "text", "text": words.evidence("page")},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
    ]
    failed = {
        "status": {"code": 2, "message": words.evidence("error")},
        "events": [event("exception", {"exception.type": "E", "exception.stacktrace": words.narration("stack")})],
    }
    graded = [event("gen_ai.evaluation.result", {"gen_ai.evaluation.explanation": words.grading("event")})]
    spans = [
        chat(2, asked, [first], **{"gen_ai.system_instructions": words.narration("instructions")}),
        tool(3, "click", "call_1", clicked, {"content": screen}),
        chat(4, [*asked, first, text("user", words.narration("echo"))], [second]),
        tool(5, "type_text", "call_2", typed, None, **failed),
        chat(6, [*asked, first, second], [note]),
        tool(7, "take_note", "call_3", {"text": words.narration("noted")}, words.narration("note answered")),
        otlp_span(8, 1, "GET", {"url.full": words.narration("address of the model")}),
        otlp_span(9, 1, "judge", {"openinference.span.kind": "EVALUATOR", "output.value": words.grading("judge")}),
    ]
    root: dict[str, Any] = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shopper"}
    root |= {"gen_ai.input.messages": json.dumps([text("user", words.task())])}
    if words.finished:
        final = words.report("answer")
        spans.append(chat(10, [*asked, first, second, note], [text("assistant", final)]))
        root |= {"gen_ai.output.messages": json.dumps([first, text("assistant", final)])}
    root |= {"gen_ai.evaluation.explanation": words.grading("attribute")}
    return write_spans(folder / "traces.jsonl", [*spans, otlp_span(1, None, "invoke_agent", root, events=graded)])


def plant_events(folder: Path, words: Words) -> Path:
    """Write a trace of the older conventions, whose messages are events and whose tools have no spans."""
    click = {"name": "click", "arguments": json.dumps({"selector": words.evidence("selector")})}
    call = {"id": "call_1", "type": "function", "function": click}
    said = {"content": words.narration("said"), "tool_calls": json.dumps([call])}
    asked = [
        event("gen_ai.system.message", {"content": words.narration("system")}),
        event("gen_ai.user.message", {"content": words.task()}),
    ]
    answer = event("gen_ai.tool.message", {"id": "call_1", "content": words.evidence("page")})
    again = event("gen_ai.assistant.message", said)
    first = event("gen_ai.choice", {"index": 0, "finish_reason": "tool_calls", "message": json.dumps(said)})
    about = {"gen_ai.operation.name": "chat", "gen_ai.system": "openai"}
    spans = [otlp_span(2, None, "chat", about, events=[*asked, first])]
    if words.finished:
        said_last = json.dumps({"role": "assistant", "content": words.report("answer")})
        last = event("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": said_last})
        spans.append(otlp_span(3, None, "chat", about, events=[*asked, again, answer, last]))
    else:
        spans.append(otlp_span(3, None, "chat", about, events=[*asked, again, answer, first]))
    path = folder / "trace.json"
    scopes: list[dict[str, Any]] = [{"scope": {}, "spans": spans}]
    path.write_text(json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": scopes}]}), encoding="utf-8")
    return path


def sdk_span(number: int, parent: int | None, name: str, attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a span as the SDK for Python writes it."""
    return {
        "name": name,
        "context": {"trace_id": f"0x{TRACE}", "span_id": f"0x{number:016x}", "trace_state": "[]"},
        "kind": "SpanKind.INTERNAL",
        "parent_id": f"0x{parent:016x}" if parent else None,
        "start_time": f"2026-01-31T12:00:{number:02d}.000000Z",
        "end_time": f"2026-01-31T12:00:{number:02d}.900000Z",
        "status": {"status_code": "UNSET"},
        "attributes": attributes,
        "events": [],
        "links": [],
        "resource": {"attributes": {"service.name": "shop-agent"}, "schema_url": ""},
        **more,
    }


def plant_openinference(folder: Path, words: Words) -> Path:
    """Write spans of OpenInference as a list of what the SDK dumps, nested agents and a retriever among them."""
    clicked = {"element": words.evidence("element")}
    told = {
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": words.narration("system"),
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.content": words.task(),
        "input.value": words.narration("whole prompt"),
    }
    calls = {
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.contents.0.message_content.type": "text",
        "llm.output_messages.0.message.contents.0.message_content.text": words.narration("said"),
        "llm.output_messages.0.message.tool_calls.0.tool_call.id": "call_1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "click",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": json.dumps(clicked),
        "output.value": words.narration("whole answer"),
    }
    kind = "openinference.span.kind"
    found = {"retrieval.documents.0.document.content": words.evidence("document")}
    found |= {"retrieval.documents.0.document.score": 0.5}
    inner = {"llm.output_messages.0.message.content": words.narration("words of the helper")}
    long = {"end_time": "2026-01-31T12:00:06.950000Z"}
    spans = [
        sdk_span(2, 1, "llm", {kind: "LLM", **told, **calls}),
        sdk_span(
            3,
            1,
            "click",
            {
                kind: "TOOL",
                "tool.name": "click",
                "input.value": json.dumps(clicked),
                "output.value": words.evidence("page"),
            },
        ),
        sdk_span(4, 1, "search", {kind: "RETRIEVER", "input.value": words.evidence("query"), **found}),
        sdk_span(5, 1, "helper", {kind: "TOOL", "output.value": words.narration("of the helper")}, **long),
        sdk_span(6, 5, "llm", {kind: "LLM", "llm.output_messages.0.message.role": "assistant", **inner}),
        sdk_span(
            7, 1, "chain", {kind: "CHAIN", "input.value": words.narration("in"), "output.value": words.narration("up")}
        ),
        sdk_span(8, 1, "grade", {kind: "EVALUATOR", "output.value": words.grading("evaluator")}),
        sdk_span(9, 8, "llm", {kind: "LLM", "output.value": words.grading("model of the evaluator")}),
        sdk_span(10, 1, "guard", {kind: "GUARDRAIL", "output.value": words.narration("guardrail")}),
    ]
    root: dict[str, Any] = {kind: "AGENT", "input.value": words.task(), "annotation.note": words.grading("annotation")}
    if words.finished:
        root["output.value"] = words.report("answer")
        last = {"llm.output_messages.0.message.role": "assistant"}
        last |= {"llm.output_messages.0.message.content": words.report("answer of the model")}
        spans.append(sdk_span(11, 1, "llm", {kind: "LLM", **told, **last}))
    path = folder / "spans.json"
    path.write_text(json.dumps([*spans, sdk_span(1, None, "agent", root)]), encoding="utf-8")
    return path


def js_span(number: int, parent: int | None, name: str, attributes: dict[str, Any]) -> dict[str, Any]:
    """Return a span as the SDK for JavaScript dumps it."""
    context = {"traceId": TRACE, "spanId": f"{number:016x}"}
    return {
        "name": name,
        "spanContext": context,
        **({"parentSpanContext": {"traceId": TRACE, "spanId": f"{parent:016x}"}} if parent else {}),
        "attributes": {"operation.name": name, "ai.operationId": name, **attributes},
        "status": {"code": 0},
        "startTime": [1_790_000_000 + number, 0],
        "endTime": [1_790_000_000 + number, 900_000_000],
        "events": [],
    }


def plant_ai_sdk(folder: Path, words: Words) -> Path:
    """Write spans of the AI SDK as a list."""
    clicked = {"selector": words.evidence("selector")}
    call = {"toolCallType": "function", "toolCallId": "call_1", "toolName": "click", "args": clicked}
    prompt = [
        {"role": "system", "content": words.narration("system")},
        {"role": "user", "content": [{"type": "text", "text": words.task()}]},
    ]
    result = [{"type": "tool-result", "toolCallId": "call_1", "toolName": "click", "output": words.narration("echo")}]
    shown = [*prompt, {"role": "tool", "content": result}]
    first = {"ai.prompt.messages": json.dumps(prompt), "ai.response.text": words.narration("said")}
    first |= {"ai.response.toolCalls": json.dumps([call]), "ai.response.reasoning": words.narration("thought")}
    done = {"ai.toolCall.name": "click", "ai.toolCall.id": "call_1", "ai.toolCall.args": json.dumps(clicked)}
    done |= {"ai.toolCall.result": json.dumps({"seen": words.evidence("page")})}
    root: dict[str, Any] = {"ai.prompt": json.dumps({"prompt": words.task()})}
    spans = [js_span(2, 1, "ai.generateText.doGenerate", first), js_span(3, 1, "ai.toolCall", done)]
    if words.finished:
        final = words.report("answer")
        last = {"ai.prompt.messages": json.dumps(shown), "ai.response.text": final}
        spans.append(js_span(4, 1, "ai.generateText.doGenerate", last))
        root["ai.response.text"] = final
    path = folder / "spans.json"
    path.write_text(json.dumps([*spans, js_span(1, None, "ai.generateText", root)]), encoding="utf-8")
    return path


def plant_console(folder: Path, words: Words) -> Path:
    """Write spans of OpenInference as the exporter of the SDK for Python prints them to a console."""
    path = plant_openinference(folder, words)
    spans = json.loads(path.read_text("utf-8"))
    path.unlink()
    log = folder / "console.json"
    log.write_text("".join(json.dumps(one, indent=4) + "\n" for one in spans), encoding="utf-8")
    return log


PLANTS = {
    "otlp": Planted(FORMAT, plant),
    "otlp_events": Planted(FORMAT, plant_events),
    "otlp_openinference": Planted(FORMAT, plant_openinference),
    "otlp_console": Planted(FORMAT, plant_console),
    "otlp_ai_sdk": Planted(FORMAT, plant_ai_sdk),
}
