"""How a trajectory that ``convert`` writes is marked, so that it is read back as it was.

ATIF holds a run but for a few things: what was seen before an action, which part of a result is a dump or an address,
the index of a step. These stand under one key of ``extra``, which is empty of words: it names what the fields of ATIF
hold, and holds none of it itself. A reader that knows nothing of it misses nothing but the names.
"""

from collections.abc import Mapping
from typing import Any

from tracewitness.intake.untyped import object_of

KEY = "tracewitness"
WRITTEN = 1
"""The version of the marks."""

BEFORE_MESSAGE = "What the environment showed before the next action."
PARTS = ("url", "text", "ui_tree", "screenshot")
"""The parts of an observation, in the order in which they are written."""


def marked(**marks: Any) -> dict[str, Any]:
    """Return an ``extra`` with the marks that are not None."""
    return {KEY: {name: mark for name, mark in marks.items() if mark is not None}}


def marks_of(held: Mapping[str, Any]) -> dict[str, Any]:
    """Return the marks in the ``extra`` of a trajectory, a step or a result; none where there are none."""
    return object_of(object_of(held.get("extra")).get(KEY))


def is_marked(document: Mapping[str, Any]) -> bool:
    """Tell whether a trajectory was written by ``convert``."""
    return "written" in marks_of(document)
