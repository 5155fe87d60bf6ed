"""Typed values: formatted values of every locale read back, and equality ignores format."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import Language
from tracewitness.language.quantities import read_figures, read_values, same_value
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

COMMA = {Language.DE: ".", Language.ES: ".", Language.PT: ".", Language.FR: "\u202f"}
MONTHS = {
    Language.EN: "January February March April May June July August September October November December",
    Language.DE: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    Language.FR: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    Language.ES: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    Language.PT: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
}
SPOKEN = [language for language in Language if language not in (Language.OTHER, Language.NONE)]

FIGURES = (DateValue, MoneyValue, NumberValue, TimeValue)


def _written(amount: Decimal, language: Language) -> str:
    text = f"{amount:,.2f}"
    if language in COMMA:
        return text.replace(",", "\0").replace(".", ",").replace("\0", COMMA[language])
    return text


def _values(text: str, language: Language) -> list[AnswerValue]:
    return [found.value for found in read_values(text, language)]


@settings(max_examples=120)
@given(st.decimals(0, 9_999_999, places=2), st.sampled_from(SPOKEN))
def test_numbers_read_back_in_every_locale(amount: Decimal, language: Language) -> None:
    assert _values(_written(amount, language), language) == [NumberValue(amount)]


@settings(max_examples=80)
@given(st.decimals(0, 999_999, places=2), st.sampled_from(SPOKEN))
def test_money_reads_back_with_the_sign_on_either_side(amount: Decimal, language: Language) -> None:
    written = _written(amount, language)
    for text in (f"€{written}", f"{written} €", f"{written} EUR"):
        assert _values(text, language) == [MoneyValue(amount, Currency.EUR)]


def _date_text(day: int, month: int, year: int, language: Language) -> str:
    if language in (Language.ZH, Language.JA):
        return f"{year}年{month}月{day}日"
    if language is Language.KO:
        return f"{year}년 {month}월 {day}일"
    name = MONTHS[language].split()[month - 1]
    return {
        Language.EN: f"{name} {day}, {year}",
        Language.DE: f"{day}. {name} {year}",
        Language.FR: f"{day} {name} {year}",
    }.get(language, f"{day} de {name} de {year}")


@settings(max_examples=120)
@given(st.dates(), st.sampled_from(SPOKEN))
def test_dates_read_back_in_every_locale(date: object, language: Language) -> None:
    iso = str(date)
    year, month, day = (int(part) for part in iso.split("-"))
    year = 1900 + year % 200
    expected: list[AnswerValue] = [DateValue(month, day, year)]
    assert _values(f"{year}-{month:02}-{day:02}", language) == expected
    assert _values(_date_text(day, month, year, language), language) == expected


@settings(max_examples=120)
@given(st.integers(0, 23), st.integers(0, 59), st.sampled_from(SPOKEN))
def test_times_read_back_on_both_clocks(hour: int, minute: int, language: Language) -> None:
    expected: list[AnswerValue] = [TimeValue(hour, minute)]
    assert _values(f"{hour}:{minute:02}", language) == expected
    half = "am" if hour < 12 else "pm"
    assert _values(f"{(hour + 11) % 12 + 1}:{minute:02} {half}", language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (Language.EN, "12.5 %", [NumberValue(Decimal("12.5"), percent=True)]),
        (Language.EN, "$12.50", [MoneyValue(Decimal("12.50"), Currency.USD)]),
        (Language.EN, "12 USD", [MoneyValue(Decimal(12), Currency.USD)]),
        (Language.ZH, "¥1200", [MoneyValue(Decimal(1200), Currency.ANY)]),
        (Language.JA, "1200円", [MoneyValue(Decimal(1200), Currency.JPY)]),
        (Language.JA, "1億2000万円", [MoneyValue(Decimal(120_000_000), Currency.JPY)]),
        (Language.PT, "R$ 10", [MoneyValue(Decimal(10), Currency.BRL)]),
        (Language.KO, "3,000원", [MoneyValue(Decimal(3000), Currency.KRW)]),
        (Language.ZH, "3.5万元", [MoneyValue(Decimal(35_000), Currency.CNY)]),
        (Language.DE, "14.05.2025", [DateValue(5, 14, 2025)]),
        (Language.KO, "2025. 5. 14. 오후 3:00", [DateValue(5, 14, 2025), TimeValue(15, 0)]),
        (Language.EN, "05/14/2025", [DateValue(5, 14, 2025)]),
        (Language.EN, "3/4/2025", [DateValue(3, 4, 2025), DateValue(4, 3, 2025)]),
        (Language.FR, "3/4/2025", [DateValue(4, 3, 2025)]),
        (Language.FR, "le 14 mai", [DateValue(5, 14)]),
        (Language.DE, "10 Uhr", [TimeValue(10, 0)]),
        (Language.FR, "10h30", [TimeValue(10, 30)]),
        (Language.ZH, "下午3点", [TimeValue(15, 0)]),
        (Language.JA, "午後3時半", [TimeValue(15, 30)]),
        (Language.KO, "오후 3시", [TimeValue(15, 0)]),
        (Language.ES, "a las 7 de la tarde", [TimeValue(19, 0)]),
        (Language.EN, "Yes, it is.", [YesNoValue(yes=True)]),
        (Language.DE, "Nein.", [YesNoValue(yes=False)]),
        (Language.EN, "There are no results", [NoneValue()]),
        (Language.JA, "ありません", [NoneValue()]),
        (Language.EN, "two boxes", [NumberValue(Decimal(2))]),
        (Language.DE, "zwölf", [NumberValue(Decimal(12))]),
        (Language.ZH, "两个文件", [NumberValue(Decimal(2))]),
        (Language.KO, "네 개", [NumberValue(Decimal(4))]),
        (Language.EN, "'42'", [TextValue(folded("42")), NumberValue(Decimal(42))]),
    ],
)
def test_formats(language: Language, text: str, expected: list[AnswerValue]) -> None:
    assert _values(text, language) == expected


@pytest.mark.parametrize("text", ["A4 paper", "version v1.2.3", "host 10.0.0.1", "staging-2"])
def test_what_is_no_number(text: str) -> None:
    assert _values(text, Language.EN) == []


@pytest.mark.parametrize(
    "text",
    ["03-5555-0188", "+33 6 59 98 72 13", "(212) 555-0116", "089 9999 8468", "010-5550-1653", "04 65 71 78 73"],
)
def test_a_phone_number_in_groups_is_a_text(text: str) -> None:
    assert _values(f"Call {text} today.", Language.EN) == [TextValue(folded(text))]
    assert same_value(TextValue(folded(text)), TextValue(folded(text.replace(" ", "-"))))


@pytest.mark.parametrize("text", ["1 234 567", "2025-05-14", "2019-2024", "12345678", "10:30-11:45"])
def test_other_digits_are_no_phone_number(text: str) -> None:
    assert not any(isinstance(value, TextValue) for value in _values(f"It is {text} now.", Language.EN))


def test_durations_are_no_times() -> None:
    assert TimeValue(3, 0) not in _values("3時間", Language.JA)
    assert TimeValue(2, 0) not in _values("2小时", Language.ZH)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (NumberValue(Decimal(0)), MoneyValue(Decimal("0.00"), Currency.ANY), True),
        (MoneyValue(Decimal(5), Currency.USD), MoneyValue(Decimal("5.00"), Currency.ANY), True),
        (MoneyValue(Decimal(5), Currency.USD), MoneyValue(Decimal(5), Currency.EUR), False),
        (DateValue(5, 14), DateValue(5, 14, 2025), True),
        (DateValue(5, 14, 2024), DateValue(5, 14, 2025), False),
        (TimeValue(19, 30), TimeValue(7, 30), False),
        (TextValue(folded("Ｄｏｎｅ.")), TextValue(folded("done")), True),
        (TextValue(folded("Canceled")), TextValue(folded("cancelled")), False),
        (TextValue(folded("$12.50")), MoneyValue(Decimal("12.5"), Currency.USD), True),
        (NoneValue(), NumberValue(Decimal(0)), True),
        (NumberValue(Decimal(5), percent=True), NumberValue(Decimal(5)), False),
        (YesNoValue(yes=True), YesNoValue(yes=False), False),
        (TimeValue(5, 0), NumberValue(Decimal(5)), False),
    ],
)
def test_equality_ignores_format(left: AnswerValue, right: AnswerValue, same: bool) -> None:
    assert same_value(left, right) is same
    assert same_value(right, left) is same


@settings(max_examples=150)
@given(st.text(alphabet="0123456789.,:/-$€% apmh年月日時点원만万'\"", max_size=30), st.sampled_from(list(Language)))
def test_any_text_is_read_and_positions_hold(text: str, language: Language) -> None:
    for found in read_values(text, language):
        assert 0 <= found.start < found.end <= len(text)
        assert same_value(found.value, found.value)


@settings(max_examples=300)
@given(
    st.text(alphabet="0123456789.,:/-$€% apmonetwdrihzì年月日時点①５원만万'\"„“", max_size=30),
    st.sampled_from(list(Language)),
)
def test_figures_are_the_values_that_are_no_words(text: str, language: Language) -> None:
    figures = [v for v in read_values(text, language) if isinstance(v.value, FIGURES)]
    assert read_figures(text, language) == figures
