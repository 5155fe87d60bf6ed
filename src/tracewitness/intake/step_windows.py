"""Which moments of a side record belong to which steps of a log, by their times.

A log stamps its steps either when the agent begins to think about them or when they are done. In the first case what
was done between a step's time and the next one's belongs to the step, in the second what was done since the time of the
step before. Which of the two fits is told by the kinds of the actions; where neither does, nothing belongs to anything.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from tracewitness.intake.action_kinds import is_known, kind_of
from tracewitness.intake.finishing import FINISH
from tracewitness.intake.side_record import Moment
from tracewitness.trace_side.trace import Step

LONGEST_TAIL = 600_000.0
"""How long after the last step (or before the first) something still belongs to it, in milliseconds."""

LONGEST_STEP = 6 * 3_600_000.0
"""How long after a step (or before it, where steps are stamped at their end) something still belongs to it."""

_EARLIEST, _LATEST = 1970, 2200
"""Years between which a time is taken for one; the first and the last of the calendar stand for no time at all."""

_ODD = f"the times of the log cannot be used (no dates, or years before {_EARLIEST} or after {_LATEST - 1})"
_SCRIPT = "run_script"
_INSIDE = frozenset({FINISH, "wait", "screenshot", "extract", "read", "respond"})
"""Kinds that are expected to do nothing in the environment."""


class Stamped(Enum):
    """When a log stamps a step."""

    AT_START = "at the start of each step"
    AT_END = "at the end of each step"


@dataclass(frozen=True, slots=True)
class Matched:
    """The moments of each step by its position; empty with the reason where the two records do not fit together."""

    moments: Mapping[int, Sequence[Moment]]
    stamped: Stamped | None
    why_not: str = ""


def milliseconds(time: str | None) -> float | None:
    """Return an ISO 8601 time in milliseconds since 1970; one without a zone is taken as UTC.

    None for no time, and for one in a year in which no agent ran.
    """
    if not time:
        return None
    try:
        moment = datetime.fromisoformat(time.strip().replace("Z", "+00:00"))
        if not _EARLIEST <= moment.year < _LATEST:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000
    except (ValueError, OverflowError):
        return None


def match(steps: Sequence[Step], moments: Sequence[Moment]) -> Matched:
    """Tell which moments belong to which steps."""
    times = [milliseconds(step.time) for step in steps]
    timed = [time for time in times if time is not None]
    if not timed:
        return Matched({}, None, _ODD if any(step.time for step in steps) else "the steps of the log have no times")
    begun = sorted((moment for moment in moments if _is_timed(moment)), key=_start)
    if not begun:
        return Matched({}, None, "it tells no times")
    if timed != sorted(timed):
        return Matched({}, None, "the times of the log run backwards")
    if not _overlap(timed, begun):
        naive = any(step.time and milliseconds(step.time) is not None and _is_naive(step.time) for step in steps)
        zone = " (those of the log name no time zone and are taken as UTC)" if naive else ""
        return Matched({}, None, f"its times and those of the log do not overlap{zone}")
    found = {stamped: _assigned(times, begun, stamped) for stamped in Stamped}
    fits = {stamped: _fit(steps, assigned) for stamped, assigned in found.items()}
    stamped = Stamped.AT_END if fits[Stamped.AT_END] > fits[Stamped.AT_START] else Stamped.AT_START
    if _disagrees(steps, found[stamped]):
        return Matched({}, None, "the kinds of actions differ at the same times, so the clocks or the runs differ")
    return Matched(dict(_alone(steps, times, found[stamped])), stamped)


def _start(moment: Moment) -> float:
    return moment.start or 0.0


def _is_timed(moment: Moment) -> bool:
    if moment.start is None:
        return False
    try:
        return _EARLIEST <= datetime.fromtimestamp(moment.start / 1000, UTC).year < _LATEST
    except (ValueError, OverflowError, OSError):
        return False


def _is_naive(time: str) -> bool:
    return datetime.fromisoformat(time.strip().replace("Z", "+00:00")).tzinfo is None


def _overlap(timed: Sequence[float], begun: Sequence[Moment]) -> bool:
    """Tell whether anything was done while the log ran; a log of one moment grants the time of its step."""
    first, last = timed[0], timed[-1]
    if first == last:
        first, last = first - LONGEST_TAIL, last + LONGEST_TAIL
    return any(first <= (moment.start or 0.0) <= last for moment in begun)


def _assigned(times: Sequence[float | None], begun: Sequence[Moment], stamped: Stamped) -> dict[int, list[Moment]]:
    """Return the moments by position of the step in whose time they began; steps of one time are the last of them."""
    times_begun = [_start(one) for one in begun]
    edge = bisect_left if stamped is Stamped.AT_START else bisect_right  # the window begins, or ends, with its step
    found: dict[int, list[Moment]] = {}
    for at, start, end in _windows(times, stamped):
        inside = list(begun[edge(times_begun, start) : edge(times_begun, end)])
        if inside:
            found[at] = inside
    return found


def _windows(times: Sequence[float | None], stamped: Stamped) -> Iterator[tuple[int, float, float]]:
    """Yield position, start and end of the time of each step; one beside a step without a time has none."""
    if stamped is Stamped.AT_START:
        for at, time in enumerate(times):
            following = times[at + 1] if at + 1 < len(times) else (time or 0.0) + LONGEST_TAIL
            if time is not None and following is not None and following > time:
                yield at, time, min(following, time + LONGEST_STEP)
        return
    for at, (time, previous) in enumerate(zip(times, _earlier(times), strict=True)):
        if time is not None and previous is not None and not (at + 1 < len(times) and times[at + 1] == time):
            yield at, max(previous, time - LONGEST_STEP), time


def _earlier(times: Sequence[float | None]) -> Iterator[float | None]:
    """Yield for each step the time of the step before, of several of the same time that before the first of them."""
    before: float | None = None
    for at, time in enumerate(times):
        if at == 0 and time is not None:
            before = time - LONGEST_TAIL
        elif at > 0 and times[at - 1] != time:
            before = times[at - 1]
        yield before


def _fit(steps: Sequence[Step], assigned: Mapping[int, Sequence[Moment]]) -> tuple[int, int]:
    """Return in how many steps a moment is of the step's kind, and in how many there is any."""
    acting = {at: moments for at, moments in assigned.items() if steps[at].action.kind not in _INSIDE}
    return sum(_agrees(steps[at], moments) for at, moments in acting.items()), len(acting)


def _agrees(step: Step, moments: Sequence[Moment]) -> bool:
    kinds = {moment.step.action.kind for moment in moments}
    return kind_of(step.action.kind) in kinds or _SCRIPT in kinds


def _disagrees(steps: Sequence[Step], assigned: Mapping[int, Sequence[Moment]]) -> bool:
    """Tell whether most steps whose kind can be compared did something else, by the side record, at their time."""
    comparable = [
        (steps[at], moments)
        for at, moments in assigned.items()
        if is_known(steps[at].action.kind) and steps[at].action.kind not in _INSIDE
    ]
    return len(comparable) > 1 and 2 * sum(_agrees(*pair) for pair in comparable) < len(comparable)


def _alone(
    steps: Sequence[Step], times: Sequence[float | None], assigned: Mapping[int, list[Moment]]
) -> Iterator[tuple[int, Sequence[Moment]]]:
    """Yield the moments by step; steps of one time share theirs one to one where kinds and number are the same."""
    for at, moments in assigned.items():
        first = at
        while first > 0 and times[first - 1] == times[at]:
            first -= 1
        group = [place for place in range(first, at + 1) if steps[place].action.kind != FINISH]
        kinds = [kind_of(steps[place].action.kind) for place in group]
        if len(group) > 1 and kinds == [moment.step.action.kind for moment in moments]:
            yield from ((place, [moment]) for place, moment in zip(group, moments, strict=True))
        elif group:
            yield group[-1], moments
