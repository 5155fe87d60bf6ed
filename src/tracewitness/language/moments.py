"""Dates and times of day in a folded text."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from tracewitness.findings.labels import Language
from tracewitness.language.lexicon import load
from tracewitness.values.answers import DateValue, TimeValue

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_HOURS = 24
_MINUTES = 60
_MONTHS = 12
_YEAR = r"(?P<y>(?:19|20)\d{2})"
_LAST_YEAR = _YEAR + r"(?![\d/-])"
_NAMED_MONTH_LANGUAGES = (Language.EN, Language.DE, Language.FR, Language.ES, Language.PT)
_BARE_HOUR = frozenset({Language.FR, Language.PT})


@dataclass(frozen=True, slots=True)
class FoundMoment:
    """A date or time and where it stands; an ambiguous date is found twice at one place."""

    value: DateValue | TimeValue
    start: int
    end: int


_Reader = Callable[[re.Match[str], Language], Iterator[DateValue | TimeValue]]
_Sourced = tuple[str, str, _Reader]
"""A sign without which the pattern cannot match, the pattern itself, and what reads its matches."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern behind its sign, which is quick to look for; most texts have none."""

    sign: re.Pattern[str]
    whole: re.Pattern[str]
    reader: _Reader


_DAY_MONTH_SIGN = r"\d(?:st|nd|rd|th|er|º|ª|\.)?\s?(?:de |of |d')?(?:%s)"
_MONTH_DAY_SIGN = r"(?:%s)\.? \d"
_DIGIT = r"\d"


def find_dates(folded: str, language: Language) -> Iterator[FoundMoment]:
    """Yield the dates of a folded text; day before month except where only the other order is possible.

    English numeric dates that can be read both ways are yielded twice, month first.
    """
    if not any(sign.search(folded) for sign in _signs(_date_patterns, language)):
        return
    for pattern in _date_patterns(language):
        yield from _run(pattern, folded, language)


def find_times(folded: str, language: Language) -> Iterator[FoundMoment]:
    """Yield the times of day of a folded text on the 24-hour clock. Durations (3時間, 2小时) are none."""
    if not any(sign.search(folded) for sign in _signs(_time_patterns, language)):
        return
    for pattern in _time_patterns(language):
        yield from _run(pattern, folded, language)


@cache
def _signs(patterns: Callable[[Language], tuple[_Pattern, ...]], language: Language) -> tuple[re.Pattern[str], ...]:
    """Return all signs in few patterns: most texts with a digit have no date or time.

    Those that begin with a digit are one pattern, so that a search skips from digit to digit.
    """
    sources = [pattern.sign.pattern for pattern in patterns(language)]
    after_digit = "|".join(source.removeprefix(_DIGIT) for source in sources if source.startswith(_DIGIT))
    others = [source for source in sources if not source.startswith(_DIGIT)]
    return tuple(map(re.compile, (rf"{_DIGIT}(?:{after_digit})", *others)))


def _run(pattern: _Pattern, folded: str, language: Language) -> Iterator[FoundMoment]:
    if not pattern.sign.search(folded):
        return
    for found in pattern.whole.finditer(folded):
        for value in pattern.reader(found, language):
            yield FoundMoment(value, found.start(), found.end())


@cache
def _date_patterns(language: Language) -> tuple[_Pattern, ...]:
    edge, stop = r"(?<![\d.,/-])", r"(?![\d/-]|[.,]\d)"
    cjk = rf"(?:{_YEAR}\s?[年년]\s?)?(?<!\d)(?P<m>\d{{1,2}})\s?[月월]\s?(?P<d>\d{{1,2}})\s?[日号號일]"
    slashed = rf"{edge}(?P<a>\d{{1,2}})(?P<s>[-/])(?P<b>\d{{1,2}})(?P=s)(?P<y>\d{{4}}|\d{{2}}){stop}"
    dotted = rf"{edge}(?P<d>\d{{1,2}})\.\s?(?P<m>\d{{1,2}})\.\s?(?P<y>\d{{4}}|\d{{2}}(?!\d|:|\.\d| uhr))"
    ordered = rf"{edge}{_YEAR}(?P<s>[-/.])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?!\d)"
    fixed: list[_Sourced] = [
        (r"(?:19|20)\d\d[-/.]\d", ordered, _read_ordered),
        # As Korean writes dates: "2031. 6. 13."
        (r"(?:19|20)\d\d\. \d", rf"{edge}{_YEAR}\. (?P<m>\d{{1,2}})\. (?P<d>\d{{1,2}})(?!\d)", _read_ordered),
        (r"\d\s?[月월]\s?\d", cjk, _read_ordered),
        (r"\d[-/]\d{1,2}[-/]\d", slashed, _read_either),
        (r"\d\.\s?\d{1,2}\.\s?\d", dotted, _read_ordered),
        (r"on \d{1,2}/", r"(?<=\bon )(?P<a>\d{1,2})/(?P<b>\d{1,2})" + stop, _read_either),
    ]
    if language is Language.DE:
        fixed.append((r"\d\.\d{1,2}\.", rf"{edge}(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.(?!\d)", _read_ordered))
    fixed += _named_dates(language)
    return tuple(_Pattern(re.compile(sign), re.compile(source), reader) for sign, source, reader in fixed)


def _named_dates(language: Language) -> Iterator[_Sourced]:
    months = _month_words(language)
    day = r"(?P<d>\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?"
    named = rf"(?<![\d.,:]){day}\s?(?:de |of |d')?(?P<w>{months})(?!\w)\.?(?:,? (?:de |del )?{_LAST_YEAR})?"
    yield _DAY_MONTH_SIGN % months, named, _read_named
    yield _MONTH_DAY_SIGN % months, rf"(?<!\w)(?P<w>{months})\.? {day}(?![\d:]|[.,]\d)(?:,? {_LAST_YEAR})?", _read_named


@cache
def _month_numbers(language: Language) -> dict[str, int]:
    """Return month words to numbers: those of the language, then English ones, then the others'."""
    lexicon = load("quantities")
    words: dict[str, int] = {}
    for one in dict.fromkeys((language, *_NAMED_MONTH_LANGUAGES)):
        for month in range(1, _MONTHS + 1):
            for word in lexicon.literals(one, f"month.{month}"):
                words.setdefault(word, month)
    return words


def _month_words(language: Language) -> str:
    return "|".join(sorted(map(re.escape, _month_numbers(language)), key=len, reverse=True))


def _date(year: str | None, month: int, day: int) -> Iterator[DateValue]:
    if 1 <= month <= _MONTHS and 1 <= day <= _DAYS[month - 1]:
        full = None if year is None else int(year) + (2000 if len(year) <= 2 else 0)
        yield DateValue(month, day, full)


def _read_ordered(found: re.Match[str], language: Language) -> Iterator[DateValue]:
    groups = found.groupdict()
    return _date(groups.get("y"), int(groups["m"]), int(groups["d"]))


def _read_named(found: re.Match[str], language: Language) -> Iterator[DateValue]:
    groups = found.groupdict()
    return _date(groups.get("y"), _month_numbers(language)[groups["w"]], int(groups["d"]))


def _read_either(found: re.Match[str], language: Language) -> Iterator[DateValue]:
    groups = found.groupdict()
    first, second, year = int(groups["a"]), int(groups["b"]), groups.get("y")
    month_first = list(_date(year, first, second))
    day_first = [value for value in _date(year, second, first) if value not in month_first]
    if language in _NAMED_MONTH_LANGUAGES and language is not Language.EN:
        yield from (day_first or month_first)
    else:
        yield from month_first
        yield from day_first


@cache
def _time_patterns(language: Language) -> tuple[_Pattern, ...]:
    before, after = _half_words(language, "before"), _half_words(language, "after")
    half = rf"(?:(?P<before>{before})\s?)?"
    tail = rf"(?:\s?(?P<after>{after})(?!\w))?"
    edge = r"(?<![\d:.,/-])"
    hour = r"(?P<h>\d{1,2})"
    cjk = rf"{half}{edge}{hour}\s?(?:[点點時시]|时(?!间))(?![間간])(?:\s?(?P<m>\d{{1,2}})\s?[分분]|\s?(?P<m2>半|반))?"
    sources = [
        (r"\d:\d\d", rf"{half}{edge}{hour}:(?P<m>\d{{2}})(?::\d{{2}})?(?![\d:])(?: uhr| h)?{tail}"),
        (r"\d\s?[ap]\.? ?m", rf"{edge}{hour}(?:\.(?P<m>\d{{2}}))?\s?(?P<after>[ap]\.? ?m\b\.?)"),
        (r"\d uhr", rf"{edge}{hour}(?:\.(?P<m>\d{{2}}))? uhr(?: (?P<m2>\d{{2}})(?!\d))?{tail}"),
        (r"\d ?h\d", rf"{edge}{hour} ?h(?P<m>\d{{2}})(?!\w){tail}"),
        (r"\d\s?[点點時시时]", cjk),
        (r"\d ?h", rf"(?:(?<=\bat )|(?<=à )|(?<=às )|(?<=las )){hour} ?(?:h|heures?|horas?)(?!\w){tail}"),
        (r"(?:la|las|à|às) \d", rf"(?:(?<=a las )|(?<=às )|(?<=a la )|(?<=à )){hour}(?![\d:.,]){tail}"),
    ]
    if language in _BARE_HOUR:
        sources.append((r"\d ?h", rf"{edge}{hour} ?(?:h|heures)(?!\w){tail}"))
    return tuple(_Pattern(re.compile(sign), re.compile(source), _read_time) for sign, source in sources)


def _half_words(language: Language, side: str) -> str:
    lexicon = load("quantities")
    words = [w for half in ("am", "pm") for w in lexicon.literals(language, f"{half}_{side}")]
    words += [w for half in ("am", "pm") for w in lexicon.literals(language, half)]
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _read_time(found: re.Match[str], language: Language) -> Iterator[TimeValue]:
    groups = found.groupdict()
    hour = int(groups["h"])
    minutes = groups.get("m") or groups.get("m2") or "0"
    minute = _MINUTES // 2 if minutes in ("半", "반") else int(minutes)
    hour = _on_24_hours(hour, groups.get("before") or groups.get("after") or "", language)
    if hour < _HOURS and minute < _MINUTES:
        yield TimeValue(hour, minute)


def _on_24_hours(hour: int, half: str, language: Language) -> int:
    noon = _HOURS // 2
    if hour > noon or not half:
        return hour
    lexicon = load("quantities")
    later = half.replace(" ", "").startswith("p") or any(
        half in lexicon.literals(language, category) for category in ("pm_before", "pm_after")
    )
    return hour % noon + (noon if later else 0)
