"""Pictures that stand in a log itself, as base64 in its strings."""

import base64
import binascii
import gzip
import json
import re
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import MEBIBYTE, Limits
from tracewitness.intake.reading_files import is_compressed, open_plain
from tracewitness.values.digests import Digest, digest_bytes

KEPT_BYTES = 64 * MEBIBYTE
"""Most bytes of pictures of one log that are held in memory."""

PicturesIn = Callable[[Path, Limits], Iterator[bytes]]
"""Yields the pictures of a file."""

_CHUNK = MEBIBYTE
_WIDEST_OPENING = 64
_BASE64_SHARE = 4 / 3
# The four kinds of picture as base64 begins them; a slash may be written with a backslash before it.
_OPENING = re.compile(rb'"(?:data:image(?:\\?/)[a-z+.-]{1,16};base64,)?(?=iVBORw0KGgo|(?:\\?/)9j(?:\\?/)|UklGR|R0lGOD)')


class LogPictures:
    """The pictures that stand in a file, found by their digests.

    The log is read on only as far as the picture that is asked for, and from its beginning again where that one was
    passed and is no longer held. Safe to share between threads.

    Args:
        path: The log, plain or gzip-compressed.
        limits: Bounds on what is read.
        room: Most bytes of pictures held; those longest unused give way.
        source: Yields the pictures of the file in order; by default those that its strings hold as base64.
    """

    def __init__(self, path: Path, limits: Limits, room: int = KEPT_BYTES, source: "PicturesIn | None" = None) -> None:
        self._pictures_in = source
        self._path = path
        self._limits = limits
        self._room = room
        self._kept: OrderedDict[Digest, bytes] = OrderedDict()
        self._held = 0
        self._met: set[Digest] = set()
        self._source: Iterator[bytes] | None = None
        self._read_through = False
        self._lock = threading.Lock()

    def find(self, digest: Digest) -> bytes | None:
        """Return the picture with this digest; None where the log holds none or cannot be read."""
        with self._lock:
            for _ in range(2):  # on from where reading stopped, then once more from the beginning
                found = self._kept_one(digest)
                if found is None and (not self._read_through or digest in self._met):
                    found = self._read_on(digest)
                if found is not None:
                    return found
            return None

    def _kept_one(self, digest: Digest) -> bytes | None:
        found = self._kept.get(digest)
        if found is not None:
            self._kept.move_to_end(digest)
        return found

    def _read_on(self, digest: Digest) -> bytes | None:
        self._source = self._source or (self._pictures_in or pictures_in)(self._path, self._limits)
        for picture in _while_readable(self._source):
            met = digest_bytes(picture)
            self._met.add(met)
            self._keep(met, picture)
            if met == digest:
                return picture
        self._source, self._read_through = None, True
        return None

    def _keep(self, digest: Digest, picture: bytes) -> None:
        if digest in self._kept or len(picture) > self._room:
            return
        self._kept[digest] = picture
        self._held += len(picture)
        while self._held > self._room:
            self._held -= len(self._kept.popitem(last=False)[1])


def _while_readable(pictures: Iterator[bytes]) -> Iterator[bytes]:
    """Yield pictures until their file cannot be read any further; what was begun stays open for the next who asks."""
    try:
        while (picture := next(pictures, None)) is not None:
            yield picture
    except (IntakeError, OSError):
        return


def pictures_in(path: Path, limits: Limits) -> Iterator[bytes]:
    """Yield every picture that a string of a log holds as base64, in order, one at a time in memory.

    Where the log cannot be read any further, no more come.
    """
    try:
        with open_plain(path) as stream:
            compressed = is_compressed(stream.read(2))
            stream.seek(0)
            source: BinaryIO = gzip.GzipFile(fileobj=stream) if compressed else stream  # type: ignore[assignment]
            yield from pictures_of(source, limits)
    except (IntakeError, OSError, EOFError, zlib.error):
        return


def pictures_of(source: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """Yield every picture that a string of an open text holds as base64."""
    yield from filter(None, map(_decoded, _strings(source, limits)))


def _strings(source: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """Yield the strings that begin as a picture does; one longer than a screenshot may be comes as empty."""
    text = _Ahead(source, limits.unpacked)
    longest = int(limits.screenshot * _BASE64_SHARE) + _CHUNK
    while text.find_opening():
        yield text.until_quote(longest)


class _Ahead:
    """Reads a log forwards by chunks."""

    def __init__(self, source: BinaryIO, left: int) -> None:
        self._source = source
        self._left = left
        self._chunk = b""
        self._at = 0

    def find_opening(self) -> bool:
        """Go behind the next opening of a picture; False where none comes."""
        while True:
            found = _OPENING.search(self._chunk, self._at)
            if found is not None:
                self._at = found.end()
                return True
            self._at = max(self._at, len(self._chunk) - _WIDEST_OPENING)
            if not self._more():
                return False

    def until_quote(self, longest: int) -> bytes:
        """Return what stands before the next quotation mark; nothing where that is longer than it may be."""
        pieces: list[bytes] = []
        size = 0
        while True:
            end = self._chunk.find(b'"', self._at)
            piece = self._chunk[self._at : end if end >= 0 else None]
            self._at += len(piece)
            size += len(piece)
            if size <= longest:
                pieces.append(piece)
            if end >= 0 or not self._more():
                return b"".join(pieces) if size <= longest else b""

    def _more(self) -> bool:
        chunk = self._source.read(min(_CHUNK, self._left))
        self._left -= len(chunk)
        self._chunk, self._at = self._chunk[self._at :] + chunk, 0
        return bool(chunk)


def _decoded(written: bytes) -> bytes | None:
    try:
        text = json.loads(b'"' + written.rstrip(b"\\") + b'"') if b"\\" in written else written
        return base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
