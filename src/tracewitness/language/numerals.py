"""Numbers as digits: separators by language, and CJK scale signs."""

import re
from decimal import Decimal

from tracewitness.findings.labels import Language

DECIMAL_COMMA = frozenset({Language.DE, Language.FR, Language.ES, Language.PT})
"""Languages that write 1.234,5 (Unicode CLDR number patterns)."""

_GROUPED = r"\d{1,3}(?:%s\d{3})+(?:[.,]\d+)?(?!\d)"
NUMBER = "(?:" + "|".join([_GROUPED % "[,]", _GROUPED % r"\.", _GROUPED % "'", r"\d+(?:[.,]\d+)?"]) + ")"
"""Source of a pattern for one number without sign or scale, to be run on folded text."""

NUMBER_WITH_SPACES = "(?:" + _GROUPED % "[ ]" + "|" + NUMBER[3:]
"""The same, with spaces between thousands (folding turns no-break and narrow spaces into plain ones)."""

_EAST_ASIAN = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?([万萬만億亿억千천])")
_SCALES = {"万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8, "千": 3, "천": 3}
EAST_ASIAN = r"(?:\d[\d,]*(?:\.\d+)?\s?[万萬만億亿억千천]\s?)+(?:\d[\d,]*(?!\d))?"
"""Source of a pattern for numbers with scale signs, such as 1億2000万."""


def number_pattern(language: Language) -> str:
    """Return the source of the number pattern that fits a language."""
    return NUMBER if language is Language.EN else NUMBER_WITH_SPACES


def parse_number(digits: str, language: Language) -> Decimal:
    """Return the value of a text that the number pattern matched.

    Where a single separator stands before exactly three digits, the language decides whether it groups or divides.
    """
    plain = digits.replace(" ", "").replace("'", "")
    dot, comma = plain.rfind("."), plain.rfind(",")
    if dot >= 0 and comma >= 0:
        point, group = (".", ",") if dot > comma else (",", ".")
        return Decimal(plain.replace(group, "").replace(point, "."))
    separator = "." if dot >= 0 else ","
    if separator not in plain:
        return Decimal(plain)
    if _groups(plain, separator, language):
        return Decimal(plain.replace(separator, ""))
    return Decimal(plain.replace(separator, "."))


def _groups(plain: str, separator: str, language: Language) -> bool:
    head, *tails = plain.split(separator)
    if len(tails) > 1:
        return True
    if len(tails[0]) != 3 or len(head) > 3 or head.startswith("0"):
        return False
    return separator == ("." if language in DECIMAL_COMMA else ",")


def parse_east_asian(text: str) -> Decimal:
    """Return the value of a number with scale signs: 3.5万 is 35000, 1億2000万 is 120000000."""
    total = Decimal(0)
    end = 0
    for found in _EAST_ASIAN.finditer(text):
        total += Decimal(found.group(1).replace(",", "")) * 10 ** _SCALES[found.group(2)]
        end = found.end()
    rest = text[end:].strip().replace(",", "")
    return total + (Decimal(rest) if rest else 0)
