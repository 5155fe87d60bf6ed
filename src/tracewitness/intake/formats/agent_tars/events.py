"""The events of Agent TARS as turns of a conversation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tracewitness.intake.formats.agent_tars.calls import call_in, result_in
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.retold_past import without_own_past
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.intake.spans.parts import Content
from tracewitness.intake.spans.times import iso, nanoseconds
from tracewitness.intake.turns import Speaker, Turn
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

Event = dict[str, Any]

_STOPPED = {"max_iterations": HarnessStatus.STEP_LIMIT, "error": HarnessStatus.ERROR, "abort": HarnessStatus.UNKNOWN}
"""Reasons with which the framework itself writes the last message, and how the run ended then."""
_OF_FRAMEWORK = ("msg_abort_", "msg_termination_", "msg_maxiter_")
HIDDEN = {
    "plan_start": (Plane.NARRATION, LeakRoute.CARRIED_MEMORY),
    "plan_update": (Plane.NARRATION, LeakRoute.CARRIED_MEMORY),
    "plan_finish": (Plane.NARRATION, LeakRoute.CARRIED_MEMORY),
    "final_answer_streaming": (Plane.REPORT, LeakRoute.FINAL_REPORT),
    "assistant_streaming_message": (Plane.NARRATION, LeakRoute.ECHO),
    "assistant_streaming_thinking_message": (Plane.NARRATION, LeakRoute.THOUGHTS),
    "assistant_streaming_tool_call": (Plane.NARRATION, LeakRoute.ECHO),
    "system": (Plane.NARRATION, LeakRoute.ECHO),
}


@dataclass(slots=True)
class Stream:
    """The events of a session, put together as turns.

    Attributes:
        turns: The turns.
        stripped: What was kept from the trace side.
        session: The id of the session.
        agent: Who ran.
        asked: What the run was started with, for streams without a message of the user.
        harness: How the framework says that the run ended; None where it says nothing.
        ended: Whether the framework noted the end of the last run.
        pending: Calls that a message of the agent holds and that no event carries out.
        carried_out: Ids of the calls that were carried out so far.
        unknown: Types of events that are not known.
    """

    turns: list[Turn] = field(default_factory=list[Turn])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    session: str = ""
    agent: str | None = None
    asked: str | None = None
    harness: HarnessStatus | None = None
    ended: bool = False
    pending: set[str] = field(default_factory=set[str])
    carried_out: set[str] = field(default_factory=set[str])
    unknown: list[str] = field(default_factory=list[str])

    def add_all(self, events: list[tuple[str, Event]]) -> None:
        """Add all events: what the user says begins a part of the session, whose last words are said to the user."""
        part: list[tuple[str, Event]] = []
        for place, event in in_order(events):
            if event.get("type") == "user_message":
                self._add_part(part)
                part = []
                self._add_user(place, event)
            else:
                part.append((place, event))
        self._add_part(part)

    def _add_user(self, place: str, event: Event) -> None:
        content = Content()
        content.add(event.get("content"), f"{place}.content")
        self.turns.append(Turn(Speaker.USER, place, content.text, screenshot=content.picture, time=_time(event)))

    def _add_part(self, part: list[tuple[str, Event]]) -> None:
        closing = _closing(part)
        for at, (place, event) in enumerate(part):
            if at != closing:
                self._add(place, event)
        if closing is not None:
            place, event = part[closing]
            self._note_calls(event)
            self.turns.append(Turn(Speaker.AGENT, place, _words(event), time=_time(event), spoke=True))
            self._strip_raw(place, event)

    def _add(self, place: str, event: Event) -> None:
        kind = text_of(event.get("type"))
        if kind == "tool_call":
            self._add_call(place, event)
        elif kind == "tool_result":
            self.turns.append(Turn(Speaker.TOOL, place, results=(result_in(event, place),), time=_time(event)))
        elif kind == "environment_input":
            self._add_environment(place, event)
        elif kind in ("assistant_message", "assistant_thinking_message", "final_answer"):
            self._add_words(place, event)
        elif kind == "agent_run_start":
            self._start(event)
        elif kind == "agent_run_end":
            self.ended = True
            self.harness = HarnessStatus.ERROR if event.get("status") == "error" else self.harness
        elif kind in HIDDEN:
            plane, route = HIDDEN[kind]
            self.stripped.append(Stripped(place, plane, route, size_of(event)))
        else:
            self.unknown.append(kind)
            self.stripped.append(Stripped(place, Plane.NARRATION, LeakRoute.ECHO, size_of(event)))

    def _start(self, event: Event) -> None:
        self.ended = False
        self.session = self.session or text_of(event.get("sessionId"))
        self.agent = self.agent or text_of(event.get("agentName")) or None
        content = Content()
        content.add(object_of(event.get("runOptions")).get("input"), "runOptions.input")
        self.asked = self.asked or content.text or None

    def _add_call(self, place: str, event: Event) -> None:
        call, lost = call_in(event, place)
        self.stripped += lost
        self.pending.discard(text_of(call.id))
        self.carried_out.add(text_of(call.id))
        self.turns.append(Turn(Speaker.AGENT, place, calls=(call,), time=_time(event)))

    def _add_environment(self, place: str, event: Event) -> None:
        content = Content()
        content.add(event.get("content"), f"{place}.content")
        text, past = without_own_past(content.text, prompt=True)
        if past:
            self.stripped.append(Stripped(f"{place}.content", Plane.NARRATION, LeakRoute.CARRIED_MEMORY, len(past)))
        if text or content.picture:
            self.turns.append(Turn(Speaker.TOOL, place, text, screenshot=content.picture, time=_time(event)))

    def _add_words(self, place: str, event: Event) -> None:
        self._note_calls(event)
        reason = text_of(event.get("finishReason"))
        if reason in _STOPPED:
            self.harness = _STOPPED[reason]
        self.turns.append(Turn(Speaker.AGENT, place, reasoning=_words(event), time=_time(event)))
        self._strip_raw(place, event)

    def _note_calls(self, event: Event) -> None:
        ids = {text_of(one.get("id")) for one in objects_of(event.get("toolCalls"))}
        self.pending |= ids - self.carried_out

    def _strip_raw(self, place: str, event: Event) -> None:
        for key in ("rawContent", "toolCalls", "title"):
            if event.get(key):
                self.stripped.append(Stripped(f"{place}.{key}", Plane.NARRATION, LeakRoute.ECHO, size_of(event[key])))


def in_order(events: list[tuple[str, Event]]) -> Iterator[tuple[str, Event]]:
    """Yield events by time; one without a time stays behind the one before it."""
    keyed: list[tuple[float, int]] = []
    last = 0.0
    for at, (_, event) in enumerate(events):
        time = event.get("timestamp")
        last = float(time) if isinstance(time, int | float) and abs(time) < 1e15 else last
        # The run begins a moment before the message of the user that it is about is noted.
        keyed.append((last, at))
    return (events[at] for _, at in sorted(keyed))


def _closing(part: list[tuple[str, Event]]) -> int | None:
    """Return which event says the last words to the user; None where the agent said none of its own.

    The words themselves do not decide, so an answer without any ends the run like another.
    """
    answers = [at for at, (_, one) in enumerate(part) if one.get("type") == "final_answer"]
    if answers:
        return answers[-1]
    said = [at for at, (_, one) in enumerate(part) if one.get("type") == "assistant_message"]
    if not said:
        return None
    event = part[said[-1]][1]
    reason = text_of(event.get("finishReason"))
    calling = bool(list_of(event.get("toolCalls"))) and reason != "stop"
    framework = reason in _STOPPED or text_of(event.get("messageId")).startswith(_OF_FRAMEWORK)
    return None if calling or framework or reason == "tool_calls" else said[-1]


def _words(event: Event) -> str:
    content = Content()
    content.add(event.get("content"), "content")
    return content.text.strip()


def _time(event: Event) -> str | None:
    return iso(nanoseconds(event.get("timestamp")))
