"""The entries of ``action_info.json``, and what lies beside it."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call
from tracewitness.intake.errors import BadRunError, IntakeError
from tracewitness.intake.formats.mobile_agent_web.detect import LOG
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.limits import MEBIBYTE
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import decode, parse_json, read_bytes
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

_META = "meta_info.json"
_MESSAGES = "messages.json"
_INSTRUCTION, _PREVIOUS = "\n\nInstruction: ", "\n\nPrevious actions:"
_MARKED = re.compile(r"\[(\d{1,6})\]:\s?(?:<([A-Za-z][\w-]{0,40})>)?")
_ADDED = ("x", "y", "action_html")
"""Arguments that the tool adds to those of the agent."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of the log.

    Attributes:
        place: Its place in the log.
        number: Its number.
        call: What the agent called; None where its answer could not be used.
        thought: The line in which it says what it does.
        html: The page's own element that the tool acted on.
        error: What the tool answered where it could not do it.
        elements: The marked elements of the page by their labels, as lines.
    """

    place: str
    number: int
    call: Call | None
    thought: str
    html: str
    error: str
    url: str
    elements: dict[str, str]
    time: str | None


@dataclass(slots=True)
class WebLog:
    """A log with what lies beside it."""

    entries: list[Entry] = field(default_factory=list[Entry])
    meta: dict[str, Any] = field(default_factory=dict[str, Any])
    encoding: str = ""
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])


def read_web_log(folder: RunFolder, log_name: str = LOG) -> WebLog:
    """Read a log. The tool writes it anew after every step; where one breaks off, what stands ahead is kept.

    Raises:
        IntakeError: Not even its first entry can be read.
        BadRunError: It has more steps than are read, or its steps are not in order.
    """
    log, stream = WebLog(), JsonStream(folder.locate(log_name), folder.limits)
    try:
        for place, value in stream:
            _append(log, _entry(f"action_info{place}", object_of(value), len(log.entries) + 1), folder.limits.steps)
    except IntakeError as error:
        if not log.entries or isinstance(error, BadRunError):
            raise
        log.gaps.add(Gap.LOG_CUT_OFF)
        log.notices.append(f"log {error.where}: {error.problem}")
    log.encoding = stream.encoding
    if (folder.root / _META).is_file():
        log.meta = _meta(folder, log)
    return log


def _append(log: WebLog, one: Entry, most: int) -> None:
    if log.entries and one.number <= log.entries[-1].number:
        problem = f"step {one.number} comes after step {log.entries[-1].number}"
        raise BadRunError(problem, "one log holds two runs; split it", where=one.place)
    if len(log.entries) >= most:
        raise BadRunError(f"more than {most} steps", "split the log", where=one.place)
    log.entries.append(one)


def _entry(place: str, entry: dict[str, Any], otherwise: int) -> Entry:
    info, number = object_of(entry.get("info")), entry.get("it")
    arguments = object_of(object_of(info.get("tool_call")).get("arguments"))
    name = text_of(arguments.get("action")).strip()
    own = {key: value for key, value in arguments.items() if key != "action" and key not in _ADDED}
    return Entry(
        place=place,
        number=number if isinstance(number, int) and not isinstance(number, bool) else otherwise,
        call=Call(name, own) if name else None,
        thought=text_of(info.get("action_text")),
        html=text_of(arguments.get("action_html")).partition(" -> ")[0].strip(),
        error=text_of(entry.get("obs")).strip(),
        url=text_of(info.get("current_url")),
        elements=_elements(text_of(info.get("SoM"))),
        time=_time(entry.get("timestamp")),
    )


def _elements(written: str) -> dict[str, str]:
    """Return the marked elements: ``[3]: <button> "Save";`` as the line ``button "Save"`` under the label 3."""
    found = dict[str, str]()
    for part in written.split("\t"):
        mark = _MARKED.match(part)
        if mark is not None:
            rest = part[mark.end() :].strip().removesuffix(";").strip()
            found[mark.group(1)] = f"{mark.group(2)} {rest}" if mark.group(2) else rest
    return found


def _time(seconds: Any) -> str | None:
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _meta(folder: RunFolder, log: WebLog) -> dict[str, Any]:
    try:
        return object_of(parse_json(decode(read_bytes(folder.locate(_META), MEBIBYTE), _META).text))
    except IntakeError as error:
        log.notices.append(f"{_META}: {error.problem}")
        return {}


def task_of(folder: RunFolder, log: WebLog) -> str | None:
    """Return the task of ``meta_info.json``, else the instruction of the first prompt, in which no step stands yet."""
    task = text_of(log.meta.get("task")).strip()
    if task or not (folder.root / _MESSAGES).is_file():
        return task or None
    try:
        _, first = next(iter(JsonStream(folder.locate(_MESSAGES), folder.limits)), ("", None))
    except IntakeError:
        return None
    asked = [message for message in objects_of(list_of(first)) if message.get("role") == "user"]
    texts = [text_of(part.get("text")) for message in asked[:1] for part in objects_of(message.get("content"))]
    ahead, found, behind = texts[0].rpartition(_PREVIOUS) if texts else ("", "", "")
    return ahead.partition(_INSTRUCTION)[2].strip() or None if found and not behind.strip() else None
