"""Telling a browser-use history by its rounds."""

from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict

_KEYS = frozenset({"model_output", "result", "state"})


def detect(candidate: Candidate) -> Verdict:
    """Say yes to ``{"history": [{"model_output", "result", "state"}, ...]}``."""
    if candidate.shape is Shape.FOLDER:
        return Verdict(False, "a folder, not a JSON file")
    sample: Any = candidate.sample
    history: Any = cast(dict[str, Any], sample).get("history") if isinstance(sample, dict) else None
    if not isinstance(history, list):
        return Verdict(False, "no list under a key history")
    rounds = cast(list[Any], history)
    if not rounds and set(cast(dict[str, Any], sample)) == {"history"}:
        return Verdict(True, "an empty history")
    if rounds and isinstance(rounds[0], dict) and set(cast(dict[str, Any], rounds[0])) >= _KEYS:
        return Verdict(True, "history[0] has the keys model_output, result, state")
    return Verdict(False, "history[0] lacks the keys model_output, result, state")
