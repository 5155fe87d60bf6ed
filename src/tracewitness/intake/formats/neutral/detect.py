"""Telling the neutral format by its ``format`` key."""

from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict

PREFIX = "tracewitness.run/"


def detect(candidate: Candidate) -> Verdict:
    """Say yes to JSON whose first object names this format in any version, so that an unknown one is named."""
    if candidate.shape is Shape.FOLDER:
        return Verdict(False, "a folder, not a JSON file")
    sample: Any = candidate.sample
    if isinstance(sample, list) and sample:
        sample = cast(list[Any], sample)[0]
    if not isinstance(sample, dict):
        return Verdict(False, "not a JSON object or a list of them")
    named = cast(dict[str, Any], sample).get("format")
    if isinstance(named, str) and named.startswith(PREFIX):
        return Verdict(True, f"its format key says {named[:40]}")
    return Verdict(False, f"no key format: {PREFIX}1")
