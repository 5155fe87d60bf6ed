"""Telling exports of Langfuse."""

import re
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.untyped import list_of, object_of, text_of

TYPES = frozenset("SPAN GENERATION EVENT AGENT TOOL CHAIN RETRIEVER EVALUATOR EMBEDDING GUARDRAIL".split())
_SAMPLED = 5
_SNAKE = re.compile(r"_([a-z])")


def detect(candidate: Candidate) -> Verdict:
    """Say yes to traces with their observations, and to files of observations."""
    if candidate.shape not in (Shape.JSON, Shape.JSON_LINES):
        return Verdict(False, "no JSON of a trace with observations")
    samples = list_of(candidate.sample)[:_SAMPLED] or [candidate.sample]
    if any(holds_trace(one) for one in samples) or (candidate.is_sketch and _begins_trace(candidate.sample)):
        return Verdict(True, "it holds a trace with its observations")
    listed = [inner for one in samples for inner in list_of(object_of(one).get("data"))[:_SAMPLED]]
    if any(is_observation(one) or holds_trace(one) for one in (*samples, *listed)):
        return Verdict(True, "it holds observations with a type and the id of a trace")
    return Verdict(False, "no trace with a list of observations")


def holds_trace(value: Any) -> bool:
    """Tell whether a value is a trace with its observations, as the page or the interface gives it."""
    keys = object_of(value)
    if not isinstance(keys.get("observations"), list):
        return False
    return isinstance(keys.get("trace"), dict) or ("id" in keys and ("input" in keys or "timestamp" in keys))


def _begins_trace(value: Any) -> bool:
    """Tell whether the beginning of a long document is that of a trace whose observations come later."""
    about = object_of(object_of(value).get("trace"))
    return "id" in about and "projectId" in about


def as_observation(value: Any) -> dict[str, Any]:
    """Return an observation with its keys as the interface writes them; exports to a store write ``trace_id``."""
    keys = object_of(value)
    if "trace_id" not in keys or "start_time" not in keys or "traceId" in keys:
        return keys
    return {_SNAKE.sub(lambda found: found.group(1).upper(), key): item for key, item in keys.items()}


def is_observation(value: Any) -> bool:
    """Tell whether a value is one observation."""
    keys = as_observation(value)
    named = isinstance(keys.get("traceId"), str) and isinstance(keys.get("id"), str)
    return named and text_of(keys.get("type")) in TYPES and "startTime" in keys
