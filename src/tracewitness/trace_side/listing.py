"""A list on a screen: what its entries are called, how many there are in all, which page of it is shown.

Where a notation marks entries (rows, list items), only their heads are titles. Plain text marks nothing, so there every
line may be a title: enough to tell that none of them is called so.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qsl, unquote, urlsplit

from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.names import Name, plain
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.things import things_of
from tracewitness.trace_side.view import LOG_LINES, View

_HEADS = (frozenset({Role.LINK, Role.HEADING}), frozenset({Role.CELL}), frozenset({Role.TEXT, Role.OTHER}))
_LINES = frozenset({Role.TEXT, Role.OTHER, Role.HEADING, Role.LINK, Role.STATUS, Role.TOAST, Role.ROW, Role.CELL})
_TELLING = frozenset({Role.TEXT, Role.STATUS, Role.OTHER, Role.TAB, Role.LINK})
_LABELLED = frozenset({Role.TEXT, Role.OTHER, Role.STATUS, Role.HEADING, Role.EMPTY_STATE})
_COLUMN_HEADER = re.compile(r"\s*-\s*'?columnheader\b")
_TOLD_COUNT = re.compile(r"([^\d:]*[^\W\d])\s*[ (（]\s*(\d{1,6})\s*[)）]?")
_NUMBER = re.compile(r"\d+")
_PAGE_KEY = re.compile(r"(?:^|_|-)(?:page|p|offset|start|cursor|sort|order|dir|per|limit|size|lang|locale|tab|view)")
_LETTERS = re.compile(r"[^\W\d_]+")
_NEWS = frozenset({"success", "remove", "error"})
_TOLD = frozenset({"success", "error", "cancelled_state", "remove"})
_LONGEST_NOUN = 16
_DEEPEST = 6
_LONGEST_TITLE = 120
_COUNT_LIMIT = 40
_NUMBER_NAME_DIGITS = 4
_HOURS = frozenset("am pm a m p h uhr 오전 오후 午前 午後 上午 下午 時 分 时 点 點".split())


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list: what it is called, the element that says so, and all its texts."""

    title: str
    element: Element
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Count:
    """How many entries a list says that it has in all."""

    number: int
    element: Element


@dataclass(frozen=True)
class Listing:
    """What a view says as a list of entries.

    Attributes:
        view: The view.
        entries: Its entries where the notation marks them, else nothing.
        lines: Its lines where the notation marks no entries, each as one that may be an entry's title.
    """

    view: View
    entries: tuple[Entry, ...]
    lines: tuple[Entry, ...]

    @cached_property
    def count(self) -> Count | None:
        """Return how many entries the list says that it has in all."""
        for element in self.view.elements:
            text = f"{element.name}: {element.value}" if element.value else element.name
            if element.role not in _LABELLED or len(text) > _COUNT_LIMIT:
                continue
            numbers = _NUMBER.findall(text)
            if len(numbers) == 1 and "entry_count" in (said := meanings(text)) and not said & _NEWS:
                return Count(int(numbers[0]), element)
        return None

    @cached_property
    def pages(self) -> tuple[int, int] | None:
        """Return which page is shown, and of how many, where the screen says so."""
        for element in self.view.elements:
            text = f"{element.name}: {element.value}" if element.value else element.name
            numbers = [int(n) for n in _NUMBER.findall(text)] if len(text) <= _COUNT_LIMIT else []
            if len(numbers) == 2 and "page_number" in meanings(text):
                return min(numbers), max(numbers)
        return None

    @property
    def whole(self) -> bool:
        """Return whether nothing says that the list goes on beyond this screen."""
        if self.pages is not None:
            return self.pages[1] == 1
        if self.count is not None and self.entries and self.count.number > len(self.entries):
            return False
        return not self.view.goes_on

    @cached_property
    def place(self) -> str:
        """Return what tells this list from others: its address without what narrows or turns it, else its header."""
        url = self.view.scene.url
        return urlsplit(url).path.rstrip("/") if url and "/" in url else _uncounted(self.view.header)

    @cached_property
    def names(self) -> frozenset[str]:
        """Return what the list is called: its headings or, on plain lines, a line that stands there twice."""
        heads = [plain(e.name) for e in self.view.elements if e.role in (Role.HEADING, Role.PAGE) and e.name]
        plain_lines = Counter(e.title for e in self.lines)
        return frozenset(heads or (line for line, times in plain_lines.items() if times > 1))

    @cached_property
    def told_counts(self) -> tuple[tuple[str, int], ...]:
        """Return how many entries the screen says that other lists have ("Open orders 8")."""
        texts = [e.name for e in self.view.elements if e.role in _TELLING and not e.value]
        texts += [" ".join(dict.fromkeys(entry.texts)) for entry in self.entries]
        found = (_TOLD_COUNT.fullmatch(text) for text in texts if len(text) <= _COUNT_LIMIT)
        return tuple((plain(one.group(1)), int(one.group(2))) for one in found if one)

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """Return the texts by which its address narrows the list: what was searched for, the filters that are set."""
        url = self.view.scene.url or ""
        pairs = parse_qsl(urlsplit(url).query) if "?" in url else []
        return tuple(plain(value) for key, value in pairs if value.strip() and not _PAGE_KEY.search(key.lower()))

    @cached_property
    def things(self) -> frozenset[str]:
        """Return what kinds of thing the list holds, by its headings and its address."""
        heads = [e.name for e in self.view.elements if e.role in (Role.HEADING, Role.PAGE)]
        address = unquote(self.place).rpartition("/")[2].replace("_", " ").replace("-", " ")
        return frozenset(kind for text in (*heads, self.view.scene.title, address) for kind in things_of(text))

    @property
    def is_empty(self) -> bool:
        """Return whether the list says that it holds nothing."""
        if self.count is not None:
            return self.count.number == 0
        return not self.entries and self.view.empty_sign is not None

    def called(self, name: Name) -> Entry | None:
        """Return the first entry that is called so."""
        return next((e for e in self.entries or self.lines if is_called(name, e.title)), None)


def _uncounted(header: str) -> str:
    """Return a header without its counts: "Drafts (5)" is the list that "Drafts (2)" is."""
    return plain("".join(c for c in header if not c.isdigit() and c not in "()*"))


def is_called(name: Name, title: str) -> bool:
    """Return whether a title is this name and no more: the same words, time or number, whatever the form."""
    if title == name.phrase:
        return True
    if name.figures:
        return name.same_figure(title) and all(word in _HOURS for word in _LETTERS.findall(title))
    if not name.phrase.isdigit() or "?" in title or "？" in title or len(name.phrase) < _NUMBER_NAME_DIGITS:
        return False
    rest = title.replace(name.phrase, " ", 1)
    bare_number = name.phrase in _NUMBER.findall(title) and not any(c.isdigit() for c in rest)
    if not bare_number or len(rest) > _LONGEST_NOUN or meanings(rest) & _TOLD:
        return False
    return not rest.strip(" #:.№") or bool(things_of(rest))


def read_listing(view: View) -> Listing:
    """Return what a view says as a list."""
    entries = tuple(_entries(view))
    return Listing(view, entries, () if entries else tuple(_lines(view)))


def _entries(view: View) -> Iterator[Entry]:
    for place, element in enumerate(view.elements):
        if element.role is not Role.ROW or view.in_frame(place) or view.in_menu(place) or view.in_dialog(place):
            continue
        inner = list(_within(view, place))
        if any(_COLUMN_HEADER.match(e.line) for e in inner):
            continue
        head = _head(inner)
        if head is not None:
            texts = tuple(t for e in inner if e.role is not Role.BUTTON for t in (e.name, e.value) if t)
            yield Entry(plain(head.name), head, texts)
        elif not inner and "\t" in element.line:
            cells = [cell.strip() for cell in element.line.split("\t")]
            title = next((cell for cell in cells if cell), "")
            if title:
                yield Entry(plain(title), element, tuple(cells))
        elif element.name and _is_title(element.name):
            yield Entry(plain(element.name), element, (element.value or element.name,))


def _head(inner: list[Element]) -> Element | None:
    for roles in _HEADS:
        found = next((e for e in inner if e.role in roles and e.name and _is_title(e.name)), None)
        if found is not None:
            return found
    return None


def _is_title(text: str) -> bool:
    return len(text) <= _LONGEST_TITLE


def _lines(view: View) -> Iterator[Entry]:
    marked = any(e.role in (Role.HEADING, Role.PAGE) for e in view.elements)
    for place, element in enumerate(view.elements):
        if element.role not in _LINES or view.in_frame(place) or element.role in LOG_LINES or view.in_dialog(place):
            continue
        if marked and element.role not in (Role.HEADING, Role.PAGE):
            continue
        title = plain(element.line if not element.line.lstrip().startswith("- ") else element.name).strip()
        if title and len(title) <= _LONGEST_TITLE:
            yield Entry(title, element)


def _within(view: View, place: int, depth: int = 0) -> Iterator[Element]:
    for child in view.children(place):
        yield view.elements[child]
        if depth < _DEEPEST:
            yield from _within(view, child, depth + 1)
