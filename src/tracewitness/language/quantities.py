"""Numbers, money, dates, times and other typed values in a text."""

from dataclasses import dataclass

from tracewitness.findings.labels import Language
from tracewitness.values.answers import AnswerValue


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value and where it stands in the text."""

    value: AnswerValue
    start: int
    end: int


def read_values(text: str, language: Language) -> list[FoundValue]:
    """Return the typed values of a text in order: numbers, money, dates, times, quoted strings, yes/no, none.

    Numbers are read with the separators of the language where both readings are possible ("1.234" is 1234 in German and
    1.234 in English). A date whose day and month cannot be told apart gives both readings at the same positions.
    """
    raise NotImplementedError


def same_value(left: AnswerValue, right: AnswerValue) -> bool:
    """Return whether two values say the same, whatever their format.

    A currency of ANY and a missing year agree with any; a number agrees with an amount of money; texts agree after
    folding.
    """
    raise NotImplementedError
