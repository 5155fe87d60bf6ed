"""Numbers, money, dates, times and other typed values in a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from tracewitness.findings.labels import Language
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import load
from tracewitness.language.moments import find_dates, find_times
from tracewitness.language.numerals import EAST_ASIAN, number_pattern, parse_east_asian, parse_number
from tracewitness.language.phones import find_phone_numbers, phone_digits
from tracewitness.language.quotes import Quote, find_quotes, mask_quotes
from tracewitness.values.answers import (
    AnswerValue,
    Currency,
    DateValue,
    MoneyValue,
    NoneValue,
    NumberValue,
    TextValue,
    TimeValue,
    YesNoValue,
)
from tracewitness.values.folding import folded

_DIGIT = re.compile(r"\d")
_FIGURES = (DateValue, TimeValue, MoneyValue, NumberValue)
_NEAR_DIGIT = r"(?=[-\d])"
"""Put before look-behinds, so that they are not tried where no number can start."""

_HIGHEST_WORD = 12
_KEPT_LENGTH = 200
"""Longest text whose values are kept: logs repeat short texts."""
# Of several line breaks the last one begins the answer, so that a run of them is gone through once.
_START = r"(?:(?<=^)|(?<=[\n.!?:;。：]))[^\S\n]*"
_STOP = r"(?=\s*(?:[,.!;:，。、！；\n–—-]|$))"
_SCALES = (1_000, 1_000_000, 1_000_000_000)


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value and where it stands in the text."""

    value: AnswerValue
    start: int
    end: int


def read_values(text: str, language: Language) -> list[FoundValue]:
    """Return the typed values of a text in order: numbers, money, dates, times, quoted strings, yes/no, none.

    Numbers are read with the separators of the language where both readings are possible ("1.234" is 1234 in German and
    1.234 in English). A date whose day and month cannot be told apart gives both readings at the same positions. A
    quoted part is a text value; where it is nothing but a number, date, time or amount, that value comes as well. So is
    a phone number in groups. Versions and numbers inside words (A4, v2) are no numbers.
    """
    quotes = find_quotes(text)
    found = _unquoted(text, quotes, language)
    found += [FoundValue(TextValue(folded(quote.text)), quote.start, quote.end) for quote in quotes]
    found += _quoted(quotes, language)
    return sorted(found, key=lambda v: (v.start, v.end))


def read_figures(text: str, language: Language) -> list[FoundValue]:
    """Return the numbers, amounts of money, dates and times among what ``read_values`` returns, in the same order."""
    folded_text = comparable(text)
    if not _DIGIT.search(folded_text) and not _number_word(language).search(folded_text):
        return []
    quotes = find_quotes(text)
    found = [*_unquoted(text, quotes, language), *_quoted(quotes, language)]
    return sorted((v for v in found if isinstance(v.value, _FIGURES)), key=lambda v: (v.start, v.end))


def _unquoted(text: str, quotes: tuple[Quote, ...], language: Language) -> list[FoundValue]:
    return list(_plain_values(comparable(mask_quotes(text, quotes)), language))


def _quoted(quotes: tuple[Quote, ...], language: Language) -> Iterator[FoundValue]:
    """Yield the values of the quotes that are nothing but a value."""
    for quote in quotes:
        inner = quote.text.strip()
        whole = [v for v in _plain_values(comparable(inner), language) if v.start == 0 and v.end == len(inner)]
        yield from (FoundValue(v.value, quote.start, quote.end) for v in whole)


def _plain_values(text: str, language: Language) -> tuple[FoundValue, ...]:
    return _short_values(text, language) if len(text) <= _KEPT_LENGTH else _read_plain(text, language)


@lru_cache(maxsize=16384)
def _short_values(text: str, language: Language) -> tuple[FoundValue, ...]:
    return _read_plain(text, language)


def _read_plain(text: str, language: Language) -> tuple[FoundValue, ...]:
    """Read folded text without quotes; what one kind has read, no later kind reads again."""
    taken = bytearray(len(text))
    kept: list[FoundValue] = []
    for found in _in_order_of_trust(text, language):
        free = not any(taken[found.start : found.end])
        second_reading = any(k.start == found.start and k.end == found.end for k in kept[-1:])
        if free or (second_reading and isinstance(found.value, DateValue)):
            kept.append(found)
            taken[found.start : found.end] = b"\x01" * (found.end - found.start)
    return tuple(kept)


def _in_order_of_trust(text: str, language: Language) -> Iterator[FoundValue]:
    if _DIGIT.search(text):
        yield from (FoundValue(m.value, m.start, m.end) for m in find_dates(text, language))
        yield from (FoundValue(m.value, m.start, m.end) for m in find_times(text, language))
        yield from _money(text, language)
        yield from (FoundValue(TextValue(folded(m.group())), m.start(), m.end()) for m in find_phone_numbers(text))
        yield from _numbers(text, language)
    yield from _number_words(text, language)
    yield from _short_answers(text, language)


@cache
def _currency_signs() -> dict[str, Currency]:
    lexicon = load("quantities")
    return {sign: c for c in Currency for sign in lexicon.literals(Language.EN, f"currency.{c.value}")}


@cache
def _scale_words(language: Language) -> dict[str, int]:
    lexicon = load("quantities")
    return {w: s for s in _SCALES for w in lexicon.literals(language, f"scale.{s}") if not _is_wide(w)}


def _is_wide(word: str) -> bool:
    return not word[0].isascii() and len(word) == 1


@cache
def _amount_source(language: Language) -> str:
    scales = "|".join(re.escape(w) for w in _scale_words(language)) or "(?!)"
    number = number_pattern(language)
    return rf"(?:(?P<asian>{EAST_ASIAN})|(?P<n>{number})(?: (?P<scale>{scales})(?!\w)|(?P<k>k)(?!\w))?)"


@cache
def _currency_sign() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, _currency_signs())))


@cache
def _money_patterns(language: Language) -> tuple[re.Pattern[str], ...]:
    signs = sorted(_currency_signs(), key=len, reverse=True)
    source = "|".join(rf"{re.escape(s)}(?![a-z])" if s[0].isascii() and s[0].isalpha() else re.escape(s) for s in signs)
    amount = _amount_source(language)
    return (
        re.compile(rf"(?<![\w$])(?P<sign>-)?(?P<c>{source})\s?{amount}(?![\d])"),
        re.compile(rf"{_NEAR_DIGIT}(?<![\w.,/-])(?P<sign>-)?{amount}\s?(?P<c>{source})"),
        re.compile(rf"{_NEAR_DIGIT}(?<=[\u3041-\u9fff\uac00-\ud7af])(?P<sign>-)?{amount}\s?(?P<c>{source})"),
    )


def _money(text: str, language: Language) -> Iterator[FoundValue]:
    if not _currency_sign().search(text):
        return
    for pattern in _money_patterns(language):
        for found in pattern.finditer(text):
            currency = _currency_signs()[found.group("c")]
            yield FoundValue(MoneyValue(_amount(found, language), currency), found.start(), found.end())


def _amount(found: re.Match[str], language: Language) -> Decimal:
    groups = found.groupdict()
    if groups.get("asian"):
        amount = parse_east_asian(groups["asian"])
    else:
        amount = parse_number(groups["n"], language)
    if groups.get("scale"):
        amount *= _scale_words(language)[groups["scale"]]
    if groups.get("k"):
        amount *= 1_000
    return -amount if groups.get("sign") else amount


@cache
def _number_patterns(language: Language) -> re.Pattern[str]:
    percents = sorted(load("quantities").literals(language, "percent"), key=len, reverse=True)
    percent = "|".join(re.escape(word) for word in percents)
    # No digits joined to it by signs (phone numbers, versions, ranges, addresses), no narrow letter or - before it.
    before = r"(?<![a-z\u00df-\u024f_\d#@/\\])(?<!\d[-.:,'+])(?<![a-z\u00df-\u024f_.]-)(?<![a-z]\.)(?<!\+)"
    after = r"(?![\d_@]|[-:/.,]\d|\.[a-z])"
    return re.compile(
        rf"{_NEAR_DIGIT}{before}(?P<sign>(?<![\w)])-)?{_amount_source(language)}{after}(?:\s?(?P<p>{percent}))?"
    )


def _numbers(text: str, language: Language) -> Iterator[FoundValue]:
    for found in _number_patterns(language).finditer(text):
        end = found.start() + len(found.group().rstrip())
        yield FoundValue(NumberValue(_amount(found, language), bool(found.group("p"))), found.start(), end)


def _number_words(text: str, language: Language) -> Iterator[FoundValue]:
    if not _number_word(language).search(text):
        return
    for number, pattern in _number_word_patterns(language):
        for match in pattern.finditer(text):
            yield FoundValue(NumberValue(number), match.start(), match.end())


@cache
def _number_word_patterns(language: Language) -> tuple[tuple[Decimal, re.Pattern[str]], ...]:
    lexicon = load("quantities")
    patterns = ((n, lexicon.pattern(language, f"number.{n}")) for n in range(_HIGHEST_WORD, -1, -1))
    return tuple((Decimal(number), pattern) for number, pattern in patterns if pattern is not None)


@cache
def _number_word(language: Language) -> re.Pattern[str]:
    """Return the pattern of any number word, for a quick look; it matches nothing where a language has none."""
    return re.compile("|".join(f"(?:{p.pattern})" for _, p in _number_word_patterns(language)) or "(?!)")


@cache
def _answer_pattern(language: Language, category: str) -> re.Pattern[str] | None:
    words = _answer_words(language, category)
    if not words:
        return None
    source = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"{_START}(?P<w>{source}){_STOP}")


def _has_any(language: Language, category: str, text: str) -> bool:
    return any(word in text for word in _answer_words(language, category))


@cache
def _answer_words(language: Language, category: str) -> tuple[str, ...]:
    return load("quantities").literals(language, category)


def _short_answers(text: str, language: Language) -> Iterator[FoundValue]:
    for category, yes in (("yes", True), ("no", False)):
        pattern = _answer_pattern(language, category) if _has_any(language, category, text) else None
        for found in pattern.finditer(text) if pattern else ():
            yield FoundValue(YesNoValue(yes), found.start("w"), found.end("w"))
    for match in load("quantities").find(language, "none", text):
        yield FoundValue(NoneValue(), match.start, match.end)


def same_value(left: AnswerValue, right: AnswerValue) -> bool:
    """Return whether two values say the same, whatever their format.

    A currency of ANY and a missing year agree with any; a number agrees with an amount of money, and zero with none;
    texts agree after folding; a text agrees with another kind where the whole text reads as that value.
    """
    if isinstance(left, TextValue) and isinstance(right, TextValue):
        return _bare(left.text) == _bare(right.text) or _same_phone_number(left.text, right.text)
    if isinstance(left, TextValue):
        return _text_says(left, right)
    if isinstance(right, TextValue):
        return _text_says(right, left)
    if isinstance(left, DateValue) and isinstance(right, DateValue):
        years = (left.year, right.year)
        return (left.month, left.day) == (right.month, right.day) and (None in years or left.year == right.year)
    if isinstance(left, NumberValue | MoneyValue | NoneValue) and isinstance(
        right, NumberValue | MoneyValue | NoneValue
    ):
        return _same_amount(left, right)
    return isinstance(left, TimeValue | YesNoValue) and left == right


def _same_phone_number(left: str, right: str) -> bool:
    numbers = (phone_digits(left), phone_digits(right))
    return None not in numbers and numbers[0] == numbers[1]


def _same_amount(left: NumberValue | MoneyValue | NoneValue, right: NumberValue | MoneyValue | NoneValue) -> bool:
    if isinstance(left, MoneyValue) and isinstance(right, MoneyValue):
        currencies = {left.currency, right.currency} - {Currency.ANY}
        return left.amount == right.amount and len(currencies) <= 1
    if isinstance(left, NumberValue) and isinstance(right, NumberValue):
        return left == right
    if any(isinstance(v, NumberValue) and v.percent for v in (left, right)):
        return False
    return _zero_if_none(left) == _zero_if_none(right)


def _zero_if_none(value: NumberValue | MoneyValue | NoneValue) -> Decimal:
    return Decimal(0) if isinstance(value, NoneValue) else value.amount


def _text_says(text: TextValue, value: AnswerValue) -> bool:
    bare = _bare(text.text)
    readings = (v for language in (Language.EN, Language.DE) for v in _plain_values(bare, language))
    whole = (v.value for v in readings if v.start == 0 and v.end == len(bare) and not isinstance(v.value, TextValue))
    return any(same_value(reading, value) for reading in whole)


def _bare(text: str) -> str:
    return comparable(text).strip(" .,;:!?'\"()[]。、，")
