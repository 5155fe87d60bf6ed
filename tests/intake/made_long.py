"""Planted logs made longer: their middle is repeated, with ids of its own in every copy."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.discover import is_picture

_IDS = frozenset({"id", "uuid", "spanId", "span_id", "call_id", "tool_call_id", "toolCallId", "tool_use_id"})
_LONG = 16
_DEEPEST = 4


def lengthened(log: Path, items: int) -> None:
    """Repeat the middle of the longest list (or of the lines) of a log, until that has about so many items."""
    files = [log] if log.is_file() else [one for one in log.rglob("*") if one.is_file() and not is_picture(one.name)]
    longest = max(files, key=lambda one: one.stat().st_size)
    text = longest.read_text("utf-8")
    try:
        document: Any = json.loads(text)
    except ValueError:
        lines: list[Any] = [json.loads(line) for line in text.splitlines()]
        longest.write_text("".join(json.dumps(one) + "\n" for one in _repeated(lines, items)), "utf-8")
        return
    held = max(_lists(document, 0), key=lambda one: len(json.dumps(one)))
    held[:] = _repeated(held, items)
    longest.write_text(json.dumps(document), "utf-8")


def _repeated(items: list[Any], wanted: int) -> list[Any]:
    first, middle, last = items[:1], items[1:-1], items[-1:]
    fixed = json.dumps([first, last])
    written = json.dumps(middle)
    own = [one for one in dict.fromkeys(_ids(middle)) if json.dumps(one) not in fixed]
    copies = [json.loads(_renamed(written, own, at)) for at in range(max(wanted // max(len(middle), 1), 1))]
    return [*first, *(one for copy in copies for one in copy), *last]


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, held in cast(dict[str, Any], value).items():
            if key in _IDS and isinstance(held, str) and held:
                yield held
            else:
                yield from _ids(held)
    elif isinstance(value, list):
        for held in cast(list[Any], value):
            yield from _ids(held)


def _renamed(written: str, ids: list[str], copy: int) -> str:
    for one in ids:
        new = f"{copy:08x}{one[8:]}" if re.match(r"[0-9a-f]{8}(?:-|[0-9a-f]{8}\Z)", one) else f"{one}-{copy}"
        # A long id may stand within another one, such as the way down to a span.
        written = written.replace(one, new) if len(one) >= _LONG else written.replace(json.dumps(one), json.dumps(new))
    return written


def _lists(value: Any, depth: int) -> Iterator[list[Any]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        listed = cast(list[Any], value)
        if len(listed) > 2 and isinstance(listed[0], dict):
            yield listed
        for item in listed[:3]:
            yield from _lists(item, depth + 1)
    elif isinstance(value, dict):
        for item in cast(dict[str, Any], value).values():
            yield from _lists(item, depth + 1)
