"""The first bytes of a picture: what kind it is and how large, told without decoding it.

A picture out of a log is hostile until shown otherwise: a few bytes may state that they unpack to gigabytes. What
states more pixels than any screen has is no picture here.
"""

import re
import struct
from dataclasses import dataclass

MOST_PIXELS = 50_000_000
"""Most pixels of a picture: six times those of a screen of 3840 by 2160."""

_PNG = b"\x89PNG\r\n\x1a\n"
_GIF = (b"GIF87a", b"GIF89a")
_JPEG = b"\xff\xd8\xff"
_JPEG_SEGMENTS = 10_000
_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_VP8_START = b"\x9d\x01\x2a"
_SCAN_OR_END = frozenset({0xD9, 0xDA})
_FILL = re.compile(rb"\xff+")


@dataclass(frozen=True, slots=True)
class PictureHead:
    """What the first bytes of a picture say.

    Attributes:
        media_type: ``image/png``, ``image/jpeg``, ``image/webp`` or ``image/gif``.
        width: In pixels.
        height: In pixels.
    """

    media_type: str
    width: int
    height: int


def read_head(content: bytes) -> PictureHead | None:
    """Return what the first bytes of a picture say.

    Returns:
        None where they are no PNG, JPEG, WebP or GIF, state no size, or state more than ``MOST_PIXELS``.
    """
    try:
        found = _head(content)
    except (struct.error, IndexError):
        return None
    return found if found is not None and 0 < found.width * found.height <= MOST_PIXELS else None


def _head(content: bytes) -> PictureHead | None:
    if content.startswith(_PNG):
        return _png(content)
    if content.startswith(_JPEG):
        return _jpeg(content)
    if content.startswith(_GIF):
        return PictureHead("image/gif", *struct.unpack_from("<HH", content, 6))
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _webp(content)
    return None


def _png(content: bytes) -> PictureHead | None:
    if content[12:16] != b"IHDR":
        return None
    return PictureHead("image/png", *struct.unpack_from(">II", content, 16))


def _jpeg(content: bytes) -> PictureHead | None:
    """Walk the segments up to the one that states the size."""
    at = 2
    for _ in range(_JPEG_SEGMENTS):
        fill = _FILL.match(content, at)
        if fill is None:
            return None
        marker = content[fill.end()]
        at = fill.end() + 1
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", content, at + 3)
            return PictureHead("image/jpeg", width, height)
        if marker in _SCAN_OR_END:
            return None
        if marker not in _BARE_MARKERS:
            at += struct.unpack_from(">H", content, at)[0]
    return None


def _webp(content: bytes) -> PictureHead | None:
    kind = content[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(content[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8L" and content[20] == 0x2F:
        bits = struct.unpack_from("<I", content, 21)[0]
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 " and content[23:26] == _VP8_START:
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", content, 26))
    else:
        return None
    return PictureHead("image/webp", width, height) if len(content) >= 30 else None
