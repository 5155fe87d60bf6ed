"""The content of a message: its words and its picture, whether it is a text or a list of parts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.inline import is_inline_picture
from tracewitness.intake.untyped import list_of, object_of, text_of
from tracewitness.trace_side.trace import Screenshot

_TEXTS = frozenset({"text", "input_text", "output_text", "refusal"})
_THOUGHTS = frozenset({"thinking", "reasoning", "redacted_thinking", "reasoning_text", "summary_text"})
_NAMING = frozenset(
    "type id mimeType mime_type media_type encrypted_content encrypted_index signature cache_control blob "
    "page_age".split()
)
_LONGEST_WORD = 2000
_DEEPEST = 20
_PICTURES = frozenset({"image_url", "input_image", "image", "computer_screenshot"})


@dataclass(frozen=True, slots=True)
class Content:
    """Words, the last picture and the thoughts of a message."""

    text: str
    screenshot: Screenshot | None = None
    thoughts: str = ""


def content_of(value: Any, where: str, pictures: ChatPictures, *, shown_by_tool: bool = False) -> Content:
    """Return what a content shows.

    Of parts of other kinds (files, records, documents, hits of a search) a tool's show their words; what a person or an
    agent puts beside its words is left out, and thoughts go by themselves.

    Args:
        value: A text, a list of parts, or one part.
        where: The place of the content.
        pictures: The pictures of the log.
        shown_by_tool: Whether it is what a tool gave back.
    """
    if isinstance(value, str):
        return Content(value)
    texts: list[str] = []
    thoughts: list[str] = []
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
        elif kind in _THOUGHTS:
            thoughts += words_of(part)
        elif shown_by_tool:
            texts += words_of(part)
    return Content("\n".join(filter(None, texts)), shown, "\n".join(filter(None, thoughts)))


def words_of(part: Any, depth: int = 0) -> list[str]:
    """Return the words in a part of any kind: all texts but those that name kinds and ids, and data that is no text."""
    if isinstance(part, str):
        return [] if is_inline_picture(part) or _is_data(part) else [part]
    if isinstance(part, int | float) and not isinstance(part, bool):
        return [str(part)]
    if depth > _DEEPEST:
        return []
    items = (
        object_of(part).items() if isinstance(part, dict) else ((str(at), one) for at, one in enumerate(list_of(part)))
    )
    return [words for key, item in items if key not in _NAMING for words in words_of(item, depth + 1)]


def _is_data(text: str) -> bool:
    """Tell base64 from words."""
    if text.startswith("data:") and ";base64," in text[:_LONGEST_WORD]:
        return True
    return len(text) > _LONGEST_WORD and " " not in text[:_LONGEST_WORD] and "\n" not in text[:_LONGEST_WORD]


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
