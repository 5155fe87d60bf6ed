"""Searches: which fields search, and whether a search for the very thing came back empty."""

import re
from urllib.parse import parse_qsl, urlsplit

from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.names import Name, plain
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import View

_WAYS = frozenset({"page", "p", "sort", "order", "offset", "limit", "start", "lang", "locale", "view"})
"""Parameters of addresses that say how a list is shown and not what is sought."""

_COUNTING = frozenset({Role.TEXT, Role.STATUS, Role.OTHER, Role.HEADING})
_NONE = re.compile(r"[^\d:：]{1,40}[:：]\s*0|0\s+[^\W\d]{2,30}|[^\d()]{1,40}\(0\)")


def searched_in_vain(patterns: GoalPatterns, view: View) -> Element | None:
    """Return the sign of an empty list that was sought by the very name of the goal's object and by nothing else.

    Such a list says that the object is not there, where any other filter would say nothing.
    """
    if not patterns.targets or view.scene.stale or view.dialog is not None:
        return None
    sign = view.empty_sign or _zero(view)
    if sign is None or any(True for place in view.rows() if _counts(view.elements[place])):
        return None
    sought = _sought(view)
    names = patterns.targets[0]
    return sign if sought and all(_is(names, text) for text in sought) else None


def _zero(view: View) -> Element | None:
    """Return the text that counts no entry at all ("Entries: 0"), or None."""
    texts = (e for e in view.elements if e.role in _COUNTING)
    return next((e for e in texts if _NONE.fullmatch(f"{e.name}: {e.value}" if e.value else e.name)), None)


def _counts(element: Element) -> bool:
    return element.role is Role.ROW and bool(element.value or element.name)


def _sought(view: View) -> list[str]:
    """Return what the list on a screen is narrowed by: what its search field holds, and what its address asks for."""
    held = [e.value for e in view.elements if e.value and view.searches(e)]
    asked = parse_qsl(urlsplit(view.scene.url or "").query)
    return [*held, *(text for key, text in asked if text and key.lower() not in _WAYS)]


def _is(name: Name, text: str) -> bool:
    return plain(text) == name.phrase or name.same_figure(text)
