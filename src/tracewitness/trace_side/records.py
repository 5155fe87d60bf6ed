"""The records on a screen: what each entry is called and what stands under which label.

Read from tables with a header, from terms with their definitions, and from plain lines in which a well-known label is
followed by its value.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tracewitness.trace_side.field_words import bare_label, is_label, kinds_of_label
from tracewitness.trace_side.names import plain
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import LOG_LINES, View

_TITLING = frozenset({"name", "title", "number"})
_HEADS = frozenset({Role.LINK, Role.HEADING, Role.TEXT, Role.CELL, Role.OTHER, Role.STATUS})
_LABELLED = frozenset({Role.TEXT, Role.STATUS, Role.OTHER, Role.TOAST, Role.CELL})
_LINES = _LABELLED | {Role.HEADING, Role.LINK, Role.BUTTON, Role.ERROR, Role.PROGRESS}
_HEADER_CELL = re.compile(r"\s*-\s*'?columnheader\b|.*<th\b")
_DIGIT = re.compile(r"\d")
_FEWEST_LABELS = 2
_LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class Held:
    """A value of a record under its label, and the element that shows it."""

    label: str
    text: str
    element: Element


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a list, or the one thing that a page is about.

    Attributes:
        titles: What it is called, folded: its first cell, the heading of its page, its name or number.
        held: Its values.
        page: It is what the whole page is about.
    """

    titles: frozenset[str]
    held: tuple[Held, ...]
    page: bool = False


@dataclass(slots=True)
class _Draft:
    titles: list[str] = field(default_factory=list[str])
    held: list[Held] = field(default_factory=list[Held])

    def close(self, *, page: bool = False) -> Record:
        named = [h.text for h in self.held if kinds_of_label(h.label) & _TITLING]
        titles = (plain(t) for t in [*self.titles, *named] if 0 < len(t) <= _LONGEST_TITLE)
        return Record(frozenset(t for t in titles if t), tuple(self.held), page)


def read_records(view: View) -> tuple[Record, ...]:
    """Return the records of a screen, in source order by notation."""
    lines = tuple(_of_lines(view))
    return (*_of_cells(view), *_of_tabs(view), *_of_terms(view), *lines)


def _of_cells(view: View) -> Iterator[Record]:
    """Yield the rows of tables whose cells are elements of their own."""
    header: list[str] = []
    table: int | None = None
    for place, element in enumerate(view.elements):
        if element.role is not Role.ROW:
            continue
        cells = [n for n in view.children(place) if view.elements[n].role is Role.CELL]
        if not cells:
            continue
        texts = [_cell_text(view, n) for n in cells]
        if any(_HEADER_CELL.match(view.elements[n].line) for n in cells) or _reads_as_header(texts):
            header, table = texts, _table_of(view, place)
            continue
        if table != _table_of(view, place):
            continue
        yield from _row(header, texts, [view.elements[n] for n in cells])


def _table_of(view: View, place: int) -> int | None:
    """Return the outermost group of rows that an element stands in without a gap: the table."""
    at = view.elements[place].parent
    above = view.elements[at].parent if at is not None else None
    if at is not None and above is not None and "rowgroup" in view.elements[at].line:
        return above
    return at


def _cell_text(view: View, place: int) -> str:
    element = view.elements[place]
    own = element.name or element.value or ""
    if own:
        return own
    inner = (view.elements[n] for n in view.children(place))
    return " ".join(e.name for e in inner if e.name and e.role is not Role.SWITCH)


def _of_tabs(view: View) -> Iterator[Record]:
    """Yield the rows of tables that are written with tabs."""
    header: list[str] = []
    for element in view.elements:
        if "\t" not in element.line or element.role in LOG_LINES:
            if element.role is not Role.ROW:
                header = []
            continue
        texts = [text.strip() for text in element.line.split("\t")]
        if _reads_as_header(texts):
            header = texts
        elif header:
            yield from _row(header, texts, [element] * len(texts))


def _reads_as_header(texts: list[str]) -> bool:
    """Return whether cells are labels: well-known ones among them, and no figure in any."""
    known = sum(1 for text in texts if is_label(text))
    return known >= min(_FEWEST_LABELS, len(texts)) and not any(_DIGIT.search(text) for text in texts)


def _row(header: list[str], texts: list[str], elements: list[Element]) -> Iterator[Record]:
    if not header or len(texts) > len(header):
        return
    draft = _Draft()
    for label, text, element in zip(header, texts, elements, strict=False):
        if text and label:
            draft.titles += [] if draft.held else [text]
            draft.held.append(Held(label, text, element))
    if draft.held:
        yield draft.close()


def _of_terms(view: View) -> Iterator[Record]:
    """Yield what stands in terms with definitions: each list entry's own, and those of the page."""
    groups: dict[int | None, list[int]] = {}
    for place, element in enumerate(view.elements):
        if element.role in _LABELLED and element.value and element.name and not view.in_frame(place):
            if element.line.lstrip().startswith("- term:"):
                groups.setdefault(element.parent, []).append(place)
    for parent, places in groups.items():
        draft = _Draft()
        draft.titles = _titles_in_row(view, parent) or _titles_of_page(view, places[0])
        draft.held = [Held(view.elements[n].name, view.elements[n].value or "", view.elements[n]) for n in places]
        yield draft.close(page=not _in_row(view, parent))


def _in_row(view: View, parent: int | None) -> bool:
    return parent is not None and view.elements[parent].role is Role.ROW


def _titles_in_row(view: View, parent: int | None) -> list[str]:
    if parent is None or not _in_row(view, parent):
        return []
    own = [view.elements[parent].name] if view.elements[parent].name else []
    for place in view.children(parent):
        element = view.elements[place]
        if element.role in _HEADS and not element.value:
            found = element.name or next((view.elements[n].name for n in view.children(place)), "")
            if found:
                return [*own, found]
    return own


def _titles_of_page(view: View, before: int) -> list[str]:
    """Return the nearest heading above, or the title of the page."""
    headings = [e.name for e in view.elements[:before] if e.role is Role.HEADING and e.name]
    return headings[-1:] or ([view.scene.title] if view.scene.title else [])


def _of_lines(view: View) -> Iterator[Record]:
    """Yield what plain lines tell: a label, its value, the next label; what stands above the first label names it."""
    draft, label, above = _Draft(), "", ""
    for element in (e for e in view.elements if e.role in _LINES and not e.line.lstrip().startswith("- ")):
        text = element.line.strip() if element.value else element.name
        if element.value and is_label(element.name):
            draft.titles += [above] if not draft.held and above else []
            draft.held.append(Held(element.name, element.value, element))
            label, above = "", ""
        elif label and not is_label(text):
            draft.held.append(Held(label, text, element))
            label = ""
        elif is_label(text) and "\t" not in element.line:
            if any(bare_label(h.label) == bare_label(text) for h in draft.held):
                yield from _finished(draft)
                draft = _Draft()
            draft.titles += [above] if not draft.held and above else []
            label, above = text, ""
        else:
            yield from _finished(draft)
            draft, above = _Draft(), text
    yield from _finished(draft)


def _finished(draft: _Draft) -> Iterator[Record]:
    if len(draft.held) >= _FEWEST_LABELS:
        yield draft.close()
