"""What the agent itself entered: a screen that repeats it is no source for it."""

import re

from tracewitness.findings.labels import Language
from tracewitness.trace_side.effects import Effect
from tracewitness.trace_side.names import typed_values
from tracewitness.trace_side.trace import Action

ENTRIES = frozenset({Effect.ENTER, Effect.CALL})
_FIGURE = re.compile(r"\d[\d.,:]*\d|\d")


def figures(text: str, language: Language) -> set[str]:
    """Return the numbers, amounts, dates and times of a text, each as a word that compares equal for equal values."""
    return {repr(value) for value in typed_values(text, language)}


def own_figures(action: Action, language: Language) -> set[str]:
    """Return the figures that an action carries, with each number of a list for itself."""
    text = f"{action.text or ''} ; {action.raw or ''}"
    single = {figure for piece in _FIGURE.findall(text) for figure in figures(piece, language)}
    return single | figures(text, language)
