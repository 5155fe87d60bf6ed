"""Telling the data of a run by its keys, and a report page by the data embedded in it."""

from collections.abc import Iterator
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.reading_files import open_plain, peek
from tracewitness.intake.untyped import object_of, objects_of

MARK = b"ui_tars_web_dump"
_PAGE = (b"<!doctype html", b"<html")
_PAGES = (".html", ".htm")
_CHUNK = 1024 * 1024


def detect(candidate: Candidate) -> Verdict:
    """Say yes to an object (or a list of them) with instruction and conversations, and to a report page."""
    if candidate.shape is Shape.FOLDER:
        return Verdict(False, "a folder, not a run or report")
    if candidate.shape in (Shape.JSON, Shape.JSON_LINES):
        if runs_in(candidate.sample):
            return Verdict(True, "an instruction and conversations from human and gpt stand in it")
        return Verdict(False, "no conversations from human and gpt in it")
    if candidate.shape is Shape.OTHER and candidate.path.name.lower().endswith(_PAGES) and _is_page(candidate):
        return Verdict(True, "a page with the data of UI-TARS runs")
    return Verdict(False, "neither data of a run nor a page with it")


def runs_in(value: Any) -> list[dict[str, Any]]:
    """Return the runs that a JSON value is or lists."""
    return [one for one in (objects_of(value) if isinstance(value, list) else [object_of(value)]) if is_run(one)]


def is_run(run: dict[str, Any]) -> bool:
    """Tell whether an object is the data of a run."""
    turns = objects_of(run.get("conversations"))
    told = all("from" in turn and "value" in turn for turn in turns[:3])
    return (
        bool(turns)
        and told
        and "instruction" in run
        and bool({"status", "logTime", "systemPrompt", "version"} & run.keys())
    )


def _is_page(candidate: Candidate) -> bool:
    head = peek(candidate.path, 4096).lstrip().lower()
    return head.startswith(_PAGE) and any(MARK in chunk for chunk in _chunks(candidate))


def _chunks(candidate: Candidate) -> Iterator[bytes]:
    """Yield the page in overlapping chunks: its program stands ahead of the data and is large."""
    with open_plain(candidate.path) as stream:
        kept = b""
        while chunk := stream.read(_CHUNK):
            yield kept + chunk
            kept = chunk[-len(MARK) :]
