"""Retelling chats: the same messages with the agent's words in others."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tracewitness.intake.calls import call_of, final_words
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.chats.dialect import Dialect, Message
from tracewitness.intake.chats.reading_chats import read_chats
from tracewitness.intake.finishing import is_finish_like
from tracewitness.intake.grammars.grammar import GrammarFailedError, known_grammars, parsed_by
from tracewitness.intake.grammars.parsed import Parsed
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.own_words import explains
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_calls import RetoldCalls
from tracewitness.intake.retelling_files import write_lines
from tracewitness.intake.sealed import SealedRun
from tracewitness.intake.sidecar import sidecar_names
from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.trace_side.trace import Step

_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "refusal")
_WORDS = ("text", "thinking", "refusal")
_ARGUMENTS = ("arguments", "input")
_QUOTING = ("content", "output")


def retell_chats(candidate: Candidate, say: Say, flag: bool | None, folder: Path, dialect: Dialect) -> Path:
    """Write the file with the agent's words in others: its messages, its thoughts, and arguments in which it speaks.

    Raises:
        IntakeError: The file cannot be read.
        OSError: Something cannot be written.
    """
    read = read_chats(candidate, ReadOptions(candidate.limits, "task"), dialect)
    runs = [one for one in read if isinstance(one, SealedRun)]
    reports = "\n".join(one.report.text or "" for one in runs)
    retelling = RetoldMessages(say, flag, reports)
    folder.mkdir(parents=True)
    steps = (step for one in runs for step in one.trace.steps)
    copy_files(candidate.path.parent, folder, [*sidecar_names(candidate.path), *_pictures(steps)])
    path = folder / candidate.path.name.removesuffix(".gz")
    if candidate.shape is Shape.JSON_LINES:
        write_lines(candidate.path, path, candidate.limits, retelling.told)
    else:
        path.write_text(json.dumps(retelling.told(candidate.document)), encoding="utf-8")
    return path


def _pictures(steps: Iterator[Step]) -> Iterator[str]:
    for step in steps:
        for seen in (step.before, step.after):
            if seen is not None and seen.screenshot is not None and not seen.screenshot.name.startswith("!"):
                yield seen.screenshot.name


@dataclass(slots=True)
class RetoldMessages:
    """Puts other words for those of the agent in messages.

    Attributes:
        say: The words.
        flag: What the agent declares.
        reports: The reports of the runs, by which its last words are told from those on the way.
    """

    say: Say
    flag: bool | None
    reports: str
    calls: RetoldCalls = field(init=False)

    def __post_init__(self) -> None:
        self.calls = RetoldCalls(self.say, self.flag, self.reports)

    def told(self, value: Any) -> Any:
        """Return a value of a dump with the agent's words in others, wherever its messages stand."""
        if isinstance(value, list):
            return [self.told(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(value, dict):
            return value
        keys = object_of(value)
        kind = text_of(keys.get("type"))
        if keys.get("role") == "assistant":
            return self._message(keys)
        if kind == "reasoning":
            return {
                **keys,
                "summary": self._content(keys.get("summary")),
                "content": self._content(keys.get("content")),
            }
        if kind.endswith("_call") and text_of(keys.get("name")):
            return self._called(keys, text_of(keys.get("name")))
        if keys.get("role") in ("tool", "function") or "tool_use_id" in keys or kind.endswith("_output"):
            return {key: self._quoting(item) if key in _QUOTING else item for key, item in keys.items()}
        if "role" in keys:
            return {**keys, "content": self._shown(keys["content"])} if "content" in keys else keys
        return {key: self.told(item) for key, item in keys.items()}

    def _shown(self, content: Any) -> Any:
        """Return the content of a message that is none of the agent: results stand in it as well."""
        if not isinstance(content, list):
            return content
        return [self.told(part) if "tool_use_id" in object_of(part) else part for part in list_of(content)]

    def _quoting(self, content: Any) -> Any:
        """Return what answered a call, with other words where it quotes the call."""
        if isinstance(content, str):
            return self.calls.answer(content)
        if isinstance(content, list):
            return [self._quoting(part) for part in list_of(content)]
        keys = object_of(content)
        return {**keys, "text": self.calls.answer(keys["text"])} if text_of(keys.get("text")) else content

    def _message(self, message: Message) -> Message:
        told = {**message, "content": self._content(message.get("content"))}
        told |= {key: self.say(Plane.NARRATION) for key in _THOUGHTS if text_of(message.get(key))}
        if isinstance(message.get("tool_calls"), list):
            told["tool_calls"] = [self._tool_call(object_of(call)) for call in message["tool_calls"]]
        if isinstance(message.get("function_call"), dict):
            old = object_of(message["function_call"])
            told["function_call"] = self._called(old, text_of(old.get("name")))
        return told

    def _tool_call(self, call: Message) -> Message:
        for key in ("function", "custom"):
            if isinstance(call.get(key), dict):
                held = object_of(call[key])
                return {**call, key: self._called(held, text_of(held.get("name")))}
        return self._called(call, text_of(call.get("name")))

    def _content(self, content: Any) -> Any:
        if isinstance(content, str):
            return self._words(content)
        if not isinstance(content, list):
            return content
        return [self._part(object_of(part)) if isinstance(part, dict) else part for part in content]  # pyright: ignore[reportUnknownVariableType]

    def _part(self, part: Message) -> Message:
        if text_of(part.get("type")).endswith("_use"):
            return self._called(part, text_of(part.get("name")))
        return {
            key: self._words(item) if key in _WORDS and isinstance(item, str) else item for key, item in part.items()
        }

    def _words(self, text: str) -> str:
        if not text.strip():
            return text
        parsed = next(_parsed(text), None)
        if parsed is None:
            return self.say(Plane.REPORT if text.strip() in self.reports else Plane.NARRATION)
        for line in parsed.words.splitlines():
            text = text.replace(line, self.say(Plane.NARRATION)) if line.strip() else text
        for call in parsed.calls:
            said = [item for key, item in call.arguments.items() if explains(key) and isinstance(item, str)]
            final = final_words(call) if is_finish_like(call.name) else None
            for words in filter(None, [*said, final]):
                text = text.replace(words, self.say(Plane.REPORT if words == final else Plane.NARRATION))
        return text

    def _called(self, call: Message, name: str) -> Message:
        for key in _ARGUMENTS:
            given = call.get(key)
            if given is None:
                continue
            held = call_of(name, given)
            whole = object_of(given) if isinstance(given, dict) else held.arguments
            told = {**whole, **self.calls.arguments(held.name, held.arguments)}
            return {**call, key: told if isinstance(given, dict) or "input" in told else json.dumps(told)}
        return call


def _parsed(text: str) -> Iterator[Parsed]:
    """Yield what each grammar finds in a text, of those that find a call in it."""
    for one in known_grammars():
        try:
            found = parsed_by(one, text)
        except GrammarFailedError:
            continue
        if found is not None and found.calls:
            yield found
