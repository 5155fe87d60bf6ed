"""Which elements of a page are hidden: by what they are, by their attributes, and by the page's style sheets.

A snapshot holds no layout, so a style sheet is asked in a small way: rules whose selectors are made of tags, ids,
classes and attributes, one behind the other (``.modal .note``), and that set ``display`` or ``visibility``. Rules
inside conditions such as ``@media`` and selectors of any other kind are left out, which shows rather more than less.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tracewitness.intake.formats.playwright.dom import Element

_NEVER_SHOWN = frozenset(
    "SCRIPT STYLE HEAD META LINK BASE TITLE NOSCRIPT DATALIST PARAM SOURCE TRACK AREA COL COLGROUP OBJECT".split()
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*([a-z-]+)")
_VISIBILITY = re.compile(r"(?:^|;)\s*visibility\s*:\s*([a-z-]+)")
_COMPOUND = re.compile(r"(?:[a-zA-Z][\w-]*|\*)?(?:[#.][\w-]+|\[[\w-]+\])*")
_PART = re.compile(r"([#.]?)([\w-]+|\*)|\[([\w-]+)\]")
_MOST_RULES = 2000
_MOST_SHEET = 2_000_000
_MOST_KEPT = 64 * 1024 * 1024
_MOST_OF_ANY = 100
_LONGEST_SELECTORS = 2000
_MOST_PARTS = 6


@dataclass(frozen=True, slots=True)
class _Compound:
    """``tag#id.class[attribute]``."""

    tag: str
    id: str
    classes: frozenset[str]
    attributes: frozenset[str]

    def fits(self, element: Element) -> bool:
        """Tell whether an element is meant."""
        attributes = element.attributes
        return (
            (not self.tag or self.tag == element.tag)
            and (not self.id or attributes.get("id") == self.id)
            and (not self.classes or self.classes <= set(attributes.get("class", "").split()))
            and self.attributes <= attributes.keys()
        )

    @property
    def weight(self) -> tuple[int, int, int]:
        """How much the part counts against another rule's."""
        return (bool(self.id), len(self.classes) + len(self.attributes), bool(self.tag))


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a style sheet that shows or hides: its selector, how much it counts, and what it says."""

    parts: tuple[_Compound, ...]
    weight: tuple[int, int, int, int]
    hides: bool


class RuleBook:
    """The rules of style sheets, each sheet read once; pages repeat theirs at every snapshot."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Rule, ...]] = {}
        self._kept = 0

    def rules_of(self, sheets: Iterable[str]) -> tuple[Rule, ...]:
        """Return the rules of style sheets that show or hide elements, in order."""
        found: list[Rule] = []
        for sheet in sheets:
            if sheet not in self._read:
                if self._kept > _MOST_KEPT:
                    self._read.clear()
                    self._kept = 0
                self._read[sheet] = tuple(islice(_rules_in(sheet), _MOST_RULES))
                self._kept += len(sheet)
            found += self._read[sheet]
        return tuple(found[:_MOST_RULES])


def _rules_in(sheet: str) -> Iterator[Rule]:
    for block in _without_conditions(_COMMENT.sub("", sheet[:_MOST_SHEET])).split("}"):
        selectors, _, body = block.rpartition("{")
        said = body.casefold()
        display, visibility = _DISPLAY.findall(said), _VISIBILITY.findall(said)
        if not selectors or len(selectors) > _LONGEST_SELECTORS or not (display or visibility):
            continue
        hides = display[-1:] == ["none"] or visibility[-1:] in (["hidden"], ["collapse"])
        important = int("!important" in said)
        for one in selectors.split(","):
            rule = _rule(one.strip(), hides, important)
            if rule is not None:
                yield rule


def _without_conditions(sheet: str) -> str:
    """Return a style sheet without what stands inside ``@media`` and its like."""
    kept: list[str] = []
    depth = skipping = start = 0
    for mark in re.finditer(r"[{}]|@[a-z-]+", sheet):
        if mark.group() == "{":
            depth += 1
        elif mark.group() == "}":
            depth = max(depth - 1, 0)
            if skipping and depth < skipping:
                skipping, start = 0, mark.end()
        elif not skipping and depth == 0:
            kept.append(sheet[start : mark.start()])
            skipping, start = 1, mark.end()
    if not skipping:
        kept.append(sheet[start:])
    return "".join(kept)


def _rule(selector: str, hides: bool, important: int) -> Rule | None:
    words = selector.replace(">", " ").split()
    if not words or len(words) > _MOST_PARTS or not all(_COMPOUND.fullmatch(word) for word in words):
        return None
    parts = tuple(map(_compound, words))
    weights = [part.weight for part in parts]
    ids, classes, tags = (sum(column) for column in zip(*weights, strict=True))
    return Rule(parts, (important, ids, classes, tags), hides)


def _compound(word: str) -> _Compound:
    tag, name, classes, attributes = "", "", set[str](), set[str]()
    for mark, text, attribute in _PART.findall(word):
        if attribute:
            attributes.add(attribute)
        elif mark == "#":
            name = text
        elif mark == ".":
            classes.add(text)
        elif text != "*":
            tag = text.upper()
    return _Compound(tag, name, frozenset(classes), frozenset(attributes))


def hidden_in(root: Element, rules: Sequence[Rule]) -> frozenset[int]:
    """Return the identities (``id``) of the elements of a page that are hidden; what is below them is so too."""
    index = _Index(rules)
    hidden: set[int] = set()
    pending: list[tuple[Element, tuple[Element, ...]]] = [(root, ())]
    while pending:
        element, above = pending.pop()
        if _is_hidden(element, above, index.for_element(element)):
            hidden.add(id(element))
            continue
        inner = (element, *above)[: _MOST_PARTS * 4]
        closed = element.tag == "DETAILS" and "open" not in element.attributes
        for child in element.children:
            if isinstance(child, Element):
                if closed and child.tag != "SUMMARY":
                    hidden.add(id(child))
                else:
                    pending.append((child, inner))
    return frozenset(hidden)


class _Index:
    """Rules by what their last part names, so that few of them are tried on each element."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._by_key: dict[str, list[tuple[int, Rule]]] = {}
        for at, rule in enumerate(rules):
            last = rule.parts[-1]
            key = f".{min(last.classes)}" if last.classes else f"#{last.id}" if last.id else last.tag
            self._by_key.setdefault(key, []).append((at, rule))
        self._of_any = self._by_key.pop("", [])[-_MOST_OF_ANY:]

    def for_element(self, element: Element) -> list[tuple[int, Rule]]:
        """Return the rules that may fit an element, each with its place."""
        attributes, found = element.attributes, [*self._of_any, *self._by_key.get(element.tag, ())]
        if "id" in attributes:
            found += self._by_key.get(f"#{attributes['id']}", ())
        for name in attributes.get("class", "").split()[:_MOST_OF_ANY]:
            found += self._by_key.get(f".{name}", ())
        return found


def _is_hidden(element: Element, above: Sequence[Element], rules: Iterable[tuple[int, Rule]]) -> bool:
    attributes = element.attributes
    if element.tag in _NEVER_SHOWN or (element.tag == "INPUT" and attributes.get("type", "").casefold() == "hidden"):
        return True
    if element.tag == "TEMPLATE":
        return "__playwright_shadow_root_" not in attributes
    if element.tag == "DIALOG" and "open" not in attributes and "__playwright_dialog_open_" not in attributes:
        return True
    if "popover" in attributes and "__playwright_popover_open_" not in attributes:
        return True
    said = attributes.get("style", "").casefold()
    own = _DISPLAY.findall(said)[-1:] or _VISIBILITY.findall(said)[-1:]
    if own:
        return own[0] in ("none", "hidden", "collapse")
    fitting = [(rule.weight, at, rule.hides) for at, rule in rules if _fits(rule, element, above)]
    return max(fitting)[2] if fitting else "hidden" in attributes


def _fits(rule: Rule, element: Element, above: Sequence[Element]) -> bool:
    if not rule.parts[-1].fits(element):
        return False
    at = 0
    for part in reversed(rule.parts[:-1]):
        while at < len(above) and not part.fits(above[at]):
            at += 1
        if at == len(above):
            return False
        at += 1
    return True
