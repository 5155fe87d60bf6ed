"""Whether a text, or what the environment of a run showed, holds a typed value."""

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from tracewitness.findings.labels import Language
from tracewitness.language.quantities import read_values, same_value
from tracewitness.trace_side.answers import values_shown
from tracewitness.trace_side.trace import Action, Trace
from tracewitness.values.answers import AnswerValue, MoneyValue, NumberValue, TextValue, TimeValue
from tracewitness.values.folding import fold

_NUMBER = re.compile(r"(?<![\d:.,])\d+(?:[.,'\u2019\u00a0\u202f]\d+)*(?![\d:])")
_LAST_SEPARATOR = re.compile(r"[.,](?=\d+$)")
_NAVIGATION = ("open", "navigate", "goto", "go_to", "visit", "load")


class Mentions:
    """A text, to be asked whether it holds a value in whatever format.

    Values are read in the language of the text; a number also counts where it merely stands there in digits, so that a
    spelling that the language does not know never makes a value that is there look absent.
    """

    def __init__(self, text: str, language: Language) -> None:
        self._text = fold(text)
        self._language = language

    @cached_property
    def _typed(self) -> tuple[AnswerValue, ...]:
        return tuple(dict.fromkeys(found.value for found in read_values(self._text, self._language)))

    @cached_property
    def _numbers(self) -> frozenset[Decimal]:
        return frozenset(number for found in _NUMBER.findall(self._text) for number in _readings(found))

    def hold(self, value: AnswerValue) -> bool:
        """Return whether the text holds the value."""
        if isinstance(value, TextValue):
            return bool(value.text) and value.text in self._text
        if isinstance(value, NumberValue | MoneyValue) and value.amount in self._numbers:
            return True
        if isinstance(value, TimeValue) and f"{value.hour}:{value.minute:02}" in self._text:
            return True
        return any(same_value(value, found) for found in self._typed)


class Shown:
    """What the environment of a run showed before the agent itself brought the value in.

    A value that first stands in something the agent typed is the agent's own word, even where a screen shows it
    afterwards. Addresses the agent opened are no such words: what they lead to is the environment's.
    """

    def __init__(self, trace: Trace, language: Language) -> None:
        self._trace = trace
        self._language = language
        self._seen: dict[int, Mentions] = {}

    @cached_property
    def _done(self) -> list[Mentions]:
        return [Mentions(_words(step.action), self._language) for step in self._trace.steps]

    def __call__(self, value: AnswerValue) -> bool:
        """Return whether the environment showed the value."""
        if not self._until(len(self._trace.steps)).hold(value):
            return False
        typed = next((place for place, done in enumerate(self._done) if done.hold(value)), None)
        return typed is None or self._until(typed).hold(value)

    def _until(self, place: int) -> Mentions:
        """Return what was shown before the action at a place."""
        if place not in self._seen:
            steps = self._trace.steps
            # Of the step itself only what stood there before its action.
            cut = (*steps[:place], *(replace(step, after=None) for step in steps[place : place + 1]))
            self._seen[place] = Mentions(values_shown(Trace(cut), self._language).text, self._language)
        return self._seen[place]


def _words(action: Action) -> str:
    if action.kind.casefold().startswith(_NAVIGATION):
        return ""
    return action.text or action.raw or ""


def _readings(digits: str) -> tuple[Decimal, ...]:
    """Return what a number in digits may mean: all separators for thousands, or the last one for decimals."""
    whole = Decimal(re.sub(r"\D", "", digits))
    parts = _LAST_SEPARATOR.split(digits)
    if len(parts) == 1:
        return (whole,)
    return whole, Decimal(f"{re.sub(r'[^0-9]', '', parts[0])}.{parts[1]}")


Holds = Callable[[AnswerValue], bool]
"""Tells whether a value stands somewhere."""
