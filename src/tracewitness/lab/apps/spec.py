"""The form in which an app is described.

An app holds collections of rows (contacts, messages, orders) and panels of settings. A row has fields and one state;
views list the rows of some states; a form ends in one of its submits; a deed moves rows from one state to another.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class FieldKind(StrEnum):
    """What a field holds, and with which control it is entered."""

    TEXT = "text"
    LONG_TEXT = "long_text"
    PHONE = "phone"
    EMAIL = "email"
    DATE = "date"
    TIME = "time"
    DAYS = "days"
    CHOICE = "choice"
    SWITCH = "switch"
    LEVEL = "level"
    MONEY = "money"
    NUMBER = "number"
    SIZE = "size"
    STAMP = "stamp"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a collection or panel.

    Values are kept as text: dates as ``2031-05-04``, times as ``19:30``, days as ``mon tue``, switches as ``on`` and
    ``off``, levels as whole percent, money in whole cents, numbers and sizes (bytes) as whole numbers, stamps as
    ``2031-05-04T19:30``.

    Attributes:
        name: The column, and the key of its label among the words of the interface.
        kind: What it holds.
        required: Whether a form without it is refused.
        unique: Whether a second row with the same value is refused.
        choices: The values to choose from; each is a key among the words of the interface, or a proper name.
        in_list: Whether lists show it.
        in_form: Whether it can be entered.
    """

    name: str
    kind: FieldKind
    required: bool = False
    unique: bool = False
    choices: tuple[str, ...] = ()
    in_list: bool = True
    in_form: bool = True


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that can be done to rows, alone or to many at once: it moves them to another state.

    Attributes:
        name: Its name, and the key of its button.
        of: The states that it can be done in.
        to: The state that it leads to; ``None`` removes the row for good.
        confirmed: Whether the app asks back first.
        bulk: Whether a list offers it for several rows.
        undoable: Whether the message that follows offers to undo it.
    """

    name: str
    of: tuple[str, ...]
    to: str | None
    confirmed: bool = False
    bulk: bool = False
    undoable: bool = False


@dataclass(frozen=True, slots=True)
class Submit:
    """A button that ends a form, and the state that the row then has (``None``: the one it had)."""

    name: str
    to: str | None
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A page that lists the rows of some states.

    Attributes:
        name: Its name, its address and the key of its heading.
        states: Which rows it lists.
        filters: Fields that it can be filtered by; every view can be searched by words too.
        order: The field that it is sorted by; ``-`` before it means the greatest first.
    """

    name: str
    states: tuple[str, ...]
    filters: tuple[str, ...] = ()
    order: str = "id"


@dataclass(frozen=True, slots=True)
class Collection:
    """Rows of one sort.

    Attributes:
        name: The table.
        title: The field that names a row in lists and headings.
        fields: Its columns besides ``id``, ``owner`` and ``state``.
        states: The states of a row; the first is that of rows which are simply there.
        views: The pages that list it.
        submits: How a form of it ends; none where nothing can be created.
        editable: The states in which a row can be edited.
        deeds: What can be done to its rows.
        shared: Whether all accounts see the same rows.
        folders: The field, if any, that says in which folder a row is; a move changes it.
        creatable: Whether a view offers to make a new row.
        made_from: The collection, if any, from whose rows' pages a new row is made; its title is filled in.
    """

    name: str
    title: str
    fields: tuple[Field, ...]
    states: tuple[str, ...]
    views: tuple[View, ...]
    submits: tuple[Submit, ...] = ()
    editable: tuple[str, ...] = ()
    deeds: tuple[Deed, ...] = ()
    shared: bool = False
    folders: str | None = None
    creatable: bool = True
    made_from: str | None = None

    def field(self, name: str) -> Field:
        """Return a field by its name.

        Raises:
            KeyError: There is none.
        """
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Panel:
    """Settings of one account: one row, a control for each field.

    Attributes:
        name: The table, the page and the key of its heading.
        fields: Switches, levels and choices.
        saved: Whether a button must be pressed; else each control takes effect at once.
    """

    name: str
    fields: tuple[Field, ...]
    saved: bool


@dataclass(frozen=True, slots=True)
class App:
    """One app.

    Attributes:
        name: Its name, first part of its addresses, and the key of its title.
        collections: What it holds.
        panels: Its settings.
        accounts: Names of roles with which accounts are made; more than one where accounts can be changed.
    """

    name: str
    collections: tuple[Collection, ...]
    panels: tuple[Panel, ...] = ()
    accounts: tuple[str, ...] = ("member",)

    def collection(self, name: str) -> Collection:
        """Return a collection by its name.

        Raises:
            KeyError: There is none.
        """
        for collection in self.collections:
            if collection.name == name:
                return collection
        raise KeyError(name)

    def tables(self) -> Mapping[str, tuple[Field, ...]]:
        """Return the fields of every table: collections and panels."""
        return {part.name: part.fields for part in (*self.collections, *self.panels)}
