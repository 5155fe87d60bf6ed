"""Questions after the latest entry of a list ("which product was ordered last"), by the days that its entries show."""

from dataclasses import replace

from tracewitness.trace_side.asked_field import Asked, asked_value, read_asked
from tracewitness.trace_side.counting import whole_lists
from tracewitness.trace_side.course import Course, Seen
from tracewitness.trace_side.field_words import kinds_of_label
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.list_pages import Entry, ListPage, read_list_page
from tracewitness.trace_side.names import near_form_in, typed_values
from tracewitness.trace_side.record_answers import Found, read_value
from tracewitness.trace_side.records import Held, Record, read_records
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.view import View
from tracewitness.values.answers import DateValue, TimeValue
from tracewitness.values.folding import fold

_DAYS = frozenset({"date", "ordered", "due", "created", "modified", "time"})
_FEWEST_IN_ORDER = 3
_LINKS = frozenset({Role.LINK, Role.TAB, Role.MENU_ITEM})

_Moment = tuple[int, int, int, int, int]


def look_up_latest(course: Course) -> Found | None:
    """Return what is asked for of the entry with the latest day; None where the screens do not settle which one it is.

    Every page of the list must have been seen, or its first one with the latest days on top.
    """
    patterns = course.patterns
    if patterns.targets or any(isinstance(v, DateValue) for v in patterns.goal.typed_values):
        return None
    asked = read_asked(patterns.goal.text, patterns.language)
    asked = replace(asked, kinds=asked.kinds - _DAYS)
    titles = {title for title in _latest_titles(course) if title}
    return _of_title(course, asked, titles.pop()) if len(titles) == 1 else None


def _latest_titles(course: Course) -> list[str]:
    """Return what the latest entry of each list is called; empty where a list does not tell."""
    whole = {lists.pages[0][1].place: [page for _, page in lists.pages] for lists in whole_lists(course)}
    first: dict[str, ListPage] = {}
    for seen in course.seen:
        page = read_list_page(seen.view)
        if page is not None and page.number == 1 and not page.narrowed and not _is_part(page.view):
            first[page.place] = page
    titles: list[str] = []
    for place, page in first.items():
        listed = [entry for each in whole.get(place, [page]) for entry in each.entries]
        moments = [_moment(course, entry) for entry in listed]
        known = [(moment, entry.title) for moment, entry in zip(moments, listed, strict=True) if moment is not None]
        if len(known) < len(listed) or len({moment for moment, _ in known}) < len(known) or not known:
            continue
        in_order = len(known) >= _FEWEST_IN_ORDER and known == sorted(known, reverse=True)
        if place in whole or in_order:
            titles.append(max(known)[1])
    return titles


def _is_part(view: View) -> bool:
    """Return whether the interface has another list of all such things ("All orders" beside "Open orders")."""
    heading = fold(view.header)
    links = (e.name for e in view.elements if e.role in _LINKS and e.name and fold(e.name) not in heading)
    return any("all" in meanings(name) and any(near_form_in(w, heading) for w in fold(name).split()) for name in links)


def _moment(course: Course, entry: Entry) -> _Moment | None:
    values = {v for text in entry.texts for v in typed_values(text, course.patterns.language)}
    days = [v for v in values if isinstance(v, DateValue)]
    times = [v for v in values if isinstance(v, TimeValue)]
    if len(days) != 1 or len(times) > 1 or days[0].year is None:
        return None
    hour, minute = (times[0].hour, times[0].minute) if times else (0, 0)
    return (days[0].year, days[0].month, days[0].day, hour, minute)


def _of_title(course: Course, asked: Asked, title: str) -> Found | None:
    sights = [(seen, held) for seen in course.seen if (held := _held(seen, asked, title)) is not None]
    if not sights or len({fold(held.text) for _, held in sights}) != 1:
        return None
    seen, held = sights[-1]
    return Found(read_value(asked, held), held.element, seen)


def _held(seen: Seen, asked: Asked, title: str) -> Held | None:
    records = [record for record in read_records(seen.view) if title in record.titles]
    found = [held for record in records if (held := asked_value(asked, _without_days(record))) is not None]
    return found[-1] if len({fold(held.text) for held in found}) == 1 else None


def _without_days(record: Record) -> Record:
    return replace(record, held=tuple(h for h in record.held if not kinds_of_label(h.label) & _DAYS))
