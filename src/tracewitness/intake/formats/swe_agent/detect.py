"""Telling a SWE-agent or mini-swe-agent trajectory by its keys."""

from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.untyped import object_of, objects_of, text_of

MINI = "mini-swe-agent"

_OF_HISTORY = frozenset({"agent", "message_type", "is_demo"})


def detect(candidate: Candidate) -> Verdict:
    """Say yes to one JSON document with the keys of either tool."""
    if candidate.shape is Shape.FOLDER:
        return Verdict(False, "a folder, not a trajectory")
    if candidate.shape is not Shape.JSON:
        return Verdict(False, "not one JSON document")
    document = object_of(candidate.sample)
    named = text_of(document.get("trajectory_format"))
    if named.startswith(MINI):
        return Verdict(True, f"trajectory_format {named[:40]}")
    if "trajectory" in document and _is_history(document):
        return Verdict(True, "trajectory and a history of messages stand in it")
    if attempts_of(document):
        return Verdict(True, "attempts with a trajectory and a history of messages each")
    if _is_history(document) and objects_of(document["history"])[0].keys() & _OF_HISTORY:
        return Verdict(True, "a history of messages with the keys agent, message_type")
    return Verdict(False, "neither trajectory_format of mini-swe-agent nor a history of messages")


def attempts_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the attempts of an agent that may begin anew, each in a fresh environment."""
    return [one for one in objects_of(document.get("attempts")) if "trajectory" in one and _is_history(one)]


def _is_history(document: dict[str, Any]) -> bool:
    first = objects_of(document.get("history"))[:1]
    return bool(first) and {"role", "content"} <= first[0].keys()
