"""Lists of ``UIElement`` as the text of a screen, and as widgets with bounds."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from tracewitness.intake.elements import Element
from tracewitness.intake.errors import TooLargeError
from tracewitness.intake.limits import Limits
from tracewitness.intake.pickles import Stub
from tracewitness.intake.reading_files import size_words
from tracewitness.intake.ui_dump import Box
from tracewitness.intake.untyped import list_of, text_of

OVERLAY = "com.example.androidworld"
"""The app with which the benchmark itself writes on the screen: the goal, the answer, in the end the verdict."""

_MOST_ELEMENTS = 10_000
_LONGEST_LABEL = 200
_MOST_TEXTS = 3
_TEXTS = ("text", "content_description", "hint_text", "tooltip", "class_name", "resource_name")
_TRUE = ("is_checkable", "is_checked", "is_clickable", "is_editable", "is_focused", "is_scrollable", "is_selected")
_EDGE = 2**30


@dataclass(frozen=True, slots=True)
class Screen:
    """What a list of elements says.

    Attributes:
        text: One line an element, with the number by which actions name it.
        labels: How a person would call the elements, by number.
        elements: Those with bounds.
        cut: Whether there were more than are read.
    """

    text: str
    labels: Mapping[int, str]
    elements: tuple[Element, ...]
    cut: bool = False


class Screens:
    """Screens by their lists of elements, each read once; what they hold together is bounded.

    Args:
        limits: Bounds on what is read.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.document
        self._read: dict[int, tuple[Any, Screen | None]] = {}

    def screen(self, listed: Any) -> Screen | None:
        """Return the screen of a list of elements; None where there is none.

        Raises:
            TooLargeError: All screens together have more text than a document may have.
        """
        if not isinstance(listed, list):
            return None
        given = list_of(cast(Any, listed))
        known = self._read.get(id(given))
        if known is None:  # the list is held with what was read of it, so that no other gets its id
            known = self._read[id(given)] = given, self._screen(given)
        return known[1]

    def _screen(self, listed: list[Any]) -> Screen | None:
        shown = [(at, one) for at, one in enumerate(listed[:_MOST_ELEMENTS]) if is_element(one) and _is_shown(one)]
        lines, size = list[str](), 0
        for at, one in shown:
            line = f"UI element {at}: {json.dumps(_facts(one), ensure_ascii=False)}"
            size += len(line) + 1
            if size > self._limits.dump:
                break
            lines.append(line)
        self._left -= size
        if self._left < 0:
            problem = f"its screens have more than {size_words(self._limits.document)} of text"
            raise TooLargeError(problem, "leave the run out")
        cut = len(listed) > _MOST_ELEMENTS or len(lines) < len(shown)
        kept = shown[: len(lines)]
        labels = {at: label_of(one, [other for _, other in kept]) for at, one in kept}
        boxes = [(at, box) for at, one in kept if (box := _box(one)) is not None]
        return Screen("\n".join(lines), labels, tuple(Element(labels[at], box) for at, box in boxes), cut)


def is_element(value: Any) -> bool:
    """Tell an element of a screen, whatever module its class stands in."""
    return isinstance(value, Stub) and value.of.name == "UIElement"


def _is_shown(element: Stub) -> bool:
    """Tell whether an element can be seen, and is none of the benchmark's own."""
    names = (element.get("package_name"), element.get("resource_name"), element.get("resource_id"))
    if any(text_of(name).startswith(OVERLAY) for name in names):
        return False
    box = _box(element)
    return element.get("is_visible") is not False and not (box and (box.left >= box.right or box.top >= box.bottom))


def _facts(element: Stub) -> dict[str, Any]:
    facts: dict[str, Any] = {name: value for name in _TEXTS if (value := text_of(element.get(name)))}
    facts |= {name: True for name in _TRUE if element.get(name) is True}
    if element.get("is_checkable") is True:
        facts["is_checked"] = element.get("is_checked") is True
    if element.get("is_enabled") is False:
        facts["is_enabled"] = False
    return facts


def label_of(element: Stub, others: Sequence[Stub]) -> str:
    """Return how a person would call an element: its text, the texts in its bounds, its resource, its class."""
    own = _own(element)
    if own:
        return own[:_LONGEST_LABEL]
    inside = _texts_inside(element, others)
    if inside:
        return " | ".join(inside)[:_LONGEST_LABEL]
    named = text_of(element.get("resource_name")).rsplit("/", 1)[-1] or text_of(element.get("class_name"))
    return (named.rsplit(".", 1)[-1] or "widget")[:_LONGEST_LABEL]


def _own(element: Stub) -> str:
    texts = (text_of(element.get(name)).strip() for name in ("text", "content_description", "hint_text"))
    return next(filter(None, texts), "")


def _texts_inside(element: Stub, others: Sequence[Stub]) -> list[str]:
    box, found = _box(element), list[str]()
    if box is None or len(others) > _LONGEST_LABEL:
        return found
    for other in others:
        inner, text = _box(other), _own(other)
        inside = inner and box.left <= inner.left and inner.right <= box.right
        if inside and inner and box.top <= inner.top and inner.bottom <= box.bottom and text and text not in found:
            found.append(text)
        if len(found) == _MOST_TEXTS:
            break
    return found


def _box(element: Stub) -> Box | None:
    bounds = element.get("bbox_pixels")
    if not isinstance(bounds, Stub):
        return None
    sides = [bounds.get(name) for name in ("x_min", "y_min", "x_max", "y_max")]
    if not all(isinstance(one, int | float) and abs(one) < _EDGE for one in sides):
        return None
    return Box(*(int(one) for one in sides))
