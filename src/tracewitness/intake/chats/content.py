"""The content of a message: its words and its picture, whether it is a text or a list of parts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.trace_side.trace import Screenshot

_TEXTS = frozenset({"text", "input_text", "output_text", "refusal"})
_PICTURES = frozenset({"image_url", "input_image", "image", "computer_screenshot"})


@dataclass(frozen=True, slots=True)
class Content:
    """Words and the last picture of a message."""

    text: str
    screenshot: Screenshot | None = None


def content_of(value: Any, where: str, pictures: ChatPictures) -> Content:
    """Return what a content shows; parts of other kinds (sounds, files) are left out.

    Args:
        value: A text, a list of parts, or one part.
        where: The place of the content.
        pictures: The pictures of the log.
    """
    if isinstance(value, str):
        return Content(value)
    texts: list[str] = []
    shown: Screenshot | None = None
    for place, part in _parts(value, where):
        if isinstance(part, str):
            texts.append(part)
            continue
        kind = text_of(object_of(part).get("type"))
        if kind in _TEXTS or (not kind and "text" in object_of(part)):
            texts.append(text_of(object_of(part).get("text")) or text_of(object_of(part).get("refusal")))
        elif kind in _PICTURES:
            shown = pictures.at(picture_source(object_of(part)), place)
    return Content("\n".join(filter(None, texts)), shown)


def _parts(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield where, value
    yield from ((f"{where}[{at}]", part) for at, part in enumerate(list_of(value)))


def picture_source(part: dict[str, Any]) -> str:
    """Return what a part names as its picture: a data URL, base64, an address or an id."""
    held = part.get("image_url")
    given = text_of(held) or text_of(object_of(held).get("url"))
    source = object_of(part.get("source"))
    return given or text_of(source.get("data")) or text_of(source.get("url")) or text_of(part.get("file_id"))
