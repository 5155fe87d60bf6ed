"""The bytes of a pickle, read forwards and never more of them than allowed."""

import re
import struct
from typing import BinaryIO

from tracewitness.intake.errors import BadPickleError, TooLargeError
from tracewitness.intake.limits import MEBIBYTE, Limits
from tracewitness.intake.pickles.values import Blob
from tracewitness.intake.reading_files import size_words

BLOB = 64 * 1024
"""Bytes objects longer than this are kept as blobs, so that they can be let go."""

_CHUNK = MEBIBYTE
_LONGEST_LINE = MEBIBYTE
_LONGEST_INTEGER = 1024
_SURROGATE = re.compile("[\ud800-\udfff]")


class Source:
    """The bytes of a pickle.

    Args:
        stream: Where they come from, unpacked; a buffered stream, as it is read in small pieces.
        limits: Bounds on what is read.
    """

    def __init__(self, stream: BinaryIO, limits: Limits) -> None:
        self._read = stream.read
        self._readline = stream.readline
        self._left = limits.unpacked
        self._room = limits.document
        self._limits = limits

    def byte(self) -> int:
        """Return the next byte as a number.

        Raises:
            BadPickleError: There is none.
        """
        found = self._read(1)
        if not found:
            raise cut_off()
        self._left -= 1
        if self._left < 0:
            raise TooLargeError(f"unpacks to more than {size_words(self._limits.unpacked)}", "leave the file out")
        return found[0]

    def exact(self, size: int) -> bytes:
        """Return that many bytes, whatever the pickle says there are; in pieces, as it may say anything."""
        self._spend(size)
        if size <= _CHUNK:
            found = self._read(size)
        else:
            found = b"".join(self._pieces(size))
        if len(found) != size:
            raise cut_off()
        return found

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise TooLargeError(f"states a length beyond {size_words(self._limits.unpacked)}", "leave the file out")

    def _pieces(self, size: int) -> list[bytes]:
        pieces: list[bytes] = []
        while size > 0 and (piece := self._read(min(size, _CHUNK))):
            pieces.append(piece)
            size -= len(piece)
        return pieces

    def line(self) -> bytes:
        """Return a line without its end."""
        found = self._readline(_LONGEST_LINE)
        self._spend(len(found))
        if not found.endswith(b"\n"):
            raise cut_off() if len(found) < _LONGEST_LINE else BadPickleError("a line without end", "leave it out")
        return found[:-1]

    def number(self, layout: str) -> int:
        """Return an integer of a fixed layout of ``struct``."""
        return struct.unpack(layout, self.exact(struct.calcsize(layout)))[0]

    def keep(self, size: int) -> None:
        """Note that so many bytes stay in memory; a negative size gives room back.

        Raises:
            TooLargeError: They are more than a document may have.
        """
        self._room -= size
        if self._room < 0:
            problem = f"holds more than {size_words(self._limits.document)} besides its pictures"
            raise TooLargeError(problem, "leave the file out")

    def text(self, size: int) -> str:
        """Return a text of so many bytes of UTF-8; lone surrogates become U+FFFD, as in JSON."""
        self.keep(size)
        content = self.exact(size)
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            try:
                return _SURROGATE.sub("\ufffd", content.decode("utf-8", "surrogatepass"))
            except UnicodeDecodeError as error:
                raise BadPickleError("a text is not UTF-8", "record the run again") from error

    def content(self, size: int) -> bytes | Blob:
        """Return a bytes object; a long one as a blob, one longer than a picture may be without its bytes."""
        if size <= BLOB:
            self.keep(size)
            return self.exact(size)
        if size <= self._limits.screenshot:
            self.keep(size)
            return Blob(size, self.exact(size))
        self._spend(size)
        self._skip(size)
        return Blob(size)

    def _skip(self, size: int) -> None:
        while size > 0:
            piece = self._read(min(size, _CHUNK))
            if not piece:
                raise cut_off()
            size -= len(piece)

    def integer(self, size: int) -> int:
        """Return an integer of so many bytes, least first."""
        if not 0 <= size <= _LONGEST_INTEGER:
            raise BadPickleError("a number that is too long", "leave the file out")
        return int.from_bytes(self.exact(size), "little", signed=True)

    def rest(self) -> None:
        """Read what follows the pickle, so that a packed file is checked to its end."""
        while piece := self._read(_CHUNK):
            self._spend(len(piece))


def cut_off() -> BadPickleError:
    """Return the error of a pickle that ends too early."""
    return BadPickleError("the pickle ends in the middle", "the file was cut off; copy or record it again")
