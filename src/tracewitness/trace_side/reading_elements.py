"""From the drafts that the readers of notations make to the elements of a scene."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from tracewitness.trace_side.folding import quick_fold, without_count
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.screen_words import words_of

VALUED = frozenset({Role.FIELD, Role.CHOICE, Role.SWITCH})
"""Roles whose label may stand unquoted before a quoted value."""

_OPERATED = frozenset({Role.BUTTON, Role.LINK, Role.FIELD, Role.CHOICE, Role.SWITCH, Role.MENU_ITEM})
"""Roles of which every row of a list may hold one of the same name ("Remove")."""

_SPOKEN = frozenset({Role.TEXT, Role.STATUS})
_JUDGED_LENGTH = 160
_KEPT_LENGTH = 160
_STATUS_WORDS = 2
_STATUS_WIDE = 4
_CELL_GAPS = (" | ", "\t", "  ", "｜")


@dataclass(slots=True)
class Draft:
    """An element while it is being read. ``fixed`` keeps the role from being read out of its words."""

    role: Role
    name: str = ""
    value: str | None = None
    on: bool | None = None
    enabled: bool = True
    line: str = ""
    depth: int = 0
    resource: str = ""
    invalid: bool = False
    fixed: bool = False

    def copy(self) -> "Draft":
        """Return a draft of its own with the same content."""
        return Draft(
            self.role,
            self.name,
            self.value,
            self.on,
            self.enabled,
            self.line,
            self.depth,
            self.resource,
            self.invalid,
            self.fixed,
        )


@dataclass(slots=True)
class TextReading:
    """What a reader of a notation found in one text."""

    drafts: list[Draft] = field(default_factory=list[Draft])
    title: str = ""
    stale: bool = False
    partial: bool = False
    unchanged: bool = False
    acknowledgement: bool = False
    unreadable: bool = False
    wordless: bool = False


def role_of_word(words: str) -> Role | None:
    """Return the role that a notation's word or phrase stands for, or None."""
    category = words_of("roles").get(quick_fold(words))
    return None if category is None else role_of_category(category)


def role_of_category(category: str) -> Role:
    """Return the role behind a category of ``data/roles.tsv``."""
    if category == "bare_field":
        return Role.FIELD
    return Role.TEXT if category == "label" else Role(category)


def apply_mark(draft: Draft, mark: str) -> bool:
    """Apply what stands in brackets behind an element ("off", "disabled", "選択中"); return whether it is known."""
    # An empty box is the mark of a switch that is off: "[ ]", "( )".
    category = words_of("marks").get(quick_fold(mark)) if mark.strip() else "off"
    if category is None:
        return False
    toggles = draft.role in {Role.SWITCH, Role.CHOICE, Role.BUTTON, Role.TAB, Role.ROW, Role.MENU_ITEM, Role.OTHER}
    switch_like = draft.role in {Role.SWITCH, Role.CHOICE}
    if category == "invalid":
        draft.invalid = True
    elif category == "disabled" or (category == "inactive" and not switch_like):
        draft.enabled = False
    elif category in {"on", "off"} and toggles:
        draft.on = category == "on"
    elif switch_like:
        draft.on = category == "active"
    return True


def state_of_words(words: str) -> bool | None:
    """Return whether a state word says on (True) or off (False); None if it says neither."""
    category = words_of("marks").get(quick_fold(words))
    if category in {"on", "active"}:
        return True
    return False if category in {"off", "inactive"} else None


def split_row(text: str) -> tuple[str, str]:
    """Return a row's first cell and its whole text."""
    for gap in _CELL_GAPS:
        head, found, _ = text.partition(gap)
        if found and head.strip():
            return head.strip(), text
    return text, text


def judged_role(draft: Draft) -> Role:
    """Return the role of a text by what it says: error, empty list, progress, security check, message, or as it was."""
    text = draft.name if draft.value is None else f"{draft.name} {draft.value}"
    if draft.role not in _SPOKEN or len(text) > _JUDGED_LENGTH or not text.strip():
        return draft.role
    said = meanings(text)
    if not said:
        return draft.role
    for category, role in _JUDGED:
        if category in said and not (role is Role.ERROR and "undone" in said):
            return role
    if "success" in said and draft.role is Role.TEXT and _is_sentence(text):
        return Role.STATUS
    return draft.role


_JUDGED = (
    ("captcha", Role.CAPTCHA),
    ("validation", Role.ERROR),
    ("empty", Role.EMPTY_STATE),
    ("error", Role.ERROR),
    ("running", Role.PROGRESS),
)


def _is_sentence(text: str) -> bool:
    if text.isascii():
        return text.count(" ") + 1 >= _STATUS_WORDS
    return " " in text.strip() or len(text) >= _STATUS_WIDE


def finish_elements(drafts: Iterable[Draft]) -> tuple[Element, ...]:
    """Return the elements of drafts in order, with keys and parents; linear in their number."""
    elements: list[Element] = []
    above: list[tuple[int, int]] = []
    for position, draft in enumerate(drafts):
        while above and above[-1][0] >= draft.depth:
            above.pop()
        parent = above[-1][1] if above else None
        role = _logged_role(elements, parent) or (draft.role if draft.fixed else judged_role(draft))
        row = elements[parent].key if parent is not None and elements[parent].role is Role.ROW else ""
        elements.append(_finish(draft, role, parent, row))
        above.append((draft.depth, position))
    return tuple(elements)


def _logged_role(elements: list[Element], parent: int | None) -> Role | None:
    """Return the role that everything under a console or network heading has."""
    if parent is not None and elements[parent].role in {Role.CONSOLE, Role.NETWORK}:
        return elements[parent].role
    return None


def _finish(draft: Draft, role: Role, parent: int | None, row: str) -> Element:
    key = key_of(role, draft.name, draft.resource)
    return Element(
        role=role,
        name=draft.name,
        value=draft.value,
        on=draft.on,
        enabled=draft.enabled,
        key=f"{row}/{key}" if row and role in _OPERATED else key,
        line=draft.line,
        depth=draft.depth,
        parent=parent,
        invalid=draft.invalid,
    )


def key_of(role: Role, name: str, resource: str = "") -> str:
    """Return an element's identity across scenes.

    It is a field's resource id, else the role and the folded name less its count. Texts, statuses, errors and the like
    share one kind, so that a sentence keeps its identity when it is read as another kind of message. A control inside
    a row has the row's key before its own.
    """
    if resource and role in VALUED:
        return f"id:{resource}"
    return _named_key(role, name) if len(name) <= _KEPT_LENGTH else _key_by_name(role, name)


@lru_cache(maxsize=16384)
def _named_key(role: Role, name: str) -> str:
    return _key_by_name(role, name)


def _key_by_name(role: Role, name: str) -> str:
    return f"{_KIND.get(role, role)}:{without_count(quick_fold(name))}"


_KIND = {
    Role.STATUS: "text",
    Role.ERROR: "text",
    Role.EMPTY_STATE: "text",
    Role.PROGRESS: "text",
}
