"""Correcting the reading of a clause by the clauses beside it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tracewitness.report_side.signals import SUCCESS_SIGNALS, ClauseReading, Signal

_DENIALS = frozenset({Signal.FAILED, Signal.OBSTACLE, Signal.UNABLE})
_TROUBLES = _DENIALS | {Signal.PAST_TROUBLE}
_MUTE = frozenset({Signal.PLAIN, Signal.SILENT})
_EMPTY = frozenset({Signal.NOTHING, Signal.NONE})
_DEEDS = frozenset({Signal.DONE, Signal.FINISHED, Signal.STATE})
_ASKING = frozenset({Signal.HANDOFF, Signal.CONDITION, Signal.FUTURE, Signal.QUESTION})
# "Even if" and "if" begin a clause alike: the word before it tells a concession from a condition.
_EVEN = frozenset("même mesmo even incluso selbst auch".split())
_FEW_SPACES = 3


@dataclass(frozen=True, slots=True)
class _Around:
    """The clauses beside one, None where there is none.

    Attributes:
        before: The one before it.
        joined: The one before it, where it is of the same sentence.
        following: The one after it, where it is of the same sentence.
    """

    before: ClauseReading | None
    joined: ClauseReading | None
    following: ClauseReading | None

    @property
    def near(self) -> tuple[ClauseReading, ...]:
        """Those of the same sentence."""
        return tuple(other for other in (self.joined, self.following) if other is not None)


def with_neighbours(readings: Sequence[ClauseReading]) -> list[ClauseReading]:
    """Correct the readings that depend on the clauses beside them.

    An "if" that a verb of asking governs ("asked Sarah | if lunch can be moved") sets no condition; what was left
    undone as requested is no failure; a denied state after a plain "no" is the answer; of a deed with an exception, a
    part is undone; what a person may want later leaves nothing open.
    """
    corrected: list[ClauseReading] = []
    troubled = -1
    for number, reading in enumerate(readings):
        beside = _beside(reading, _around(readings, number))
        if beside.signal is Signal.NONE and beside.follows and troubled == beside.sentence:
            # "The app crashed, | so there is no file."
            beside = replace(beside, signal=Signal.FAILED)
        troubled = beside.sentence if beside.signal in _TROUBLES else troubled
        corrected.append(beside)
    return corrected


def _around(readings: Sequence[ClauseReading], number: int) -> _Around:
    before = readings[number - 1] if number else None
    after = readings[number + 1] if number + 1 < len(readings) else None
    sentence = readings[number].sentence
    joined = before if before and before.sentence == sentence else None
    return _Around(before, joined, after if after and after.sentence == sentence else None)


def _beside(reading: ClauseReading, around: _Around) -> ClauseReading:
    for rule in _RULES:
        signal = rule(reading, around)
        if signal is not None:
            return replace(reading, signal=signal)
    conceding = around.joined
    if reading.signal in _DENIALS and conceding and conceding.conceded and conceding.mark != ",":
        # "Although it was slow | and timed out once, ..."
        return replace(reading, conceded=True)
    return reading


def _beside_an_offer(reading: ClauseReading, around: _Around) -> Signal | None:
    """Quiet what a person is asked for in case of a later wish: "Should you want to undo it, | open the history."."""
    return Signal.SILENT if reading.signal in _ASKING and any(other.offer for other in around.near) else None


def _as_wished(reading: ClauseReading, around: _Around) -> Signal | None:
    return Signal.DONE if reading.signal is Signal.FAILED and any(other.wish for other in around.near) else None


def _as_an_answer(reading: ClauseReading, around: _Around) -> Signal | None:
    if reading.leads_no and reading.static and reading.signal in _DENIALS:
        return Signal.ANSWER
    if reading.notfound and around.following is not None and around.following.signal in _EMPTY:
        # "None were found, so there was nothing to merge."
        return Signal.NONE
    return None


def _as_asked(reading: ClauseReading, around: _Around) -> Signal | None:
    before = around.before
    doubted = before is not None and before.signal is Signal.UNVERIFIED
    if doubted and reading.signal is Signal.PARTIAL and reading.text.count(" ") < _FEW_SPACES:
        # "whether it is online, that I know | however not"
        return Signal.SILENT
    joined = around.joined
    if reading.signal is Signal.CONDITION and joined is not None and (joined.asks or _is_even(joined)):
        return Signal.SILENT
    return None


def _is_even(reading: ClauseReading) -> bool:
    words = reading.text.casefold().split()
    return bool(words) and words[-1] in _EVEN


def _after_a_colon(reading: ClauseReading, around: _Around) -> Signal | None:
    before = around.before
    if before is None or before.mark != ":":
        return None
    if reading.signal is Signal.PROGRESS and before.thing and reading.text.count(" ") < _FEW_SPACES:
        # "I looked up the order: in progress", and not "Status: in progress".
        return Signal.ANSWER
    if before.signal in _DEEDS:
        # "Cover replaced: no", "Title updated: yes".
        entry = {Signal.FINISHED: Signal.DONE}.get(reading.signal, reading.signal)
        return Signal.FAILED if reading.leads_no else entry
    return None


def _after_a_no(reading: ClauseReading, around: _Around) -> Signal | None:
    before = around.before
    denied = before is not None and before.no and reading.static and reading.signal in _DENIALS
    return Signal.ANSWER if denied else None


def _of_a_part(reading: ClauseReading, around: _Around) -> Signal | None:
    joined = around.joined
    if joined and (_is_excepted(reading, joined) or _falls_short(reading, joined)):
        return Signal.PARTIAL
    if reading.restricts and joined and joined.signal not in SUCCESS_SIGNALS:
        # "I wondered which Dana, | but only one works here": no deed is restricted.
        return Signal.PLAIN
    # A denial that ends its sentence takes back a part of the deed before it: "I invited Carl | Denise not".
    ends = around.following is None and not any(other.wish for other in around.near)
    before = around.before
    return Signal.PARTIAL if reading.denies and ends and before and before.signal in _DEEDS else None


def _falls_short(reading: ClauseReading, before: ClauseReading) -> bool:
    """Whether a deed is told of less than the whole that the clause before it names ("of the five, I sent three")."""
    return reading.signal in _DEEDS and before.signal in _MUTE and 0 < reading.part < before.whole


def _is_excepted(reading: ClauseReading, before: ClauseReading) -> bool:
    """Whether one of two neighbours tells a deed and the other excepts something from it."""
    if before.wish or reading.wish:
        return False
    if before.exception and before.signal in _MUTE:
        return reading.signal in _DEEDS
    return reading.exception and reading.signal in _MUTE and before.signal in _DEEDS


_RULES: tuple[Callable[[ClauseReading, _Around], Signal | None], ...] = (
    _beside_an_offer,
    _as_wished,
    _as_an_answer,
    _as_asked,
    _after_a_colon,
    _after_a_no,
    _of_a_part,
)
"""What corrects a reading; the first that has something to say does."""
