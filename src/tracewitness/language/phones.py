"""Phone numbers in a text: digits in groups, with the signs that people put between them."""

import re
from collections.abc import Iterator

_FEWEST_DIGITS, _MOST_DIGITS = 7, 15
# A plus or an area code in brackets, then groups of digits with one sign between them.
_PHONE = re.compile(
    r"(?<![\d.,:/#@\-])(?<![a-z_])(?:\+\d{1,3}[ .\-/]?)?(?:\(\d{1,5}\)[ \-]?)?\d{1,5}(?:[ .\-/]\d{1,5}){0,6}"
    r"(?![\d_@])(?![.,:/\-]\d)(?![a-z])"
)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:([ .])\d{3})(?:\1\d{3})*")
_GROUP = re.compile(r"\d+")
_DATE_LIKE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d"
)


def find_phone_numbers(text: str) -> Iterator[re.Match[str]]:
    """Yield the phone numbers of a folded text.

    Digits without a sign between them are a plain number, and so are groups of thousands ("1 234 567").
    """
    for found in _PHONE.finditer(text):
        if _is_phone_number(found.group()):
            yield found


def phone_digits(text: str) -> str | None:
    """Return the digits of a text that is nothing but a phone number, else None."""
    words = text.strip()
    found = _PHONE.fullmatch(words)
    return "".join(_GROUP.findall(words)) if found is not None and _is_phone_number(words) else None


def _is_phone_number(words: str) -> bool:
    groups = _GROUP.findall(words)
    digits = sum(map(len, groups))
    if not _FEWEST_DIGITS <= digits <= _MOST_DIGITS or (len(groups) == 1 and "+" not in words):
        return False
    return not (_THOUSANDS.fullmatch(words) or _DATE_LIKE.fullmatch(words))
