"""One scene with what the readings ask of it: who stands in whom, what is content, what kind of screen it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tracewitness.trace_side.interface_words import label_meanings, meanings
from tracewitness.trace_side.names import element_texts
from tracewitness.trace_side.scene import Element, Role, Scene
from tracewitness.values.folding import fold

MESSAGES = frozenset({Role.TOAST, Role.STATUS, Role.ERROR})
LOG_LINES = frozenset({Role.NETWORK, Role.CONSOLE, Role.RUNNER})
_TOTALS = frozenset({"total", "total_count", "totalcount", "total_results", "totalresults", "total_items", "count"})
_LONGEST_NUMBER = 10
_NOT_CONTENT = MESSAGES | LOG_LINES | {Role.FIELD, Role.BUTTON, Role.MENU_ITEM, Role.TAB, Role.DIALOG, Role.CAPTCHA}
_HEADERS = frozenset({Role.PAGE, Role.HEADING})
_FORM_CONTROLS = frozenset({"save", "send", "create", "discard"})
_MENU = re.compile(r"\s*[-*]?\s*(?:menu|menü|menú|菜单|メニュー|메뉴)\b", re.IGNORECASE)
_FRAME = re.compile(r"\s*[-*]\s*'?(?:navigation|banner|contentinfo)\b(?:\s\"(?:[^\"\\\\]|\\\\.)*\")?'?:?\s*$")
"""A landmark of an accessibility tree, by its ARIA role."""

_SEARCH_BOX = re.compile(r"\s*[-*]\s*'?searchbox\b")

_ENTRIES = frozenset({Role.ROW, Role.LINK, Role.CHOICE, Role.SWITCH, Role.CELL, Role.OTHER})
_CONTAINERS = _HEADERS | {Role.GROUP, Role.DIALOG}
_SHORT_TITLE = 80
_DEEPEST = 6


@dataclass(frozen=True)
class View:
    """A scene, read for its structure."""

    scene: Scene

    @property
    def elements(self) -> tuple[Element, ...]:
        """Return the elements in source order."""
        return self.scene.elements

    @cached_property
    def header(self) -> str:
        """Return the title with the page names and headings."""
        names = [e.name for e in self.elements if e.role in _HEADERS]
        return " ; ".join(dict.fromkeys([self.scene.title, *names]))

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for place, element in enumerate(self.elements):
            if element.parent is not None:
                children.setdefault(element.parent, []).append(place)
        return children

    def children(self, place: int) -> tuple[int, ...]:
        """Return the places of the elements that stand directly in one."""
        return tuple(self._children.get(place, ()))

    def within(self, place: int, depth: int = 0) -> Iterator[Element]:
        """Yield the elements that stand in one, at any depth down to a limit, in source order."""
        for child in self.children(place):
            yield self.elements[child]
            if depth < _DEEPEST:
                yield from self.within(child, depth + 1)

    def ancestors(self, place: int) -> Iterator[Element]:
        """Yield the elements that one stands in, nearest first."""
        parent = self.elements[place].parent
        while parent is not None:
            yield self.elements[parent]
            parent = self.elements[parent].parent

    def block(self, place: int) -> str:
        """Return the texts of an element, of what it stands in (page headers apart) and of what stands in it."""
        known = self._blocks.get(place)
        if known is None:
            known = self._blocks[place] = self._block(place)
        return known

    @cached_property
    def _blocks(self) -> dict[int, str]:
        return {}

    def _block(self, place: int) -> str:
        element = self.elements[place]
        around = [a for a in self.ancestors(place) if a.role not in _HEADERS]
        holds_others = element.role in _CONTAINERS
        within = [] if holds_others else [self.elements[child] for child in self._children.get(place, ())]
        siblings: list[Element] = []
        if element.parent is not None and self.elements[element.parent].role is Role.ROW:
            siblings = [self.elements[child] for child in self._children.get(element.parent, ())]
        parts = [element, *around, *within, *siblings]
        texts = dict.fromkeys(text for part in parts for text in element_texts(part) if text)
        return " | ".join(texts)

    def in_dialog(self, place: int) -> bool:
        """Return whether an element stands in a dialog, or below one that fills the screen."""
        return self._dialog_only or any(a.role is Role.DIALOG for a in self.ancestors(place))

    @cached_property
    def dialog(self) -> Element | None:
        """Return the dialog on this screen, or None."""
        return next((e for e in self.elements if e.role is Role.DIALOG), None)

    @cached_property
    def _dialog_only(self) -> bool:
        top = [e for e in self.elements if e.depth == 0 and e.role not in MESSAGES | LOG_LINES]
        return bool(top) and all(e.role is Role.DIALOG for e in top)

    def content(self) -> Iterator[int]:
        """Yield the places of elements that show stored things: no fields, controls, dialogs, messages or log lines."""
        return iter(self._content)

    @cached_property
    def _content(self) -> tuple[int, ...]:
        return tuple(place for place, element in enumerate(self.elements) if self._is_content(place, element))

    def _is_content(self, place: int, element: Element) -> bool:
        stored = element.role not in _NOT_CONTENT or (
            element.role is Role.FIELD and self.reads_back and not self.searches(element)
        )
        return stored and not self.in_dialog(place) and not self.in_menu(place) and not self.in_frame(place)

    @cached_property
    def reads_back(self) -> bool:
        """Return whether this is a titled page without a control that saves or leaves: its fields are stored."""
        if not self.scene.title or self.dialog is not None or self.scene.partial:
            return False
        return not self.has_form_controls

    @cached_property
    def has_form_controls(self) -> bool:
        """Return whether there is a control that saves, confirms or leaves."""
        controls = [e for e in self.elements if e.role is Role.BUTTON]
        return any(label_meanings(e.name) & _FORM_CONTROLS for e in controls)

    def in_menu(self, place: int) -> bool:
        """Return whether an element stands in an open menu, where it is a choice and no entry of a list."""
        return any(a.role is Role.GROUP and _MENU.match(a.line) for a in self.ancestors(place))

    def in_frame(self, place: int) -> bool:
        """Return whether an element stands in what frames every page: navigation, banner or footer, marked as such."""
        return any(_FRAME.match(a.line) for a in self.ancestors(place))

    def rows(self) -> Iterator[int]:
        """Yield the places of list entries."""
        return iter(self._rows)

    @cached_property
    def _rows(self) -> tuple[int, ...]:
        entries = (place for place in self._content if self.elements[place].role in _ENTRIES)
        return tuple(place for place in entries if not _is_filter(self.elements[place]))

    @cached_property
    def has_fields(self) -> bool:
        """Return whether there is an entry field other than a search field."""
        return any(e.role is Role.FIELD and not self.searches(e) for e in self.elements)

    @cached_property
    def narrowing(self) -> tuple[Element, ...]:
        """Return the searches and filters that narrow the list on this screen."""
        return tuple(e for e in self.elements if self._narrows(e))

    @property
    def filtered(self) -> bool:
        """Return whether the list on this screen is narrowed by a search or a filter."""
        return bool(self.narrowing)

    def searches(self, element: Element) -> bool:
        """Return whether an element is a field to search with: what it holds was sought and need not be there."""
        if element.role is not Role.FIELD:
            return False
        return is_search_box(element) or "filtered" in label_meanings(element.name)

    def _narrows(self, element: Element) -> bool:
        words = f"{element.name} | {element.value or ''}"
        said = meanings(words)
        if element.role is Role.FIELD:
            return bool(element.value) and self.searches(element) and "all" not in said
        if element.on is not None:
            return element.on and "filtered" in label_meanings(element.name) and "all" not in said
        if _is_filter(element):
            return "all" not in said and " " in element.line.strip()
        if element.role in (Role.EMPTY_STATE, Role.TEXT, Role.OTHER, Role.STATUS, Role.HEADING):
            return "filtered" in said and ("empty" in said or "=" in element.line or "：" in element.line)
        return False

    @cached_property
    def goes_on(self) -> bool:
        """Return whether the list goes on beyond this screen: it says so, or counts more entries than it shows."""
        shown = sum(1 for e in self.elements if e.role is Role.ROW)
        if shown and self.total is not None and self.total > shown:
            return True
        return any(
            "more_pages" in meanings(t) for e in self.elements for t in element_texts(e) if len(t) < _SHORT_TITLE
        )

    @cached_property
    def total(self) -> int | None:
        """Return how many entries a result says there are in all, or None."""
        totals = (e.value for e in self.elements if e.role is Role.TEXT and e.value and fold(e.name) in _TOTALS)
        return next((int(total) for total in totals if total.isdecimal() and len(total) < _LONGEST_NUMBER), None)

    @cached_property
    def empty_sign(self) -> Element | None:
        """Return the element that says that the list is empty, or None."""
        for element in self.elements:
            if element.role is Role.EMPTY_STATE:
                return element
            if element.role in (Role.TEXT, Role.OTHER, Role.HEADING, Role.STATUS) and "empty" in meanings(element.name):
                return element
        return None

    def first_meaning(self, *categories: str, roles: frozenset[Role] | None = None) -> Element | None:
        """Return the first element whose texts carry one of the meanings, or None."""
        wanted = frozenset(categories)
        for element in self.elements:
            if roles is not None and element.role not in roles:
                continue
            if any(wanted & meanings(text) for text in element_texts(element) if text):
                return element
        return None


def is_search_box(element: Element) -> bool:
    """Return whether an element is a search field by its role, whatever its label says."""
    return element.role is Role.FIELD and bool(_SEARCH_BOX.match(element.line))


def _is_filter(element: Element) -> bool:
    """Return whether an element is a filter control: its line begins with a word for one."""
    head = element.line.strip().split(" ", 1)[0]
    return element.role not in (Role.BUTTON, Role.LINK, Role.PAGE, Role.FIELD) and "filtered" in meanings(head)
