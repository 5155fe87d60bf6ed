"""The directory at the end of a zip file, looked at before it is read into memory as a whole."""

import os
import struct
from typing import BinaryIO

from tracewitness.intake.errors import TooLargeError, UnreadableError

_END = b"PK\x05\x06"
_END_SIZE = 22
_LONGEST_COMMENT = 0xFFFF
_ENTRY = b"PK\x01\x02"
_LOCATOR = b"PK\x06\x07"
_LOCATOR_SIZE = 20
_BIG_END = b"PK\x06\x06"
_BIG_END_SIZE = 56
_ASKS_BIG_END = 0xFFFFFFFF
_LONGEST_ENTRY = 1024
"""Bytes of the directory that are granted to a member: its fixed part, its name and its extra fields."""


def refuse_huge_directory(stream: BinaryIO, members: int) -> None:
    """Refuse a zip file with more members than are read, without trusting the count that it states.

    Raises:
        UnreadableError: There is no directory: no zip file, or one that is cut off.
        TooLargeError: The directory is larger than so many members need, or lists more.
    """
    length, end = _length_and_end(stream)
    if length > members * _LONGEST_ENTRY:
        raise TooLargeError(f"lists more members than the {members} that are read", "split it")
    start = max(end - length, 0)
    stream.seek(start)
    if stream.read(end - start).count(_ENTRY) > members:
        raise TooLargeError(f"lists more members than the {members} that are read", "split it")
    stream.seek(0)


def _length_and_end(stream: BinaryIO) -> tuple[int, int]:
    """Return how long the directory is, by the larger of its two statements, and where it ends."""
    size = stream.seek(0, os.SEEK_END)
    reach = min(size, _END_SIZE + _LONGEST_COMMENT)
    stream.seek(size - reach)
    tail = stream.read(reach)
    found = tail.rfind(_END)
    if found < 0 or len(tail) - found < _END_SIZE:
        raise UnreadableError("the zip file is damaged or cut off", "copy the file again")
    end = size - reach + found
    (length,) = struct.unpack_from("<L", tail, found + 12)
    length = 0 if length == _ASKS_BIG_END else length
    return max(length, _big_length(stream, end)), end


def _big_length(stream: BinaryIO, end: int) -> int:
    """Return the length that the record of large files states, with its own; 0 where there is none."""
    start = end - _LOCATOR_SIZE - _BIG_END_SIZE
    if start < 0:
        return 0
    stream.seek(start)
    record = stream.read(_BIG_END_SIZE + _LOCATOR_SIZE)
    if not record.startswith(_BIG_END) or not record.startswith(_LOCATOR, _BIG_END_SIZE):
        return 0
    (length,) = struct.unpack_from("<Q", record, 40)
    return length + len(record)
