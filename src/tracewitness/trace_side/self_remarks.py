"""What an observation says about itself: captured early, unchanged, a tool's acknowledgement, an image left out."""

import re
from enum import StrEnum
from functools import cache
from importlib.resources import files

from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES, load_text


class SelfRemark(StrEnum):
    """What a line says about the observation that it stands in."""

    STALE = "stale"
    UNCHANGED = "unchanged"


_IMAGE = re.compile(r"\s*\{'type': 'image'.*\}\s*$|\s*\{\"type\": \"image\".*\}\s*$|\s*<image>\s*$|\s*\[image\]\s*$")
_BRACKETED = re.compile(r"[(\[（【]([^()\[\]（）【】]{1,120})[)\]）】]")
_PIECES = re.compile(r"[,;、，]")
_RESULT = re.compile(r"^(?:result|output):\s*", re.IGNORECASE)
_SHORT = 200


def remark_in(line: str) -> SelfRemark | None:
    """Return what a line says about its own observation in brackets, None for most lines."""
    if "(" not in line and "[" not in line and "（" not in line and "【" not in line:
        return None
    for inside in _BRACKETED.findall(line):
        said = comparable(inside)
        if any(_pattern(SelfRemark.UNCHANGED).fullmatch(piece.strip()) for piece in _PIECES.split(said)):
            return SelfRemark.UNCHANGED
        if _pattern(SelfRemark.STALE).search(said):
            return SelfRemark.STALE
    return None


def is_acknowledgement(line: str) -> bool:
    """Return whether a line is only a tool's own word that it did as told ("Clicked", "Keys pressed successfully")."""
    told = _RESULT.sub("", line)
    return len(told) <= _SHORT and _pattern("acknowledged").match(comparable(told)) is not None


def image_left_out(line: str) -> str | None:
    """Return the line without the placeholder of a removed image; None where it has none."""
    if "image" not in line:
        return None
    found = _IMAGE.search(line)
    return line[: found.start()].rstrip() if found else None


@cache
def _pattern(category: str) -> re.Pattern[str]:
    place = files("tracewitness.trace_side").joinpath("data", "self_remarks.tsv")
    lexicon = load_text(place.read_text(encoding="utf-8"), "trace_side/data/self_remarks.tsv")
    expressions: list[str] = []
    for entry in lexicon.entries:
        if entry.category == category:
            wide = entry.language in SUBSTRING_LANGUAGES
            expressions.append(_expression(entry.pattern, wide))
    return re.compile("|".join(expressions) or r"(?!)")


def _expression(pattern: str, wide: bool) -> str:
    if pattern.startswith("re:"):
        return f"(?:{pattern[3:]})"
    literal = re.escape(comparable(pattern))
    return literal if wide else rf"(?<!\w){literal}(?!\w)"
