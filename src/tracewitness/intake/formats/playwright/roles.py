"""What an element is, as accessibility trees call it: its role, and what it shows of its own state."""

from tracewitness.intake.formats.playwright.dom import FRAME_TAGS, Element, elements_of

MASKED = "[redacted:password]"
"""Stands for what a password field holds."""

_TAGS = {
    "BUTTON": "button",
    "SUMMARY": "button",
    "TEXTAREA": "textbox",
    "SELECT": "combobox",
    "OPTION": "option",
    "UL": "list",
    "OL": "list",
    "LI": "listitem",
    "TABLE": "table",
    "TR": "row",
    "TD": "cell",
    "TH": "columnheader",
    "DIALOG": "dialog",
    "PROGRESS": "progressbar",
    "NAV": "navigation",
    "MAIN": "main",
    "ARTICLE": "article",
    "FIELDSET": "group",
    "OUTPUT": "status",
    "IFRAME": "iframe",
    "FRAME": "iframe",
    **{f"H{level}": "heading" for level in range(1, 7)},
}
_INPUTS = {
    "button": "button",
    "submit": "button",
    "reset": "button",
    "image": "button",
    "checkbox": "checkbox",
    "radio": "radio",
    "range": "slider",
    "number": "spinbutton",
    "search": "searchbox",
}
_NOTHING = frozenset(
    {"", "none", "presentation", "generic", "form", "banner", "contentinfo", "document", "application"}
)
VALUED = frozenset({"textbox", "searchbox", "spinbutton", "slider", "combobox"})
TOGGLED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})


def role_of(element: Element) -> str | None:
    """Return the role of an element; None for one that only holds others."""
    given = element.attributes.get("role", "").split(" ")[0].casefold()
    if given and given.isascii() and given.isalpha():
        return None if given in _NOTHING else given
    if element.tag == "INPUT":
        return _INPUTS.get(element.attributes.get("type", "text").casefold(), "textbox")
    if element.tag == "A":
        return "link" if "href" in element.attributes else None
    if element.tag == "IMG":
        return "img" if element.attributes.get("alt", "").strip() else None
    if element.tag == "SECTION":
        return "region" if element.attributes.get("aria-label") else None
    if element.attributes.get("contenteditable", "false").casefold() in ("", "true", "plaintext-only"):
        return "textbox"
    return _TAGS.get(element.tag)


def is_password(element: Element) -> bool:
    """Tell whether what an element holds is a password, by its type or by what a browser is told to fill in."""
    if element.tag != "INPUT":
        return False
    kind, filled = element.attributes.get("type", ""), element.attributes.get("autocomplete", "")
    return kind.casefold() == "password" or "password" in filled.casefold()


def frame_of(element: Element) -> str | None:
    """Return the frame that an element shows, as its snapshots name it; None for other elements."""
    if element.tag not in FRAME_TAGS:
        return None
    return element.attributes.get("src", element.attributes.get("__playwright_src__", "")).removeprefix("/snapshot/")


def held_value(element: Element) -> str:
    """Return what a field holds, as it is."""
    attributes = element.attributes
    return attributes.get("__playwright_value_", attributes.get("value", ""))


def shown_value(element: Element) -> str | None:
    """Return what a field shows; a password is masked. None where the element has no value of its own."""
    if element.tag == "SELECT":
        return _selected(element)
    if element.tag in ("INPUT", "TEXTAREA"):
        value = held_value(element)
        return MASKED if value and is_password(element) else value
    return element.attributes.get("aria-valuetext") or element.attributes.get("aria-valuenow")


def _selected(element: Element) -> str:
    options = [one for one in elements_of(element) if one.tag == "OPTION"]
    marked = [one for one in options if one.attributes.get("__playwright_selected_") == "true"]
    if not any("__playwright_selected_" in one.attributes for one in options):
        marked = [one for one in options if "selected" in one.attributes] or options[:1]
    return ", ".join(" ".join("".join(t for t in one.children if isinstance(t, str)).split()) for one in marked)


def marks_of(element: Element, role: str) -> str:
    """Return the state of an element as accessibility trees write it, such as `` [checked] [disabled]``."""
    attributes = element.attributes
    marks: list[str] = []
    if role == "heading":
        level = attributes.get("aria-level") or element.tag[1:]
        marks.append(f"[level={level}]" if level.isdigit() else "")
    if role in TOGGLED or "aria-pressed" in attributes:
        marks.append("[checked]" if _is_on(element) else "")
    if attributes.get("aria-selected") == "true":
        marks.append("[selected]")
    if "disabled" in attributes or attributes.get("aria-disabled") == "true":
        marks.append("[disabled]")
    if attributes.get("aria-invalid", "false") not in ("false", ""):
        marks.append("[invalid]")
    return "".join(f" {mark}" for mark in marks if mark)


def _is_on(element: Element) -> bool:
    attributes = element.attributes
    for key in ("__playwright_checked_", "aria-checked", "aria-pressed"):
        if key in attributes:
            return attributes[key] == "true"
    return "checked" in attributes
