"""Values of a log whose types nobody promised: taken as what a reader asks for, or as nothing."""

from typing import Any, cast


def object_of(value: Any) -> dict[str, Any]:
    """Return an object; an empty one where the value is none."""
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """Return a list; an empty one where the value is none."""
    return cast(list[Any], value) if isinstance(value, list) else []


def objects_of(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list; what else stands in it is left out."""
    return [cast(dict[str, Any], item) for item in list_of(value) if isinstance(item, dict)]


def text_of(value: Any) -> str:
    """Return a text; an empty one where the value is none."""
    return value if isinstance(value, str) else ""
