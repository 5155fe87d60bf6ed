"""What happened in a recording: its calls in order, with the page before and after each, and what else was noted."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from tracewitness.intake.formats.playwright.calls import SCRIPT, Mouse, Params, kind_of_call
from tracewitness.intake.formats.playwright.dom import Element, Frames, elements_of
from tracewitness.intake.formats.playwright.events import Event, call_of_snapshot, checked_version, phase_of
from tracewitness.intake.formats.playwright.notes import Note, note_of_console, note_of_event
from tracewitness.intake.formats.playwright.rendering import label_of, render
from tracewitness.intake.formats.playwright.roles import is_password
from tracewitness.intake.formats.playwright.sheets import Sheets
from tracewitness.intake.formats.playwright.visible import RuleBook

MOST_VISITS = 20_000_000
"""Most elements that are looked at in one recording; larger ones name the pages that were left out."""

_TARGET = "__playwright_target__"


@dataclass(frozen=True, slots=True)
class Seen:
    """A page at one moment, in milliseconds of the recorder's clock."""

    page: str
    url: str
    tree: str
    time: float
    passwords: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page: its file, its page, and when it was taken."""

    file: str
    page: str
    time: float


@dataclass(slots=True)
class Deed:
    """A call that did something.

    Attributes:
        kind: What kind of action it is.
        label: The name of the element it acted on, where a snapshot marks one.
        secret: It wrote into a password field.
        done: An input event was sent.
    """

    id: str
    kind: str
    class_name: str
    method: str
    params: Params
    start: float
    page: str | None = None
    end: float | None = None
    error: str | None = None
    waited: str | None = None
    label: str | None = None
    secret: bool = False
    done: bool = False
    before: Seen | None = None
    after: Seen | None = None
    pictures: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Recording:
    """One recorded browser context."""

    version: str = ""
    producer: str = ""
    start: float = 0.0
    wall: float | None = None
    deeds: list[Deed] = field(default_factory=list[Deed])
    notes: list[Note] = field(default_factory=list[Note])
    pictures: list[Picture] = field(default_factory=list[Picture])
    passwords: set[str] = field(default_factory=set[str])
    titles: int = 0
    checks: int = 0
    groups: int = 0
    cut_pages: int = 0
    open_calls: int = 0

    def iso(self, time: float) -> str | None:
        """Return a moment of the recorder's clock as ISO 8601 in UTC; None where the trace does not tell."""
        if self.wall is None:
            return None
        try:
            return datetime.fromtimestamp((self.wall + time - self.start) / 1000, UTC).isoformat(
                timespec="milliseconds"
            )
        except (OverflowError, ValueError, OSError):
            return None


@dataclass(slots=True)
class _Call:
    """A call that is only followed: a look, a check, or a deed."""

    method: str
    page: str | None = None
    deed: Deed | None = None


class Recorder:
    """Takes the events of one recording in order.

    Args:
        sheets: Finds the style sheets that pages are linked to.
    """

    def __init__(self, sheets: Sheets) -> None:
        self.recording = Recording()
        self._sheets = sheets
        self._frames = Frames()
        self._mouse = Mouse()
        self._calls: dict[str, _Call] = {}
        self._pending: tuple[Deed, Element, Seen] | None = None
        self._rendered: tuple[Element, str, frozenset[str]] | None = None
        self._visits = 0
        self._rules = RuleBook()
        self._takers: dict[str, Callable[[Event], None]] = {
            "context-options": self._context,
            "before": self._before,
            "input": self._input,
            "log": self._log,
            "after": self._after,
            "frame-snapshot": self._snapshot,
            "screencast-frame": self._frame,
            "screenshot": self._picture,
            "event": self._event,
            "console": self._console,
            "object": self._console,
        }

    def take(self, event: Event) -> None:
        """Take one event; kinds that are not known are passed over.

        Raises:
            BadRunError: The trace is of a version that is not known.
        """
        taker = self._takers.get(str(event.get("type")))
        if taker is not None:
            taker(event)

    def end(self) -> Recording:
        """Return the recording; calls that never ended are counted."""
        self._settle()
        self.recording.open_calls = sum(1 for call in self._calls.values() if call.deed and call.deed.end is None)
        return self.recording

    def _context(self, event: Event) -> None:
        recording = self.recording
        if recording.version:
            return
        recording.version = checked_version(event)
        recording.producer = str(event.get("playwrightVersion") or "")[:20]
        recording.titles += len(_text(event.get("title")))
        wall, start = _number(event.get("wallTime")), _number(event.get("monotonicTime"))
        if wall is not None and start is not None:
            recording.wall, recording.start = wall, start

    def _before(self, event: Event) -> None:
        name, call_id = _text(event.get("method")), _text(event.get("callId"))
        class_name = _text(event.get("class"))
        params = cast(dict[str, Any], event["params"]) if isinstance(event.get("params"), dict) else {}
        page, start = _text(event.get("pageId")) or None, _number(event.get("startTime")) or 0.0
        recording, wall = self.recording, _number(event.get("wallTime"))
        if recording.wall is None and wall is not None:
            recording.wall, recording.start = wall, start
        if class_name == "Test" or name == "expect":
            recording.checks += len(_text(event.get("title"))) + len(str(params))
            return
        if name == "tracingGroup":
            recording.groups += len(_text(params.get("name")))
            return
        kind, params = self._mouse.followed(name, params) or (kind_of_call(class_name, name, params), params)
        deed = Deed(call_id, kind, class_name, name, params, start, page) if kind else None
        if deed is not None and kind != SCRIPT:
            self._settle()
            recording.deeds.append(deed)
        self._calls[call_id] = _Call(name, page, deed)

    def _input(self, event: Event) -> None:
        deed = self._deed(event)
        if deed is not None:
            deed.done = True

    def _log(self, event: Event) -> None:
        deed = self._deed(event)
        if deed is not None:
            _note_log(deed, _text(event.get("message")))

    def _after(self, event: Event) -> None:
        deed = self._deed(event)
        if deed is None:
            return
        deed.end = _number(event.get("endTime"))
        logs = event.get("log")
        for message in cast(list[Any], logs) if isinstance(logs, list) else []:
            _note_log(deed, _text(message))
        deed.done = deed.done or event.get("point") is not None
        deed.error = _error_of(event.get("error"))

    def _deed(self, event: Event) -> Deed | None:
        call = self._calls.get(_text(event.get("callId")))
        return call.deed if call is not None else None

    def _snapshot(self, event: Event) -> None:
        snapshot = cast(dict[str, Any], event["snapshot"]) if isinstance(event.get("snapshot"), dict) else {}
        root = self._frames.add(_text(snapshot.get("frameId")), snapshot.get("html"))
        call = self._calls.get(call_of_snapshot(snapshot) or "")
        if root is None or call is None or not snapshot.get("isMainFrame"):
            return
        page = _text(snapshot.get("pageId"))
        time = _number(snapshot.get("timestamp")) or 0.0
        seen = Seen(page, _text(snapshot.get("frameUrl")), "", time)
        call.page = call.page or page
        if call.deed is not None:
            call.deed.page = call.deed.page or page
            self._of_deed(call, call.deed, phase_of(snapshot), root, seen)
        elif self._pending is not None and self._pending[2].page == page:
            self._pending = (self._pending[0], root, seen)

    def _of_deed(self, call: _Call, deed: Deed, phase: str | None, root: Element, seen: Seen) -> None:
        if phase == "before":
            self._settle()
            deed.before = self._shown(root, seen)
        elif phase == "after" and deed.kind == SCRIPT:
            self._of_script(deed, root, seen)
        elif phase == "after":
            self._settle()
            self._mark(deed, root)
            self._pending = (deed, root, seen)
        elif phase == "action":
            self._mark(deed, root)
            if deed.before is None:
                deed.before = self._shown(root, seen)

    def _of_script(self, deed: Deed, root: Element, seen: Seen) -> None:
        """Take a script for a deed where the page was another one after it, and for a look elsewhere."""
        after, before = self._shown(root, seen), deed.before
        changed = before is not None and after is not None and (before.tree, before.url) != (after.tree, after.url)
        if changed:
            deed.after = after
            self.recording.deeds.append(deed)
        elif self.recording.deeds and after is not None and after.page == _page_of(self.recording.deeds[-1]):
            self.recording.deeds[-1].after = after

    def _settle(self) -> None:
        """Write the last page that was seen after a deed, before the next one begins."""
        if self._pending is not None:
            (deed, root, seen), self._pending = self._pending, None
            deed.after = self._shown(root, seen)

    def _shown(self, root: Element, seen: Seen) -> Seen | None:
        if seen.url == "about:blank" and root.size < 8:
            return None
        if self._rendered is None or self._rendered[0] is not root:
            if not self._affords(root):
                return None
            page = render(root, self._sheets.linked_to(root, seen.url), self._rules)
            self.recording.passwords |= page.passwords
            self.recording.cut_pages += page.cut
            self._rendered = (root, page.tree, page.passwords)
        return Seen(seen.page, seen.url, self._rendered[1], seen.time, self._rendered[2])

    def _affords(self, root: Element) -> bool:
        """Count a page that is looked through; beyond the most of a recording it is not, and is counted as left out."""
        self._visits += root.size
        self.recording.cut_pages += self._visits > MOST_VISITS
        return self._visits <= MOST_VISITS

    def _mark(self, deed: Deed, root: Element) -> None:
        """Take down what a snapshot marks as the element acted on."""
        if deed.label is not None or not self._affords(root):
            return
        target = next((one for one in elements_of(root) if one.attributes.get(_TARGET, "-") in ("", deed.id)), None)
        if target is not None:
            deed.label = label_of(root, target)
            deed.secret = is_password(target)

    def _frame(self, event: Event) -> None:
        file, sha1 = _text(event.get("file")), _text(event.get("sha1"))
        time = _number(event.get("timestamp"))
        name = file or (f"resources/{sha1}" if sha1 else "")
        if name and time is not None:
            self.recording.pictures.append(Picture(name, _text(event.get("pageId")), time))

    def _picture(self, event: Event) -> None:
        deed, file = self._deed(event), _text(event.get("file"))
        if deed is not None and file:
            deed.pictures[_text(event.get("phase"))] = file

    def _event(self, event: Event) -> None:
        note = note_of_event(event)
        if note is not None:
            self.recording.notes.append(note)

    def _console(self, event: Event) -> None:
        note = note_of_console(event)
        if note is not None:
            self.recording.notes.append(note)


def _page_of(deed: Deed) -> str | None:
    return deed.after.page if deed.after is not None else deed.page


def _note_log(deed: Deed, message: str) -> None:
    told = message.strip()
    if told.startswith("waiting for ") and "describe" not in told:
        deed.waited = told.removeprefix("waiting for ")[:300]
    if told.startswith("performing "):
        deed.done = True


def _error_of(error: Any) -> str | None:
    if error is None:
        return None
    told = cast(dict[str, Any], error) if isinstance(error, dict) else {"message": str(error)}
    message = _text(told.get("message")).split("\nCall log:", 1)[0].strip()
    name = _text(told.get("name"))
    whole = f"{name}: {message}" if name and name not in message else message
    return " ".join(whole.split())[:1000] or "the trace says that it failed"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None
