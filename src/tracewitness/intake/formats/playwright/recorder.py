"""Following the events of a recording: which calls did something, and what was seen before and after them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from tracewitness.intake.formats.playwright.calls import SCRIPT, Mouse, kind_of_call
from tracewitness.intake.formats.playwright.dom import Element
from tracewitness.intake.formats.playwright.events import Event, call_of_snapshot, checked_version, phase_of
from tracewitness.intake.formats.playwright.notes import note_of_console, note_of_event
from tracewitness.intake.formats.playwright.recording import Deed, Picture, Recording, Seen
from tracewitness.intake.formats.playwright.sheets import Sheets
from tracewitness.intake.formats.playwright.viewing import Viewer


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
        self._viewer = Viewer(sheets, self.recording)
        self._mouse = Mouse()
        self._calls: dict[str, _Call] = {}
        self._pending: tuple[Deed, Element, Seen] | None = None
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
        page, start = _text(event.get("pageId")) or None, _number(event.get("startTime"))
        recording, wall = self.recording, _number(event.get("wallTime"))
        if recording.wall is None and wall is not None and start is not None:
            recording.wall, recording.start = wall, start
        if class_name == "Test" or name == "expect":
            recording.checks += len(_text(event.get("title"))) + len(str(params))
            return
        if name == "tracingGroup":
            recording.groups += len(_text(params.get("name")))
            return
        kind, params = self._mouse.followed(name, params) or (kind_of_call(class_name, name, params), params)
        deed = Deed(call_id, kind, class_name, name, params, self._begun(start), page) if kind else None
        if deed is not None:
            deed.timed = start is not None
        if deed is not None and kind != SCRIPT:
            self._settle()
            recording.deeds.append(deed)
        self._calls[call_id] = _Call(name, page, deed)

    def _begun(self, start: float | None) -> float:
        deeds = self.recording.deeds
        return start if start is not None else deeds[-1].start if deeds else 0.0

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
        url = _text(snapshot.get("frameUrl"))
        root = self._viewer.add(snapshot, url)
        call = self._calls.get(call_of_snapshot(snapshot) or "")
        if root is None or call is None:
            return
        page = _text(snapshot.get("pageId"))
        time = _number(snapshot.get("timestamp")) or 0.0
        seen = Seen(page, url, "", time)
        call.page = call.page or page
        if call.deed is not None:
            call.deed.page = call.deed.page or page
            self._of_deed(call, call.deed, phase_of(snapshot), root, seen)
        elif self._pending is not None and self._pending[2].page == page:
            self._pending = (self._pending[0], root, seen)

    def _of_deed(self, call: _Call, deed: Deed, phase: str | None, root: Element, seen: Seen) -> None:
        if phase == "before":
            self._settle()
            deed.before = self._viewer.shown(root, seen)
        elif phase == "after" and deed.kind == SCRIPT:
            self._of_script(deed, root, seen)
        elif phase == "after":
            self._settle()
            self._viewer.mark(deed, root)
            self._pending = (deed, root, seen)
        elif phase == "action":
            self._viewer.mark(deed, root)
            if deed.before is None:
                deed.before = self._viewer.shown(root, seen)

    def _of_script(self, deed: Deed, root: Element, seen: Seen) -> None:
        """Take a script for a deed where the page was another one after it, and for a look elsewhere."""
        after, before, deeds = self._viewer.shown(root, seen), deed.before, self.recording.deeds
        if before is not None and after is not None and (before.tree, before.url) != (after.tree, after.url):
            deeds.append(deed)
        if deeds and after is not None and after.page == (deeds[-1].page or after.page):
            self._pending = (deeds[-1], root, seen)

    def _settle(self) -> None:
        """Write the last page that was seen after a deed, before the next one begins."""
        if self._pending is not None:
            (deed, root, seen), self._pending = self._pending, None
            deed.after = self._viewer.shown(root, seen)

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
