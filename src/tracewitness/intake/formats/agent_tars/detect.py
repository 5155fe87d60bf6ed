"""Telling the event streams of Agent TARS."""

from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.untyped import list_of, object_of, text_of

_SAYS = frozenset({"user_message", "assistant_message", "assistant_thinking_message", "agent_run_start"})
_KNOWN = _SAYS | {
    "agent_run_end",
    "tool_call",
    "tool_result",
    "environment_input",
    "system",
    "plan_start",
    "plan_update",
    "plan_finish",
    "final_answer",
    "final_answer_streaming",
    "assistant_streaming_message",
    "assistant_streaming_thinking_message",
    "assistant_streaming_tool_call",
}
_SAMPLED = 20


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a stream of events: an object with ``events``, a list, or one a line."""
    if candidate.shape is Shape.JSON_LINES:
        samples: list[Any] = list(candidate.objects())
    elif candidate.shape is Shape.JSON:
        samples = [one for stream in streams_in(candidate.sample) for one in stream][:_SAMPLED]
    else:
        return Verdict(False, "no JSON with events")
    if any(text_of(object_of(one).get("type")) in _SAYS and is_event(one) for one in samples):
        return Verdict(True, "it holds events such as user_message, agent_run_start and tool_call")
    return Verdict(False, "no events such as user_message and agent_run_start")


def streams_in(value: Any) -> list[list[Any]]:
    """Return the streams of events that a document holds."""
    events = object_of(value).get("events")
    return [list_of(events)] if isinstance(events, list) else [list_of(value)]


def is_event(value: Any) -> bool:
    """Tell whether a value is one event."""
    keys = object_of(value)
    stamped = isinstance(keys.get("timestamp"), int | float) and isinstance(keys.get("id"), str)
    return stamped and text_of(keys.get("type")) in _KNOWN
