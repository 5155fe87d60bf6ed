"""Pictures that a log holds as base64: told by their first characters, kept by digest alone."""

import base64
import binascii

from tracewitness.values.digests import Digest, digest_bytes

_DATA_URL = "data:image/"
_BEGINNINGS = ("iVBORw0KGgo", "/9j/", "UklGR", "R0lGOD")
"""How PNG, JPEG, WebP and GIF begin in base64."""

PICTURE_MARKS = (*_BEGINNINGS, _DATA_URL)
"""One of these stands in every text that holds an inline picture."""

_SHORTEST = 64
_KEPT = 32


class InlinePicture(str):
    """The beginning of an inline picture in place of the whole, so that a long log takes little memory.

    Attributes:
        digest: The digest of its bytes; None where it could not be decoded.
    """

    digest: Digest | None

    @classmethod
    def of(cls, text: str) -> "InlinePicture":
        """Shrink an inline picture."""
        shrunk = cls(text[:_KEPT])
        shrunk.digest = inline_digest(text)
        return shrunk


def is_inline_picture(text: str) -> bool:
    """Tell whether a text of a log is a picture: a data URL of one, or bare base64 of one of the four kinds."""
    if isinstance(text, InlinePicture):
        return True
    return text.startswith(_DATA_URL) or (len(text) > _SHORTEST and text.startswith(_BEGINNINGS))


def inline_digest(text: str) -> Digest | None:
    """Return the digest of the bytes of an inline picture; None where it cannot be decoded (cut off, a placeholder)."""
    if isinstance(text, InlinePicture):
        return text.digest
    bare = text.split(",", 1)[1] if text.startswith(_DATA_URL) and "," in text else text
    try:
        picture = base64.b64decode(bare, validate=True)
    except (binascii.Error, ValueError):
        return None
    return digest_bytes(picture) if picture else None
