"""Planted chats in the dialects of the providers, and in the forms in which people dump them."""

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.format import Format
from tracewitness.intake.formats.anthropic_messages import FORMAT as ANTHROPIC
from tracewitness.intake.formats.openai_chat import FORMAT as CHAT
from tracewitness.intake.formats.openai_responses import FORMAT as RESPONSES
from tracewitness.testing.words import Words

PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c63606060f80f00010401005fe5c34b0000000049454e44ae426082"
)
ENCODED = base64.b64encode(PICTURE).decode()
DATA_URL = f"data:image/png;base64,{ENCODED}"
SHOWN = {"type": "image_url", "image_url": {"url": DATA_URL}}


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def lines(path: Path, values: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def called(at: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def chat(words: Words) -> list[dict[str, Any]]:
    """Return a conversation with tools, in which the agent also speaks to its user."""
    first = called(1, "fill", selector=words.evidence("selector"), value=words.evidence("typed"))
    first["function"]["arguments"] = json.dumps(
        {**json.loads(first["function"]["arguments"]), "reason": words.narration("argument")}
    )
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You use tools."},
        {"role": "user", "content": [{"type": "text", "text": words.task()}, SHOWN]},
        {"role": "assistant", "content": words.narration("question"), "reasoning_content": words.narration("thought")},
        {"role": "user", "content": words.evidence("answer of the user")},
        {
            "role": "assistant",
            "content": words.narration("beside"),
            "tool_calls": [first, called(2, "think", thought=words.narration("think"))],
        },
        {"role": "tool", "tool_call_id": "c2", "content": words.narration("echo of the thought")},
        {"role": "tool", "tool_call_id": "c1", "name": "fill", "content": words.evidence("result")},
        {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "get_order", "arguments": json.dumps({"id": words.evidence("order")})},
        },
        {"role": "function", "name": "get_order", "content": words.evidence("old result")},
    ]
    if words.finished:
        messages.append({"role": "assistant", "content": words.report("last words"), "refusal": None})
    return messages


def plant_list(folder: Path, words: Words) -> Path:
    return written(folder / "messages.json", chat(words))


def plant_object(folder: Path, words: Words) -> Path:
    graded = {"reward": words.grading("reward"), "judge": {"why": words.grading("judge")}}
    return written(folder / "chat.json", {"model": "m", "messages": chat(words), **graded})


def plant_exchanges(folder: Path, words: Words) -> Path:
    messages = chat(words)
    pairs = [
        {
            "request": {"model": "m", "messages": messages[:at]},
            "response": {"object": "chat.completion", "choices": [{"index": 0, "message": message}]},
        }
        for at, message in enumerate(messages)
        if message["role"] == "assistant"
    ]
    if not words.finished:
        pairs.append({"request": {"model": "m", "messages": messages}, "response": {"error": "timeout"}})
    return written(folder / "exchanges.json", pairs)


def plant_lines(folder: Path, words: Words) -> Path:
    return lines(folder / "messages.jsonl", chat(words))


def plant_conversations(folder: Path, words: Words) -> Path:
    other = [
        {"role": "user", "content": words.task("other")},
        {"role": "assistant", "content": words.narration("other question")},
    ]
    other.append({"role": "user", "content": words.evidence("other answer")})
    return lines(folder / "conversations.jsonl", [{"messages": chat(words)}, {"messages": other}])


def plant_autoglm(folder: Path, words: Words) -> Path:
    """Write the context of a phone agent that acts in text."""

    def said(action: str, about: str) -> dict[str, Any]:
        return {
            "role": "assistant",
            "content": f"<think>{words.narration(about, plain=True)}</think><answer>{action}</answer>",
        }

    def screen(about: str, task: str = "** Screen Info **") -> dict[str, Any]:
        info = json.dumps({"current_app": words.evidence(about)})
        return {"role": "user", "content": [SHOWN, {"type": "text", "text": f"{task}\n\n{info}"}]}

    messages = [
        {"role": "system", "content": "You operate a phone."},
        screen("home", words.task()),
        said(f'do(action="Launch", app="{words.evidence("app")}")', "first"),
        screen("app screen"),
        said(f'do(action="Tap", element=[500, 100], message="{words.narration("note", plain=True)}")', "second"),
        screen("page"),
        said(f'do(action="Type", text="{words.evidence("typed")}")', "third"),
        screen("typed page"),
    ]
    if words.finished:
        messages.append(said(f'finish(message="{words.report("message", plain=True)}")', "last"))
    return written(folder / "context.json", messages)


def plant_tool_call_tags(folder: Path, words: Words) -> Path:
    """Write the messages of an agent that writes calls between tags, with its past in every prompt."""

    def said(about: str, **arguments: Any) -> dict[str, Any]:
        call = json.dumps({"name": "mobile_use", "arguments": arguments})
        text = f"<thinking>{words.narration(about)}</thinking>\n<tool_call>\n{call}\n</tool_call>\n"
        text += f"<conclusion>{words.narration(f'{about} end')}</conclusion>"
        return {"role": "assistant", "content": text}

    query = words.task()

    def asked(past: str) -> dict[str, Any]:
        text = f"The user query: {query}\nTask progress (You have done the following operation on the current device): "
        text += past
        return {"role": "user", "content": [{"type": "text", "text": text}, SHOWN]}

    messages = [
        asked("None"),
        said("first", action="click", coordinate=[935, 406]),
        asked(f"Step 1: {words.narration('past')}; "),
        said("second", action="type", text=words.evidence("typed")),
        asked(f"Step 1: {words.narration('past again')}; "),
    ]
    if words.finished:
        messages += [said("third", action="answer", text=words.report("answer"))]
    return written(folder / "messages.json", messages)


def plant_react(folder: Path, words: Words) -> Path:
    """Write the messages of an agent that reasons and acts in text, in all the forms of it."""

    def said(about: str, action: str) -> dict[str, Any]:
        return {"role": "assistant", "content": f"Thought: {words.narration(about, plain=True)}\n{action}"}

    def seen(about: str) -> dict[str, Any]:
        return {"role": "user", "content": f"Observation: {words.evidence(about)}"}

    given = json.dumps({"text": words.evidence("given"), "reason": words.narration("reason")})
    made_up = words.narration("made up", plain=True)
    blob = {"thought": words.narration("thought"), "action": "type", "action_input": {"text": words.evidence("typed")}}
    messages = [
        {"role": "user", "content": words.task()},
        said("first", f"Action: look_up[{words.evidence('sought')}]"),
        seen("found"),
        said("second", f"Action: save\nAction Input: {given}\nObservation: {made_up}"),
        seen("saved"),
        {"role": "assistant", "content": json.dumps(blob)},
        seen("typed page"),
    ]
    if words.finished:
        messages.append(said("last", f"Final Answer: {words.report('answer', plain=True)}"))
    return written(folder / "messages.json", messages)


def items(words: Words) -> list[dict[str, Any]]:
    """Return items with every kind of call."""

    def message(role: str, kind: str, text: str, **more: Any) -> dict[str, Any]:
        return {"type": "message", "role": role, "content": [{"type": kind, "text": text}], **more}

    found: list[dict[str, Any]] = [
        {"role": "developer", "content": "You use a computer."},
        {
            "role": "user",
            "content": [{"type": "input_text", "text": words.task()}, {"type": "input_image", "image_url": DATA_URL}],
        },
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": words.narration("summary")}],
            "content": [{"type": "reasoning_text", "text": words.narration("reasoning")}],
        },
        message("assistant", "output_text", words.narration("commentary"), phase="commentary"),
        {
            "type": "computer_call",
            "call_id": "c1",
            "status": "completed",
            "pending_safety_checks": [],
            "actions": [
                {"type": "click", "button": "left", "x": 5, "y": 6},
                {"type": "type", "text": words.evidence("typed")},
            ],
        },
        {
            "type": "computer_call_output",
            "call_id": "c1",
            "output": {"type": "computer_screenshot", "image_url": DATA_URL, "current_url": words.evidence("address")},
        },
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "c2",
            "name": "get_order",
            "arguments": json.dumps({"id": words.evidence("order"), "thought": words.narration("argument")}),
        },
        {"type": "function_call_output", "call_id": "c2", "output": words.evidence("result")},
        {
            "type": "mcp_call",
            "id": "mcp_1",
            "name": "look_up",
            "arguments": json.dumps({"q": words.evidence("query")}),
            "output": words.evidence("served result"),
            "error": None,
        },
        {
            "type": "computer_call",
            "call_id": "c3",
            "action": {"type": "scroll", "scroll_x": 0, "scroll_y": 5, "x": 1, "y": 1},
        },
        {
            "type": "computer_call_output",
            "call_id": "c3",
            "output": {"type": "computer_screenshot", "image_url": DATA_URL},
        },
    ]
    if words.finished:
        found.append(message("assistant", "output_text", words.report("last words"), phase="final_answer"))
    return found


def plant_items(folder: Path, words: Words) -> Path:
    return written(folder / "items.json", items(words))


def plant_responses(folder: Path, words: Words) -> Path:
    """Write requests that name the response before them, with their responses."""
    whole = items(words)
    cuts = [2, 5, 7, 10, len(whole)]
    pairs: list[dict[str, Any]] = []
    given = whole[:2]
    for at, (start, end) in enumerate(zip(cuts, cuts[1:], strict=False)):
        said = [one for one in whole[start:end] if not _shown(one)]
        request = {"model": "m", "input": given, "previous_response_id": f"resp_{at - 1}" if at else None}
        pairs.append({"request": request, "response": {"object": "response", "id": f"resp_{at}", "output": said}})
        given = [one for one in whole[end : end + 1] if _shown(one)]
    if not words.finished:
        pairs.append(
            {"request": {"model": "m", "input": whole[-1:], "previous_response_id": "resp_3"}, "response": None}
        )
    return written(folder / "responses.json", pairs)


def _shown(item: dict[str, Any]) -> bool:
    return item.get("type", "").endswith("_output")


def blocks(words: Words) -> list[dict[str, Any]]:
    """Return messages of blocks with computer use in both forms."""
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ENCODED}}

    def result(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
        return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}

    messages: list[dict[str, Any]] = [
        {"role": "user", "content": words.task()},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": words.narration("thinking"), "signature": "x"},
                {"type": "text", "text": words.narration("text")},
                {
                    "type": "tool_use",
                    "id": "t1",
                    "name": "computer",
                    "input": {"action": "type", "text": words.evidence("typed")},
                },
                {
                    "type": "tool_use",
                    "id": "t2",
                    "name": "bash",
                    "input": {"command": words.evidence("command"), "reason": words.narration("reason")},
                },
            ],
        },
        {
            "role": "user",
            "content": [
                result("t1", [{"type": "text", "text": words.evidence("result")}, image]),
                result("t2", words.evidence("error"), is_error=True),
            ],
        },
        {
            "role": "assistant",
            "content": [
                {
                    "type": "server_tool_use",
                    "id": "s1",
                    "name": "web_search",
                    "input": {"query": words.evidence("query")},
                },
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "s1",
                    "content": [
                        {"type": "web_search_result", "title": words.evidence("hit"), "url": "https://x.test/"}
                    ],
                },
                {"type": "text", "text": words.narration("between")},
                {
                    "type": "tool_use",
                    "id": "t3",
                    "name": "left_click",
                    "toolset_name": "computer",
                    "input": {"coordinate": [4, 5]},
                },
            ],
        },
        {
            "role": "user",
            "content": [result("t3", [image]), {"type": "text", "text": words.evidence("beside the result")}],
        },
    ]
    if words.finished:
        messages.append({"role": "assistant", "content": [{"type": "text", "text": words.report("last words")}]})
    return messages


def plant_blocks(folder: Path, words: Words) -> Path:
    return written(folder / "messages.json", blocks(words))


def plant_bodies(folder: Path, words: Words) -> Path:
    """Write growing bodies by line, each with its response."""
    messages = blocks(words)
    bodies: list[dict[str, Any]] = [
        {
            "model": "m",
            "system": "You use a computer.",
            "messages": messages[:at],
            "response": {"id": f"msg_{at}", "type": "message", "stop_reason": "end_turn", **message},
        }
        for at, message in enumerate(messages)
        if message["role"] == "assistant"
    ]
    if not words.finished:
        bodies.append({"model": "m", "system": "You use a computer.", "messages": messages})
    return lines(folder / "bodies.jsonl", bodies)


def _of(one: Format, **planters: Any) -> dict[str, Planted]:
    return {name: Planted(one, planter) for name, planter in planters.items()}


PLANTS = {
    **_of(CHAT, chat_list=plant_list, chat_object=plant_object, chat_exchanges=plant_exchanges, chat_lines=plant_lines),
    **_of(CHAT, chat_conversations=plant_conversations, chat_autoglm=plant_autoglm, chat_tags=plant_tool_call_tags),
    **_of(CHAT, chat_react=plant_react),
    **_of(RESPONSES, responses_items=plant_items, responses_chain=plant_responses),
    **_of(ANTHROPIC, anthropic_list=plant_blocks, anthropic_bodies=plant_bodies),
}
