"""Telling report pages (HTML) that embed the data of a run, by what they hold and not by how they are called."""

import re
from collections.abc import Generator
from contextlib import closing

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.limits import MEBIBYTE
from tracewitness.intake.reading_files import open_unpacked, peek

_HEAD = 4096
_CHUNK = MEBIBYTE
_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<!--(?:[^-]|-(?!->))*+-->\s*+)*+(?:<!doctype\s++html|<html\b)", re.IGNORECASE
)


def embeds(candidate: Candidate, mark: bytes) -> bool:
    """Tell whether a file, compressed or not, is a page in which a mark stands.

    Raises:
        IntakeError: The file cannot be read.
    """
    if candidate.shape is not Shape.OTHER or not _PAGE.match(peek(candidate.path, _HEAD)):
        return False
    with closing(_chunks(candidate, len(mark))) as chunks:
        return any(mark in chunk for chunk in chunks)


def _chunks(candidate: Candidate, overlap: int) -> Generator[bytes]:
    """Yield the page in overlapping chunks: its program stands ahead of the data and is large."""
    left = candidate.limits.unpacked
    with open_unpacked(candidate.path) as (stream, _):
        kept = b""
        while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
            left -= len(chunk)
            yield kept + chunk
            kept = chunk[-overlap:]
