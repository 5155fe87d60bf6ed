"""Tool results in JSON, and fragments of HTML."""

import html
import json
import re
from typing import Any, cast

from tracewitness.trace_side.folding import quick_fold
from tracewitness.trace_side.notation_tree import add_inner_text, draft_of_tag
from tracewitness.trace_side.reading_elements import Draft, TextReading
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.tool_calls import spelled

JSON_LIMIT = 4_000_000
"""Largest JSON text read, in characters."""
ELEMENT_LIMIT = 20_000
DEPTH_LIMIT = 60

_TOOL_PREFIX = re.compile(r"\s*(?:TOOL|RESULT|OUTPUT|RESPONSE):\s*", re.IGNORECASE)
_ERROR_KEYS = frozenset({"error", "errors", "exception", "error_message", "errormessage", "stderr", "err", "traceback"})
_MESSAGE_KEYS = frozenset({"message", "msg", "detail", "details", "notice", "result", "output", "reason"})
_GONE_KEYS = frozenset(
    {"deleted", "removed", "cancelled", "canceled", "archived", "trashed", "revoked", "unsubscribed", "uninstalled"}
)
_SILENT = frozenset({"", "null", "none", "false", "0", "[]", "{}"})
_NAME_KEYS = ("name", "title", "subject", "label", "file", "filename", "path", "id")
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)((?:\s+[^<>]*?)?)/?>")
_HTML_ATTRIBUTE = re.compile(r"""([\w:-]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_LOOKS_HTML = re.compile(
    r"\s*<(?:!doctype\s+html|html|head|body|div|p|b|i|span|table|ul|ol|form|section|main|article|h[1-6]|a|nav|header)\b",
    re.IGNORECASE,
)
_WIDGETS = frozenset(
    {"button", "input", "select", "textarea", "a", "option", "h1", "h2", "h3", "h4", "label", "dialog"}
)
_VOID = frozenset({"input", "img", "br", "hr", "meta", "link"})
_UNSHOWN = re.compile(
    r"""(?:^|\s)hidden(?=\s|$|/|=)|\btype\s*=\s*["']?hidden\b|display\s*:\s*none|visibility\s*:\s*hidden""", re.I
)
_HIDDEN = frozenset({"script", "style", "noscript", "template", "svg"})


def read_json(text: str) -> TextReading | None:
    """Return what a JSON text holds: scalars as fields named by their path, objects in lists as rows; None if no JSON.

    A key that names an error is an error unless it is empty; ``ok``/``success`` false is one too.
    """
    prefix = _TOOL_PREFIX.match(text)
    body = (text[prefix.end() :] if prefix else text).strip()
    if not body or body[0] not in "{[" or body[-1] not in "}]" or len(body) > JSON_LIMIT:
        return None
    try:
        content: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    flat = _Flat()
    flat.take(content, "", 0)
    lists = any(draft.role in {Role.ROW, Role.GROUP, Role.EMPTY_STATE} for draft in flat.drafts)
    return TextReading(drafts=flat.drafts, unreadable=flat.cut, partial=not lists)


class _Flat:
    """Collects the elements of a JSON value; ``cut`` says that a cap left something out."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.cut = False

    def take(self, value: Any, path: str, depth: int, nesting: int = 0) -> None:
        """Take a value.

        Args:
            value: The value.
            path: Its key path.
            depth: Depth of its elements in the scene.
            nesting: Number of objects and lists around it.
        """
        if nesting > DEPTH_LIMIT or len(self.drafts) >= ELEMENT_LIMIT:
            self.cut = True
        elif isinstance(value, dict):
            for key, part in cast("dict[str, Any]", value).items():
                self.take(part, f"{path}.{key}" if path else key, depth, nesting + 1)
        elif isinstance(value, list):
            self._take_list(cast("list[Any]", value), path or "items", depth, nesting + 1)
        else:
            self.drafts.append(_draft_of_scalar(value, path, depth))

    def _take_list(self, items: list[Any], name: str, depth: int, nesting: int) -> None:
        if not items:
            self.drafts.append(Draft(Role.EMPTY_STATE, name, "[]", line=f"{name} = []", depth=depth, fixed=True))
            return
        if _says_gone(name) and all(isinstance(item, str) for item in items):
            self.drafts.append(_gone(name, ", ".join(items), depth))
            return
        header = f"{name} ({len(items)})"
        self.drafts.append(Draft(Role.GROUP, header, line=header, depth=depth))
        for place, item in enumerate(items):
            if len(self.drafts) >= ELEMENT_LIMIT:
                self.cut = True
                return
            self._take_item(item, f"{name}[{place}]", depth + 1, nesting)

    def _take_item(self, item: Any, path: str, depth: int, nesting: int) -> None:
        if isinstance(item, dict):
            self._take_row(cast("dict[str, Any]", item), path, depth, nesting + 1)
        elif isinstance(item, list):
            self.take(item, path, depth, nesting + 1)
        else:
            said = _said(item)
            self.drafts.append(Draft(Role.ROW, said, said, line=said, depth=depth))

    def _take_row(self, item: dict[str, Any], path: str, depth: int, nesting: int) -> None:
        flat = {key: value for key, value in item.items() if not isinstance(value, dict | list)}
        whole = ", ".join(f"{key}: {_said(value)}" for key, value in flat.items())
        name = next((_said(flat[key]) for key in _NAME_KEYS if flat.get(key) not in {None, ""}), whole)
        self.drafts.append(Draft(Role.ROW, name, whole, line=whole or path, depth=depth))
        for key, value in item.items():
            if key not in flat:
                self.take(value, f"{path}.{key}", depth + 1, nesting)


def _said(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _draft_of_scalar(value: Any, path: str, depth: int) -> Draft:
    said = _said(value)
    last = quick_fold(path.rpartition(".")[2])
    if _says_gone(path) and isinstance(value, str) and said.strip().casefold() not in _SILENT:
        return _gone(path, said, depth)
    draft = Draft(Role.TEXT, path or "result", said, line=f"{path} = {said}" if path else said, depth=depth)
    if last in _ERROR_KEYS and said.strip().casefold() not in _SILENT:
        draft.role, draft.fixed = Role.ERROR, True
    elif last in {"ok", "success", "succeeded"} and value is False:
        draft.role, draft.fixed = Role.ERROR, True
    elif last not in _MESSAGE_KEYS:
        draft.fixed = True
    if isinstance(value, bool) and last not in {"ok", "success"}:
        draft.name, draft.on = spelled(path) or draft.name, value
    return draft


def _says_gone(path: str) -> bool:
    return quick_fold(path.rpartition(".")[2]) in _GONE_KEYS


def _gone(path: str, said: str, depth: int) -> Draft:
    """Return the message that something is gone (``deleted = Foo``), which is no sight of it."""
    return Draft(Role.STATUS, f"{path}: {said}", line=f"{path} = {said}", depth=depth, fixed=True)


def looks_like_html(text: str) -> bool:
    """Return whether a text is HTML by its first characters."""
    return _LOOKS_HTML.match(text[:200]) is not None


def read_html(text: str) -> TextReading:
    """Return what an HTML text shows: widgets and headings as elements, the rest as text; scripts are left out.

    Tags are cut out by one linear pass, nothing is resolved or run.
    """
    text, cut = _without_comments(text)
    reader = _Html()
    at = 0
    for match in _TAG.finditer(text):
        reader.take_text(text[at : match.start()])
        reader.take_tag(match.group(2).lower(), match.group(3) or "", bool(match.group(1)))
        at = match.end()
    reader.take_text(text[at:])
    reading = reader.close()
    reading.unreadable = reading.unreadable or cut
    return reading


def _without_comments(text: str) -> tuple[str, bool]:
    """Return a text without its HTML comments, and whether one of them never ends (the rest is left out then)."""
    pieces: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        pieces.append(text[at:start])
        end = text.find("-->", start)
        if end < 0:
            return "".join(pieces), True
        at = end + 3
    pieces.append(text[at:])
    return "".join(pieces), False


class _Html:
    """Collects the elements of an HTML text."""

    def __init__(self) -> None:
        self._drafts: list[Draft] = []
        self._words: list[str] = []
        self._widget: tuple[str, Draft] | None = None
        self._hidden = ""
        self._hidden_depth = 0
        self._title = ""
        self._in_title = False

    def take_text(self, source: str) -> None:
        """Take what stands between two tags."""
        text = " ".join(html.unescape(source).split()) if source.strip() else ""
        if not text or self._hidden:
            return
        if self._in_title:
            self._title = text
        elif self._widget is not None:
            add_inner_text(self._widget[1], text)
        else:
            self._words.append(text)

    def take_tag(self, tag: str, source: str, closing: bool) -> None:
        """Take one tag."""
        if self._skips(tag, source, closing):
            return
        self._in_title = tag == "title" and not closing
        if self._widget is not None and closing and tag == self._widget[0]:
            self._widget = None
        if tag in _WIDGETS and not closing:
            self._flush()
            found = _HTML_ATTRIBUTE.findall(source)
            draft = draft_of_tag(tag, {name.lower(): value.strip("\"'") for name, value in found}, "", 0)
            self._drafts.append(draft)
            self._widget = None if tag in _VOID else (tag, draft)
        elif tag not in {"b", "i", "em", "strong", "span", "a", "sub", "sup", "small", "code"} and not closing:
            self._flush()

    def _skips(self, tag: str, source: str, closing: bool) -> bool:
        """Return whether a tag opens, stands in or closes a part that is not shown."""
        if self._hidden:
            if tag == self._hidden:
                self._hidden_depth += -1 if closing else 1
                self._hidden = self._hidden if self._hidden_depth else ""
            return True
        if closing or not (tag in _HIDDEN or _UNSHOWN.search(source)):
            return False
        if tag not in _VOID:
            self._flush()
            self._hidden, self._hidden_depth = tag, 1
        return True

    def _flush(self) -> None:
        if self._words:
            text = " ".join(self._words)
            self._drafts.append(Draft(Role.TEXT, text, line=text))
            self._words = []

    def close(self) -> TextReading:
        """Return the reading."""
        self._flush()
        kept = [draft for draft in self._drafts if draft.name or draft.value or draft.on is not None]
        for draft in kept:
            draft.line = draft.line or " ".join(part for part in (draft.name, draft.value) if part)
        return TextReading(
            drafts=kept[:ELEMENT_LIMIT], title=self._title, partial=len(kept) <= 1, unreadable=len(kept) > ELEMENT_LIMIT
        )
