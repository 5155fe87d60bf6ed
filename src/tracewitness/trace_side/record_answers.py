"""The answer to a question about one named entry: the value under the asked-for label, as it was seen last."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tracewitness.language.quantities import read_figures
from tracewitness.trace_side.asked_field import Asked, asked_value, read_asked
from tracewitness.trace_side.course import Course, Seen
from tracewitness.trace_side.field_words import field_lexicon, kinds_of_label
from tracewitness.trace_side.names import near_form_in, plain, stands_in, typed_values
from tracewitness.trace_side.records import Held, Record, read_records
from tracewitness.trace_side.row_names import Question, named_titles, without_titles
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.surroundings import surroundings
from tracewitness.values.answers import AnswerValue, DateValue, MoneyValue, NumberValue, TextValue, TimeValue
from tracewitness.values.folding import fold, folded

_INTERFACE = frozenset({Role.LINK, Role.HEADING, Role.BUTTON, Role.TAB, Role.MENU_ITEM, Role.PAGE, Role.FIELD})
_NUMBERED = frozenset({"phone", "mobile", "number"})
_LETTERS = re.compile(r"[^\W\d_]")
_UNIT_LETTERS = 3
_SORTS: tuple[tuple[frozenset[str], tuple[type, ...]], ...] = (
    (frozenset({"money", "price", "total"}), (MoneyValue,)),
    (frozenset({"time", "end"}), (TimeValue,)),
    (frozenset({"date", "due", "ordered", "created", "modified", "birthday"}), (DateValue,)),
)


@dataclass(frozen=True, slots=True)
class Found:
    """What the screens show of the entry that a question names: its last value, and where that was seen."""

    values: tuple[AnswerValue, ...]
    element: Element
    seen: Seen


@dataclass(frozen=True, slots=True)
class Lookup:
    """What came of looking for the named entry. ``named``: there is one; ``found``: and it settles the answer."""

    named: bool
    found: Found | None = None


@dataclass(frozen=True, slots=True)
class _Sight:
    seen: Seen
    held: Held | None


def look_up(course: Course) -> Lookup:
    """Return what the screens show of the entry that the question names.

    Two entries of that name with different values on one screen, or a later screen that shows the entry and not the
    value any more, settle nothing.
    """
    records = [read_records(seen.view) for seen in course.seen]
    titles = {title for group in records for record in group for title in record.titles}
    question = _question(course, titles)
    named = named_titles(question, titles)
    if not named:
        asked = read_asked(question.text, question.language)
        return Lookup(named=_only_look_alikes(course, titles) or bool(titles and asked.kinds))
    asked = read_asked(without_titles(question, named), course.patterns.language)
    sights = [
        sight for seen, group in zip(course.seen, records, strict=True) for sight in _sights(seen, group, named, asked)
    ]
    if not sights or any(sight.held is None for sight in sights):
        return Lookup(named=bool(sights) or bool(asked.kinds))
    last = sights[-1]
    assert last.held is not None
    if stands_in(fold(last.held.text), question.text) or _gone_later(course, last.seen, last.held, named):
        return Lookup(named=True)
    values = read_value(asked, last.held)
    return Lookup(named=True, found=Found(values, last.held.element, last.seen))


def _only_look_alikes(course: Course, titles: set[str]) -> bool:
    """Return whether entries were seen whose names are longer than the one asked for, and none of that name."""
    asked = {target.phrase for target in course.patterns.targets if target.phrase}
    return any(stands_in(phrase, title) for phrase in asked for title in titles) and asked.isdisjoint(titles)


def _question(course: Course, titles: set[str]) -> Question:
    goal, language = course.patterns.goal, course.patterns.language
    words = "\n".join(_interface_words(course, titles))
    lexicon = field_lexicon()
    kinds = sorted(lexicon.categories())

    def known(word: str) -> bool:
        return near_form_in(word, words) or any(lexicon.has(language, kind, word) for kind in kinds)

    return Question(plain(goal.text), _spoken(goal.text), language, known)


def _spoken(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _interface_words(course: Course, titles: set[str]) -> Iterator[str]:
    """Yield the words of controls, headings and labels, without those that are names of entries."""
    shown = dict.fromkeys(e.name for s in course.seen for e in s.view.elements if e.role in _INTERFACE and e.name)
    yield from (name for text in shown if (name := plain(text)) not in titles)


def _sights(seen: Seen, records: tuple[Record, ...], named: frozenset[str], asked: Asked) -> Iterator[_Sight]:
    held = [value for record in records if record.titles & named if (value := asked_value(asked, record)) is not None]
    if held:
        yield _Sight(seen, held[-1] if len({fold(value.text) for value in held}) == 1 else None)


def _gone_later(course: Course, last: Seen, held: Held, named: frozenset[str]) -> bool:
    """Return whether a later screen shows the entry with something else where the value stood, or should stand."""
    value, language = fold(held.text), course.patterns.language
    sorts = {type(v) for v in typed_values(held.text, language)} - {NumberValue}
    stood: dict[str, int] = {}
    for seen in course.seen:
        page = seen.view.scene.url or seen.view.header
        for texts in surroundings(seen.view, named):
            place = next((n for n, text in enumerate(texts) if value in text), None)
            if place is not None:
                stood[page] = place
            elif seen.after_steps > last.after_steps:
                if page in stood or any(type(v) in sorts for text in texts for v in typed_values(text, language)):
                    return True
    return False


def read_value(asked: Asked, held: Held) -> tuple[AnswerValue, ...]:
    """Return what a value reads as: a figure where it is nothing else or a figure is asked for, a text otherwise."""
    kinds = kinds_of_label(held.label)
    figures = typed_values(held.text, asked.language)
    if kinds & _NUMBERED or not figures:
        return (TextValue(folded(held.text)),)
    for sort, types in _SORTS:
        of_sort = tuple(v for v in figures if isinstance(v, types))
        if of_sort and sort & (kinds or asked.kinds):
            return of_sort
    rest = held.text
    for found in reversed(read_figures(held.text, asked.language)):
        rest = rest[: found.start] + rest[found.end :]
    return figures if len(_LETTERS.findall(rest)) <= _UNIT_LETTERS else (TextValue(folded(held.text)),)
