"""Messages of OpenAI's Chat Completions and of the many interfaces that copy it."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.chats.content import content_of
from tracewitness.intake.chats.dialect import Dialect, Message, Placed
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.stop_reasons import says_cut
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_SAYS = ("content", "tool_calls", "function_call", "refusal")
_REASONING = ("reasoning_content", "reasoning", "thinking")
_SPEAKERS = {"system": Speaker.SYSTEM, "developer": Speaker.SYSTEM, "user": Speaker.USER, "assistant": Speaker.AGENT}
_THOUGHTS = re.compile(r"<think(?:ing)?>(.*?)(?:</think(?:ing)?>|\Z)", re.DOTALL)


def is_message(value: Any) -> bool:
    """Tell whether a value is a message with a role of this interface."""
    keys = object_of(value)
    role = keys.get("role")
    return isinstance(role, str) and role in ROLES and any(key in keys for key in _SAYS) and "parts" not in keys


def answers(response: Message) -> list[tuple[str, Message]]:
    """Return the message of the first choice of a completion."""
    choices = objects_of(response.get("choices"))
    message = object_of(choices[0].get("message")) if choices else {}
    if not message:
        return []
    ended = {"finish_reason": choices[0]["finish_reason"]} if "finish_reason" in choices[0] else {}
    return [("choices[0].message", {"role": "assistant", **message, **ended})]


def turns(messages: Sequence[Placed], pictures: ChatPictures) -> list[Turn]:
    """Return the turns of messages, in order."""
    return [turn_of(one.message, one.where, pictures) for one in messages]


def turn_of(message: Message, where: str, pictures: ChatPictures) -> Turn:
    """Return the turn of a message."""
    role = text_of(message.get("role"))
    by_tool = role in ("tool", "function")
    content = content_of(message.get("content"), f"{where}.content", pictures, shown_by_tool=by_tool)
    time = text_of(message.get("timestamp")) or None
    if by_tool:
        call_id = text_of(message.get("tool_call_id")) or None
        result = Result(content.text, call_id, message.get("is_error") is True, content.screenshot)
        return Turn(Speaker.TOOL, where, results=(result,), time=time)
    if role == "assistant":
        spoken = text_of(object_of(message.get("audio")).get("transcript"))
        text = "\n".join(filter(None, (content.text, text_of(message.get("refusal")), spoken)))
        text, thoughts = without_thoughts(text)
        reasoning = "\n".join(
            filter(None, (*(text_of(message.get(key)) for key in _REASONING), content.thoughts, thoughts))
        )
        calls, cut = tuple(_calls(message)), says_cut(message)
        return Turn(Speaker.AGENT, where, text, reasoning, calls, time=time, spoke=_spoke(message), cut=cut)
    return Turn(_SPEAKERS.get(role, Speaker.SYSTEM), where, content.text, screenshot=content.screenshot, time=time)


def _spoke(message: Message) -> bool:
    said = isinstance(message.get("content"), str | list) or isinstance(message.get("refusal"), str)
    return said or isinstance(object_of(message.get("audio")).get("transcript"), str)


def without_thoughts(text: str) -> tuple[str, str]:
    """Return a text without the thoughts that a reasoning model writes between tags, and the thoughts."""
    if "<think" not in text:
        return text, ""
    return _THOUGHTS.sub("", text).strip(), "\n".join(_THOUGHTS.findall(text)).strip()


def _calls(message: Message) -> Iterator[Call]:
    for call in objects_of(message.get("tool_calls")):
        held = object_of(call.get("function")) or object_of(call.get("custom")) or call
        name = text_of(held.get("name"))
        arguments = next((held[key] for key in ("arguments", "input", "args") if key in held), None)
        if name:
            yield call_of(name, arguments, text_of(call.get("id")) or None)
    old = object_of(message.get("function_call"))
    if text_of(old.get("name")) and not list_of(message.get("tool_calls")):
        yield call_of(text_of(old.get("name")), old.get("arguments"))


DIALECT = Dialect("openai_chat", ("messages",), is_message, answers, turns)
