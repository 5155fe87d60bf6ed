"""UI dumps in XML: uiautomator, Appium (Android and iOS), page sources that are well-formed XML."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element as XmlElement

from defusedxml import ElementTree as SafeTree
from defusedxml.common import DefusedXmlException

from tracewitness.trace_side.reading_elements import Draft, TextReading, role_of_word
from tracewitness.trace_side.scene import Role

SIZE_LIMIT = 8_000_000
"""Largest dump read, in characters; a phone screen has 20,000 to 300,000."""
NODE_LIMIT = 20_000
DEPTH_LIMIT = 200

_ENCODING = re.compile(r"^\s*<\?xml[^>]*\?>")
_EDIT = re.compile(r"edittext|textfield|textarea|autocomplete|searchfield|securetext|editable", re.IGNORECASE)
_TOGGLE = re.compile(r"switch|toggle|checkbox|radiobutton|checkedtext|compoundbutton", re.IGNORECASE)
_TRUE = frozenset({"true", "1"})
_FALSE = frozenset({"false", "0"})
_CLASS_ROLES = {
    "textview": Role.TEXT,
    "imageview": Role.TEXT,
    "button": Role.BUTTON,
    "imagebutton": Role.BUTTON,
    "spinner": Role.CHOICE,
    "seekbar": Role.FIELD,
    "progressbar": Role.PROGRESS,
    "toast": Role.TOAST,
    "webview": Role.PAGE,
    "cell": Role.ROW,
    "navigationbar": Role.PAGE,
    "view": Role.TEXT,
    "image": Role.TEXT,
    "alert": Role.DIALOG,
}


@dataclass(slots=True)
class _Walk:
    """State of the walk over a dump."""

    drafts: list[Draft] = field(default_factory=list[Draft])
    starts: list[int] = field(default_factory=list[int])
    unnamed: list[tuple[int, tuple[int, ...]]] = field(default_factory=list[tuple[int, tuple[int, ...]]])
    spans: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    nodes: int = 0
    cut: bool = False


def looks_like_xml(text: str) -> bool:
    """Return whether a text is a UI dump in XML by its first characters."""
    head = text[:400].lstrip("\ufeff \t\r\n")
    return head.startswith(
        ("<?xml", "<hierarchy", "<node", "<XCUI", "<AppiumAUT", "<android.", "<UIAWindow", "<window ")
    )


def read_xml(text: str) -> TextReading:
    """Return what a UI dump shows; a broken, oversized or booby-trapped dump gives an unreadable reading, no error."""
    if len(text) > SIZE_LIMIT:
        return TextReading(unreadable=True, partial=True)
    try:
        root: XmlElement = SafeTree.fromstring(_ENCODING.sub("", text.lstrip("\ufeff")), forbid_dtd=True)
    except (SafeTree.ParseError, DefusedXmlException, ValueError, RecursionError):
        return TextReading(unreadable=True, partial=True)
    walk = _Walk()
    _visit(root, walk)
    _name_toggles(walk)
    drafts = [draft for draft in walk.drafts if draft.name or draft.value or draft.on is not None or draft.resource]
    for draft in drafts:
        draft.line = render(draft)
    title = next((draft.name for draft in drafts if draft.role is Role.PAGE and draft.name), "")
    return TextReading(drafts=drafts, title=title, unreadable=walk.cut, partial=walk.cut or not drafts)


def _visit(root: XmlElement, walk: _Walk) -> None:
    """Walk the tree without recursion, depth first in document order, within the caps."""
    stack: list[tuple[XmlElement, int, int]] = [(root, 0, -1)]
    trail: list[int] = []
    while stack:
        node, depth, closing = stack.pop()
        if closing >= 0:
            walk.spans[closing] = (walk.starts[closing], len(walk.drafts))
            trail.pop()
            continue
        walk.nodes += 1
        if walk.nodes > NODE_LIMIT or depth > DEPTH_LIMIT:
            walk.cut = True
            continue
        place = len(walk.starts)
        walk.starts.append(len(walk.drafts))
        trail.append(place)
        _take(node, depth, trail, walk)
        stack.append((node, depth, place))
        stack.extend((child, depth + 1, -1) for child in reversed(node))


def _take(node: XmlElement, depth: int, trail: list[int], walk: _Walk) -> None:
    facts = node.attrib
    if facts.get("visible") == "false" or facts.get("displayed") == "false":
        return
    draft = _draft_of(node.tag, facts, depth)
    if draft is None:
        return
    if not draft.name and draft.on is not None:
        walk.unnamed.append((len(walk.drafts), tuple(trail)))
    walk.drafts.append(draft)


def _draft_of(tag: str, facts: dict[str, str], depth: int) -> Draft | None:
    text = facts.get("text") or facts.get("value") or ""
    described = facts.get("content-desc") or facts.get("label") or facts.get("name") or ""
    kind = (facts.get("class") or facts.get("type") or tag).rpartition(".")[2]
    kind = kind.removeprefix("XCUIElementType")
    role = _role_of(kind, facts)
    if not (text or described) and role not in {Role.FIELD, Role.SWITCH}:
        return None
    resource = facts.get("resource-id") or ""
    draft = Draft(role, text or described, depth=depth, resource=resource, enabled=facts.get("enabled") not in _FALSE)
    if role is Role.FIELD:
        hint = facts.get("hint") or described or resource.rpartition("/")[2]
        draft.name, draft.value = hint, text
    elif role is Role.SWITCH:
        draft.on = (facts.get("checked") or facts.get("value")) in _TRUE
        draft.name = described if facts.get("value") else _toggle_name(text, described)
    elif described and text and described != text:
        draft.value = described
    return draft


def _toggle_name(text: str, described: str) -> str:
    """Return the label of a toggle; its own text may be only its state ("ON"), which names nothing."""
    if text.strip().casefold() in {"on", "off"}:
        return described
    return text or described


def _role_of(kind: str, facts: dict[str, str]) -> Role:
    lower = kind.lower()
    if _EDIT.search(lower):
        return Role.FIELD
    if _TOGGLE.search(lower) or facts.get("checkable") in _TRUE:
        return Role.SWITCH
    role = _CLASS_ROLES.get(lower) or role_of_word(lower) or Role.TEXT
    if role is Role.FIELD and lower != "seekbar":
        role = Role.TEXT
    if role is Role.TEXT and facts.get("clickable") in _TRUE:
        return Role.ROW
    return role if role is not Role.GROUP else Role.TEXT


def _name_toggles(walk: _Walk) -> None:
    """Give a toggle without a label the first text of its row.

    The row is the nearest node around the toggle that holds a text; a node with a second toggle is no row any more.
    """
    for place, trail in walk.unnamed:
        for around in reversed(trail):
            start, end = walk.spans.get(around, (place, place + 1))
            inside = walk.drafts[start:end]
            if sum(1 for draft in inside if draft.on is not None) > 1:
                break
            label = next((d.name for d in inside if d.on is None and d.name and d.role is not Role.FIELD), "")
            if label:
                walk.drafts[place].name = label
                break


def render(draft: Draft) -> str:
    """Return the one line by which an element of a tree is quoted: ``switch 'Wi-Fi' [on]``."""
    return " ".join(_pieces(draft))


def _pieces(draft: Draft) -> Iterator[str]:
    yield draft.role.value
    if draft.name:
        yield f"'{draft.name}'"
    if draft.value is not None:
        yield f"= '{draft.value}'"
    if draft.on is not None:
        yield "[on]" if draft.on else "[off]"
    if not draft.enabled:
        yield "(disabled)"
