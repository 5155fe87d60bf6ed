"""The records of ``steps.json``: messages, each the JSON text of one."""

import ast
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, IntakeError
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import parse_json
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

_LONGEST = 100_000
SPEAKER = re.compile(r"^\[([a-z_]{1,40})\] ?")


@dataclass(frozen=True, slots=True)
class Record:
    """One record.

    Attributes:
        place: Its place in the log.
        kind: The type of its message: ``ai``, ``tool``, ``human``.
        speaker: The agent whose thoughts it holds; empty where they do not say.
        thoughts: Its thoughts, in order.
        calls: The calls of tools in it.
        answers: The call that it answers, where it is the message of a tool.
        failed: Whether that tool failed.
        text: The words of a tool's message.
        time: ISO 8601.
    """

    place: str
    kind: str
    speaker: str
    thoughts: tuple[str, ...]
    calls: tuple[dict[str, Any], ...]
    answers: str
    failed: bool
    text: str
    time: str | None


@dataclass(slots=True)
class RecordLog:
    """A log as far as it can be read."""

    records: list[Record] = field(default_factory=list[Record])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    encoding: str = ""


def read_records(path: Path, limits: Limits) -> RecordLog:
    """Read a log; where it breaks off, the records ahead of that are kept.

    Raises:
        IntakeError: Not even its first record can be read.
        BadRunError: It has more records than are read.
    """
    log, stream, count = RecordLog(), JsonStream(path, limits), 0
    try:
        for place, value in stream:
            count += 1
            if count > limits.steps:
                raise BadRunError(f"more than {limits.steps} records", "split the log")
            _append(log, f"steps{place}", object_of(value))
    except IntakeError as error:
        if count == 0 or isinstance(error, BadRunError):
            raise
        log.gaps.add(Gap.LOG_CUT_OFF)
        log.notices.append(f"log {error.where}: {error.problem}")
    log.encoding = stream.encoding
    return log


def _append(log: RecordLog, place: str, record: dict[str, Any]) -> None:
    try:
        message = object_of(parse_json(text_of(record.get("data"))))
    except IntakeError as error:
        log.gaps.add(Gap.MISSING_STEPS)
        log.notices.append(f"{place}.data: {error.problem}")
        return
    content = content_of(message.get("content"))
    kind = text_of(message.get("type"))
    thoughts = thoughts_of(content) if kind != "tool" else ()
    found = SPEAKER.match(thoughts[-1]) if thoughts else None
    log.records.append(
        Record(
            place=place,
            kind=kind,
            speaker=found.group(1) if found else "",
            thoughts=tuple(SPEAKER.sub("", one, count=1) for one in thoughts),
            calls=tuple(objects_of(message.get("tool_calls"))),
            answers=text_of(message.get("tool_call_id")),
            failed=message.get("status") == "error",
            text=content,
            time=_time(record.get("timestamp")),
        )
    )


def content_of(content: Any) -> str:
    """Return the words of a content."""
    parts = [text_of(part.get("text")) for part in objects_of(list_of(content))]
    return text_of(content) or "\n".join(part for part in parts if part)


def thoughts_of(content: str) -> tuple[str, ...]:
    """Return the thoughts that a message holds, written as Python writes a list of texts; else the words as one."""
    bare = content.strip()
    if not bare:
        return ()
    try:
        value: Any = ast.literal_eval(bare) if bare.startswith("[") and len(bare) <= _LONGEST else None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        value = None
    texts = [one for one in list_of(value) if isinstance(one, str)]
    return tuple(one.encode("utf-8", "replace").decode("utf-8") for one in texts) or (bare,)


def _time(seconds: Any) -> str | None:
    if not isinstance(seconds, int) or isinstance(seconds, bool):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None
