"""A form of text for matching that keeps every position.

``values.folding.fold`` is for comparing whole texts; it changes lengths. Lexicons, clauses and quantities need spans
that point into the text as it stood, so their folding maps each character to exactly one character.
"""

import re
import unicodedata
from functools import lru_cache

_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_KEPT_LENGTH = 400
"""Longest text whose folding is kept: logs repeat short texts, and every reader folds them anew."""

_ALIKE = {"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "−": "-", "﹣": "-", "〜": "~"}


class _PerCharacter(dict[int, str]):
    """Code point to its folded character, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        plain = _ALIKE.get(character)
        if plain is None:
            plain = unicodedata.normalize("NFKC", character).lower()
        kept = plain if len(plain) == 1 else _lowered(character)
        self[code] = kept
        return kept


def _lowered(character: str) -> str:
    lower = character.lower()
    return lower if len(lower) == 1 else character


_TABLE = _PerCharacter()


def tidy(text: str) -> str:
    """Return the text composed (NFC) and without invisible characters: the form to hand to everything in this package.

    Decomposed accents and zero-width characters would otherwise hide words. Positions found afterwards point into the
    tidied text.
    """
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", text))


def comparable(text: str) -> str:
    """Return the text for matching, of the same length: width and case folded character by character."""
    if text.isascii():
        return text.lower()
    return _translated_once(text) if len(text) <= _KEPT_LENGTH else text.translate(_TABLE)


@lru_cache(maxsize=8192)
def _translated_once(text: str) -> str:
    return text.translate(_TABLE)
