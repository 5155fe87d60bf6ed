"""The lines of a trace as events of one form, whatever version of Playwright wrote them.

Versions 1 to 3 write a call as one ``action`` line with ``metadata``; 4 and later as ``before``, ``input``, ``log`` and
``after``. Snapshots are told by ``phase`` from version 9 on and by a name such as ``before@call@7`` earlier.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from tracewitness.intake.errors import BadRunError, IntakeError
from tracewitness.intake.formats.playwright.members import Members
from tracewitness.intake.reading_files import Line, decode, parse_json

OLDEST, NEWEST = 1, 10
"""Versions of ``context-options`` that were seen, or whose lines are those of one that was."""

_LATE = 3
_PHASES = {"before": "before", "input": "action", "action": "action", "after": "after"}

Event = Mapping[str, Any]


@dataclass(slots=True)
class Damage:
    """What of the lines of a trace could not be read."""

    notices: list[str] = field(default_factory=list[str])
    cut_off: bool = False
    inside: bool = False


def events_of(members: Members, name: str, damage: Damage) -> Iterator[Event]:
    """Yield the events of a file of a trace; lines that cannot be read are told in ``damage``."""
    broken: list[tuple[int, IntakeError]] = []
    number = 0
    try:
        for line in members.lines_of_member(name):
            number = line.number
            try:
                yield from _event(line)
            except IntakeError as error:
                broken.append((line.number, error))
    except IntakeError as error:
        damage.cut_off = True
        damage.notices.append(f"{name}: {error.problem}")
    for at, error in broken:
        damage.cut_off = damage.cut_off or at == number
        damage.inside = damage.inside or at != number
        damage.notices.append(f"{name} line {at}: {error.problem}")


def _event(line: Line) -> Iterator[Event]:
    value: Any = parse_json(decode(line.content).text, line.number)
    if not isinstance(value, dict):
        raise BadRunError("expected a JSON object")
    event = cast(dict[str, Any], value)
    metadata = event.get("metadata")
    if event.get("type") in ("action", "event") and isinstance(metadata, dict):
        yield from _of_metadata(str(event["type"]), cast(dict[str, Any], metadata))
    else:
        yield event


def _of_metadata(kind: str, metadata: dict[str, Any]) -> Iterator[Event]:
    """Yield the events that a line of versions 1 to 3 stands for."""
    common = {"class": metadata.get("type"), "method": metadata.get("method"), "params": metadata.get("params")}
    common |= {"pageId": metadata.get("pageId"), "wallTime": metadata.get("wallTime")}
    if metadata.get("internal"):
        return
    if kind == "event":
        yield {"type": "event", "time": metadata.get("startTime"), **common}
        return
    call = {"callId": metadata.get("id"), "apiName": metadata.get("apiName")}
    yield {"type": "before", "startTime": metadata.get("startTime"), **call, **common}
    if metadata.get("point") is not None:
        yield {"type": "input", "point": metadata.get("point"), **call}
    error = metadata.get("error")
    inner: Any = cast(dict[str, Any], error).get("error", error) if isinstance(error, dict) else error
    told = {"error": inner, "log": metadata.get("log"), "result": metadata.get("result")}
    yield {"type": "after", "endTime": metadata.get("endTime"), **told, **call}


def phase_of(snapshot: Event) -> str | None:
    """Return ``before``, ``action`` or ``after``; None where a snapshot does not say when it was taken."""
    phase = snapshot.get("phase")
    if not isinstance(phase, str):
        name = snapshot.get("snapshotName")
        phase = name.split("@", 1)[0] if isinstance(name, str) else ""
    return _PHASES.get(phase)


def call_of_snapshot(snapshot: Event) -> str | None:
    """Return the id of the call that a snapshot was taken for."""
    call = snapshot.get("callId")
    if isinstance(call, str):
        return call
    name = snapshot.get("snapshotName")
    return name.split("@", 1)[1] if isinstance(name, str) and "@" in name else None


def called(event: Event) -> str | None:
    """Return the id of the call that an event belongs to."""
    snapshot = event.get("snapshot")
    if event.get("type") == "frame-snapshot":
        return call_of_snapshot(cast(dict[str, Any], snapshot)) if isinstance(snapshot, dict) else None
    call = event.get("callId")
    return call if isinstance(call, str) else None


def is_written_late(context: Event) -> bool:
    """Tell by its context whether a trace writes a call only when it has ended, behind its snapshots."""
    version = context.get("version")
    return isinstance(version, int) and version <= _LATE


def checked_version(context: Event) -> str:
    """Return the version of a trace.

    Raises:
        BadRunError: It is a version whose lines are not known; the error names it.
    """
    version = context.get("version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise BadRunError(f"the trace names no version (found {str(version)[:20]!r})", "record it with Playwright")
    if not OLDEST <= version <= NEWEST:
        raise BadRunError(
            f"trace version {version} is not known; versions {OLDEST} to {NEWEST} are read",
            "record it with another release of Playwright, or report this file",
        )
    return str(version)
