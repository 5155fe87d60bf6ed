"""What stands around the name of an entry on a screen: the rest of its row, or the lines right behind it."""

from collections.abc import Iterator

from tracewitness.trace_side.names import cells, element_texts, plain
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.view import LOG_LINES, View
from tracewitness.values.folding import fold

_LINES_BEHIND = 8
_NO_ENTRY = LOG_LINES | {Role.FIELD, Role.CHOICE, Role.PAGE}
_HEADS = frozenset({Role.HEADING, Role.PAGE})


def surroundings(view: View, titles: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Yield, for every place where an entry is named, the folded texts that belong to it, in order."""
    rows: set[int] = set()
    for place, element in enumerate(view.elements):
        if element.role in _NO_ENTRY or not any(
            plain(cell) in titles for text in element_texts(element) for cell in cells(text)
        ):
            continue
        row = _row_of(view, place)
        if row is None:
            yield _behind(view, place)
        elif row not in rows:
            rows.add(row)
            yield tuple(fold(text) for text in texts_within(view, row))


def texts_within(view: View, place: int) -> tuple[str, ...]:
    """Return the texts of an element and of all that stands in it, in order."""
    return tuple(text for n in _within(view, place) for text in element_texts(view.elements[n]) if text)


def _row_of(view: View, place: int) -> int | None:
    at: int | None = place
    found = None
    while at is not None:
        element = view.elements[at]
        if element.role is Role.ROW:
            found = at
        at = element.parent
    return found


def _within(view: View, place: int) -> Iterator[int]:
    waiting = [place]
    while waiting:
        at = waiting.pop()
        yield at
        waiting.extend(reversed(view.children(at)))


def _behind(view: View, place: int) -> tuple[str, ...]:
    """Return the lines behind a name; behind the heading of a page that is all of it."""
    own = view.elements[place]
    limit = len(view.elements) if own.role in _HEADS else place + 1 + _LINES_BEHIND
    behind = (e for e in view.elements[place:limit] if e.role not in LOG_LINES)
    return tuple(fold(text) for e in behind for text in element_texts(e) if text)
