"""Named elements of a desktop's accessibility tree, so that a click at a point is one on a widget."""

import re
from collections.abc import Mapping

from tracewitness.intake.elements import Element
from tracewitness.intake.ui_dump import Box, Node

_PAIR = re.compile(r"^\(?\s*(-?\d{1,7})\s*,\s*(-?\d{1,7})\s*\)?$")
_LONGEST = 200


def tree_elements(root: Node) -> tuple[Element, ...]:
    """Return the elements that have a name and bounds: ``screencoord="(8, 30)"`` and ``size="(120, 24)"``."""
    return tuple(one for node in root.walk() if (one := _element(node)) is not None)


def _element(node: Node) -> Element | None:
    name = (node.attributes.get("name") or "").strip()
    corner, size = _pair(node.attributes, "screencoord"), _pair(node.attributes, "size")
    if not name or corner is None or size is None or min(size) <= 0:
        return None
    left, top = corner
    return Element(name[:_LONGEST], Box(left, top, left + size[0], top + size[1]))


def _pair(attributes: Mapping[str, str], ending: str) -> tuple[int, int] | None:
    """Return a pair of numbers under a key with or without a namespace."""
    written = next((value for key, value in attributes.items() if key.rpartition("}")[2] == ending), "")
    found = _PAIR.match(written)
    return (int(found.group(1)), int(found.group(2))) if found else None
