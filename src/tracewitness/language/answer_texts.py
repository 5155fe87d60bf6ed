"""Answers given as texts, in typed form."""

from collections.abc import Sequence

from tracewitness.findings.labels import Language
from tracewitness.language.quantities import read_values
from tracewitness.values.answers import AnswerValue, TextValue
from tracewitness.values.folding import folded


def typed_answers(texts: Sequence[str], language: Language) -> tuple[AnswerValue, ...]:
    """Return the typed values of answers, each once, in order; a text without any stays a text."""
    values: dict[AnswerValue, None] = {}
    for text in texts:
        found = [each.value for each in read_values(text, language)]
        values.update(dict.fromkeys(found or ([TextValue(folded(text))] if text.strip() else [])))
    return tuple(values)
