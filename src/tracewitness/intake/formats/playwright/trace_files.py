"""The recordings of a trace: which of its files are read, and what is told of the others."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError
from tracewitness.intake.formats.playwright.events import Damage, Event, called, events_of, is_written_late
from tracewitness.intake.formats.playwright.members import TRACE, Members, by_runner, trace_names
from tracewitness.intake.formats.playwright.notes import Note, note_of_request
from tracewitness.intake.formats.playwright.recorder import Recorder
from tracewitness.intake.formats.playwright.recording import Recording
from tracewitness.intake.formats.playwright.sheets import Sheets
from tracewitness.intake.planes import LeakRoute, Plane, Stripped

_NETWORK = ".network"
_MOST_NOTES = 200_000


@dataclass(slots=True)
class Recordings:
    """The recordings of a trace by file, with what is wrong with them and what was left out."""

    found: dict[str, Recording] = field(default_factory=dict[str, Recording])
    damage: Damage = field(default_factory=Damage)
    stripped: list[Stripped] = field(default_factory=list[Stripped])


def read_recordings(members: Members) -> Recordings:
    """Read all recordings of a trace.

    Raises:
        EmptyError: It holds none, or none with a context.
        BadRunError: One is of a version that is not known.
    """
    recordings = Recordings()
    for name in trace_names(members):
        recording = _recording(members, name, recordings.damage)
        if recording.version:
            recordings.found[name] = recording
    recordings.stripped += _of_runner(members)
    if not recordings.found:
        problem = recordings.damage.notices[0] if recordings.damage.notices else "no browser was recorded in it"
        raise EmptyError(f"the trace holds no recording ({problem})", "record it again")
    return recordings


def _recording(members: Members, name: str, damage: Damage) -> Recording:
    sheets, notes = Sheets(members), list[Note]()
    network = name.removesuffix(TRACE) + _NETWORK
    if network in members.names:
        for event in events_of(members, network, damage):
            if event.get("type") == "resource-snapshot":
                sheets.note(event)
                note = note_of_request(event)
                notes += [note] if note is not None and len(notes) < _MOST_NOTES else []
    recorder = Recorder(sheets)
    for event in _calls_first(members, name, damage):
        try:
            recorder.take(event)
        except BadRunError as error:
            raise error.at(where=name) from None
    recording = recorder.end()
    recording.notes += notes
    return recording


def _calls_first(members: Members, name: str, damage: Damage) -> Iterator[Event]:
    """Yield the events of a recording with each call ahead of its snapshots; early versions write it after them."""
    events = events_of(members, name, damage)
    first = next(events, None)
    if first is None:
        return
    yield first
    if not is_written_late(first):
        yield from events
        return
    late = {event.get("callId"): event for event in events_of(members, name, Damage()) if event.get("type") == "before"}
    for event in events:
        call = called(event)
        if event.get("type") in ("before", "frame-snapshot") and call in late:
            yield late.pop(call)
        if event.get("type") != "before":
            yield event


def _of_runner(members: Members) -> Iterator[Stripped]:
    for name in members.names:
        if by_runner(name):
            try:
                size = sum(len(line.content) for line in members.lines_of_member(name))
            except IntakeError:
                size = 0
            yield Stripped(name, Plane.GRADING, LeakRoute.GRADING_ECHO, size)
