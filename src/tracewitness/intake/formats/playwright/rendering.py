"""A page as lines: the notation of accessibility trees (``- button "Save" [disabled]``), with what each field holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tracewitness.intake.formats.playwright.dom import Element, elements_of
from tracewitness.intake.formats.playwright.roles import (
    VALUED,
    frame_of,
    held_value,
    is_password,
    marks_of,
    role_of,
    shown_value,
)
from tracewitness.intake.formats.playwright.visible import RuleBook, hidden_in

_INLINE = frozenset(
    "SPAN B I EM STRONG SMALL CODE SUB SUP U S A LABEL TIME ABBR MARK BDI BDO CITE Q KBD VAR DATA FONT INS DEL".split()
)
_NAMED_BY_CONTENT = frozenset(
    "button link heading listitem row cell columnheader rowheader gridcell option menuitem tab treeitem switch "
    "checkbox radio menuitemcheckbox menuitemradio tooltip".split()
)
_WHOLE = frozenset({"button", "link", "heading", "option", "tab", "img", "progressbar", "iframe", *VALUED})
"""Roles of which nothing inside is told: their name says it."""

_OPERATED = frozenset(
    "button link textbox searchbox spinbutton slider combobox checkbox radio switch option menuitem tab".split()
)
_LONGEST_NAME = 300
_MOST_CHARACTERS = 1_000_000
_MOST_VISITS = 1_000_000


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is shown: its title, its lines, and the passwords that its fields hold."""

    title: str
    tree: str
    passwords: frozenset[str]
    cut: bool


def render(
    root: Element,
    more_sheets: Sequence[str] = (),
    rules: RuleBook | None = None,
    inner: Mapping[str, Page] | None = None,
) -> Page:
    """Return what a page shows.

    Args:
        root: The page.
        more_sheets: The style sheets that it is linked to, ahead of its own.
        rules: Keeps the rules of style sheets from page to page.
        inner: What the frames in the page show.
    """
    inner = inner or {}
    survey = _survey(root)
    told = (rules or RuleBook()).rules_of([*more_sheets, *survey.sheets])
    writer = _Writer(hidden_in(root, told), survey.labels, inner)
    writer.line(0, "document", survey.title, "", "", inner=True)
    writer.children(root, 1)
    passwords = frozenset(survey.passwords).union(*(page.passwords for page in inner.values()))
    cut = root.cut or writer.full or any(page.cut for page in inner.values())
    return Page(survey.title, "\n".join(writer.lines), passwords, cut)


def label_of(root: Element, target: Element) -> str:
    """Return how a person would name an element of a page: its name or text, else its role."""
    writer = _Writer(hidden_in(root, ()) - {id(target)}, _survey(root).labels)
    role = role_of(target) or target.tag.casefold()
    around = _label_around(root, target)
    label = writer.text(around) if around is not None else ""
    return writer.name(target, role, label) or writer.text(target)[:_LONGEST_NAME] or role


def _label_around(root: Element, target: Element) -> Element | None:
    """Return the label that an element stands in."""
    pending: list[tuple[Element, Element | None]] = [(root, None)]
    while pending:
        element, around = pending.pop()
        if element is target:
            return around
        inner = element if element.tag == "LABEL" else around
        pending.extend((child, inner) for child in element.children if isinstance(child, Element))
    return None


@dataclass(slots=True)
class _Survey:
    """What is gathered from a page before it is written.

    ``labels`` holds labels by the id that they are for, and every element by its id, for names that stand elsewhere.
    """

    labels: dict[str, Element] = field(default_factory=dict[str, Element])
    sheets: list[str] = field(default_factory=list[str])
    title: str = ""
    passwords: set[str] = field(default_factory=set[str])


def _survey(root: Element) -> _Survey:
    found = _Survey()
    for one in elements_of(root):
        attributes = one.attributes
        if "id" in attributes:
            found.labels.setdefault(attributes["id"], one)
        if one.tag == "LABEL" and attributes.get("for"):
            found.labels.setdefault(f"for {attributes['for']}", one)
        elif one.tag == "TITLE":
            found.title = found.title or _plain(one)
        elif one.tag == "STYLE":
            found.sheets += [child for child in one.children if isinstance(child, str)]
        elif one.tag == "TEMPLATE" and attributes.get("__playwright_style_sheet_"):
            found.sheets.append(attributes["__playwright_style_sheet_"])
        elif is_password(one) and held_value(one):
            found.passwords.add(held_value(one))
    return found


def _plain(element: Element) -> str:
    return " ".join("".join(child for child in element.children if isinstance(child, str)).split())


@dataclass(slots=True)
class _Writer:
    hidden: frozenset[int]
    labels: dict[str, Element]
    inner: Mapping[str, Page] = field(default_factory=dict[str, Page])
    lines: list[str] = field(default_factory=list[str])
    size: int = 0
    visits: int = 0
    full: bool = False

    def line(self, depth: int, role: str, name: str, marks: str, text: str, *, inner: bool = False) -> None:
        """Write one line; beyond the most characters of a page nothing more."""
        escaped = name[:_LONGEST_NAME].replace("\\", "\\\\").replace('"', '\\"')
        quoted = f' "{escaped}"' if name else ""
        self._write(f"{'  ' * depth}- {role}{quoted}{marks}{f': {text}' if text else ':' if inner else ''}")

    def _write(self, line: str) -> None:
        self.full = self.full or self.size + len(line) > _MOST_CHARACTERS
        if not self.full:
            self.lines.append(line)
            self.size += len(line) + 1

    def children(self, element: Element, depth: int, label: str = "") -> None:
        """Write what stands in an element; texts that run on stand in one line."""
        run: list[str] = []

        def flush() -> None:
            words = " ".join("".join(run).split())
            run.clear()
            if words:
                self.line(depth, "text", "", "", words)

        self._inside(element, depth, run, flush, label)
        flush()

    def _inside(self, element: Element, depth: int, run: list[str], flush: Callable[[], None], label: str) -> None:
        for child in element.children:
            if isinstance(child, str):
                run.append(child)
                continue
            if id(child) in self.hidden:
                continue
            if child.tag == "BR":
                flush()
                continue
            role = role_of(child)
            own = self.text(child) if child.tag == "LABEL" else label
            if role is not None:
                flush()
                self._element(child, role, depth, own)
            elif child.tag in _INLINE:
                self._inside(child, depth, run, flush, own)
            else:
                flush()
                self._inside(child, depth, run, flush, own)
                flush()

    def _element(self, element: Element, role: str, depth: int, label: str) -> None:
        name, marks = self.name(element, role, label), marks_of(element, role)
        shown = self.inner.get(frame_of(element) or "")
        if shown is not None:
            self.line(depth, "iframe", name or shown.title, marks, "", inner=True)
            for line in shown.tree.split("\n")[1:]:
                self._write("  " * depth + line)
        elif role in VALUED:
            value = shown_value(element)
            text = self.text(element) if value is None else value
            self.line(depth, role, name, marks, " ".join(text.split()))
        elif role in _WHOLE or not self._holds_elements(element):
            text = "" if role in _NAMED_BY_CONTENT else self.text(element)
            self.line(depth, role, name, marks, "" if text == name else text)
        else:
            self.line(depth, role, name, marks, "", inner=True)
            self.children(element, depth + 1)

    def _holds_elements(self, element: Element) -> bool:
        pending = [element]
        while pending and not self._tired():
            for child in pending.pop().children:
                if isinstance(child, Element) and id(child) not in self.hidden:
                    if role_of(child) is not None:
                        return True
                    pending.append(child)
        return False

    def name(self, element: Element, role: str, label: str = "") -> str:
        """Return the accessible name of an element; empty where it has none."""
        attributes = element.attributes
        referred = [self.labels[one] for one in attributes.get("aria-labelledby", "").split() if one in self.labels]
        given = " ".join(self.text(one) for one in referred) or attributes.get("aria-label", "")
        if not given and (role in VALUED or element.tag == "INPUT"):
            labelled = self.labels.get(f"for {attributes.get('id', '')}")
            given = self.text(labelled) if labelled is not None else label
            if role == "button":
                given = attributes.get("value") or attributes.get("alt") or given
        if not given and role in _NAMED_BY_CONTENT:
            given = self.text(element)
        keys = ("alt", "placeholder", "title", "name") if role in _OPERATED else ("alt", "title")
        given = given or next((attributes[key] for key in keys if attributes.get(key)), "")
        return " ".join(given.split())[:_LONGEST_NAME]

    def text(self, element: Element) -> str:
        """Return the visible text below an element."""
        if len(element.children) == 1 and isinstance(element.children[0], str):
            return " ".join(element.children[0].split())
        words: list[str] = []
        pending: list[Element | str] = [element]
        while pending and not self._tired():
            node = pending.pop()
            if isinstance(node, str):
                words.append(node)
            elif id(node) in self.hidden or node.tag in ("SELECT", "TEXTAREA"):
                continue
            else:
                if node.tag == "IMG" and node.attributes.get("alt"):
                    words.append(f" {node.attributes['alt']} ")
                outside = "" if node.tag in _INLINE else " "
                pending.append(outside)
                pending.extend(reversed(node.children))
                pending.append(outside)
        return " ".join("".join(words).split())

    def _tired(self) -> bool:
        """Count a look at an element; names of what is nested deeply would else take forever on a hostile page."""
        self.visits += 1
        self.full = self.full or self.visits > _MOST_VISITS
        return self.full
