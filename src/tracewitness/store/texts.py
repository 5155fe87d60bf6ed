"""Any text a log may hold, in a form every database takes.

SQLite's TEXT cannot hold a lone surrogate and PostgreSQL's cannot hold NUL. Both are written as escapes (backslash, u,
four hex digits) and a backslash as two, so no two texts share a form and ordinary texts stay as they are.
"""

import re

from tracewitness.values.digests import digest_text

_LIMIT = 300
_KEPT = 200
_ESCAPED = re.compile("[\\\\\x00\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:\\|u([0-9a-f]{4}))")


def to_stored(text: str) -> str:
    """Return the form in which a text is stored; ``from_stored(to_stored(text)) == text``."""
    return _ESCAPED.sub(lambda found: "\\\\" if found[0] == "\\" else f"\\u{ord(found[0]):04x}", text)


def from_stored(stored: str) -> str:
    """Return the text that was stored."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else "\\", stored)


def to_column(text: str) -> str:
    """Return the form in which a text is looked up: as stored, a long one shortened and made unique by its digest.

    Indexes take keys of some 2,700 bytes at most (PostgreSQL); this form has at most 272 characters or 1,100 bytes.
    """
    stored = to_stored(text)
    return stored if len(stored) <= _LIMIT else f"{stored[:_KEPT]}~{digest_text(text)}"
