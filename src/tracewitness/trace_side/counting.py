"""How many entries of a list are what a question asks about, where every page of it was seen."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from tracewitness.language.lexicon import SUBSTRING_LANGUAGES
from tracewitness.language.quantities import same_value
from tracewitness.trace_side.course import Course, Seen
from tracewitness.trace_side.demands import attributes
from tracewitness.trace_side.list_pages import Entry, ListPage, read_list_page
from tracewitness.trace_side.moves import Move
from tracewitness.trace_side.names import near_form_in, typed_values
from tracewitness.trace_side.scene import Element
from tracewitness.values.answers import DateValue, NumberValue, TextValue
from tracewitness.values.folding import fold

_OF_DAYS = frozenset({"weekday", "unit_time"})


@dataclass(frozen=True, slots=True)
class Counted:
    """A count, with an entry that belongs to it or the first of the list, and the screen that shows it."""

    number: NumberValue
    element: Element
    seen: Seen


@dataclass(frozen=True, slots=True)
class WholeList:
    """A list of which every page was seen, each as it was seen last."""

    pages: tuple[tuple[Seen, ListPage], ...]

    @property
    def total(self) -> int | None:
        """Return how many entries it says to have in all."""
        return self.pages[-1][1].total


def count_entries(course: Course) -> Counted | None:
    """Return how many entries have the day that the question names; None where the screens do not settle it.

    All pages must have been seen without a filter, and the entries must be as many as the list says it has. A word of
    the question that tells entries apart ("unread") asks for something that no rule here counts.
    """
    wanted = [v for v in course.patterns.goal.typed_values if isinstance(v, DateValue)]
    others = [v for v in course.patterns.goal.typed_values if not isinstance(v, DateValue | TextValue)]
    if len(wanted) != 1 or others or _other_attributes(course):
        return None
    found = [counted for whole in whole_lists(course) if (counted := _count(course, whole, wanted[0])) is not None]
    return found[0] if len(found) == 1 else None


def _other_attributes(course: Course) -> bool:
    """Return whether the question names an attribute ("high priority") that no rule here counts by."""
    families = attributes(course.patterns.goal.text).keys() - _OF_DAYS
    # Where words are not spaced, "personal" stands inside others.
    return bool(families - ({"account"} if course.patterns.language in SUBSTRING_LANGUAGES else set()))


def whole_lists(course: Course) -> list[WholeList]:
    """Return the lists of which every page was seen without a search or filter, each page as it was seen last."""
    if any(s.view.scene.url is None for s in course.seen) and any(p.move is Move.ENTER for p in course.played):
        # Without addresses a search that was typed may still narrow what a later screen shows.
        return []
    lists: dict[str, dict[int, tuple[Seen, ListPage]]] = {}
    for seen in course.seen:
        page = read_list_page(seen.view)
        if page is not None and not page.narrowed:
            lists.setdefault(page.place, {})[page.number] = (seen, page)
    return [WholeList(tuple(pages[n] for n in sorted(pages))) for pages in lists.values() if _is_whole(pages)]


def _is_whole(pages: dict[int, tuple[Seen, ListPage]]) -> bool:
    counts = {page.pages for _, page in pages.values()}
    totals = {page.total for _, page in pages.values()}
    return len(counts) == len(totals) == 1 and set(pages) == set(range(1, counts.pop() + 1)) and None not in totals


def _count(course: Course, whole: WholeList, wanted: DateValue) -> Counted | None:
    by_entries = [(seen, entry) for seen, page in whole.pages for entry in page.entries]
    by_lines = [(seen, entry) for seen, page in whole.pages for entry in page.lines]
    for listed in (by_entries, by_lines):
        dated = [(seen, e, _dates(course, e)) for seen, e in listed]
        dated = [(seen, e, dates) for seen, e, dates in dated if dates]
        if len(dated) != whole.total or not dated:
            continue
        if any(len(dates) > 1 for _, _, dates in dated) or _tells_apart(course, [e for _, e, _ in dated]):
            return None
        of_day = [(seen, e) for seen, e, dates in dated if any(same_value(wanted, d) for d in dates)]
        seen, entry = of_day[-1] if of_day else (dated[-1][0], dated[-1][1])
        return Counted(NumberValue(Decimal(len(of_day))), entry.element, seen)
    return None


def _dates(course: Course, entry: Entry) -> frozenset[DateValue]:
    return frozenset(
        value
        for text in entry.texts
        for value in typed_values(text, course.patterns.language)
        if isinstance(value, DateValue)
    )


def _tells_apart(course: Course, entries: Iterable[Entry]) -> bool:
    """Return whether a word of the question stands in some of the entries and not in all, beside their days."""
    language = course.patterns.language
    texts = [fold(" | ".join(text for text in entry.texts if not typed_values(text, language))) for entry in entries]
    words = [word for word in course.patterns.goal.keywords if len(word) > 1 and not word.isdigit()]
    return any(0 < sum(1 for text in texts if near_form_in(word, text)) < len(texts) for word in words)
