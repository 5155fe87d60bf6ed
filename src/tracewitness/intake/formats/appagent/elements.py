"""Grounding ``tap(n)``: which widget carried tag n on the labelled screen.

The tool numbers clickable elements in document order, then focusable ones; an element whose centre lies within 30
pixels (the tool's MIN_DIST default) of one listed before it in the same pass, or of any clickable, gets no tag.
Source: AppAgent's ``task_executor.py`` and ``and_controller.py``.
"""

from collections.abc import Iterable, Sequence

from tracewitness.intake.elements import PlacedNode, placed_nodes
from tracewitness.intake.ui_dump import Node

MIN_DIST = 30


def tagged_elements(root: Node) -> tuple[PlacedNode, ...]:
    """Return the elements in the order of their tags; tag 1 is first."""
    placed = [one for one in placed_nodes(root) if one.node.box is not None]
    clickable = _spread([one for one in placed if one.node.attributes.get("clickable") == "true"])
    focusable = _spread([one for one in placed if one.node.attributes.get("focusable") == "true"])
    ground = _Ground(clickable)
    return tuple(clickable + [one for one in focusable if not ground.near(one)])


def focused_element(root: Node) -> PlacedNode | None:
    """Return the element that has the keyboard focus, into which ``text`` types."""
    return next((one for one in placed_nodes(root) if one.node.attributes.get("focused") == "true"), None)


class _Ground:
    """Elements by where their centres lie, in squares as wide as the distance, so that only neighbours are compared."""

    def __init__(self, elements: Iterable[PlacedNode] = ()) -> None:
        self._squares: dict[tuple[int, int], list[PlacedNode]] = {}
        for one in elements:
            self.add(one)

    def add(self, one: PlacedNode) -> None:
        self._squares.setdefault(_square(one), []).append(one)

    def near(self, one: PlacedNode) -> bool:
        """Tell whether any of them lies within the distance of an element."""
        column, row = _square(one)
        around = (self._squares.get((column + x, row + y), ()) for x in (-1, 0, 1) for y in (-1, 0, 1))
        return any(_near(one.node, other.node) for square in around for other in square)


def _square(one: PlacedNode) -> tuple[int, int]:
    x, y = one.node.box.centre if one.node.box is not None else (0, 0)
    return x // MIN_DIST, y // MIN_DIST


def _spread(elements: Sequence[PlacedNode]) -> list[PlacedNode]:
    kept: list[PlacedNode] = []
    ground = _Ground()
    for one in elements:
        if not ground.near(one):
            kept.append(one)
            ground.add(one)
    return kept


def _near(one: Node, other: Node) -> bool:
    if one.box is None or other.box is None:
        return False
    (x, y), (other_x, other_y) = one.box.centre, other.box.centre
    return (x - other_x) ** 2 + (y - other_y) ** 2 <= MIN_DIST**2
