"""Typed answer values as a person writes them."""

from tracewitness.values.answers import (
    AnswerValue,
    Currency,
    DateValue,
    MoneyValue,
    NoneValue,
    NumberValue,
    TextValue,
    TimeValue,
)


def answer_words(value: AnswerValue) -> str:
    """Return a typed answer value as a person writes it."""
    match value:
        case NumberValue(amount, percent):
            return f"{amount}{'%' if percent else ''}"
        case MoneyValue(amount, currency):
            return f"{amount}" if currency is Currency.ANY else f"{amount} {currency}"
        case DateValue(month, day, year):
            return f"{year or '????'}-{month:02}-{day:02}"
        case TimeValue(hour, minute):
            return f"{hour:02}:{minute:02}"
        case TextValue(text):
            return repr(str(text))
        case NoneValue():
            return "none"
        case _:
            return "yes" if value.yes else "no"
