"""How a language writes stored values: on the pages, and in what is asked and told."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from typing import Literal

from babel import Locale
from babel.dates import format_date, format_time, get_day_names
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal, format_percent
from babel.units import format_unit

from tracewitness.lab.apps.spec import Field, FieldKind
from tracewitness.lab.words.interface import Texts, interface_texts
from tracewitness.lab.words.languages import CURRENCIES, LOCALES

DAYS: tuple[str, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""The days of a week as they are stored."""

_WEEKDAYS = DAYS[:5]
_WEEKEND = DAYS[5:]


class Formatter:
    """Writes stored values as a language does.

    Args:
        texts: The words of the language.
        dates: How long dates are: ``medium``, ``long`` or ``full``.
    """

    def __init__(self, texts: Texts, dates: str = "medium") -> None:
        self.texts = texts
        self.dates = dates
        self.locale = Locale.parse(LOCALES[texts.language])
        self._by_kind: dict[FieldKind, Callable[[str], str]] = {
            FieldKind.DATE: self.date,
            FieldKind.TIME: self.time,
            FieldKind.DAYS: self.days,
            FieldKind.CHOICE: self.choice,
            FieldKind.SWITCH: self.switch,
            FieldKind.LEVEL: self.level,
            FieldKind.MONEY: self.money,
            FieldKind.NUMBER: self.number,
            FieldKind.SIZE: self.size,
            FieldKind.STAMP: self.stamp,
        }

    def show(self, field: Field, value: str) -> str:
        """Return a stored value of a field as pages show it; nothing stays nothing, except that no days are told."""
        if not value and field.kind is not FieldKind.DAYS:
            return ""
        write = self._by_kind.get(field.kind)
        return write(value) if write else value

    @property
    def half_days(self) -> bool:
        """Whether times are told with a.m. and p.m."""
        return "a" in self.locale.time_formats["short"].pattern

    def half_names(self) -> tuple[str, str]:
        """Return the words for a.m. and p.m."""
        before, after = (format_time(time(hour), "a", locale=self.locale) for hour in (8, 20))
        return before, after

    def date(self, value: str) -> str:
        """Write a date."""
        return _plain(format_date(date.fromisoformat(value), self.dates, locale=self.locale))

    def time(self, value: str) -> str:
        """Write a time of day."""
        return _plain(format_time(time.fromisoformat(value), "short", locale=self.locale))

    def stamp(self, value: str) -> str:
        """Write a moment: date and time."""
        moment = datetime.fromisoformat(value)
        shown = format_date(moment.date(), "medium", locale=self.locale)
        return _plain(f"{shown} {format_time(moment.time(), 'short', locale=self.locale)}")

    def days(self, value: str) -> str:
        """Write days of the week as a page lists them."""
        chosen = tuple(day for day in DAYS if day in value.split())
        whole: dict[tuple[str, ...], str] = {
            DAYS: "days.every_day",
            _WEEKDAYS: "days.weekdays",
            _WEEKEND: "days.weekend",
            (): "days.once",
        }
        if chosen in whole:
            return self.texts(whole[chosen])
        return ", ".join(self.day(day, "abbreviated") for day in chosen)

    def days_told(self, value: str) -> str:
        """Write days of the week as they stand in a sentence: "on weekdays", "on Monday and Friday"."""
        chosen = tuple(day for day in DAYS if day in value.split())
        whole: dict[tuple[str, ...], str] = {
            DAYS: "days.told_every_day",
            _WEEKDAYS: "days.told_weekdays",
            _WEEKEND: "days.told_weekend",
            (): "days.once",
        }
        if chosen in whole:
            return self.texts(whole[chosen])
        return self.texts("days.told", days=format_list([self.day(day) for day in chosen], locale=self.locale))

    def day(self, day: str, width: Literal["wide", "abbreviated"] = "wide") -> str:
        """Write one day of the week."""
        return get_day_names(width, locale=self.locale)[DAYS.index(day)]

    def choice(self, value: str) -> str:
        """Write one of the values of a field to choose from; a time zone by its city."""
        if self.texts.has(f"choice.{value}"):
            return self.texts(f"choice.{value}")
        zones: Mapping[str, Mapping[str, str]] = self.locale.time_zones
        city = zones[value].get("city") if value in zones else None
        return city or value.rpartition("/")[2].replace("_", " ")

    def switch(self, value: str) -> str:
        """Write how a switch stands."""
        return self.texts(f"choice.{value}")

    def level(self, value: str) -> str:
        """Write a level."""
        return _plain(format_percent(int(value) / 100, locale=self.locale))

    def money(self, value: str) -> str:
        """Write an amount of money, kept in cents."""
        return _plain(format_currency(int(value) / 100, CURRENCIES[self.texts.language], locale=self.locale))

    def number(self, value: str) -> str:
        """Write a whole number."""
        return _plain(format_decimal(int(value), locale=self.locale))

    def size(self, value: str) -> str:
        """Write a size, kept in bytes."""
        count = int(value)
        unit, whole = ("megabyte", 1_000_000) if count >= 1_000_000 else ("kilobyte", 1_000)
        return _plain(format_unit(count / whole, f"digital-{unit}", "short", locale=self.locale))


def formatter_of(language: str, wording: int = 0, dates: str = "medium") -> Formatter:
    """Return what writes values in a language.

    Args:
        language: One of the languages of the lab.
        wording: Which wording its texts have.
        dates: How long dates are: ``medium``, ``long`` or ``full``.
    """
    return Formatter(interface_texts(language, wording), dates)


def _plain(text: str) -> str:
    # Narrow and unbreakable spaces are what locales write; people type and read plain ones.
    return text.replace("\u202f", " ").replace("\u00a0", " ")
