"""Notations of page trees, by line: browser-use lists, accessibility trees, Playwright's YAML, AndroidWorld lists."""

import ast
import json
import re
from typing import Any, cast

from tracewitness.trace_side.notation_plain import apply_attribute, read_plain
from tracewitness.trace_side.reading_elements import Draft, apply_mark, role_of_word, split_row
from tracewitness.trace_side.scene import Role

_INDEXED_TAG = re.compile(r"(?:\|[^|]*\|)?\*?\[(?:\d+|:)?\]\*?<([A-Za-z][\w-]*)\s?(.*)$")
_OLD_INDEXED_TAG = re.compile(r"\*?(\d+|_)\[:\]<([A-Za-z][\w-]*)\s?(.*)$")
_ATTRIBUTE = re.compile(r"(?:^|(?<=\s))([A-Za-z][\w-]*)=")
_BARE_INDEX = re.compile(r"(?:\*?\[[\w.-]{1,12}\]\s+|\d{1,5}\s+(?=[A-Za-z]+ ['\"]))")
_YAML = re.compile(
    r"""- '?(?P<role>[a-z][a-zA-Z]*)(?:\s"(?P<name>(?:[^"\\]|\\.)*)"|\s/(?P<pattern>[^/]*)/)?"""
    r"""(?P<marks>(?:\s\[[^\]]*\])*)'?(?P<colon>:(?:\s(?P<text>.*))?)?$"""
)
_YAML_PROPERTY = re.compile(r"- /(\w+):")
_YAML_MARK = re.compile(r"\[([^\]]*)\]")
_UI_ELEMENT = re.compile(r"(?:UI element|Element)\s+(\d+):?\s*(.*)$", re.IGNORECASE)
_UI_REPR = re.compile(r"(\w+)=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^,()]+)")
_TAG_ROLES = {
    "button": Role.BUTTON,
    "a": Role.LINK,
    "select": Role.CHOICE,
    "option": Role.CHOICE,
    "textarea": Role.FIELD,
    "label": Role.TEXT,
    "h1": Role.HEADING,
    "h2": Role.HEADING,
    "h3": Role.HEADING,
    "h4": Role.HEADING,
    "tr": Role.ROW,
    "li": Role.ROW,
    "td": Role.CELL,
    "th": Role.CELL,
    "dialog": Role.DIALOG,
    "progress": Role.PROGRESS,
    "summary": Role.BUTTON,
    "title": Role.PAGE,
}
_TOGGLE_TYPES = frozenset({"checkbox", "radio"})
_BUTTON_TYPES = frozenset({"submit", "button", "reset", "image"})
_NAME_ATTRIBUTES = ("aria-label", "aria_label", "label", "title", "alt", "placeholder", "name", "id")


def role_of_tag(tag: str, attributes: dict[str, str]) -> Role:
    """Return the role of an HTML element by its ``role`` attribute, its tag and its type."""
    spoken = role_of_word(attributes.get("role", "")) if attributes.get("role") else None
    if spoken is not None and spoken is not Role.TEXT:
        return spoken
    if tag == "input":
        kind = attributes.get("type", "text").lower()
        if kind in _TOGGLE_TYPES:
            return Role.SWITCH
        return Role.BUTTON if kind in _BUTTON_TYPES else Role.FIELD
    return _TAG_ROLES.get(tag, Role.TEXT if tag in {"span", "p", "div", "strong", "em", "img"} else Role.OTHER)


def draft_of_tag(tag: str, attributes: dict[str, str], line: str, depth: int) -> Draft:
    """Return the element of an HTML tag without its inner text; the label comes from the first naming attribute."""
    role = role_of_tag(tag, attributes)
    draft = Draft(role, line=line, depth=depth)
    if role is Role.FIELD:
        draft.value = ""
    if role is Role.SWITCH:
        draft.on = False
    for name, value in attributes.items():
        if name == "value" and role is Role.SWITCH:
            continue
        apply_attribute(draft, name, value)
    if role is Role.BUTTON and draft.value is not None:
        draft.name, draft.value = draft.value, None
    label = next((attributes[name] for name in _NAME_ATTRIBUTES if attributes.get(name)), "")
    draft.name = draft.name or label
    return draft


def read_indexed_tag(line: str, depth: int) -> Draft | None:
    """Return the element of a browser-use line ``*[12]<button aria-label=Save />``, or None for another line."""
    found = _INDEXED_TAG.match(line)
    tag, rest = (found.group(1), found.group(2)) if found else ("", "")
    if not found:
        old = _OLD_INDEXED_TAG.match(line)
        if old is None:
            return None
        tag, rest = old.group(2), old.group(3)
    source, text = _inner_text(rest, tag)
    draft = draft_of_tag(tag.lower(), _attributes(source), line, depth)
    if text:
        add_inner_text(draft, text)
    return draft


def _inner_text(rest: str, tag: str) -> tuple[str, str]:
    """Split what follows the tag name into attributes and inner text (older lists write the text inside the tag)."""
    body = rest.strip()
    closing = f"</{tag}>"
    if body.endswith(closing):
        source, _, text = body[: -len(closing)].partition(">")
        return source.strip(), text.strip()
    if body.endswith("/>"):
        body = body[:-2].rstrip()
        source, found, text = body.partition(">")
        return (source.strip(), text.strip()) if found and "=" not in text else (body, "")
    source, _, text = body.partition(">")
    return source.strip(), text.strip()


def _attributes(source: str) -> dict[str, str]:
    """Return the attributes of an unquoted or quoted list; an unquoted value runs up to the next ``name=``."""
    found = list(_ATTRIBUTE.finditer(source))
    attributes: dict[str, str] = {}
    for place, match in enumerate(found):
        end = found[place + 1].start() if place + 1 < len(found) else len(source)
        attributes[match.group(1)] = source[match.end() : end].strip().strip("'\"")
    return attributes


def add_inner_text(draft: Draft, text: str) -> None:
    """Add a text that stands inside an element: it names a control, a field without a value takes it as its value."""
    if draft.role is Role.FIELD:
        draft.value = draft.value or text
    elif draft.role is Role.CHOICE and draft.name:
        draft.value = text if draft.value is None else f"{draft.value} {text}"
    elif not draft.name or draft.name == text or draft.role in {Role.BUTTON, Role.LINK}:
        draft.name = text if not draft.name or draft.name != text else draft.name
    else:
        draft.name = f"{draft.name} {text}"


def without_index(line: str) -> str:
    """Return an accessibility tree's line without its leading element number."""
    found = _BARE_INDEX.match(line)
    return line[found.end() :] if found else line


def read_tree_line(line: str, depth: int) -> list[Draft] | None:
    """Return the elements of an accessibility tree's line ``[12] checkbox 'A', checked='true'``, or None."""
    bare = without_index(line)
    if bare is line:
        return None
    drafts = read_plain(bare, depth)
    for draft in drafts or ():
        draft.line = line
        if draft.role is Role.SWITCH and draft.on is None:
            draft.on = False
    return drafts


def read_yaml_line(line: str, depth: int) -> list[Draft] | None:
    """Return the elements of a line of Playwright's accessibility YAML ``- button "Save" [disabled]``, or None."""
    if _YAML_PROPERTY.match(line):
        return []
    found = _YAML.match(line)
    if found is None:
        return None
    role = role_of_word(found["role"])
    if role is None and found["name"] is None and not found["marks"]:
        return None
    name = (found["name"] or found["pattern"] or "").replace('\\"', '"')
    draft = Draft(role or Role.OTHER, name, line=line, depth=depth)
    _add_yaml_text(draft, (found["text"] or "").strip(), bool(found["colon"]))
    if draft.role is Role.SWITCH:
        draft.on = False
    for mark in _YAML_MARK.findall(found["marks"] or ""):
        _apply_yaml_mark(draft, mark)
    return [draft]


def _add_yaml_text(draft: Draft, text: str, colon: bool) -> None:
    text = text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
    if draft.role is Role.FIELD or (draft.role is Role.CHOICE and (text or not colon)):
        draft.value = text if text or draft.role is Role.FIELD else None
    elif draft.name and text:
        draft.value = text
    elif text:
        draft.name = text
    if draft.role is Role.ROW:
        whole = f"{draft.name} {draft.value}" if draft.value else draft.name
        draft.name, draft.value = split_row(whole)


def _apply_yaml_mark(draft: Draft, mark: str) -> None:
    name, found, value = mark.partition("=")
    if found:
        apply_attribute(draft, name, value)
    elif mark == "disabled":
        draft.enabled = False
    elif mark != "active":
        apply_mark(draft, mark)


def read_ui_element(line: str, depth: int) -> list[Draft] | None:
    """Return the element of a line ``UI element 3: {"text": ...}`` or ``Element 3: UIElement(text=...)``, or None."""
    found = _UI_ELEMENT.match(line)
    if found is None:
        return None
    facts = _facts(found.group(2))
    if facts is None:
        return None
    return [_draft_of_facts(facts, line, depth)] if facts else []


def _facts(source: str) -> dict[str, Any] | None:
    if source.startswith("{"):
        try:
            read: Any = json.loads(source)
        except (ValueError, RecursionError):
            read = _literal(source)
        return cast("dict[str, Any]", read) if isinstance(read, dict) else None
    if source.startswith("UIElement("):
        return {key: _literal(value) for key, value in _UI_REPR.findall(source[len("UIElement(") :])}
    return None


def _literal(source: str) -> Any:
    try:
        return ast.literal_eval(source.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _draft_of_facts(facts: dict[str, Any], line: str, depth: int) -> Draft:
    text = str(facts.get("text") or "")
    described = str(facts.get("content_description") or facts.get("content_desc") or "")
    hint = str(facts.get("hint_text") or "")
    role = _role_of_facts(facts)
    resource = str(facts.get("resource_name") or facts.get("resource_id") or "")
    draft = Draft(role, described or text, line=line, depth=depth, resource=resource)
    if role is Role.FIELD:
        draft.name, draft.value = hint or described or resource.rpartition("/")[2], text
    elif described and text and described != text:
        draft.name, draft.value = text, described
    if role is Role.SWITCH:
        draft.on = bool(facts.get("is_checked"))
    draft.enabled = facts.get("is_enabled") is not False
    return draft


def _role_of_facts(facts: dict[str, Any]) -> Role:
    if facts.get("is_editable"):
        return Role.FIELD
    spoken = role_of_word(str(facts.get("class_name") or "").rpartition(".")[2])
    if spoken is not None and spoken is not Role.TEXT:
        return spoken
    if facts.get("is_checkable"):
        return Role.SWITCH
    return Role.MENU_ITEM if facts.get("is_clickable") else Role.TEXT
