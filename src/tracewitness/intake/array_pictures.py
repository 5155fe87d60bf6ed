"""Screens that a log holds as arrays of pixels, written as PNG: always the same bytes for the same pixels."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import Limits
from tracewitness.intake.pickles import Array, arrays_of
from tracewitness.values.digests import Digest, digest_bytes
from tracewitness.values.picture_heads import MOST_PIXELS

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOURS = {1: 0, 3: 2, 4: 6}
_EFFORT = 6
_SMALLEST = 4


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a log by the digest of its PNG."""

    digest: Digest


def picture_of(array: Array) -> Picture | None:
    """Return an array as a picture; None where it is none."""
    png = png_of(array)
    return Picture(digest_bytes(png)) if png is not None else None


def png_of(array: Array) -> bytes | None:
    """Return the PNG of an array of pixels: height by width by one, three or four bytes; None for any other array."""
    shape = array.shape if len(array.shape) == 3 else (*array.shape, 1)
    if len(shape) != 3 or array.dtype != "u1" or array.content is None or shape[2] not in _COLOURS:
        return None
    height, width, depth = shape
    if min(height, width) < _SMALLEST or height * width > MOST_PIXELS:
        return None
    if len(array.content) != height * width * depth:
        return None
    order = "F" if array.fortran else "C"
    pixels = np.frombuffer(array.content, np.uint8).reshape(shape, order=order)
    lines = np.zeros((height, width * depth + 1), np.uint8)
    lines[:, 1:] = pixels.reshape(height, width * depth)
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOURS[depth], 0, 0, 0)
    packed = zlib.compress(lines.data, _EFFORT)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def pickled_pictures(path: Path, limits: Limits) -> Iterator[bytes]:
    """Yield every picture that a pickle holds as an array, in order, as PNG, one at a time in memory.

    Where the pickle cannot be read any further, no more come.
    """
    try:
        yield from filter(None, map(png_of, arrays_of(path, limits)))
    except IntakeError:
        return
