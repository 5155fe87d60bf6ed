"""Grounding ``tap(n, "part")``: which widget lies under a part of a cell of the grid overlay.

The tool draws cells whose side is the smallest number from 120 to 180 that divides the picture's side, else 120, counts
them row by row from 1, and touches one of nine points of a cell: its middle, or a quarter off it in a direction.
Source: AppAgent's ``utils.py`` (``draw_grid``) and ``task_executor.py`` (``area_to_xy``).
"""

from tracewitness.intake.elements import dump_elements, element_at
from tracewitness.intake.ui_dump import Node

_SIDES = range(120, 181)
_OTHERWISE = 120


def cell_point(area: int, part: str, width: int, height: int) -> tuple[int, int] | None:
    """Return the point that the tool touches; None where there is no such cell.

    Args:
        area: The number of the cell, from 1.
        part: ``top-left``, ``top``, ... ``bottom-right``; anything else is the middle, as the tool takes it.
        width: Of the picture.
        height: Of the picture.
    """
    columns, rows = width // _side(width), height // _side(height)
    if not 1 <= area <= columns * rows:
        return None
    row, column = divmod(area - 1, columns)
    cell_width, cell_height = width // columns, height // rows
    x = column * cell_width + _share(cell_width, part, "left", "right")
    return x, row * cell_height + _share(cell_height, part, "top", "bottom")


def _side(length: int) -> int:
    return next((side for side in _SIDES if length % side == 0), _OTHERWISE)


def _share(side: int, part: str, low: str, high: str) -> int:
    known = part in _PARTS
    if known and low in part.split("-"):
        return side // 4
    return side * 3 // 4 if known and high in part.split("-") else side // 2


_PARTS = frozenset("top-left top top-right left right bottom-left bottom bottom-right".split())


def under_cell(area: int, part: str, dump: Node, size: tuple[int, int]) -> str | None:
    """Return the name of the widget that the tool touches; None where the dump shows none there.

    A picture wider than high is left alone: the tool then reckons with the size of the device held upright.
    """
    width, height = size
    point = cell_point(area, part, width, height) if width <= height else None
    found = element_at(*point, dump_elements(dump)) if point else None
    return found.label if found else None
