"""Messages of Anthropic's interface: contents are lists of blocks, calls and results among them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.chats.content import content_of, picture_source, words_of
from tracewitness.intake.chats.dialect import Dialect, Message, Placed
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.stop_reasons import says_cut
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of
from tracewitness.trace_side.trace import Screenshot

TELLING = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use"})
"""Kinds of blocks that only this interface has."""

_ROLES = frozenset({"user", "assistant", "system"})
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_GIVEN = frozenset({"document", "search_result"})
"""What a person puts beside their words for the agent to read."""
_ERROR = "_tool_result_error"


def is_message(value: Any) -> bool:
    """Tell whether a value is a message with a role of this interface."""
    keys = object_of(value)
    role = keys.get("role")
    return isinstance(role, str) and role in _ROLES and isinstance(keys.get("content"), str | list)


def has_blocks(message: Message) -> bool:
    """Tell whether a message holds blocks that only this interface has."""
    blocks = objects_of(message.get("content"))
    return any(
        text_of(block.get("type")) in TELLING or (block.get("type") == "image" and "source" in block)
        for block in blocks
    )


def answers(response: Message) -> list[tuple[str, Message]]:
    """Return the message that a response is."""
    return [("", response)] if response.get("type") == "message" and is_message(response) else []


def turns(messages: Sequence[Placed], pictures: ChatPictures) -> list[Turn]:
    """Return the turns of messages, in order."""
    return [turn for one in messages for turn in turns_of(one.message, one.where, pictures)]


def turns_of(message: Message, where: str, pictures: ChatPictures, time: str | None = None) -> Iterator[Turn]:
    """Yield the turns of a message; one in which the provider itself ran a tool gives several."""
    role = text_of(message.get("role"))
    content = message.get("content")
    blocks: Any = [{"type": "text", "text": content}] if isinstance(content, str) else list_of(content)
    gathered = _Gathered(where, time, pictures)
    if role == "assistant":
        for at, block in enumerate(objects_of(blocks)):
            yield from gathered.add_said(block, f"{where}.content[{at}]")
    else:
        for at, block in enumerate(objects_of(blocks)):
            gathered.add_shown(block, f"{where}.content[{at}]")
    speaker = {"assistant": Speaker.AGENT, "system": Speaker.SYSTEM}.get(role, Speaker.USER)
    yield from gathered.flush(speaker, cut=role == "assistant" and says_cut(message))


@dataclass(slots=True)
class _Gathered:
    """The blocks of a turn."""

    where: str
    time: str | None
    pictures: ChatPictures
    texts: list[str] = field(default_factory=list[str])
    thoughts: list[str] = field(default_factory=list[str])
    calls: list[Call] = field(default_factory=list[Call])
    results: list[Result] = field(default_factory=list[Result])
    screenshot: Screenshot | None = None
    given: list[str] = field(default_factory=list[str])

    def add_said(self, block: Message, place: str) -> Iterator[Turn]:
        """Add a block of the agent; yield the turns that end ahead of it."""
        kind = text_of(block.get("type"))
        if kind == "text":
            if self.calls:  # words behind a call are not those that led to it
                yield from self.flush(Speaker.AGENT)
            self.texts.append(text_of(block.get("text")))
        elif kind == "thinking":
            self.thoughts.append(text_of(block.get("thinking")))
        elif kind in _CALLS:
            self.calls.append(call_of(text_of(block.get("name")), block.get("input"), text_of(block.get("id")) or None))
        elif kind.endswith("_tool_result"):
            yield from self.flush(Speaker.AGENT)
            yield Turn(Speaker.TOOL, self.where, results=(self._result(block, place),), time=self.time)

    def add_shown(self, block: Message, place: str) -> None:
        """Add a block of the user."""
        kind = text_of(block.get("type"))
        if kind == "tool_result":
            self.results.append(self._result(block, place))
        elif kind == "text":
            self.texts.append(text_of(block.get("text")))
        elif kind == "image":
            self.screenshot = self.pictures.at(picture_source(block), place)
        elif kind in _GIVEN:
            self.given += [words for words in (*words_of(block),) if words]

    def _result(self, block: Message, place: str) -> Result:
        inside = block.get("content")
        failed = block.get("is_error") is True or text_of(object_of(inside).get("type")).endswith(_ERROR)
        shown = content_of(_readable(inside), f"{place}.content", self.pictures)
        return Result(shown.text, text_of(block.get("tool_use_id")) or None, failed, shown.screenshot)

    def flush(self, speaker: Speaker, *, cut: bool = False) -> Iterator[Turn]:
        """Yield the turn of what was gathered, if anything was, and begin anew."""
        spoke = bool(self.texts)
        texts, thoughts = "\n".join(filter(None, self.texts)), "\n".join(filter(None, self.thoughts))
        calls, results, shown = tuple(self.calls), tuple(self.results), self.screenshot
        self.texts, self.thoughts, self.calls, self.results, self.screenshot = [], [], [], [], None
        given, self.given = "\n".join(self.given), []
        if spoke or thoughts or calls or results or shown:
            yield Turn(speaker, self.where, texts, thoughts, calls, results, shown, self.time, spoke=spoke, cut=cut)
        if given:
            yield Turn(Speaker.TOOL, self.where, f"given to read: {given}", time=self.time)


def _readable(inside: Any) -> Any:
    """Return the content of a result with the hits of a search, the outputs of code and errors as texts."""
    if isinstance(inside, str):
        return inside
    parts: list[Any] = [object_of(inside)] if isinstance(inside, dict) else list_of(inside)
    return [_as_text(object_of(part)) if isinstance(part, dict) else part for part in parts]


def _as_text(part: Message) -> Message:
    if part.get("type") in ("text", "image"):
        return part
    return {"type": "text", "text": "\n".join(words_of(part))}


DIALECT = Dialect("anthropic_messages", ("messages",), is_message, answers, turns)
