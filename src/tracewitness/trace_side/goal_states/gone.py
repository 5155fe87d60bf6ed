"""Goals that ask for something to be removed."""

import re
from dataclasses import dataclass, field

from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import label_meanings, meanings
from tracewitness.trace_side.kinds import Kind
from tracewitness.trace_side.names import element_texts, near_form_in, typed_values
from tracewitness.trace_side.reading import Reading, no, unknown, yes
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import MESSAGES, View
from tracewitness.values.answers import DateValue, TimeValue
from tracewitness.values.folding import fold

_COUNT = re.compile(r"\((\d+)\)")
_STATUS = frozenset({"status", "state"})
_ALIKE = 5


@dataclass
class ListMemory:
    """The lists in which the object was seen, so that its absence from one of them can be told from another screen.

    Attributes:
        titles: Their titles, without counts.
        row_keys: The keys of what they showed.
        urls: Their addresses.
        named: An entry called as the task says was seen.
        initial: The entries that stood there before the first change, for tasks that mean all of them.
        total: How many entries there were in all while the object was there, where the result said so.
        trashed: A message said that something was moved to the trash.
    """

    titles: set[str] = field(default_factory=set[str])
    row_keys: set[str] = field(default_factory=set[str])
    urls: set[str] = field(default_factory=set[str])
    named: bool = False
    initial: frozenset[str] = frozenset()
    total: int | None = None
    trashed: bool = False

    def remember(self, view: View) -> None:
        """Note a scene that shows the object."""
        if view.scene.title:
            self.titles.add(_plain_title(view.scene.title))
        if view.scene.url:
            self.urls.add(view.scene.url)
        self.total = view.total
        headers = (Role.PAGE, Role.HEADING)
        self.row_keys.update(e.key for place in view.content() if (e := view.elements[place]).role not in headers)

    def is_same_list(self, view: View) -> bool:
        """Return whether a scene shows one of the remembered lists."""
        if view.scene.title and _plain_title(view.scene.title) in self.titles:
            return True
        if any(view.elements[place].key in self.row_keys for place in view.rows()):
            return True
        return bool(view.scene.url and view.scene.url in self.urls and not view.has_fields)

    def lacks(self, view: View) -> bool:
        """Return whether a scene shows a remembered list, whole and unfiltered, without what was remembered.

        A page of the same title with nothing else in common may be another tab, so one more element must be the same.
        """
        scene = view.scene
        if scene.partial or scene.stale or view.filtered or view.goes_on or view.dialog is not None:
            return False
        same_title = bool(scene.title) and _plain_title(scene.title) in self.titles
        return same_title and any(view.elements[place].key in self.row_keys for place in view.content())


def _plain_title(title: str) -> str:
    return "".join(c for c in fold(title) if not c.isdigit() and c not in "()*").strip()


def read_gone(patterns: GoalPatterns, view: View, memory: ListMemory, kind: Kind | None) -> Reading:
    """Return whether the scene shows the object, or a list that held it and no longer does.

    The object is one that the task names or, where no entry is named so, one of the kind that it describes. A screen on
    which the object never was says nothing by not showing it; nor does a filtered, partial or stale one.
    """
    memory.trashed = memory.trashed or any(
        e.role in MESSAGES and "trash_place" in meanings(e.name) for e in view.elements
    )
    present = _present(patterns, view, kind, memory)
    ended = _ended_record(patterns, view) if present is not None else None
    if ended is not None:
        return yes(view.scene, ended)
    if present is not None:
        if not _in_trash(view) or "permanent" in meanings(patterns.goal.text):
            memory.remember(view)
            return no(view.scene, present)
        return yes(view.scene, present)
    if view.scene.partial or view.scene.stale or _narrowed(patterns, view) or view.dialog is not None:
        return unknown(view.scene)
    sign = _anchor(view)
    if sign is None:
        return unknown(view.scene)
    if view.goes_on and patterns.goal.every:
        return unknown(view.scene)
    if memory.trashed and "permanent" in meanings(patterns.goal.text) and not _in_trash(view):
        return unknown(view.scene)
    if memory.is_same_list(view):
        # As many entries as before: another stretch of the list is shown.
        shifted = memory.total is not None and view.total == memory.total
        return unknown(view.scene) if shifted else yes(view.scene, sign)
    empty = view.empty_sign
    if empty is not None and _concerned(patterns, f"{view.header} | {_first_line(view)} | {empty.name}"):
        return yes(view.scene, empty)
    return unknown(view.scene)


def _ended_record(patterns: GoalPatterns, view: View) -> Element | None:
    """Return the status of a record that a tool returned, where it says that what was asked for is done.

    A reservation with the status "cancelled" is cancelled, though the record still names it.
    """
    if not view.elements or any(" = " not in e.line for e in view.elements):
        return None
    for element in view.elements:
        said = fold(element.value or "")
        alike = any(said[:_ALIKE] == word[:_ALIKE] for word in patterns.words if len(word) >= _ALIKE)
        if fold(element.name).rpartition(".")[2] in _STATUS and len(said) >= _ALIKE and alike:
            return element if "success" in meanings(said) else None
    return None


def _narrowed(patterns: GoalPatterns, view: View) -> bool:
    """Return whether a search, or a filter by something the task does not speak of, narrows the list.

    A status filter set to what the task asks about ("Status: Failed" for failed jobs) leaves just the entries meant.
    """
    return any(e.role is Role.FIELD or not patterns.place_in(e.value or e.name) for e in view.narrowing)


def _concerned(patterns: GoalPatterns, text: str) -> bool:
    return (
        patterns.concerns(text) or patterns.place_in(text) or any(target.hinted_in(text) for target in patterns.targets)
    )


def _first_line(view: View) -> str:
    return view.elements[0].name if view.elements else ""


def _present(patterns: GoalPatterns, view: View, kind: Kind | None, memory: ListMemory) -> Element | None:
    for place in view.content():
        element = view.elements[place]
        if element.role in (Role.PAGE, Role.HEADING, Role.GROUP) or _counts_nothing(element):
            continue
        if any(t.known and t.names(element) for t in patterns.targets) and not _of_another_time(patterns, element):
            memory.named = True
            return element
    counted = _counted_elsewhere(patterns, view)
    if counted is not None and not memory.named:
        return counted
    if kind is None or memory.named or _narrowed(patterns, view):
        return None
    for place in view.rows():
        element = view.elements[place]
        of_kind = element.key in memory.initial if kind.whole_list else kind.holds(view.block(place))
        if of_kind and not _counts_nothing(element) and not _leads_elsewhere(element):
            return element
    return None


def _of_another_time(patterns: GoalPatterns, element: Element) -> bool:
    """Return whether an entry has another day or time than the task gives: the class at 19:00, not the one at 7:00."""
    shown = typed_values(element.line, patterns.language)
    for kind in (DateValue, TimeValue):
        asked = [v for v in patterns.goal.typed_values if isinstance(v, kind)]
        there = [v for v in shown if isinstance(v, kind)]
        if asked and there and not any(v in asked for v in there):
            return True
    return False


def _counted_elsewhere(patterns: GoalPatterns, view: View) -> Element | None:
    """Return a tab that tells how many of the kind there are ("Expired (3)"), where its word tells the tabs apart."""
    tabs = [e for e in view.elements if e.role is Role.TAB]
    for word in patterns.words:
        held = [tab for tab in tabs if near_form_in(word, fold(tab.name)) or near_form_in(word, fold(tab.line))]
        if 0 < len(held) < len(tabs):
            count = _COUNT.search(held[0].line)
            if count and int(count.group(1)) > 0:
                return held[0]
    return None


def _leads_elsewhere(element: Element) -> bool:
    """Return whether a link or button-like entry is a control of the page and not an entry of a list."""
    return bool(label_meanings(element.name) & {"save", "send", "create", "remove", "cancel", "more_pages"})


def _counts_nothing(element: Element) -> bool:
    """Return whether an element only says that there is none ("No results for X")."""
    return element.role is Role.EMPTY_STATE or any("empty" in meanings(text) for text in element_texts(element))


def _in_trash(view: View) -> bool:
    return "trash_place" in meanings(view.header)


def _anchor(view: View) -> Element | None:
    if view.empty_sign is not None:
        return view.empty_sign
    rows = list(view.rows())
    if rows:
        return view.elements[rows[0]]
    return view.elements[0] if view.elements else None
