"""Reading the event streams of Agent TARS: one run a session."""

from collections.abc import Iterator

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadRunError, IntakeFailure
from tracewitness.intake.formats.agent_tars.detect import streams_in
from tracewitness.intake.formats.agent_tars.events import Event, Stream
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.spans.log import Log, read_log
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.untyped import object_of
from tracewitness.values.plurals import plural


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a stream.

    Raises:
        IntakeError: It cannot be read, or holds no event.
    """
    log = read_log(candidate)
    events = _events(log, candidate.shape is Shape.JSON_LINES)
    stream = Stream()
    stream.add_all(events)
    if not stream.turns:
        raise BadRunError("no event in it is of the user, the agent or a tool", "name the stream of a session")
    split = split_turns(stream.turns, finish_kinds=options.finish_kinds)
    gaps, notices = _missing(stream, log)
    yield seal_conversation(
        split,
        stream.session or candidate.path.name.split(".", 1)[0],
        Origin(candidate.name, "agent_tars", "", log.encoding, stream.agent),
        options,
        task=split.task or stream.asked or task_beside(candidate.path),
        harness=stream.harness,
        gaps=gaps,
        stripped=stream.stripped,
        notices=notices,
    )


def _events(log: Log, lines: bool) -> list[tuple[str, Event]]:
    if lines:
        found = [(place, object_of(value)) for place, value in log.values]
    else:
        streams = [stream for _, value in log.values for stream in streams_in(value)]
        found = [(f"events[{at}]", object_of(one)) for stream in streams for at, one in enumerate(stream)]
    return [(place, event) for place, event in found if isinstance(event.get("type"), str)]


def _missing(stream: Stream, log: Log) -> tuple[tuple[Gap, ...], tuple[str, ...]]:
    gaps, notices = list(log.gaps), list(log.notices)
    if not stream.ended:
        gaps.append(Gap.LOG_CUT_OFF)
        notices.append("the log has no agent_run_end: the run was still going on, or was stopped")
    if stream.pending:
        gaps.append(Gap.LOG_CUT_OFF if not stream.ended else Gap.MISSING_STEPS)
        notices.append(f"{plural(len(stream.pending), 'call')} of the agent was never carried out")
    if stream.unknown:
        names = ", ".join(dict.fromkeys(stream.unknown))[:80]
        notices.append(f"events of types that are not known were left out: {names}")
    return tuple(gaps), tuple(notices)
