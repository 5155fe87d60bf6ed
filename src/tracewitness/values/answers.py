"""Typed answer values: what a report states, or a trace shows, in answer to a query."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from tracewitness.values.folding import FoldedText


class Currency(StrEnum):
    """Currencies told apart in answers; ANY where a sign is shared by several (¥, kr) or none is given."""

    EUR = "EUR"
    USD = "USD"
    GBP = "GBP"
    JPY = "JPY"
    CNY = "CNY"
    KRW = "KRW"
    BRL = "BRL"
    INR = "INR"
    CHF = "CHF"
    ANY = "ANY"


@dataclass(frozen=True, slots=True)
class NumberValue:
    """A plain number; ``percent`` where it stood with a per-cent sign."""

    amount: Decimal
    percent: bool = False


@dataclass(frozen=True, slots=True)
class MoneyValue:
    """An amount of money."""

    amount: Decimal
    currency: Currency


@dataclass(frozen=True, slots=True)
class DateValue:
    """A calendar date; ``year`` is None where the text left it out. Month 1-12, day 1-31."""

    month: int
    day: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class TimeValue:
    """A time of day, 24-hour clock: hour 0-23, minute 0-59."""

    hour: int
    minute: int


@dataclass(frozen=True, slots=True)
class TextValue:
    """A quoted or bare text answer, folded."""

    text: FoldedText


@dataclass(frozen=True, slots=True)
class YesNoValue:
    """An answer of yes or no."""

    yes: bool


@dataclass(frozen=True, slots=True)
class NoneValue:
    """The answer that there is none: no result, nothing found, an empty list."""


AnswerValue = NumberValue | MoneyValue | DateValue | TimeValue | TextValue | YesNoValue | NoneValue
