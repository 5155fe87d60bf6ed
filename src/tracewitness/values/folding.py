"""Unicode folding used wherever two texts are compared."""

import re
import unicodedata
from functools import lru_cache

_SPACE = re.compile(r"\s+")
_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)

_KEPT_LENGTH = 400
"""Longest text whose folding is kept: logs repeat short texts."""


class FoldedText(str):
    """A short text after folding (at most 300 characters), the only text form that findings may carry."""

    __slots__ = ()
    LIMIT = 300


def fold_spaces(text: str) -> str:
    """Return the text after NFKC, with runs of white space as one space and the ends stripped (case kept)."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip()


def fold(text: str) -> str:
    """Return the text for comparison: invisible characters dropped, NFKC, white space folded, case folded."""
    if text.isascii() and text.isprintable():
        # The same in a tenth of the time: such a text has no white space but spaces.
        return " ".join(text.split()).lower()
    return _fold_once(text) if len(text) <= _KEPT_LENGTH else _fold(text)


def _fold(text: str) -> str:
    return fold_spaces(_INVISIBLE.sub("", text)).casefold()


@lru_cache(maxsize=8192)
def _fold_once(text: str) -> str:
    return _fold(text)


def folded(text: str) -> FoldedText:
    """Return a bounded folded text for a typed answer value."""
    return FoldedText(fold(text)[: FoldedText.LIMIT])


def printable(text: str) -> str:
    """Return the text with control, bidirectional and other invisible characters made visible as escapes.

    Every text from a log passes through here before it reaches a terminal, so an escape sequence in a log is shown and
    never obeyed. Tabs and line feeds are kept.
    """
    return _INVISIBLE.sub(lambda found: f"\\u{ord(found.group()):04x}", _escape_surrogates(text))


def _escape_surrogates(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\r", "\\r")
