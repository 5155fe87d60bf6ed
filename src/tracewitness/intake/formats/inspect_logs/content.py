"""Contents of messages and results: texts, pictures as data, and references that lead nowhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from tracewitness.intake.inline import inline_digest
from tracewitness.trace_side.trace import Screenshot

_READ = frozenset({"text", "image", "reasoning", "tool_use"})
_UNRESOLVED = ("attachment://", "tc://")


@dataclass(slots=True)
class Contents:
    """Reads contents, and counts what of them is missing.

    Attributes:
        sample: The place of the sample in the log, for the names of its pictures.
        missing: References to attachments that the log does not hold, and pictures that cannot be read.
        pictures: Pictures met so far.
        unread: Parts of results of a kind that is not read.
    """

    sample: str
    missing: int = 0
    pictures: int = 0
    unread: int = 0

    def text(self, content: Any) -> str:
        """Return the words of a content, which may be a text, a number, or a list of parts."""
        if isinstance(content, str):
            return self._found(content)
        if isinstance(content, int | float):
            return str(content)
        return "\n".join(filter(None, (self._part(part) for part in parts_of(content))))

    def shown(self, content: Any) -> str:
        """Return the words of what a tool gave back; parts that are not read (sounds, films, files) are counted."""
        self.unread += sum(part.type not in _READ for part in parts_of(content))
        return self.text(content)

    def _part(self, part: Any) -> str:
        return self._found(part.text) if part.type == "text" and isinstance(part.text, str) else ""

    def _found(self, text: str) -> str:
        if text.startswith(_UNRESOLVED):
            self.missing += 1
            return ""
        return text

    def screenshot(self, content: Any) -> Screenshot | None:
        """Return the last picture of a content; its name is its place, for pictures stand in the log itself."""
        found: Screenshot | None = None
        for part in parts_of(content):
            if part.type == "image":
                self.pictures += 1
                digest = inline_digest(part.image) if part.image.startswith("data:") else None
                self.missing += digest is None
                found = Screenshot(f"!{self.sample}/image {self.pictures}", digest)
        return found


def parts_of(content: Any) -> Iterable[Any]:
    """Return the parts of a content that has any."""
    if isinstance(content, list):
        return [part for part in cast(list[Any], content) if hasattr(part, "type")]
    return [content] if hasattr(content, "type") else []


def thoughts_of(content: Any) -> str:
    """Return the reasoning among the parts of a message."""
    told = (getattr(part, "reasoning", "") or "" for part in parts_of(content) if part.type == "reasoning")
    return "\n".join(filter(None, told))
