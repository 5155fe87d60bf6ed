"""Samples of Inspect logs in other words of the agent."""

from dataclasses import dataclass
from typing import Any

from tracewitness.intake.finishing import bare
from tracewitness.intake.formats.inspect_logs.transcript import ANSWER_KEYS, OPERATOR
from tracewitness.intake.own_words import is_narrating
from tracewitness.intake.planes import Plane
from tracewitness.intake.spans.retelling import SpanWords
from tracewitness.intake.untyped import list_of, object_of, text_of

_NOTING = frozenset({"state", "store", "info"})


@dataclass(frozen=True, slots=True)
class SampleWords:
    """Puts other words for those of the agent, and of scorers, in samples."""

    words: SpanWords

    def sample(self, value: Any) -> Any:
        """Return a sample in other words."""
        keys = object_of(value)
        if not keys:
            return value
        told = {
            key: item if key in ("input", "choices", "attachments") else self.told(item) for key, item in keys.items()
        }
        if keys.get("store"):
            told["store"] = self._all(keys["store"], Plane.NARRATION)
        return self.graded(told)

    def graded(self, value: Any) -> Any:
        """Return a sample, or its summary, with what belongs to grading in other words."""
        keys = object_of(value)
        hidden = ("target", "scores", "metadata", "score", "explanation")
        return {key: self._all(item, Plane.GRADING) if key in hidden else item for key, item in keys.items()} or value

    def told(self, value: Any) -> Any:
        """Return what stands in a sample in other words: the agent's messages and the events, wherever they are."""
        if isinstance(value, list):
            return [self.told(one) for one in list_of(value)]
        keys = object_of(value)
        if keys.get("role") == "assistant":
            return self._message(keys)
        if keys.get("role") == "user" and keys.get("source") not in ("input", OPERATOR):
            return {**keys, "content": self._content(keys.get("content"))}
        if not keys or "role" in keys:
            return value
        if keys.get("event") == "tool":
            return self._tool(keys)
        if keys.get("event") in _NOTING:
            noted = {key: self._noted(keys[key]) for key in ("changes", "data") if key in keys}
            return {**keys, **noted}
        if keys.get("event") == "score":
            return self.graded(keys)
        told = {key: self.told(item) for key, item in keys.items()}
        if "choices" in keys and isinstance(keys.get("completion"), str):
            told["completion"] = self._said(keys["completion"])
        return {**told, "sample": self.graded(told["sample"])} if keys.get("event") == "sample_init" else told

    def _message(self, message: dict[str, Any]) -> dict[str, Any]:
        content = message.get("content")
        told = {**message, "content": self._content(content)}
        if isinstance(message.get("tool_calls"), list):
            told["tool_calls"] = [self._call(object_of(one)) for one in list_of(message["tool_calls"])]
        return told

    def _content(self, content: Any) -> Any:
        if isinstance(content, list):
            return [self._part(object_of(one)) if isinstance(one, dict) else one for one in list_of(content)]
        return self._said(content) if isinstance(content, str) else content

    def _part(self, part: dict[str, Any]) -> dict[str, Any]:
        return {
            key: self._said(item) if key in ("text", "reasoning", "summary") and isinstance(item, str) else item
            for key, item in part.items()
        }

    def _said(self, text: str) -> str:
        if not text.strip():
            return text
        return self.words.say(Plane.REPORT if text.strip() in self.words.reports else Plane.NARRATION)

    def _call(self, call: dict[str, Any]) -> dict[str, Any]:
        return {**call, "arguments": self._arguments(text_of(call.get("function")), call.get("arguments"))}

    def _arguments(self, name: str, given: Any) -> Any:
        if _hands_in(name, given):
            return {key: self.words.say(Plane.REPORT) for key in object_of(given)}
        return self.words.done(name, given)

    def _tool(self, event: dict[str, Any]) -> dict[str, Any]:
        name, given = text_of(event.get("function")), event.get("arguments")
        told = {**event, "arguments": self._arguments(name, given)}
        if "events" in event:
            told["events"] = self.told(event["events"])
        if _hands_in(name, given):
            told["result"] = self._all(event.get("result"), Plane.REPORT)
        elif is_narrating(name) or event.get("agent"):
            told["result"] = self._all(event.get("result"), Plane.NARRATION)
        return told

    def _noted(self, value: Any) -> Any:
        """Return changes with their values in other words; where they were made stays."""
        if isinstance(value, list):
            return [self._noted(one) for one in list_of(value)]
        keys = object_of(value)
        if "op" in keys:
            return {key: self._all(item, Plane.NARRATION) if key == "value" else item for key, item in keys.items()}
        return self._all(value, Plane.NARRATION)

    def _all(self, value: Any, plane: Plane) -> Any:
        if isinstance(value, list):
            return [self._all(one, plane) for one in list_of(value)]
        if isinstance(value, dict):
            keys = object_of(value)
            return {key: item if key in ("type", "role") else self._all(item, plane) for key, item in keys.items()}
        return self.words.say(plane) if isinstance(value, str) else value


def _hands_in(name: str, given: Any) -> bool:
    return bare(name) == "submit" and set(object_of(given)) <= ANSWER_KEYS
