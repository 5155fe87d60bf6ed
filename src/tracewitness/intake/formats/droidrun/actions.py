"""What was done: from the events of executed tools, else from the macro, else from the code that the agent wrote."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.droidrun.code import calls_in
from tracewitness.intake.formats.droidrun.events import Event, EventLog, Kind
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import decode, parse_json, read_bytes
from tracewitness.intake.untyped import object_of, objects_of, text_of

MACRO = "macro.json"
_SWIPES = frozenset({"swipe", "drag"})
_UNSPOKEN = frozenset({"type", "action_type", "description", "duration_ms", "duration", "element_bounds", "activity"})


@dataclass(frozen=True, slots=True)
class Done:
    """One action.

    Attributes:
        place: Where it stands.
        call: The call.
        look: How many looks at the screen stand ahead of it; None where the source does not say.
        target: What the source says it was done to.
        result: What the tool answered.
        failed: Whether the tool says that it failed.
    """

    place: str
    call: Call
    look: int | None
    target: str | None = None
    result: str = ""
    failed: bool = False


@dataclass(slots=True)
class Doings:
    """All actions, how many looks at the screen the events tell of, and from where the actions were taken."""

    actions: list[Done]
    looks: int
    source: str


def read_macro(folder: RunFolder, log: EventLog) -> dict[str, Any]:
    """Return the macro; an empty object where there is none. What cannot be read is a gap."""
    if not (folder.root / MACRO).is_file():
        return {}
    try:
        return object_of(parse_json(decode(read_bytes(folder.locate(MACRO), folder.limits.document), MACRO).text))
    except IntakeError as error:
        log.gaps.add(Gap.MISSING_STEPS)
        log.notices.append(f"{MACRO}: {error.problem}")
        return {}


def doings_of(log: EventLog, macro: dict[str, Any]) -> Doings:
    """Return what was done, from the best source that there is."""
    looks = Kind.LOOK if log.of(Kind.LOOK) else Kind.ANSWER
    if log.of(Kind.TOOL):
        return _counted(log, looks, "tool executions", _executed)
    if log.of(Kind.RESULT):
        return _counted(log, looks, "action results", _resulted)
    actions = objects_of(macro.get("actions"))
    if actions:
        done = [_replayed(f"{MACRO}.actions[{at}]", one) for at, one in enumerate(actions)]
        ends = [one for one in _counted(log, looks, "", _written).actions if one.call.name == "complete"]
        return Doings([*done, *ends[-1:]], len(log.of(looks)), "macro")
    return _counted(log, looks, "code", _written)


def _counted(log: EventLog, looks: Kind, source: str, taken: Callable[[Event, int], list[Done]]) -> Doings:
    actions, seen = list[Done](), 0
    for one in log.events:
        seen += one.kind is looks
        actions += taken(one, seen)
    return Doings(actions, seen, source)


def _executed(one: Event, look: int) -> list[Done]:
    if one.kind is not Kind.TOOL:
        return []
    call = call_of(text_of(one.fields.get("tool_name")), one.fields.get("tool_args"))
    failed = one.fields.get("success") is False
    return [Done(one.place, call, look, result=text_of(one.fields.get("summary")), failed=failed)]


def _resulted(one: Event, look: int) -> list[Done]:
    given = object_of(one.fields.get("action"))
    name = text_of(given.get("action")) or text_of(given.get("name"))
    if one.kind is not Kind.RESULT or not name or text_of(one.fields.get("type")) == "ExecutorResultEvent":
        return []  # that event repeats the one of the executor itself
    call = Call(name, {key: value for key, value in given.items() if key not in ("action", "name")})
    failed = False in (one.fields.get("success"), one.fields.get("outcome"))
    told = one.fields.get("error") if failed else one.fields.get("summary")
    return [Done(one.place, call, look, result=text_of(told), failed=failed)]


def _written(one: Event, look: int) -> list[Done]:
    code = text_of(one.fields.get("code")) if one.kind is Kind.ANSWER else ""
    return [Done(f"{one.place}.code", call, look) for call in calls_in(code)]


def _replayed(place: str, action: dict[str, Any]) -> Done:
    name = text_of(action.get("action_type")) or text_of(action.get("type")).removesuffix("ActionEvent") or "unknown"
    arguments = {key: value for key, value in action.items() if key not in _UNSPOKEN and value is not None}
    target = text_of(action.get("element_text")) or None
    if name in _SWIPES:
        ends = [json.dumps([action.get(f"{end}_x"), action.get(f"{end}_y")]) for end in ("start", "end")]
        target = f"from {ends[0]} to {ends[1]}"
    return Done(place, Call(name, arguments), None, target)
