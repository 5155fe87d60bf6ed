"""What a value must look like to be taken for a secret: the questions that keep ordinary text from being redacted."""

import base64
import binascii
import re

_LONGEST_LOOKED_AT = 256
_SHORTEST_RANDOM = 8
_SHORTEST_TELLING = 4
_WORDS = frozenset(
    "true false null none nil undefined yes no on off required optional hidden string text masked empty".split()
)
_PLACEHOLDER = re.compile(r"\[redacted:|<|\{|\$\{|\$[A-Z_]+\Z|%\(|[*•●xX._-]+\Z|\[[A-Z_ ]+\]\Z")
_DATE_OR_TIME = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")
_SYMBOL_INSIDE = re.compile(r"\w[!@#$%^*+~]+\w|\w[!@#$%^*+~]\Z|\A[!@#$%^*+~]\w")
_BOTH = re.compile(r"(?=.*\d)(?=.*[a-z])", re.IGNORECASE | re.DOTALL)
_RUN = re.compile(r"[a-z0-9]{8,}", re.IGNORECASE)


def is_placeholder(value: str) -> bool:
    """Return whether a value only stands for a secret: ``<secret:x>``, ``${KEY}``, ``****``, ``null``."""
    return value.lower() in _WORDS or _PLACEHOLDER.match(value) is not None


def is_random(value: str) -> bool:
    """Return whether a value looks made by a machine: a run of letters or digits with both kinds, and no date."""
    looked_at = value[:_LONGEST_LOOKED_AT]
    if len(looked_at) < _SHORTEST_RANDOM or _DATE_OR_TIME.match(looked_at) or " " in looked_at:
        return False
    return _BOTH.match(looked_at) is not None and _RUN.search(looked_at) is not None


def is_telling(value: str) -> bool:
    """Return whether a value looks like a password to a person: one word with digits or symbols in it, and no date."""
    looked_at = value[:_LONGEST_LOOKED_AT]
    if len(looked_at) < _SHORTEST_TELLING or _DATE_OR_TIME.match(looked_at) or any(map(str.isspace, looked_at)):
        return False
    if _SYMBOL_INSIDE.search(looked_at):
        return True
    return _DIGIT.search(looked_at) is not None and (_LETTER.search(looked_at) is not None or looked_at.isdigit())


def is_basic_credentials(value: str) -> bool:
    """Return whether a value is the Base64 text of ``user:password``."""
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return False
    return ":" in plain and plain.isprintable()
