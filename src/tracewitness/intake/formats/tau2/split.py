"""Messages of a simulation as turns; the user may call tools as well, which is seen and no action of the agent."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tracewitness.intake.calls import call_of
from tracewitness.intake.turns import Result, Speaker, Turn, without_closing_words
from tracewitness.intake.untyped import object_of, objects_of, text_of

_STOPS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")


def turns_of(messages: Sequence[Any], where: str, ended: bool) -> tuple[list[Turn], bool]:
    """Return the turns, and whether any message could not be read.

    Args:
        messages: The messages.
        where: Their place.
        ended: Whether the user or the agent ended the simulation; else its last words are none about the outcome.
    """
    found = [turn for at, one in enumerate(messages) for turn in _turns(object_of(one), f"{where}[{at}]")]
    if not ended:
        found = without_closing_words(found)
    return found, any(text_of(object_of(one).get("role")) not in _ROLES for one in messages)


def _turns(message: dict[str, Any], where: str) -> Iterator[Turn]:
    role, time = text_of(message.get("role")), text_of(message.get("timestamp")) or None
    text = _bare(text_of(message.get("content")))
    if role == "assistant":
        calls = [
            call_of(text_of(call.get("name")), call.get("arguments"), text_of(call.get("id")) or None)
            for call in objects_of(message.get("tool_calls"))
            if text_of(call.get("name"))
        ]
        yield Turn(
            Speaker.AGENT, where, text, calls=tuple(calls), time=time, spoke=isinstance(message.get("content"), str)
        )
    elif role == "user":
        done = [_written(call) for call in objects_of(message.get("tool_calls"))]
        yield Turn(Speaker.USER, where, "\n".join(filter(None, (text, *done))), time=time)
    elif role == "tool":
        inner = objects_of(message.get("tool_messages")) or [message]
        for one in inner:
            yield from _tool(one, where, time)
    elif role == "system":
        yield Turn(Speaker.SYSTEM, where, text, time=time)


def _tool(message: dict[str, Any], where: str, time: str | None) -> Iterator[Turn]:
    text, failed = text_of(message.get("content")), message.get("error") is True
    if message.get("requestor") == "user":
        yield Turn(Speaker.TOOL, where, f"what the user's tool answered: {text}", time=time)
        return
    result = Result(text, text_of(message.get("id")) or None, failed)
    yield Turn(Speaker.TOOL, where, results=(result,), time=time)


def _written(call: dict[str, Any]) -> str:
    return f"(uses {text_of(call.get('name'))} {json.dumps(call.get('arguments'), ensure_ascii=False)})"


def _bare(text: str) -> str:
    for stop in _STOPS:
        text = text.replace(stop, "")
    return text.strip()


_ROLES = ("assistant", "user", "tool", "system")
