"""Ways to do one thing in an app, from which the plans of all kinds are made."""

from dataclasses import dataclass
from enum import StrEnum

from tracewitness.lab.apps.spec import App
from tracewitness.lab.plans.operations import (
    Answer,
    Clear,
    Edit,
    Enter,
    Filter,
    New,
    Open,
    OpenRow,
    Operation,
    Press,
    ReadAll,
    RowDeed,
    Search,
)


class Shape(StrEnum):
    """What kind of way it is."""

    MAKE = "make"
    EDIT = "edit"
    DEED = "deed"
    CLEAR = "clear"
    PANEL = "panel"
    LOOK_UP = "look_up"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Way:
    """One way.

    Attributes:
        shape: What kind it is.
        view: The view or panel where it begins.
        collection: The table that it is about.
        title: The row that it is about, or from whose page a new one is made; empty where it is about none or many.
        entries: Fields and what is entered into them, in order.
        end: The submit or deed that ends it; empty for a panel without a button, and for questions.
        filters: Fields that the view is filtered by, and the values.
        words: What the view is searched for.
        shown_in: The view in which what was made can be seen.
        on_page: Whether a deed is done on the page of the row, not in its line of the list.
    """

    shape: Shape
    view: str
    collection: str
    title: str = ""
    entries: tuple[tuple[str, str], ...] = ()
    end: str = ""
    filters: tuple[tuple[str, str], ...] = ()
    words: str = ""
    shown_in: str = ""
    on_page: bool = False


def beginning(way: Way) -> tuple[Operation, ...]:
    """Return how the place is reached where the thing is done: the list, the form, the panel or the row."""
    opened: tuple[Operation, ...] = (Open(way.view), *(Filter(field, value) for field, value in way.filters))
    if way.words:
        opened = (*opened, Search(way.words))
    match way.shape:
        case Shape.MAKE if way.title:
            return (*opened, OpenRow(way.title), New(way.collection))
        case Shape.MAKE:
            return (*opened, New(way.collection))
        case Shape.EDIT:
            return (*opened, OpenRow(way.title), Edit())
        case Shape.LOOK_UP:
            return (*opened, OpenRow(way.title))
        case Shape.DEED if way.on_page:
            return (*opened, OpenRow(way.title))
        case _:
            return opened


def entering(way: Way) -> tuple[Operation, ...]:
    """Return what is entered."""
    return tuple(Enter(field, value) for field, value in way.entries)


def ending(app: App, way: Way) -> tuple[Operation, ...]:
    """Return what carries it out: the button, and the answer where the app asks back."""
    match way.shape:
        case Shape.MAKE | Shape.EDIT | Shape.PANEL:
            return (Press(way.end),) if way.end else ()
        case Shape.DEED:
            press: Operation = Press(way.end) if way.on_page else RowDeed(way.title, way.end)
            return (press, Answer()) if asks_back(app, way) else (press,)
        case Shape.CLEAR:
            return (Clear(way.end),)
        case Shape.COUNT:
            return (ReadAll(),)
        case Shape.LOOK_UP:
            return ()


def asks_back(app: App, way: Way) -> bool:
    """Return whether the app asks before it carries out the deed of a way."""
    return any(
        deed.confirmed
        for collection in app.collections
        if collection.name == way.collection
        for deed in collection.deeds
        if deed.name == way.end
    )


def plan(app: App, way: Way) -> tuple[Operation, ...]:
    """Return the whole plan of a way."""
    return (*beginning(way), *entering(way), *ending(app, way))
