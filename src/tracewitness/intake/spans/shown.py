"""Pictures that stand in the values of a span."""

from typing import Any, cast

from tracewitness.intake.inline import inline_digest, is_inline_picture
from tracewitness.intake.untyped import text_of
from tracewitness.trace_side.trace import Screenshot

_KINDS = ("image", "input_image", "computer_screenshot", "blob", "media", "file", "uri")
_KEYS = ("image", "image_url", "inline_data", "inlineData")
_DEEPEST = 48
_PICTURE = "[picture]"


def picture_of(part: dict[str, Any], where: str) -> Screenshot | None:
    """Return the picture that a part is; None where it is none."""
    kind = text_of(part.get("type"))
    if not kind.startswith(_KINDS) and not any(key in part for key in _KEYS):
        return None
    pending: list[Any] = [part]
    for _ in range(16):
        value = pending.pop(0) if pending else None
        if isinstance(value, str) and is_inline_picture(value):
            return Screenshot(f"!{where}", inline_digest(value))
        if isinstance(value, dict):
            pending += list(cast(dict[str, Any], value).values())[:16]
    return Screenshot(f"!{where}")


def without_pictures(value: Any, where: str, pictures: list[Screenshot], depth: int = 0) -> Any:
    """Return a value that JSON can express, its pictures taken out and added to a list; deep nesting is cut off."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, str) and is_inline_picture(value):
        pictures.append(Screenshot(f"!{where}", inline_digest(value)))
        return _PICTURE
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        return {str(key): without_pictures(item, f"{where}.{key}", pictures, depth + 1) for key, item in items}
    if isinstance(value, list | tuple | set):
        listed = enumerate(cast(list[Any], value))
        return [without_pictures(item, f"{where}[{at}]", pictures, depth + 1) for at, item in listed]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
