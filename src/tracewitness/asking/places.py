"""Where a value stands in the text of a JSON object."""

import json
import re
from collections.abc import Iterator, Sequence

_SPACE = " \t\r\n"
# An object begins with a key or ends at once; a brace in prose is none.
_OBJECT = re.compile(r'\{\s*["}]')


def place_of(raw: str, path: Sequence[str]) -> int | None:
    """Return where the value under a path of keys begins in a text that holds a JSON object; None where it is not.

    Text before the object (a code fence or prose, say) is passed over; of keys that repeat, the first counts.
    """
    begins = _OBJECT.search(raw)
    start = begins.start() if begins is not None else -1
    try:
        for key in path:
            start = next((at for name, at in _members(raw, start) if name == key), -1)
            if start < 0:
                return None
    except (ValueError, IndexError, RecursionError):
        return None
    return start if path else None


def _members(raw: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield each key of the object at ``start`` with the place of its value."""
    if start < 0 or raw[start] != "{":
        return
    decoder = json.JSONDecoder()
    at = _skip(raw, start + 1)
    while raw[at] == '"':
        name, at = decoder.raw_decode(raw, at)
        at = _skip(raw, at)
        if raw[at] != ":":
            raise ValueError("no colon after a key")
        value = _skip(raw, at + 1)
        yield name, value
        _, at = decoder.raw_decode(raw, value)
        at = _skip(raw, at)
        if raw[at] != ",":
            return
        at = _skip(raw, at + 1)


def _skip(raw: str, at: int) -> int:
    while raw[at] in _SPACE:
        at += 1
    return at
