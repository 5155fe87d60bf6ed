"""Writing retold logs: JSON documents, and JSON Lines whose blank and damaged lines stay as they are."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError, IntakeFailure
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.reading_files import (
    LENIENT,
    TextRead,
    decode,
    decode_utf8,
    lines_of,
    parse_json,
    read_bytes,
    without_surrogates,
)
from tracewitness.intake.retelling import copy_files
from tracewitness.intake.sealed import SealedRun
from tracewitness.intake.sidecar import sidecar_names

_BEFORE_FIRST = re.compile(r"\s*\[\s*")
_BETWEEN = re.compile(r"\s*,\s*")

Read = Callable[[Candidate, ReadOptions], Iterator[SealedRun | IntakeFailure]]

Retold = Callable[[Any], Any]
"""Returns a JSON value of a log in other words."""


def write_retold(candidate: Candidate, folder: Path, retold: Retold, beside: Iterable[str] = ()) -> Path:
    """Write a log of JSON, or of one JSON value a line, in other words, and return the file.

    Args:
        candidate: The log.
        folder: Where to write; it does not exist yet.
        retold: Returns the document, or the value of a line, in other words.
        beside: Names of files to copy, besides those that hold the task.

    Raises:
        IntakeError: The log cannot be read.
        OSError: Something cannot be written.
    """
    folder.mkdir(parents=True)
    copy_files(candidate.path.parent, folder, [*sidecar_names(candidate.path), *beside])
    path = folder / candidate.path.name.removesuffix(".gz")
    if candidate.shape is Shape.JSON_LINES:
        write_lines(candidate.path, path, candidate.limits, retold)
    else:
        path.write_text(json.dumps(retold(candidate.document)), encoding="utf-8")
    return path


def write_lines(source: Path, path: Path, limits: Limits, retold: Retold, *, strict: bool = False) -> None:
    """Write a file of one JSON value a line in other words; its lines keep their numbers.

    Args:
        source: The file.
        path: Where to write.
        limits: Bounds on what is read.
        retold: Returns the value of a line in other words.
        strict: Whether the reader takes nothing but strict JSON in UTF-8, so that any other line stays as it is.

    Raises:
        IntakeError: The file cannot be read.
        OSError: Something cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as out:
        out.writelines(_lines(source, limits, retold, strict=strict))


def _lines(source: Path, limits: Limits, retold: Retold, *, strict: bool) -> Iterator[bytes]:
    known, number = "", 0
    for line in lines_of(source, limits):
        yield b"\n" * (line.number - number - 1)
        number = line.number
        end = b"\n" if line.ended else b""
        try:
            read = TextRead(decode_utf8(line.content), "utf-8") if strict else decode(line.content, source.name, known)
            value: Any = parse_json(read.text, line.number, strict=strict)
        except IntakeError:
            yield line.content.rstrip(b"\r\n") + end
            continue
        known = read.encoding if read.encoding != "utf-8" else known
        yield json.dumps(retold(value)).encode() + end


def write_list(source: Path, path: Path, limits: Limits, retold: Retold) -> None:
    """Write a file that is one JSON list with each of its elements in other words.

    Where it breaks off, or cannot be read any further, the rest is written as it stands.
    """
    text = decode(read_bytes(source, limits.document), source.name).text
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(_elements(text, retold)), encoding="utf-8")


def _elements(text: str, retold: Retold) -> Iterator[str]:
    done, at = 0, _BEFORE_FIRST.match(text)
    try:
        while at is not None:
            value, end = LENIENT.raw_decode(text, at.end())
            yield text[done : at.end()] + json.dumps(retold(without_surrogates(value)))
            done, at = end, _BETWEEN.match(text, end)
    except (ValueError, RecursionError, IntakeError):
        pass
    yield text[done:]


def reports_of(read: Read, candidate: Candidate) -> str:
    """Return the reports of the runs of a log, by which an agent's last words are told from those on the way.

    Raises:
        IntakeError: Nothing of the log can be read.
    """
    return reports_in(runs_of(read, candidate))


def runs_of(read: Read, candidate: Candidate) -> list[SealedRun]:
    """Return the runs of a log.

    Raises:
        IntakeError: Nothing of the log can be read.
    """
    return [one for one in read(candidate, ReadOptions(candidate.limits, "task")) if isinstance(one, SealedRun)]


def reports_in(runs: Iterable[SealedRun]) -> str:
    """Return the reports of runs."""
    return "\n".join(one.report.text or "" for one in runs)
