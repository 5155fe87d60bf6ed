"""The events of ``trajectory.json``, of whatever era, by the fields that they have.

An event is one of: a tool that was executed; the agent's answer, with the code or the calls in it; the plan of a
manager; the result of an action; the end. Whatever else there is belongs to the agent's own words.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, IntakeError
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.kept_back import kept_back
from tracewitness.intake.limits import Limits
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.untyped import object_of, text_of

SHOWN = frozenset({"type", "tool_name", "tool_args", "usage", "tokens", "steps", "tool_call_count", "step_number"})
_ROUTES = {
    "memory_update": LeakRoute.CARRIED_MEMORY,
    "progress_summary": LeakRoute.CARRIED_MEMORY,
    "plan": LeakRoute.CARRIED_MEMORY,
    "subgoal": LeakRoute.CARRIED_MEMORY,
    "current_subgoal": LeakRoute.CARRIED_MEMORY,
    "episodic_memory": LeakRoute.CARRIED_MEMORY,
    "outcome": LeakRoute.SELF_ASSESSMENT,
    "reflection": LeakRoute.SELF_ASSESSMENT,
    "chat_history": LeakRoute.ECHO,
    "input": LeakRoute.ECHO,
    "locals": LeakRoute.ECHO,
    "globals": LeakRoute.ECHO,
    "output": LeakRoute.ECHO,
}


class Kind(StrEnum):
    """What an event is."""

    TOOL = "tool"
    ANSWER = "answer"
    LOOK = "look"
    PLAN = "plan"
    RESULT = "result"
    END = "end"
    OTHER = "other"


SHOWN_OF = {Kind.TOOL: ("success", "summary"), Kind.RESULT: ("action", "success", "outcome", "error", "summary")}


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its place, what it is, and its fields."""

    place: str
    kind: Kind
    fields: dict[str, Any]


@dataclass(slots=True)
class EventLog:
    """A log as far as it can be read."""

    events: list[Event] = field(default_factory=list[Event])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    encoding: str = ""

    def of(self, kind: Kind) -> list[Event]:
        """Return the events of a kind."""
        return [one for one in self.events if one.kind is kind]


def read_events(path: Path, limits: Limits) -> EventLog:
    """Read a log; where it breaks off, the events ahead of that are kept.

    Raises:
        IntakeError: Not even its first event can be read.
        BadRunError: It has more events than are read.
    """
    log, stream = EventLog(), JsonStream(path, limits)
    try:
        for place, value in stream:
            fields = object_of(value)
            one = Event(f"events{place}", kind_of_event(fields), fields)
            log.events.append(one)
            log.stripped += _hidden(one)
            if len(log.events) > limits.steps:
                raise BadRunError(f"more than {limits.steps} events", "split the log")
    except IntakeError as error:
        if not log.events or isinstance(error, BadRunError):
            raise
        log.gaps.add(Gap.LOG_CUT_OFF)
        log.notices.append(f"log {error.where}: {error.problem}")
    log.encoding = stream.encoding
    return log


def kind_of_event(fields: dict[str, Any]) -> Kind:
    """Return what an event is, by its fields."""
    name = text_of(fields.get("type"))
    if "tool_name" in fields:
        return Kind.TOOL
    if name == "ManagerContextEvent":
        return Kind.LOOK
    if ("thought" in fields or "thoughts" in fields) and "code" in fields:
        return Kind.ANSWER
    if "plan" in fields and "answer" in fields:
        return Kind.PLAN
    if isinstance(fields.get("action"), dict) and ("success" in fields or "outcome" in fields):
        return Kind.RESULT
    return Kind.END if isinstance(fields.get("success"), bool) and "reason" in fields else Kind.OTHER


def _hidden(one: Event) -> Iterator[Stripped]:
    """Yield a note for every field but those that say what was executed."""
    report = one.kind is Kind.END
    shown = SHOWN_OF.get(one.kind, ())
    for name in one.fields:
        if name in SHOWN or name in shown:
            continue
        ends = report or name == "answer"
        plane = Plane.REPORT if ends else Plane.NARRATION
        route = LeakRoute.FINAL_REPORT if ends else _ROUTES.get(name, LeakRoute.THOUGHTS)
        yield from kept_back(one.fields, one.place, {name: (plane, route)})
