"""Grounding ``tap(n)``: which widget carried tag n on the labelled screen.

The tool numbers clickable elements in document order, then focusable ones; an element whose centre lies within 30
pixels (the tool's MIN_DIST default) of one listed before it in the same pass, or of any clickable, gets no tag.
Source: AppAgent's ``task_executor.py`` and ``and_controller.py``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracewitness.intake.ui_dump import Node

MIN_DIST = 30
_LONGEST = 200
_MOST_TEXTS = 3
_ANCESTORS = 2


@dataclass(frozen=True, slots=True)
class Tagged:
    """A node with the nodes it stands in, nearest first."""

    node: Node
    ancestors: tuple[Node, ...]


def tagged_elements(root: Node) -> tuple[Tagged, ...]:
    """Return the elements in the order of their tags; tag 1 is first."""
    placed = [one for one in _with_ancestors(root) if one.node.box is not None]
    clickable = _spread([one for one in placed if one.node.attributes.get("clickable") == "true"])
    focusable = _spread([one for one in placed if one.node.attributes.get("focusable") == "true"])
    return tuple(clickable + [one for one in focusable if not _near_any(one, clickable)])


def focused_element(root: Node) -> Tagged | None:
    """Return the element that has the keyboard focus, into which ``text`` types."""
    return next((one for one in _with_ancestors(root) if one.node.attributes.get("focused") == "true"), None)


def _with_ancestors(root: Node) -> Iterator[Tagged]:
    pending: list[tuple[Node, tuple[Node, ...]]] = [(root, ())]
    while pending:
        node, above = pending.pop()
        yield Tagged(node, above)
        nearest = (node, *above)[:_ANCESTORS]
        pending.extend((child, nearest) for child in reversed(node.children))


def _spread(elements: Sequence[Tagged]) -> list[Tagged]:
    kept: list[Tagged] = []
    for one in elements:
        if not _near_any(one, kept):
            kept.append(one)
    return kept


def _near_any(one: Tagged, others: Sequence[Tagged]) -> bool:
    return any(_near(one.node, other.node) for other in others)


def _near(one: Node, other: Node) -> bool:
    if one.box is None or other.box is None:
        return False
    (x, y), (other_x, other_y) = one.box.centre, other.box.centre
    return (x - other_x) ** 2 + (y - other_y) ** 2 <= MIN_DIST**2


def label(element: Tagged) -> str:
    """Return how a person would name a widget.

    Its text or description; else the texts inside it; else its resource id, with the texts of the row it stands in;
    else its class.
    """
    own = _own(element.node) or _texts_below(element.node)
    if own:
        return own[:_LONGEST]
    attributes = element.node.attributes
    bare = (attributes.get("resource-id") or attributes.get("class") or "widget").rsplit("/", 1)[-1].rsplit(".", 1)[-1]
    around = next((texts for texts in map(_texts_below, element.ancestors) if texts), "")
    return (f"{bare} in {around}" if around else bare)[:_LONGEST]


def _own(node: Node) -> str:
    return (node.attributes.get("text") or node.attributes.get("content-desc") or "").strip()


def _texts_below(node: Node) -> str:
    texts: list[str] = []
    for below in node.walk():
        text = _own(below)
        if below is not node and text and text not in texts:
            texts.append(text)
        if len(texts) == _MOST_TEXTS:
            break
    return " | ".join(texts)
