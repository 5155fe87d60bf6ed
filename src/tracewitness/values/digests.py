"""Content digests, tagged by algorithm so that a later change of algorithm is seen."""

import hashlib
import json
from typing import Any


class Digest(str):
    """A tagged content digest, ``sha256:`` followed by 64 hex digits.

    It is opaque on purpose: a record that crosses between the sides may carry a digest of prose, never the prose.
    """

    __slots__ = ()


def digest_bytes(content: bytes) -> Digest:
    """Return the tagged SHA-256 of raw bytes."""
    return Digest("sha256:" + hashlib.sha256(content).hexdigest())


def digest_text(text: str) -> Digest:
    """Return the tagged SHA-256 of a text; lone surrogates are kept, so any text read from a log has a digest."""
    return digest_bytes(text.encode("utf-8", "surrogatepass"))


def canonical_json(value: Any) -> str:
    """Return the one canonical JSON text of a value: sorted keys, no spaces, ASCII only, no NaN.

    Raises:
        ValueError: The value holds NaN or an infinity.
        TypeError: The value holds something JSON cannot express.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest_json(value: Any) -> Digest:
    """Return the digest of a value's canonical JSON text."""
    return digest_text(canonical_json(value))
