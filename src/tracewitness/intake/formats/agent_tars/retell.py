"""Retelling event streams of Agent TARS."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.agent_tars.calls import ARGUMENTS, SCREEN_TOOL, WORDS
from tracewitness.intake.formats.agent_tars.events import HIDDEN, Event
from tracewitness.intake.formats.agent_tars.read import read
from tracewitness.intake.own_words import explains
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say
from tracewitness.intake.spans.retelling import SpanWords, words_of_runs
from tracewitness.intake.spans.retelling_logs import retell_log
from tracewitness.intake.untyped import list_of, object_of, text_of

_SAYING = frozenset({"assistant_message", "assistant_thinking_message", "final_answer"})
_OWN = ("content", "rawContent", "reasoningContent", "toolCalls", "title", "message")
_KEPT = ("id", "type", "timestamp", "sessionId")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the events with messages, thoughts, plans and answers of the agent in other words."""
    return retell_log(candidate, folder, _Events(words_of_runs(read, candidate, say, flag)).told)


@dataclass(frozen=True, slots=True)
class _Events:
    words: SpanWords

    def told(self, value: Any) -> Any:
        """Return a document of events, a list of them, or one event in other words."""
        if isinstance(value, list):
            return [self.told(one) for one in cast(list[Any], value)]
        keys = object_of(value)
        if isinstance(keys.get("events"), list):
            return {**keys, "events": [self.told(one) for one in list_of(keys["events"])]}
        return self._event(keys) if keys else value

    def _event(self, event: Event) -> Event:
        kind = text_of(event.get("type"))
        if kind in _SAYING:
            return {key: self.words.answered(item) if key in _OWN else item for key, item in event.items()}
        if kind in HIDDEN:
            return {key: item if key in _KEPT else self.words.say(HIDDEN[kind][0]) for key, item in event.items()}
        if kind == "tool_call":
            return self._call(event)
        return self._result(event) if kind == "tool_result" else event

    def _call(self, event: Event) -> Event:
        name, arguments = text_of(event.get("name")) or "tool", object_of(event.get("arguments"))
        if name == SCREEN_TOOL or set(arguments) >= ARGUMENTS:
            return {**event, "arguments": self._screen(arguments)}
        return {**event, "arguments": self.words.done(name, event.get("arguments"))}

    def _result(self, event: Event) -> Event:
        content = object_of(event.get("content"))
        if event.get("name") != SCREEN_TOOL or not content:
            return event
        return {**event, "content": self._screen(content)}

    def _screen(self, given: Event) -> Event:
        said = self.words.say(Plane.NARRATION)
        return {
            key: said if isinstance(item, str) and (key in WORDS or explains(key)) else item
            for key, item in given.items()
        }
