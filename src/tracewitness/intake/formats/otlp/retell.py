"""Retelling exports of OpenTelemetry spans."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.otlp.layouts import attributes_of, span_id, trace_id
from tracewitness.intake.formats.otlp.read import read
from tracewitness.intake.formats.otlp.records import CARRIERS, CHOICE, GRADED, NOTED, span_of
from tracewitness.intake.retelling import Say
from tracewitness.intake.spans.called import parsed
from tracewitness.intake.spans.retelling import SpanWords, words_of_runs
from tracewitness.intake.spans.retelling_attributes import retold_attributes
from tracewitness.intake.spans.retelling_logs import retell_log
from tracewitness.intake.spans.span import Span
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

_SAID = (CHOICE, "gen_ai.assistant.message")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the spans with what models and agents gave back, and what inputs repeat of it, in other words."""
    return retell_log(candidate, folder, _Spans(words_of_runs(read, candidate, say, flag)).told)


@dataclass(frozen=True, slots=True)
class _Spans:
    words: SpanWords

    def told(self, value: Any) -> Any:
        """Return a value of an export with all spans in it in other words."""
        if isinstance(value, list):
            return [self.told(one) for one in cast(list[Any], value)]
        keys = object_of(value)
        if trace_id(keys) and span_id(keys):
            return self._span(keys)
        return {key: self.told(one) for key, one in keys.items()} if keys else value

    def _span(self, raw: dict[str, Any]) -> dict[str, Any]:
        span = span_of(raw, "span")
        told = dict(raw)
        for key in ("attributes", "tags"):
            if key in raw:
                told[key] = self._attributes(raw[key], span)
        if isinstance(raw.get("events"), list):
            told["events"] = [self._event(object_of(one), span) for one in list_of(raw["events"])]
        return told

    def _attributes(self, given: Any, span: Span) -> Any:
        before = attributes_of(given)
        told = retold_attributes(before, self.words.kind_of(span), span.name, self.words)
        listed = before.get(NOTED)
        events = objects_of(parsed(listed) if isinstance(listed, str) else listed)
        if any(one.get("event.name") for one in events):
            noted = [self._noted(one) for one in events]
            told[NOTED] = json.dumps(noted) if isinstance(listed, str) else noted
        return _written(given, told)

    def _noted(self, event: dict[str, Any]) -> dict[str, Any]:
        if event.get("event.name") not in _SAID:
            return event
        if isinstance(event.get("message"), dict):
            said = self.words.answered({**object_of(event["message"]), "role": "assistant"})
            return {**event, "message": said}
        return {**event, **object_of(self.words.answered({**event, "role": "assistant"}))}

    def _event(self, event: dict[str, Any], span: Span) -> dict[str, Any]:
        name, given = text_of(event.get("name")), event.get("attributes")
        if name in CARRIERS:
            return {**event, "attributes": self._attributes(given, span)}
        carried = attributes_of(given)
        if name in _SAID:
            told = object_of(self.words.answered({**carried, "role": "assistant"}))
            return {**event, "attributes": _written(given, {key: told.get(key, carried[key]) for key in carried})}
        if GRADED in name:
            graded = {key: self.words.graded(one) for key, one in carried.items()}
            return {**event, "attributes": _written(given, graded)}
        return event


def _written(given: Any, told: dict[str, Any]) -> Any:
    """Return attributes in the notation of those that were given: an object, or a list of keys with typed values."""
    if not isinstance(given, list):
        return told if isinstance(given, dict) else given
    before = attributes_of(given)
    return [
        {**one, "value": _typed(told[key])} if told.get(key := text_of(one.get("key"))) != before.get(key) else one
        for one in objects_of(given)
    ]


def _typed(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_typed(one) for one in cast(list[Any], value)]}}
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        return {"kvlistValue": {"values": [{"key": key, "value": _typed(one)} for key, one in items]}}
    if isinstance(value, int | float):
        return {"doubleValue": value}
    return {} if value is None else {"stringValue": value}
