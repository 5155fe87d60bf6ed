"""The answer values a report states, in typed form."""

from collections.abc import Sequence

from tracewitness.findings.labels import Language
from tracewitness.language.quantities import read_values
from tracewitness.report_side.signals import SUCCESS_SIGNALS, ClauseReading, Signal
from tracewitness.values.answers import AnswerValue, NoneValue, TextValue
from tracewitness.values.folding import fold, folded

ASSERTING = SUCCESS_SIGNALS | {Signal.PLAIN}
"""What a clause does that asserts something, so that the values in it are stated."""

_ANSWERING = (Signal.ANSWER, Signal.NONE, Signal.PLAIN)
_BARE_LENGTH = 120


def reported_answers(readings: Sequence[ClauseReading], language: Language) -> tuple[AnswerValue, ...]:
    """Return the values of the clauses that assert something: those of the answering clause first, then in order.

    A short answer without any typed value ("Alice and Bob") gives one text value. Values are not repeated.
    """
    stating = [reading for reading in readings if reading.signal in ASSERTING]
    answering = _answering(stating)
    found = [(reading is not answering, _values(reading, language)) for reading in stating]
    values = dict.fromkeys(value for _, group in sorted(found, key=lambda pair: pair[0]) for value in group)
    if answering and not values and len(answering.text) <= _BARE_LENGTH and fold(answering.text):
        values[TextValue(folded(answering.text.strip(" .!。*_")))] = None
    return tuple(values)


def _answering(stating: Sequence[ClauseReading]) -> ClauseReading | None:
    for signal in _ANSWERING:
        for reading in stating:
            if reading.signal is signal:
                return reading
    return None


def _values(reading: ClauseReading, language: Language) -> list[AnswerValue]:
    values = [found.value for found in read_values(reading.text, language)]
    if reading.signal is Signal.NONE and NoneValue() not in values:
        values.insert(0, NoneValue())
    return values
