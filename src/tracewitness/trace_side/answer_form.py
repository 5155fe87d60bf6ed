"""The form of a model's answer about one part of a task, and how it is read. It has no place for a verdict."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from tracewitness.findings.labels import FieldValue, Language, StepPart
from tracewitness.language.answer_texts import typed_answers
from tracewitness.trace_side.window_blocks import PAGE_MARK
from tracewitness.values.answers import AnswerValue
from tracewitness.values.folding import fold

FIELDS = ("action", "target", "transition", "commitment", "final_support", "prior_state")
VALUES = (FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN)
ANSWER = "answer"
INSTRUCTIONS = "instructions_in_data"
MOST_CITATIONS = 2

_PARTS = (StepPart.ACTION, StepPart.BEFORE, StepPart.AFTER, StepPart.ERROR, StepPart.NARRATION)
_QUOTE_LIMIT = 200
_RATIONALE_LIMIT = 120
_MOST_ANSWERS = 20


@dataclass(frozen=True, slots=True)
class Pointed:
    """A place that an answer points at, with its quote (empty for a picture)."""

    step: int
    part: StepPart
    quote: str


@dataclass(frozen=True, slots=True)
class Told:
    """What one answer says of one field."""

    citations: tuple[Pointed, ...]
    value: FieldValue
    rationale: str


@dataclass(frozen=True, slots=True)
class ToldAnswer:
    """What one answer says the answer to the task's question is."""

    citations: tuple[Pointed, ...]
    texts: tuple[str, ...]
    values: tuple[AnswerValue, ...]


@dataclass(frozen=True, slots=True)
class ToldPart:
    """One answer, read."""

    fields: Mapping[str, Told]
    answer: ToldAnswer
    instructions: bool


@cache
def answer_schema(asks_question: bool, with_narration: bool) -> str:
    """Return the JSON Schema of an answer. Keys stand in the order in which they are to be written.

    Citations come first, then the value, then the rationale, so that a model has looked before it says.

    Args:
        asks_question: The task asks for information, so the answer to it belongs to the form.
        with_narration: The agent's own words may be cited.
    """
    cited = _cited(with_narration)
    field = _object(
        {
            "citations": cited,
            "value": {"enum": [value.value for value in VALUES]},
            "rationale": {"type": "string", "maxLength": _RATIONALE_LIMIT},
        }
    )
    properties: dict[str, Any] = {name: field for name in FIELDS}
    if asks_question:
        texts = {"type": "array", "items": {"type": "string", "maxLength": _QUOTE_LIMIT}, "maxItems": _MOST_ANSWERS}
        properties[ANSWER] = _object({"citations": cited, "values": texts})
    properties[INSTRUCTIONS] = {"type": "boolean"}
    return json.dumps(_object(properties), ensure_ascii=False, separators=(",", ":"))


def _cited(with_narration: bool) -> dict[str, Any]:
    parts = [part.value for part in _PARTS if with_narration or part is not StepPart.NARRATION]
    citation = _object(
        {
            "step": {"type": "integer"},
            "part": {"enum": parts},
            "quote": {"type": "string", "maxLength": _QUOTE_LIMIT},
        }
    )
    return {"type": "array", "items": citation, "maxItems": MOST_CITATIONS}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_part(value: Mapping[str, Any], language: Language) -> ToldPart | None:
    """Return what an answer says; None where it does not have the asked-for form.

    Args:
        value: The answer's object.
        language: The language of the task, in which values are read.
    """
    fields: dict[str, Told] = {}
    for name in FIELDS:
        told = _field(value.get(name))
        if told is None:
            return None
        fields[name] = told
    answer = _answer(value[ANSWER], language) if ANSWER in value else ToldAnswer((), (), ())
    if answer is None:
        return None
    return ToldPart(fields, answer, value.get(INSTRUCTIONS) is True)


def _field(entry: object) -> Told | None:
    found = _mapping(entry)
    if found is None:
        return None
    value, rationale, citations = found.get("value"), found.get("rationale", ""), _citations(found.get("citations"))
    if value not in [each.value for each in VALUES] or not isinstance(rationale, str) or citations is None:
        return None
    return Told(citations, FieldValue(value), " ".join(rationale.split())[:_RATIONALE_LIMIT])


def _answer(entry: object, language: Language) -> ToldAnswer | None:
    found = _mapping(entry)
    if found is None:
        return None
    citations, texts = _citations(found.get("citations")), found.get("values")
    if citations is None or not isinstance(texts, list):
        return None
    values = cast(list[object], texts)
    told = tuple(text for text in values if isinstance(text, str))
    if len(told) < len(values):
        return None
    told = tuple(text for text in told if fold(text))[:_MOST_ANSWERS]
    return ToldAnswer(citations, told, typed_answers(told, language))


def _citations(entry: object) -> tuple[Pointed, ...] | None:
    if not isinstance(entry, list):
        return None
    pointed = [_pointed(each) for each in cast(list[object], entry)]
    return tuple(each for each in pointed if each is not None) if None not in pointed else None


def _pointed(entry: object) -> Pointed | None:
    found = _mapping(entry)
    if found is None:
        return None
    step, part, quote = found.get("step"), found.get("part"), found.get("quote", "")
    if type(step) is not int or not isinstance(quote, str) or part not in [each.value for each in _PARTS]:
        return None
    return Pointed(step, StepPart(part), _unmarked(quote)[:_QUOTE_LIMIT])


def _unmarked(quote: str) -> str:
    """Return a quote without the mark that the window puts before every line of a page."""
    return " ".join(line.strip().removeprefix(PAGE_MARK.strip()).strip() for line in quote.splitlines()).strip()


def _mapping(entry: object) -> dict[str, Any] | None:
    return cast(dict[str, Any], entry) if isinstance(entry, dict) else None
