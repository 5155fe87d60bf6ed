"""What a report page embeds: dumps and images, each in a script element of its own. Nothing of the page is run."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.midscene.detect import is_dump
from tracewitness.intake.reading_files import parse_json
from tracewitness.intake.untyped import object_of

_OPENING = "<script"
_CLOSING = "</script>"
_TYPE = re.compile(r'\btype="(midscene_web_dump|midscene-image)"')
_ID = re.compile(r'\bdata-id="([^"]{1,200})"')
_LONGEST_TAG = 4096
_ESCAPES = (("__midscene_lt__", "<"), ("__midscene_gt__", ">"))


def embedded(page: str) -> tuple[list[dict[str, Any]], dict[str, str], int]:
    """Return the dumps of a page, its images by id, and how many dumps cannot be read."""
    dumps: list[dict[str, Any]] = []
    images: dict[str, str] = {}
    damaged = 0
    for tag, begin, end in _scripts(page):
        content = page[begin:end]
        kind = _TYPE.search(tag)
        if kind is None or not content.strip():
            continue
        if kind.group(1) == "midscene-image":
            if name := _ID.search(tag):
                images[name.group(1)] = _plain(content).strip()
            continue
        dump = _dump(_plain(content))
        dumps += [dump] if is_dump(dump) else []
        damaged += not is_dump(dump)
    return dumps, images, damaged


def retold_page(page: str, told: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
    """Return a page with its dumps in other words; damaged ones, images and all else stay as they are."""
    parts: list[str] = []
    at = 0
    for tag, begin, end in _scripts(page):
        kind = _TYPE.search(tag)
        if kind is None or kind.group(1) == "midscene-image":
            continue
        dump = _dump(_plain(page[begin:end]))
        if is_dump(dump):
            written = json.dumps(told(dump))
            for escaped, plain in _ESCAPES:
                written = written.replace(plain, escaped)
            parts += [page[at:begin], written]
            at = end
    return "".join((*parts, page[at:]))


def _scripts(page: str) -> Iterator[tuple[str, int, int]]:
    """Yield the opening tag of every script element, one behind the other, and where its content begins and ends."""
    at = page.find(_OPENING)
    while at >= 0:
        end = page.find(">", at, at + _LONGEST_TAG)
        close = page.find(_CLOSING, end) if end >= 0 else -1
        if end < 0:
            at = page.find(_OPENING, at + len(_OPENING))
            continue
        yield page[at:end], end + 1, close if close >= 0 else len(page)
        at = page.find(_OPENING, close) if close >= 0 else -1


def _plain(content: str) -> str:
    for escaped, plain in _ESCAPES:
        content = content.replace(escaped, plain)
    return content


def _dump(content: str) -> dict[str, Any]:
    try:
        return object_of(parse_json(content))
    except IntakeError:
        return {}
