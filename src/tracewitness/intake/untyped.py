"""Values of a log whose types nobody promised: taken as what a reader asks for, or as nothing.

Readers ask for every key of a log here, so even a cast, which makes a type anew at every call, would be felt.
"""

from typing import Any


def object_of(value: Any) -> dict[str, Any]:
    """Return an object; an empty one where the value is none."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def list_of(value: Any) -> list[Any]:
    """Return a list; an empty one where the value is none."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def objects_of(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list; what else stands in it is left out."""
    return [item for item in list_of(value) if isinstance(item, dict)]


def text_of(value: Any) -> str:
    """Return a text; an empty one where the value is none."""
    return value if isinstance(value, str) else ""
