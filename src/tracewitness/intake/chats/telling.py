"""Which dialect the messages of a file are in, told by what only one of them has."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.chats import anthropic_blocks, chat_completions, responses_items
from tracewitness.intake.chats.dialect import Message
from tracewitness.intake.format import Verdict
from tracewitness.intake.grammars.webvoyager import TASK
from tracewitness.intake.untyped import list_of, object_of, text_of

_AROUND = ("messages", "items", "input", "output", "request", "response", "body", "completion", "result", "kwargs")
_SEVERAL = ("choices", "responses", "calls", "exchanges", "requests", "conversations", "turns", "params")
_OTHERS = frozenset(
    (
        "trajectory_format trajectory history simulations traj eval samples steps schema_version events observations "
        "spans resourceSpans traceId run_type uuid sessionId step_id format scenarios kwargs_pickled"
    ).split()
)
"""Keys of other formats that hold messages as well."""

_NONE = "no messages with roles"
_LOOKED_AT = 300
_DEEPEST = 6


def told_as(candidate: Candidate, name: str) -> Verdict:
    """Tell whether a file is a chat in the dialect of this name."""
    if candidate.shape is Shape.FOLDER:
        return Verdict(False, "a folder")
    values = list(candidate.objects()) if candidate.shape is Shape.JSON_LINES else [candidate.sample]
    first = object_of(next(iter(list_of(values[0])), None)) or object_of(values[0]) if values else {}
    if _OTHERS & first.keys():
        return Verdict(False, "its keys are those of another format")
    if streamed := _streamed(first):
        why = "events of a streamed answer, of which the client makes a message" if streamed == name else _NONE
        return Verdict(False, why)
    messages = list(islice((message for value in values for message in _messages(value, 0)), _LOOKED_AT))
    found, why = _dialect(messages)
    if found != name:
        return Verdict(False, f"its messages are those of {found}" if found else _NONE)
    return Verdict(True, why)


def _streamed(first: Message) -> str:
    """Return the dialect of which an object is an event of a streamed answer; empty where it is none."""
    if text_of(first.get("object")).endswith(".chunk"):
        return "openai_chat"
    kind = text_of(first.get("type"))
    return "anthropic_messages" if kind in ("message_start", "content_block_start", "content_block_delta") else ""


def _messages(value: Any, depth: int) -> Iterator[Message]:
    """Yield what may be a message, wherever dumps hold them."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in list_of(value):
            yield from _messages(item, depth + 1)
        return
    keys = object_of(value)
    if "role" in keys or responses_items.is_telling(keys):
        yield keys
        return
    if depth and keys.get("index") is not None and isinstance(keys.get("message"), dict):
        yield {"role": "assistant", **object_of(keys["message"])}
    for key in (*_AROUND, *_SEVERAL):
        held = keys.get(key)
        if isinstance(held, list | dict):
            yield from _messages(held, depth + 1)


def _dialect(messages: list[Message]) -> tuple[str, str]:
    if any(responses_items.is_telling(one) for one in messages):
        return "openai_responses", "its items are those of the Responses interface"
    called_apart = any(one.get("role") in ("tool", "function") or "tool_calls" in one for one in messages)
    if not called_apart and any(anthropic_blocks.has_blocks(one) or _is_response(one) for one in messages):
        return "anthropic_messages", "its messages hold blocks of the Messages interface"
    told = [one for one in messages if chat_completions.is_message(one)]
    if any(_opens_webvoyager(one) for one in told[:3]):
        return "webvoyager", ""
    return ("openai_chat", "its messages have roles and contents of Chat Completions") if told else ("", "")


def _is_response(message: Message) -> bool:
    return message.get("type") == "message" and "stop_reason" in message and isinstance(message.get("content"), list)


def _opens_webvoyager(message: Message) -> bool:
    content = message.get("content")
    text = content if isinstance(content, str) else text_of(object_of(next(iter(list_of(content)), None)).get("text"))
    return message.get("role") == "user" and text.lstrip().startswith(TASK)
