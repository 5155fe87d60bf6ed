"""Messages of a conversation, in the notations of providers, frameworks and tracers, as one kind of message."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from tracewitness.intake.calls import Call
from tracewitness.intake.spans.called import call_in, is_cut_off, listed_calls, parsed
from tracewitness.intake.spans.parts import Content, result_of
from tracewitness.intake.spans.roles import ITEMS, ROLES, speaker_of
from tracewitness.intake.stop_reasons import says_cut
from tracewitness.intake.turns import Result, Speaker
from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.trace_side.trace import Screenshot

_DEEPEST = 10
_SHORTEST = 12
"""Fewer characters of a user behind the agent's words are an answer to these, and no task by themselves."""
_HOLDERS = (
    "messages",
    "choices",
    "candidates",
    "generations",
    "contents",
    "new_message",
    "message",
    "delta",
    "llm_response",
    "llm_request",
    "history",
)
_WORDS = ("content", "text", "output", "answer", "response", "final_output", "result", "completion", "completions")
_ASKED = (
    "input",
    "inputs",
    "question",
    "query",
    "prompt",
    "prompts",
    "task",
    "instruction",
    "goal",
    "user_input",
    "user_message",
    "objective",
    "request",
)
_RECORD = re.compile(r"[\"\\\s]{0,20}[\[{][\"\\\s]{0,20}[\[{\"]")
"""How a record begins that was written into a text: no user words a task like that, so a damaged one is none."""
_KEYS = ('"role"', '"parts"', '"message"', '"messages"', '"generations"', '"choices"')
_LOOKED_AT = 200
_PRINTED = re.compile(r"role='(\w{1,20})' content=('(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|None)")
"""A message as Python prints one of a data class."""
_LABELLED = re.compile(r"^(system|developer|user|assistant|tool): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        speaker: Who it is by.
        text: Its words.
        reasoning: Thoughts beside them.
        calls: What it calls.
        results: What it says that calls gave back.
        picture: The last picture in it.
        cut: Whether the log says that the model was stopped in the midst of it.
    """

    speaker: Speaker
    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    picture: Screenshot | None = None
    cut: bool = False


def messages_of(value: Any, by: Speaker, where: str, depth: int = 0) -> list[Message]:
    """Return the messages in the input or the output of a span; none where nothing in it is known to be words.

    Args:
        value: The input or output.
        by: Whose words a bare text in it is.
        where: Its place in the log, for pictures in it.
        depth: How deep it is nested already.
    """
    if depth > _DEEPEST:
        return []
    if isinstance(value, str):
        return _of_text(value, by, where, depth)
    if isinstance(value, list):
        return _of_list(cast(list[Any], value), by, where, depth)
    keys = object_of(value)
    if "lc" in keys and isinstance(keys.get("kwargs"), dict):
        path = list_of(keys.get("id"))
        return _of_object({"type": text_of(path[-1]) if path else "", **object_of(keys["kwargs"])}, by, where, depth)
    return _of_object(keys, by, where, depth)


def _of_text(text: str, by: Speaker, where: str, depth: int) -> list[Message]:
    opened = parsed(text)
    if not isinstance(opened, str):
        found = messages_of(opened, by, where, depth + 1)
        return found if found or by is Speaker.USER else [Message(by, text)]
    if by is Speaker.AGENT and is_cut_record(text):
        return [Message(by, cut=True)]
    if by is Speaker.USER and _LABELLED.match(text):
        return list(_labelled(text))
    if by is Speaker.USER and _RECORD.match(text):
        return []
    printed = _PRINTED.match(text)
    if printed is not None:
        words = parsed(f"[{printed.group(2)}]")
        return [Message(ROLES.get(printed.group(1), by), text_of(words[0]) if isinstance(words, list) else "")]
    return [_message(by, text, where)] if text.strip() or by is Speaker.AGENT else []


def is_cut_record(text: str) -> bool:
    """Tell whether a text is a record of messages without its end, so that nobody can tell its words."""
    return is_cut_off(text) and any(key in text[:_LOOKED_AT] for key in _KEYS)


def _labelled(text: str) -> Iterator[Message]:
    """Yield the messages of a conversation that a tracer wrote as one text, each with its role in front."""
    marks = list(_LABELLED.finditer(text))
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(text)
        yield Message(ROLES[mark.group(1)], text[mark.end() : end].strip())


def _of_list(values: list[Any], by: Speaker, where: str, depth: int) -> list[Message]:
    if values and not any(speaker_of(object_of(one)) or isinstance(one, list) or _holds(one) for one in values):
        message = _message(by, values, where)  # content parts without a message around them
        said = by is Speaker.AGENT and all(isinstance(one, str) or "text" in object_of(one) for one in values)
        return [message] if said or message.text or message.calls or message.results else []
    return [found for at, one in enumerate(values) for found in messages_of(one, by, f"{where}[{at}]", depth + 1)]


def _holds(value: Any) -> bool:
    if isinstance(value, str):
        return _PRINTED.match(value) is not None
    keys = object_of(value)
    held = any(isinstance(keys.get(key), dict | list) for key in (*_HOLDERS, "parts"))
    return held or "lc" in keys or isinstance(keys.get("content"), dict)


def _of_object(keys: dict[str, Any], by: Speaker, where: str, depth: int) -> list[Message]:
    found = _in_object(keys, by, where, depth)
    return [replace(one, cut=True) for one in found] if by is Speaker.AGENT and says_cut(keys) else found


def _in_object(keys: dict[str, Any], by: Speaker, where: str, depth: int) -> list[Message]:
    speaker = speaker_of(keys)
    if speaker is not None:
        return [_of_message(keys, speaker, where)]
    if "parts" in keys:
        return [_of_message(keys, by, where)]
    for holder in _HOLDERS:
        if keys.get(holder) not in (None, "", [], {}):
            found = messages_of(keys[holder], by, f"{where}.{holder}", depth + 1)
            if found:
                return found
    if call_in(keys) is not None:
        return [_message(by, keys, where)]
    names = _ASKED if by is Speaker.USER else _WORDS
    for name in (*names, "content", "text"):
        if keys.get(name) not in (None, "", [], {}):
            found = messages_of(keys[name], by, f"{where}.{name}", depth + 1)
            if found:
                return found
    # Words that are there and empty are an answer of the agent, so that its words decide nothing.
    return [Message(by)] if by is Speaker.AGENT and any(keys.get(name) == "" for name in _WORDS) else []


def _of_message(keys: dict[str, Any], speaker: Speaker, where: str) -> Message:
    kind = text_of(keys.get("type"))
    content = Content()
    if kind in ITEMS:
        content.add(keys, where)
    else:
        for key in ("content", "parts", "contents", *(() if keys.get("content") else ("text",))):
            content.add(keys.get(key), f"{where}.{key}")
        content.thoughts += [one for key in ("reasoning_content", "reasoning") if (one := text_of(keys.get(key)))]
        more = object_of(keys.get("additional_kwargs"))
        listed = listed_calls(keys) or listed_calls(more)
        content.calls += [call for one in listed if (call := call_in({"type": "tool_call", **one})) is not None]
    return _sorted(content, speaker, keys, where)


def _sorted(content: Content, speaker: Speaker, keys: dict[str, Any], where: str) -> Message:
    reasoning = "\n".join(content.thoughts)
    if speaker is not Speaker.TOOL:
        calls = tuple(content.calls) if speaker is Speaker.AGENT else ()
        return Message(speaker, content.text, reasoning, calls, tuple(content.results), content.picture)
    if content.results:
        return Message(speaker, results=tuple(content.results))
    if content.calls:
        return Message(speaker)  # a call that a tracer wrote under the role of the tool
    ids = [keys.get(key) for key in ("tool_call_id", "toolCallId", "id")]
    call_id = next((one for one in ids if isinstance(one, str) and one), None)
    given = keys.get("content", keys.get("parts"))
    return Message(speaker, results=(result_of(given, where, call_id, keys.get("status") == "error"),))


def _message(by: Speaker, value: Any, where: str) -> Message:
    content = Content()
    content.add(value, where)
    calls = tuple(content.calls) if by is Speaker.AGENT else ()
    return Message(by, content.text, "\n".join(content.thoughts), calls, tuple(content.results), content.picture)


def last_words(messages: list[Message]) -> str | None:
    """Return the words with which an agent ended, and be they none; None where it did not end with a message.

    Its last message may call a tool, or the last message may be none of it.
    """
    last = messages[-1] if messages else None
    if last is None or last.speaker is not Speaker.AGENT or last.calls or last.cut:
        return None
    return last.text.strip()


def asked(messages: list[Message], *, first: bool = False) -> str | None:
    """Return what the user asked; None where there are no words of theirs.

    Args:
        messages: The messages.
        first: Take their words before the first message of the agent, instead of those after its last one.
    """
    ends = [at for at, one in enumerate(messages) if one.speaker is Speaker.AGENT]
    after = messages if not ends else messages[: ends[0]] if first else messages[ends[-1] + 1 :]
    told = [one.text.strip() for one in after if one.speaker is Speaker.USER and one.text.strip()]
    if told and not first and sum(map(len, told)) < _SHORTEST:
        # A bare "yes, please" asks for what was asked for before it.
        told = [one.text.strip() for one in messages if one.speaker is Speaker.USER and one.text.strip()]
    return "\n".join(told) or None
