"""The content of a message in the notations of providers and frameworks: words, thoughts, calls, results, pictures."""

import json
from dataclasses import dataclass, field
from typing import Any, cast

from tracewitness.intake.calls import Call
from tracewitness.intake.inline import inline_digest, is_inline_picture
from tracewitness.intake.spans.called import call_in, parsed
from tracewitness.intake.spans.shown import picture_of, without_pictures
from tracewitness.intake.turns import Result
from tracewitness.intake.untyped import object_of, text_of
from tracewitness.trace_side.trace import Screenshot

_DEEPEST = 12
_THOUGHTS = frozenset({"reasoning", "thinking", "redacted_thinking", "thought", "reasoning_content"})
_RESULTS = frozenset(
    {
        "tool_call_response",
        "tool_result",
        "tool-result",
        "function_call_output",
        "computer_call_output",
        "custom_tool_call_output",
        "function_response",
        "functionResponse",
    }
)
_MCP = frozenset({"content", "isError", "structuredContent", "_meta", "meta"})
_ANSWERS = ("response", "result", "output", "content", "value")


@dataclass(slots=True)
class Content:
    """What a message holds, by what it is."""

    texts: list[str] = field(default_factory=list[str])
    thoughts: list[str] = field(default_factory=list[str])
    calls: list[Call] = field(default_factory=list[Call])
    results: list[Result] = field(default_factory=list[Result])
    picture: Screenshot | None = None

    @property
    def text(self) -> str:
        """All words."""
        return "\n".join(self.texts)

    def add(self, value: Any, where: str, depth: int = 0) -> None:
        """Add a content: a text, a part, or a list of parts. What is nested endlessly is left out."""
        if depth > _DEEPEST:
            return
        if isinstance(value, str):
            self._add_text(value, where)
        elif isinstance(value, list):
            for at, part in enumerate(cast(list[Any], value)):
                self.add(part, f"{where}[{at}]", depth + 1)
        elif isinstance(value, dict):
            self._add_part(cast(dict[str, Any], value), where, depth)

    def _add_text(self, text: str, where: str) -> None:
        if is_inline_picture(text):
            self.picture = Screenshot(f"!{where}", inline_digest(text))
        elif text.strip():
            self.texts.append(text)

    def _add_part(self, part: dict[str, Any], where: str, depth: int) -> None:
        kind = text_of(part.get("type"))
        wrapped = part.get("message_content")
        if isinstance(wrapped, dict):
            self.add(wrapped, where, depth + 1)
        elif kind in _THOUGHTS or part.get("thought") is True:
            self.thoughts += _words_of(part)
        elif kind in _RESULTS or any(isinstance(part.get(key), dict) for key in _RESULTS):
            self.results.append(_result_part(part, where))
        elif (call := call_in(part)) is not None:
            self.calls.append(call)
        elif (picture := picture_of(part, where)) is not None:
            self.picture = picture
        elif "text" in part:
            self.add(part["text"], where, depth + 1)
        else:
            self.add(part.get("content"), where, depth + 1)


def _words_of(part: dict[str, Any]) -> list[str]:
    found = [part.get(key) for key in ("text", "content", "thinking", "reasoning", "reasoning_content", "summary")]
    told = Content()
    for one in found:
        told.add(one, "")
    return told.texts


def _result_part(part: dict[str, Any], where: str) -> Result:
    inner = next((object_of(part[key]) for key in _RESULTS if isinstance(part.get(key), dict)), part)
    ids = [inner.get(key) for key in ("tool_use_id", "call_id", "tool_call_id", "toolCallId", "id")]
    call_id = next((one for one in ids if isinstance(one, str) and one), None)
    answer = next((inner[key] for key in _ANSWERS if inner.get(key) is not None), "")
    failed = inner.get("is_error") is True or inner.get("isError") is True
    return result_of(answer, where, call_id, failed)


def result_of(value: Any, where: str, call_id: str | None = None, failed: bool = False) -> Result:
    """Return what a tool gave back.

    Taken off are the wrappers of frameworks: a tool message, ``{"output": ...}``, content blocks of MCP, typed outputs
    of the AI SDK. Any other value is written as JSON, its pictures apart.
    """
    if isinstance(value, str):
        opened = parsed(value)
        value = opened if is_wrapped(opened) else value
    keys = _unwrapped(object_of(value))
    if keys is not None:
        ids = [keys.get("tool_call_id"), call_id]
        call_id = next((one for one in ids if isinstance(one, str) and one), None)
        failed = failed or keys.get("status") == "error" or keys.get("isError") is True or keys.get("is_error") is True
        failed = failed or text_of(keys.get("type")).startswith("error")
        value = next((keys[key] for key in ("content", "output", "value") if key in keys), "")
        if is_wrapped(value):
            return result_of(value, where, call_id, failed)
    text, picture = _written(value, where)
    return Result(text, call_id, failed, picture)


def is_wrapped(value: Any) -> bool:
    """Tell whether a value is a result in one of the wrappers that :func:`result_of` takes off."""
    return _unwrapped(object_of(value)) is not None


def is_tool_message(value: Any) -> bool:
    """Tell whether a value is a message of a tool, in the notation of LangChain or of the chat interfaces."""
    keys = object_of(value)
    inner = object_of(keys.get("kwargs")) if "lc" in keys else keys
    return isinstance(inner.get("tool_call_id"), str) and "content" in inner


def _unwrapped(keys: dict[str, Any]) -> dict[str, Any] | None:
    if "lc" in keys and "content" in object_of(keys.get("kwargs")):
        return object_of(keys["kwargs"])
    if isinstance(keys.get("tool_call_id"), str) and "content" in keys:
        return keys
    if set(keys) == {"output"}:
        return keys
    if isinstance(keys.get("content"), list) and set(keys) <= _MCP:
        return keys
    typed = text_of(keys.get("type"))
    if set(keys) == {"type", "value"} and typed in ("text", "json", "content", "error-text", "error-json"):
        return keys
    return None


def _written(value: Any, where: str) -> tuple[str, Screenshot | None]:
    """Return a value as text, and the last picture in it."""
    if value is None:
        return "", None
    content = Content()
    if isinstance(value, str) or _is_content(value):
        content.add(value, where)
        return content.text, content.picture
    pictures: list[Screenshot] = []
    bare = without_pictures(value, where, pictures)
    return json.dumps(bare, ensure_ascii=False), pictures[-1] if pictures else None


def _is_content(value: Any) -> bool:
    """Tell content blocks from any other list: each has a type, and words or a picture."""
    parts = cast(list[Any], value) if isinstance(value, list) else []
    kinds = ("text", "image", "input_text", "output_text", "input_image", "computer_screenshot", "image_url", "media")
    single = isinstance(value, dict) and cast(dict[str, Any], value).get("type") in kinds[1:]
    return single or bool(parts) and all(object_of(part).get("type") in kinds for part in parts)
