"""One page of a list: search, filters, order and pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from tracewitness.lab.apps.spec import Collection, Deed, Field, FieldKind, View
from tracewitness.lab.site.served import Served
from tracewitness.lab.world.rows import Row


@dataclass(frozen=True, slots=True)
class FilterControl:
    """A filter of a list: its field, the values to choose from, and the one chosen."""

    field: Field
    values: tuple[str, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Listing:
    """What a page of a list shows.

    Attributes:
        collection: What is listed.
        view: Which of it.
        words: The words searched for.
        filters: The filters.
        rows: The rows of this page.
        count: How many rows there are on all pages.
        page: Which page it is, from 1.
        pages: How many there are.
        bulk: What can be done to ticked rows.
        columns: The fields that are shown.
        narrowed: Whether words or filters leave rows out.
    """

    collection: Collection
    view: View
    words: str
    filters: tuple[FilterControl, ...]
    rows: tuple[Row, ...]
    count: int
    page: int
    pages: int
    bulk: tuple[Deed, ...]
    columns: tuple[Field, ...]

    @property
    def narrowed(self) -> bool:
        """Whether words or filters leave rows out."""
        return bool(self.words) or any(control.chosen for control in self.filters)

    def query(self, page: int) -> str:
        """Return the query of another page of the same list."""
        chosen = {control.field.name: control.chosen for control in self.filters if control.chosen}
        parts = {"q": self.words, **chosen, "page": str(page) if page > 1 else ""}
        query = urlencode({key: value for key, value in parts.items() if value})
        return f"?{query}" if query else ""


def listing(served: Served, collection: Collection, view: View, query: Mapping[str, str]) -> Listing:
    """Return a page of a list.

    Args:
        served: The world.
        collection: What is listed.
        view: Which of it.
        query: The words (``q``), filters by field, and the page.
    """
    everything = served.rows(collection, view.states)
    controls = tuple(_control(collection.field(name), everything, query) for name in view.filters)
    words = query.get("q", "").strip()[:200]
    found = [row for row in everything if _matches(served, collection, row, words, controls)]
    ordered = _ordered(found, collection, view.order)
    size = served.look.page_size
    pages = max(1, -(-len(ordered) // size))
    asked = query.get("page", "1")
    page = min(max(int(asked), 1), pages) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 1
    return Listing(
        collection=collection,
        view=view,
        words=words,
        filters=controls,
        rows=tuple(ordered[(page - 1) * size : page * size]),
        count=len(ordered),
        page=page,
        pages=pages,
        bulk=tuple(deed for deed in collection.deeds if deed.bulk and set(deed.of) & set(view.states)),
        columns=tuple(field for field in collection.fields if field.in_list and field.name != collection.title),
    )


def _control(field: Field, rows: list[Row], query: Mapping[str, str]) -> FilterControl:
    # What the list is filtered by stays to be chosen when its last row is gone, or the list would show all again.
    chosen = query.get(field.name, "")[:200]
    there = {row.values[field.name] for row in rows} | {chosen}
    values = field.choices or tuple(sorted(there - {""}))
    return FilterControl(field, values, chosen if chosen in values else "")


def _matches(served: Served, collection: Collection, row: Row, words: str, controls: tuple[FilterControl, ...]) -> bool:
    if any(control.chosen not in {"", row.values[control.field.name]} for control in controls):
        return False
    if not words:
        return True
    shown = " ".join(served.shown(field, row) for field in collection.fields).casefold()
    return all(word in shown for word in words.casefold().split())


def _ordered(rows: list[Row], collection: Collection, order: str) -> list[Row]:
    name = order.removeprefix("-")
    numeric = name != "id" and collection.field(name).kind in {FieldKind.NUMBER, FieldKind.MONEY, FieldKind.SIZE}

    def place(row: Row) -> tuple[int, str, int]:
        if name == "id":
            return (row.id, "", 0)
        value = row.values[name]
        return (int(value or 0), "", row.id) if numeric else (0, value.casefold(), row.id)

    return sorted(rows, key=place, reverse=order.startswith("-"))
