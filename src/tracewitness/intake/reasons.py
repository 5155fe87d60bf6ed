"""Which of the reasons why no format takes a file a person should read."""

import re
from collections.abc import Mapping

from tracewitness.intake.candidate import Shape
from tracewitness.values.plurals import plural

FAILED = "its detection failed"
"""How the reason of a format begins that raised an error where it should have said no."""

_MOST_NAMED = 5
_SAYS_LITTLE = re.compile(r"(?:no|not|neither|a folder|a run is)\b|the file is not called")
_OF_OTHER_KIND = {
    Shape.FOLDER: re.compile(r"a folder|no JSON|\blines\b|not a pickle|no zip"),
    Shape.JSON: re.compile(r"folder|zip|pickle|\blines\b|not called|\.jsonl?\b"),
    Shape.JSON_LINES: re.compile(r"folder|zip|pickle|\bdocument\b|not called|\.jsonl?\b"),
    Shape.OTHER: re.compile(r"folder|JSON|\.json|\blines\b|messages|\bkeys?\b|not called|objects|schema_version"),
}


def telling_reasons(tried: Mapping[str, str], shape: Shape) -> str:
    """Return the few most telling reasons in one clause, and how many formats were asked in all.

    First come formats that failed, then those that saw something of theirs (``a zip file without header.json``), then
    those that read files of this shape at all.

    Args:
        tried: Why each format said no, by its name.
        shape: What the candidate looks like.
    """
    if not tried:
        return "no formats are known"
    ranked = sorted(tried, key=lambda name: (_rank(tried[name], shape), name))
    best = _rank(tried[ranked[0]], shape)
    shown = [name for name in ranked if _rank(tried[name], shape) <= max(best, 1)][:_MOST_NAMED]
    named = "; ".join(f"{name}: {tried[name]}" for name in shown)
    more = "; --json says why for each" if len(shown) < len(tried) else ""
    return f"{plural(len(tried), 'format')} asked, such as {named}{more}"


def failed_detections(tried: Mapping[str, str]) -> str:
    """Return the formats that failed at telling what a file is, as one clause to be added; empty where none did."""
    return "".join(f"; {name}: {why}" for name, why in tried.items() if why.startswith(FAILED))


def _rank(why: str, shape: Shape) -> int:
    if why.startswith(FAILED):
        return 0
    if not _SAYS_LITTLE.match(why):
        return 1
    return 3 if _OF_OTHER_KIND[shape].search(why) else 2
