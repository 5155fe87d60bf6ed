"""Inputs and outputs of spans with the agent's words in others, in the notations that the reader of spans knows."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from tracewitness.intake.calls import call_of, final_words
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.finishing import FINISH_KINDS, bare, is_finish_like
from tracewitness.intake.inline import is_inline_picture
from tracewitness.intake.nested_calls import carried_under
from tracewitness.intake.own_words import explains, is_narrating
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say
from tracewitness.intake.retelling_calls import RetoldCalls
from tracewitness.intake.retelling_files import Read, reports_in, runs_of
from tracewitness.intake.roles import Role, role_of
from tracewitness.intake.spans.called import call_in, parsed
from tracewitness.intake.spans.messages import is_cut_record
from tracewitness.intake.spans.parts import is_wrapped
from tracewitness.intake.spans.roles import ITEMS, speaker_of
from tracewitness.intake.spans.span import Span, SpanKind
from tracewitness.intake.turns import Speaker
from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.intake.written_objects import written_object

_KINDS = FINISH_KINDS | {bare("final_result")}
_DEEPEST = 40
_SAID = frozenset(
    (
        "content text thinking reasoning reasoning_content refusal summary output answer response final_output result "
        "completion completions parts contents"
    ).split()
)
"""Keys of an agent's message, or of what it handed over, under which its words stand."""
_RESULTS = ("tool_result", "tool-result", "tool_call_response", "function_response", "functionResponse")
_GIVEN = ("arguments", "args", "input", "action")


@dataclass(slots=True)
class SpanWords:
    """Puts other words for those of the agent.

    Attributes:
        say: The words.
        flag: What the agent declares.
        reports: The reports of the runs, by which its last words are told from those on the way.
        acted: What was done in the runs, by the names of the tools.
    """

    say: Say
    flag: bool | None
    reports: str
    acted: frozenset[str] = frozenset()
    calls: RetoldCalls = field(init=False)

    def __post_init__(self) -> None:
        self.calls = RetoldCalls(self.say, self.flag, self.reports)

    def kind_of(self, span: Span) -> SpanKind:
        """Return what a span is one of: a mere span may be that of a tool by its name alone."""
        by_name = span.kind is SpanKind.AGENT and span.parent and bare(span.name) in self.acted
        return SpanKind.TOOL if by_name else span.kind

    def asked(self, value: Any) -> Any:
        """Return what an agent or a model was given, with the messages of the agent in it in other words."""
        return self._told(value, False, 0)

    def answered(self, value: Any) -> Any:
        """Return what an agent or a model gave back, in other words."""
        return self._told(value, True, 0)

    def graded(self, value: Any) -> Any:
        """Return what a grader was given or said: words for words, all else as it was."""
        return self.say(Plane.GRADING) if isinstance(value, str) else value

    def done(self, name: str, arguments: Any) -> Any:
        """Return the arguments of a call as its tool got them: other words where the agent speaks in them."""
        return self._in_text(arguments, lambda opened: self._arguments(name, opened))

    def heard(self, name: str, value: Any) -> Any:
        """Return what a tool gave back: as it is, but for words of one that notes what the agent says, and quotes."""
        says = is_narrating(name) and isinstance(value, str) and isinstance(parsed(value), str) and value.strip()
        return self.say(Plane.NARRATION) if says else self.calls.answered(value)

    def _told(self, value: Any, own: bool, depth: int) -> Any:
        if depth > _DEEPEST:
            return value
        if isinstance(value, str):
            return self._text(value, own, depth)
        if isinstance(value, list):
            return [self._told(one, own, depth + 1) for one in cast(list[Any], value)]
        return self._object(object_of(value), own, depth) if isinstance(value, dict) else value

    def _text(self, text: str, own: bool, depth: int) -> Any:
        opened = _quoted(text) if text.startswith('"') else parsed(text)
        if opened is not text and opened != text:
            return json.dumps(self._told(opened, own, depth + 1))
        return self._words(text) if own and not is_cut_record(text) else text

    def _words(self, text: str) -> str:
        if not text.strip() or is_inline_picture(text):
            return text
        return self.say(Plane.REPORT if text.strip() in self.reports else Plane.NARRATION)

    def _object(self, keys: dict[str, Any], own: bool, depth: int) -> dict[str, Any]:
        if "lc" in keys and isinstance(keys.get("kwargs"), dict):
            kind = text_of(next(iter(list_of(keys.get("id"))[-1:]), ""))
            told = self._object({**object_of(keys["kwargs"]), "type": kind}, own, depth + 1)
            inner = object_of(keys["kwargs"])
            return {
                **keys,
                "kwargs": {key: told.get(key, item) if key != "type" else item for key, item in inner.items()},
            }
        speaker = speaker_of(keys)
        if speaker is not None and speaker is not Speaker.AGENT:
            return keys
        if text_of(keys.get("type")) in _RESULTS or is_wrapped(keys):
            return keys
        own = own or speaker is Speaker.AGENT
        if (speaker is None or text_of(keys.get("type")) in ITEMS) and call_in(keys) is not None:
            return self._call(keys)
        return {key: self._item(key, item, own, depth) for key, item in keys.items()}

    def _item(self, key: str, item: Any, own: bool, depth: int) -> Any:
        if key in ("function_call", "functionCall") and isinstance(item, dict):
            return self._call(object_of(item))
        if isinstance(item, str) and not (own and key in _SAID):
            return item if not own else self._opened(item, depth)
        return self._told(item, own, depth + 1)

    def _opened(self, item: str, depth: int) -> Any:
        """Return calls that stand in a text of JSON in other words, and any other text as it was."""
        found = parsed(item)
        return item if isinstance(found, str) else json.dumps(self._told(found, True, depth + 1))

    def _call(self, item: dict[str, Any]) -> dict[str, Any]:
        for wrapper in ("tool_call", "function_call", "functionCall"):
            if isinstance(item.get(wrapper), dict):
                return {**item, wrapper: self._call(object_of(item[wrapper]))}
        function = object_of(item.get("function"))
        named = [function.get("name"), *(item.get(key) for key in ("name", "toolName", "tool_name"))]
        name = next((one for one in named if isinstance(one, str) and one), "")
        told = {key: self.done(name, item[key]) if key in _GIVEN else item[key] for key in item}
        if "arguments" in function:
            told["function"] = {**function, "arguments": self.done(name, function["arguments"])}
        return told

    def _in_text(self, value: Any, told: Callable[[Any], Any]) -> Any:
        if not isinstance(value, str):
            return told(value)
        found = parsed(value)
        return told(value) if isinstance(found, str) else json.dumps(told(found))

    def _arguments(self, name: str, given: Any) -> Any:
        call = call_of(name, given)
        ends = self.ends(name, given)
        if carried_under(call) is not None and isinstance(given, dict):
            return self.calls.arguments(call.name, cast(dict[str, Any], given))
        if isinstance(given, dict) and list(cast(dict[str, Any], given)) == ["input"]:
            return {"input": self.done(name, given["input"])}
        self.calls.remember(call)
        if not ends and role_of(call.name, call.arguments, _KINDS) in (Role.ACTS, Role.MAY_END):
            return self._explained(given)
        return self._all(given, Plane.REPORT if ends else Plane.NARRATION)

    def ends(self, name: str, given: Any) -> bool:
        """Tell whether a call is one by which the run ended, so that its arguments are the report."""
        call = call_of(name, given)
        said = final_words(call) or ""
        role = role_of(call.name, call.arguments, _KINDS)
        return role is Role.ENDS or (is_finish_like(call.name, _KINDS) and said in self.reports)

    def _all(self, value: Any, plane: Plane) -> Any:
        if isinstance(value, bool):
            return self.flag
        if isinstance(value, str):
            return self.say(plane)
        if isinstance(value, list):
            return [self._all(one, plane) for one in cast(list[Any], value)]
        if isinstance(value, dict):
            return {key: self._all(one, plane) for key, one in cast(Mapping[str, Any], value).items()}
        return value

    def _explained(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._explained(one) for one in cast(list[Any], value)]
        if not isinstance(value, dict):
            return value
        keys = cast(Mapping[str, Any], value)
        return {
            key: self._all(one, Plane.NARRATION) if explains(key) else self._explained(one) for key, one in keys.items()
        }


def _quoted(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def words_of_runs(read: Read, candidate: Candidate, say: Say, flag: bool | None) -> SpanWords:
    """Return other words for those of the runs of a log.

    Raises:
        IntakeError: Nothing of the log can be read.
    """
    runs = runs_of(read, candidate)
    written = (step.action.raw or "" for run in runs for step in run.trace.steps)
    acted = frozenset(bare(name) for raw in written for name in written_object(raw) or ())
    return SpanWords(say, flag, reports_in(runs), acted)
