"""Telling the neutral format by its ``format`` key."""

from collections.abc import Iterator
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict

FORMAT = "tracewitness.run/1"
PREFIX = "tracewitness.run/"
_LOOKED_AT = 20


def detect(candidate: Candidate) -> Verdict:
    """Say yes to JSON whose first object names this format in any version, so that an unknown one is named."""
    if candidate.shape is Shape.FOLDER:
        return Verdict(False, "a folder, not a JSON file")
    named = next((found for one in _objects(candidate) if (found := _version(one))), None)
    if named is None:
        return Verdict(False, f"no key format: {FORMAT}")
    return Verdict(True, f"its format key says {named[:40]}")


def _objects(candidate: Candidate) -> Iterator[Any]:
    if candidate.shape is Shape.JSON_LINES:
        yield from candidate.objects()
        return
    sample: Any = candidate.sample
    yield from cast(list[Any], sample)[:_LOOKED_AT] if isinstance(sample, list) else [sample]


def _version(value: Any) -> str | None:
    found = cast(dict[str, Any], value).get("format") if isinstance(value, dict) else None
    return found if isinstance(found, str) and found.startswith(PREFIX) else None
