"""Pages as they were seen: a snapshot with the style sheets it is linked to and the frames that stand in it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tracewitness.intake.formats.playwright.dom import Element, Frames, elements_of, stands_twice
from tracewitness.intake.formats.playwright.recording import Deed, Recording, Seen
from tracewitness.intake.formats.playwright.rendering import Page, label_of, render
from tracewitness.intake.formats.playwright.roles import frame_of, is_password
from tracewitness.intake.formats.playwright.sheets import Sheets
from tracewitness.intake.formats.playwright.visible import RuleBook

MOST_VISITS = 20_000_000
"""Most elements that are looked at in one recording; pages beyond are left out, and counted."""

_FREE_VISITS = 4_000_000
_VISITS_AN_ITEM = 100
"""So many elements are looked at for each that a snapshot writes out or refers to, and some for nothing.

A recorded page changes in many places from one snapshot to the next; one that is the whole of a page before, again and
again, is small to write and endless to read.
"""

_TARGET = "__playwright_target__"
_DEEPEST = 4
_MOST_FRAMES = 50


@dataclass(frozen=True, slots=True)
class _Written:
    """A page that was written, with the frames that stood in it."""

    root: Element
    inner: tuple[int, ...]
    page: Page


class Viewer:
    """Turns snapshots into pages.

    Args:
        sheets: Finds the style sheets that pages are linked to.
        recording: Takes down passwords, and how many pages had to be left out.
    """

    def __init__(self, sheets: Sheets, recording: Recording) -> None:
        self._sheets = sheets
        self._recording = recording
        self._frames = Frames()
        self._rules = RuleBook()
        self._inner: dict[str, tuple[Element, str]] = {}
        self._written: _Written | None = None
        self._visits = 0

    def add(self, snapshot: Mapping[str, Any], address: str) -> Element | None:
        """Return the tree of the next snapshot; one of a frame inside a page is kept for that page."""
        frame = snapshot.get("frameId")
        name = frame if isinstance(frame, str) else ""
        root = self._frames.add(name, snapshot.get("html"))
        if root is not None and not snapshot.get("isMainFrame"):
            self._inner[name] = (root, address)
            return None
        return root

    def shown(self, root: Element, seen: Seen) -> Seen | None:
        """Return a page with what it shows; None for the empty page before the first address, and beyond the most."""
        if seen.url == "about:blank" and root.size < 8:
            return None
        inside = self._inside(root)
        key = tuple(id(self._inner[name][0]) for name in inside)
        if self._written is None or self._written.root is not root or self._written.inner != key:
            page = self._page(root, seen.url, inside, _DEEPEST)
            if page is None:
                return None
            self._recording.passwords |= page.passwords
            self._recording.cut_pages += page.cut
            self._written = _Written(root, key, page)
        page = self._written.page
        return replace(seen, tree=page.tree, passwords=page.passwords)

    def mark(self, deed: Deed, root: Element) -> None:
        """Take down what a snapshot marks as the element acted on."""
        if deed.label is not None or not self._affords(root):
            return
        for page in (root, *(self._inner[name][0] for name in self._inside(root))):
            target = next((one for one in elements_of(page) if one.attributes.get(_TARGET, "-") in ("", deed.id)), None)
            if target is not None:
                deed.label = label_of(page, target)
                deed.secret = is_password(target)
                return

    def _inside(self, root: Element) -> tuple[str, ...]:
        """Return the frames in a page whose snapshots were met, in document order."""
        if not self._inner:
            return ()
        names = [name for one in elements_of(root) if (name := frame_of(one)) in self._inner]
        return tuple(dict.fromkeys(names))[:_MOST_FRAMES]

    def _page(self, root: Element, address: str, inside: tuple[str, ...], deep: int) -> Page | None:
        if not self._affords(root):
            return None
        inner: dict[str, Page] = {}
        for name in inside if deep else ():
            frame, where = self._inner[name]
            page = self._page(frame, where, self._inside(frame), deep - 1)
            if page is not None:
                inner[name] = page
        return render(root, self._sheets.linked_to(root, address), self._rules, inner)

    def _affords(self, root: Element) -> bool:
        """Count a page that is looked through; a made-up one, or one beyond the most, is counted as left out."""
        self._visits += root.size
        most = min(MOST_VISITS, _FREE_VISITS + _VISITS_AN_ITEM * self._frames.items)
        affords = self._visits <= most and not stands_twice(root)
        self._recording.cut_pages += not affords
        return affords
