"""What a recording notes beside calls and pages: dialogs, errors of the page, downloads, requests that failed or wrote.

Of a request only method, address without its query, and status are kept: cookies, headers and bodies hold secrets.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

_LOUD = ("error", "warning", "assert")
_READING = ("GET", "HEAD", "OPTIONS")
_PAGES = ("document", "xhr", "fetch")
_FAILS = 400
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Note:
    """A line of a log, and when it was written, in milliseconds of the recorder's clock."""

    time: float
    line: str


def note_of_event(event: Mapping[str, Any]) -> Note | None:
    """Return the note of a dialog, an error of a page, a download or a new page; None for other events."""
    params = _object(event.get("params"))
    method, time = event.get("method"), event.get("time")
    line: str | None = None
    if method == "dialog":
        line = f"The page showed a {_word(params.get('type')) or 'dialog'} dialog: {_word(params.get('message'))}"
    elif method == "pageError":
        error = _object(_object(params.get("error")).get("error")) or _object(params.get("error"))
        line = f"console: uncaught error: {_word(error.get('message'))}"
    elif method == "download":
        line = f"Downloaded file: {_word(params.get('suggestedFilename')) or 'without a name'}"
    elif method == "page" and params.get("openerPageId"):
        line = "A new page was opened"
    return _note(time, line)


def note_of_console(event: Mapping[str, Any]) -> Note | None:
    """Return the note of an error or a warning on the console; None for the rest of what pages write there."""
    told = _object(event.get("initializer")) or event
    kind = told.get("messageType") or (told.get("type") if "initializer" in event else None)
    if event.get("type") == "object" and event.get("class") != "ConsoleMessage":
        return None
    line = f"console: {kind}: {_word(told.get('text'))}" if kind in _LOUD else None
    return _note(event.get("time"), line)


def note_of_request(event: Mapping[str, Any]) -> Note | None:
    """Return the note of a request that wrote something, failed, or brought a page or data; None for the rest."""
    entry = _object(event.get("snapshot"))
    request, response = _object(entry.get("request")), _object(entry.get("response"))
    method, address = _word(request.get("method")).upper(), bare_address(_word(request.get("url")))
    status = response.get("status")
    if not method.isalpha() or not address or not isinstance(status, int):
        return None
    failed = status < 0 or status >= _FAILS or bool(response.get("_failureText"))
    if method in _READING and not failed and entry.get("_resourceType") not in _PAGES:
        return None
    told = str(status) if status > 0 else f"failed ({_word(response.get('_failureText')) or 'no response'})"
    return _note(entry.get("_monotonicTime"), f"{method} {address} -> {told}")


def bare_address(url: str) -> str:
    """Return an address without user, password, query and fragment; empty where it is no address of the web."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"[:_LONGEST]


def _note(time: Any, line: str | None) -> Note | None:
    if line is None or isinstance(time, bool) or not isinstance(time, int | float):
        return None
    return Note(float(time), " ".join(line.split())[:_LONGEST]) if abs(time) < 1e15 else None


def _object(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
