"""Telling runs of LangSmith."""

from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.untyped import list_of, object_of, text_of

TYPES = frozenset("llm chain tool retriever prompt parser embedding".split())
_SAMPLED = 5


def detect(candidate: Candidate) -> Verdict:
    """Say yes to runs with a run_type: one with its child runs, a list, or one a line."""
    if candidate.shape not in (Shape.JSON, Shape.JSON_LINES):
        return Verdict(False, "no JSON of runs with a run_type")
    sample = candidate.sample
    samples = [sample, *list_of(sample)[:_SAMPLED], *list_of(object_of(sample).get("runs"))[:_SAMPLED]]
    if any(is_run(one) for one in samples):
        return Verdict(True, "it holds runs with a run_type, an id, inputs and the run they ran in")
    return Verdict(False, "no runs with a run_type and an id")


def is_run(value: Any) -> bool:
    """Tell whether a value is one run."""
    keys = object_of(value)
    placed = any(key in keys for key in ("trace_id", "dotted_order", "parent_run_id", "child_runs"))
    return text_of(keys.get("run_type")) in TYPES and "id" in keys and placed
