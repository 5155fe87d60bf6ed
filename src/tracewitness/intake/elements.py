"""Which widget lies under a point: labelled boxes, from a UI dump or from a log's own list of elements.

A log that gives coordinates says nothing of the widget they hit; a dump or list recorded with it does.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tracewitness.intake.ui_dump import Box, Node

_LONGEST = 200
_ANCESTORS = 2
_TOUCHED = ("clickable", "long-clickable", "checkable", "focusable")


@dataclass(frozen=True, slots=True)
class Element:
    """Something on a screen that has a name: how a person would call it, and its bounds."""

    label: str
    box: Box


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A node of a dump with the nodes it stands in, nearest first."""

    node: Node
    ancestors: tuple[Node, ...] = ()


def element_at(x: float, y: float, elements: Iterable[Element]) -> Element | None:
    """Return the smallest element that holds a point; of equally small ones the last, which is drawn on top."""
    found: Element | None = None
    for one in elements:
        if _holds(one.box, x, y) and (found is None or _area(one.box) <= _area(found.box)):
            found = one
    return found


def nearest_element(x: float, y: float, elements: Iterable[Element], within: float) -> Element | None:
    """Return the element whose centre is nearest to a point; None where none is within that distance.

    For lists that give a point for every element, and no bounds.
    """
    far = [((one.box.centre[0] - x) ** 2 + (one.box.centre[1] - y) ** 2, one) for one in elements]
    near = [(distance, one) for distance, one in far if distance <= within**2]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def dump_elements(root: Node) -> tuple[Element, ...]:
    """Return the elements of a dump that have a name: those with a text of their own, and those that can be touched.

    A layout without either is left out, so that a point on an icon in a row is taken for the row, and one on bare
    ground for nothing.
    """
    return tuple(
        Element(label(one), one.node.box)
        for one in placed_nodes(root)
        if one.node.box is not None and (own_text(one.node) or _can_be_touched(one.node))
    )


def placed_nodes(root: Node) -> Iterator[PlacedNode]:
    """Yield every node of a dump with its nearest ancestors, in document order."""
    pending: list[tuple[Node, tuple[Node, ...]]] = [(root, ())]
    while pending:
        node, above = pending.pop()
        yield PlacedNode(node, above)
        nearest = (node, *above)[:_ANCESTORS]
        pending.extend((child, nearest) for child in reversed(node.children))


def label(element: PlacedNode) -> str:
    """Return how a person would name a widget.

    Its text or description; else the texts inside it; else its resource id, with the texts of the row it stands in;
    else its class.
    """
    own = own_text(element.node) or _texts_below(element.node)
    if own:
        return own[:_LONGEST]
    attributes = element.node.attributes
    bare = (attributes.get("resource-id") or attributes.get("class") or "widget").rsplit("/", 1)[-1].rsplit(".", 1)[-1]
    around = next((texts for texts in map(_texts_below, element.ancestors) if texts), "")
    return (f"{bare} in {around}" if around else bare)[:_LONGEST]


def own_text(node: Node) -> str:
    """Return the text of a node, or its description where it has no text."""
    return node.own_text


def _texts_below(node: Node) -> str:
    return " | ".join(node.texts)


def _can_be_touched(node: Node) -> bool:
    return any(node.attributes.get(name) == "true" for name in _TOUCHED)


def _holds(box: Box, x: float, y: float) -> bool:
    return box.left <= x <= box.right and box.top <= y <= box.bottom


def _area(box: Box) -> int:
    return (box.right - box.left) * (box.bottom - box.top)
