"""The style sheets that a page is linked to, out of the resources that were recorded with it."""

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urldefrag, urljoin

from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.playwright.dom import Element, elements_of
from tracewitness.intake.formats.playwright.members import Members
from tracewitness.intake.limits import MEBIBYTE

_LARGEST = 2 * MEBIBYTE
_MOST = 40


class Sheets:
    """Finds recorded style sheets by address; each is read once."""

    def __init__(self, members: Members) -> None:
        self._members = members
        self._files: dict[str, str] = {}
        self._read: dict[str, str] = {}

    def note(self, event: Mapping[str, Any]) -> None:
        """Remember where the content of a recorded style sheet lies."""
        entry = _object(event.get("snapshot"))
        response, url = _object(entry.get("response")), _object(entry.get("request")).get("url")
        content = _object(response.get("content"))
        mime, file, sha1 = content.get("mimeType"), content.get("_file"), content.get("_sha1")
        name = file if isinstance(file, str) else f"resources/{sha1}" if isinstance(sha1, str) else None
        if isinstance(url, str) and name and isinstance(mime, str) and "css" in mime and len(self._files) < 1000:
            self._files[urldefrag(url).url] = name

    def linked_to(self, root: Element, address: str) -> list[str]:
        """Return the style sheets that a page is linked to, as far as they were recorded."""
        if not self._files:
            return []
        base, found = address, list[str]()
        for one in elements_of(root):
            href = one.attributes.get("href", "")
            if one.tag == "BASE" and href:
                base = href
            elif one.tag == "LINK" and "stylesheet" in one.attributes.get("rel", "") and len(found) < _MOST:
                if one.attributes.get("media", "all") in ("", "all", "screen"):
                    found.append(self._sheet(base, href))
            elif one.tag == "BODY":
                break
        return found

    def _sheet(self, base: str, href: str) -> str:
        try:
            name = self._files.get(urldefrag(urljoin(base, href)).url)
        except ValueError:
            return ""
        if name is None:
            return ""
        if name not in self._read:
            try:
                self._read[name] = self._members.read_member(name, _LARGEST).decode("utf-8", "replace")
            except IntakeError:
                self._read[name] = ""
        return self._read[name]


def _object(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
