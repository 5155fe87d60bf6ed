"""Telling a session file of Claude Code."""

from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.untyped import object_of, text_of

_IDS = frozenset({"uuid", "session_id"})
"""A line of a session has an id of its own; one of the output ``stream-json`` may have that of the session alone."""
_NONE = "no lines with the keys type, message, uuid"
_LONGEST_ID = 100
SPOKEN = ("user", "assistant")


def is_line(value: dict[str, Any]) -> bool:
    """Tell whether an object is a line with a message."""
    return (
        not _IDS.isdisjoint(value)
        and text_of(value.get("type")) in SPOKEN
        and "role" in object_of(value.get("message"))
    )


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a session; not to the part of a subagent, which is read with the session that started it."""
    if candidate.shape not in (Shape.JSON_LINES, Shape.JSON):
        return Verdict(False, _NONE)
    objects = list(candidate.objects()) if candidate.shape is Shape.JSON_LINES else [object_of(candidate.sample)]
    lines = [one for one in objects if is_line(one)]
    if not lines:
        return Verdict(False, _NONE)
    if all(line.get("isSidechain") is True for line in lines) and candidate.path.name.startswith("agent-"):
        session = text_of(lines[0].get("sessionId"))[:_LONGEST_ID]
        whole = f"session {session}" if session else "the session that started it"
        return Verdict(False, "the part of a subagent, which is read with the session that started it", part_of=whole)
    return Verdict(True, "its lines have the keys type, message, uuid")
