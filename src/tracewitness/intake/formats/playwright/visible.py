"""Which elements of a page are hidden: by what they are, by their attributes, and by the page's style sheets.

A snapshot holds no layout, so a style sheet is asked in a small way: rules whose selectors are made of tags, ids,
classes and attributes, one behind the other (``.modal .note``), and that set ``display`` or ``visibility``. Rules
inside conditions such as ``@media`` and selectors of any other kind are left out, which shows rather more than less.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tracewitness.intake.formats.playwright.dom import Element, elements_of

_NEVER_SHOWN = frozenset(
    "SCRIPT STYLE HEAD META LINK BASE TITLE NOSCRIPT DATALIST PARAM SOURCE TRACK AREA COL COLGROUP OBJECT".split()
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]{0,20000})\}")
_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*([a-z-]+)")
_VISIBILITY = re.compile(r"(?:^|;)\s*visibility\s*:\s*([a-z-]+)")
_COMPOUND = re.compile(r"(?:[a-zA-Z][\w-]*|\*)?(?:[#.][\w-]+|\[[\w-]+\])*")
_PART = re.compile(r"([#.]?)([\w-]+|\*)|\[([\w-]+)\]")
_MOST_RULES = 2000
_MOST_SHEET = 2_000_000
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


def rules_of(sheets: Iterable[str]) -> tuple[Rule, ...]:
    """Return the rules of style sheets that show or hide elements, in order."""
    found: list[Rule] = []
    for sheet in sheets:
        flat = _without_conditions(_COMMENT.sub("", sheet[:_MOST_SHEET]))
        for selectors, body in _RULE.findall(flat):
            said = body.casefold()
            display, visibility = _DISPLAY.findall(said), _VISIBILITY.findall(said)
            if not display and not visibility:
                continue
            hides = display[-1:] == ["none"] or visibility[-1:] in (["hidden"], ["collapse"])
            important = int("!important" in said)
            found += [rule for one in selectors.split(",") if (rule := _rule(one.strip(), hides, important))]
            if len(found) >= _MOST_RULES:
                return tuple(found[:_MOST_RULES])
    return tuple(found)


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


def sheets_of(root: Element) -> list[str]:
    """Return the style sheets that stand in a page itself."""
    sheets: list[str] = []
    for one in elements_of(root):
        if one.tag == "STYLE":
            sheets += [child for child in one.children if isinstance(child, str)]
        sheet = one.attributes.get("__playwright_style_sheet_")
        sheets += [sheet] if sheet else []
    return sheets


def hidden_in(root: Element, rules: Sequence[Rule]) -> frozenset[int]:
    """Return the identities (``id``) of the elements of a page that are hidden; what is below them is so too."""
    by_class, others = _indexed(rules)
    hidden: set[int] = set()
    pending: list[tuple[Element, tuple[Element, ...]]] = [(root, ())]
    while pending:
        element, above = pending.pop()
        candidates = [*others]
        for name in element.attributes.get("class", "").split():
            candidates += by_class.get(name, ())
        if _is_hidden(element, above, candidates):
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


def _indexed(rules: Sequence[Rule]) -> tuple[dict[str, list[tuple[int, Rule]]], list[tuple[int, Rule]]]:
    """Sort rules by a class of their last part, so that few of them are tried on each element."""
    by_class: dict[str, list[tuple[int, Rule]]] = {}
    others: list[tuple[int, Rule]] = []
    for at, rule in enumerate(rules):
        classes = rule.parts[-1].classes
        (by_class.setdefault(min(classes), []) if classes else others).append((at, rule))
    return by_class, others


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
