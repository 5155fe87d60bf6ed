"""Entries of a list that carry no labels: what each is called, and the texts that stand with it."""

from collections.abc import Iterable, Iterator

from tracewitness.trace_side.names import plain
from tracewitness.trace_side.records import Held, Record, read_records
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import View

_HEADS = frozenset({Role.LINK, Role.HEADING})
_TEXTS = frozenset({Role.TEXT, Role.STATUS, Role.OTHER})


def read_items(view: View) -> tuple[Record, ...]:
    """Return the entries of lists whose texts stand beside a link or a heading, in source order.

    Controls inside an entry say nothing of it, and entries with cells are rows of a table (see ``read_records``).
    """
    return tuple(_items(view))


def titles_of(views: Iterable[View]) -> frozenset[str]:
    """Return what the records of all screens are called."""
    every = (record for view in views for record in (*read_records(view), *read_items(view)))
    return frozenset(title for record in every for title in record.titles)


def _items(view: View) -> Iterator[Record]:
    for place, element in enumerate(view.elements):
        if element.role is not Role.ROW or view.in_frame(place) or view.in_menu(place):
            continue
        inner = list(view.within(place))
        head = next((e for e in inner if e.role in _HEADS and e.name), None)
        if head is None or any(e.role is Role.CELL for e in inner):
            continue
        held = [_held(e) for e in inner if e.role in _TEXTS and (e.name or e.value)]
        if held:
            yield Record(frozenset({plain(head.name)}), tuple(held))


def _held(element: Element) -> Held:
    if element.value:
        return Held(element.name, element.value, element)
    return Held("", element.name, element)
