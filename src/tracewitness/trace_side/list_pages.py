"""The pages of a list: which page of how many a screen is, how many entries there are in all, and what they are."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import parse_qsl, urlsplit

from tracewitness.findings.labels import Language
from tracewitness.trace_side.field_words import field_lexicon
from tracewitness.trace_side.names import element_texts, plain
from tracewitness.trace_side.records import Record, read_records
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.surroundings import texts_within
from tracewitness.trace_side.view import LOG_LINES, View

_NUMBER = re.compile(r"\d+")
_PAGES, _TOTAL = "list.page", "list.total"
_SHORT = 80
_PAGE_KEYS = frozenset({"page", "p", "offset", "start", "pagenumber", "pageindex", "per_page", "size", "limit", "sort"})
_LANGUAGES = tuple(Language)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list: what it is called, its texts, and the element that stands for it."""

    title: str
    texts: tuple[str, ...]
    element: Element
    record: Record | None = None


@dataclass(frozen=True)
class ListPage:
    """One page of a list.

    Attributes:
        view: The screen.
        number: Which page it is.
        pages: How many pages there are.
        total: How many entries the list says to have in all; None where it does not say.
    """

    view: View
    number: int
    pages: int
    total: int | None

    @cached_property
    def place(self) -> str:
        """Return what all pages of the list share: the address without what turns pages, else the headings."""
        return urlsplit(self.view.scene.url).path if self.view.scene.url else self.view.header

    @property
    def narrowed(self) -> bool:
        """Return whether a search or a filter leaves out some of the list."""
        asked = parse_qsl(urlsplit(self.view.scene.url or "").query)
        return self.view.filtered or any(value and key.casefold() not in _PAGE_KEYS for key, value in asked)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Return the entries: records, else rows."""
        records = tuple(
            Entry(min(record.titles, default=""), tuple(h.text for h in record.held), record.held[0].element, record)
            for record in read_records(self.view)
            if not record.page
        )
        return records or tuple(_rows(self.view))

    @cached_property
    def lines(self) -> tuple[Entry, ...]:
        """Return the lines of a page of plain text, each for itself."""
        elements = (e for e in self.view.elements if e.role not in LOG_LINES and not e.line.lstrip().startswith("- "))
        return tuple(Entry("", element_texts(e), e) for e in elements)


def read_list_page(view: View) -> ListPage | None:
    """Return which page of a list a screen is; None where it says neither a page nor a total."""
    pages: tuple[int, int] | None = None
    total: int | None = view.total
    for element in view.elements:
        text = element.name if not element.value else f"{element.name}: {element.value}"
        if len(text) > _SHORT or element.role in LOG_LINES or element.role in (Role.FIELD, Role.CHOICE):
            continue
        told_pages, told_total = _told(text)
        pages = pages or told_pages
        total = told_total if total is None else total
    if pages is None and total is None:
        return None
    number, of = pages or (1, 1)
    return ListPage(view, number, of, total)


@lru_cache(maxsize=8192)
def _told(text: str) -> tuple[tuple[int, int] | None, int | None]:
    """Return the page, of how many, and the total that a short text tells."""
    if not _NUMBER.search(text):
        return None, None
    for language in _LANGUAGES:
        for match in field_lexicon().find(language, _PAGES, text):
            numbers = [int(n) for n in _NUMBER.findall(match.text)]
            return (min(numbers), max(numbers)), None
    for language in _LANGUAGES:
        for match in field_lexicon().find(language, _TOTAL, text):
            return None, int(_NUMBER.findall(match.text)[0])
    return None, None


def _rows(view: View) -> Iterator[Entry]:
    for place, element in enumerate(view.elements):
        if element.role is not Role.ROW or view.in_frame(place) or view.in_menu(place) or view.in_dialog(place):
            continue
        if any(a.role is Role.ROW for a in view.ancestors(place)):
            continue
        texts = texts_within(view, place)
        if texts:
            yield Entry(plain(texts[0]), texts, element)
