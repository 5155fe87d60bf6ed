"""Messages and results of ATIF: texts, or lists of texts and of pictures that are files beside the trajectory."""

import json
import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.untyped import object_of, objects_of, text_of
from tracewitness.trace_side.trace import Screenshot
from tracewitness.values.plurals import plural

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


@dataclass(slots=True)
class Contents:
    """Reads contents, and keeps what of them is missing.

    Attributes:
        folder: The folder of the run.
        beside: The path of the folder of the trajectory in it, empty or ending with a slash.
        missing: Pictures that are not there.
        unread: Parts of other kinds, such as sounds.
        unseen: Whether a content without words has a picture that is not there.
    """

    folder: RunFolder
    beside: str
    missing: list[str] = field(default_factory=list[str])
    unread: int = 0
    unseen: bool = False

    def text(self, content: Any) -> str:
        """Return the words of a content."""
        if isinstance(content, str):
            return content
        if isinstance(content, dict):  # no content of the format, and yet what the environment gave back
            return json.dumps(content, ensure_ascii=False)
        return "\n".join(text for part in objects_of(content) if (text := text_of(part.get("text"))))

    def screenshot(self, content: Any) -> Screenshot | None:
        """Return the last picture of a content; one that is not there has no digest and is kept in mind.

        Raises:
            UnsafePathError: The path climbs out of the run's folder.
        """
        found: Screenshot | None = None
        for part in objects_of(content):
            if part.get("type") == "image":
                found = self._picture(text_of(object_of(part.get("source")).get("path"))) or found
            elif part.get("type") != "text":
                self.unread += 1
        if found is not None and found.digest is None and not self.text(content).strip():
            self.unseen = True
        return found

    def _picture(self, path: str) -> Screenshot | None:
        if not path:
            return None
        if _ADDRESS.match(path):
            self.missing.append(path)
            return Screenshot(path)
        given = path.replace("\\", "/")
        name = PurePosixPath(given).name if given.startswith("/") or _DRIVE.match(path) else given
        found = self.folder.screenshot(f"{self.beside}{name}")
        if found.digest is None:
            self.missing.append(path)
        return found

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person should know of it."""
        odd = f"{plural(self.unread, 'part')} of a kind that is not read (sounds)" if self.unread else None
        return tuple(filter(None, (missing_notice("picture", self.missing), odd)))
