"""From the readings of the clauses to the claim of the whole report.

The order of a story matters: trouble that a later success overcomes is told, not claimed; a failure that stands beside
a success is partial work; a hedge before a failure hedges the outcome, a hedge after it only its reason.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.labels import Basis, Claim
from tracewitness.report_side.signals import (
    FAILURE_SIGNALS,
    OPEN_SIGNALS,
    SUCCESS_SIGNALS,
    ClauseReading,
    Signal,
)

_OUTCOME_HEDGES = frozenset({Signal.HEDGED, Signal.SEEMING, Signal.UNVERIFIED})
_SUPERSEDED = frozenset({Signal.FUTURE, Signal.PROGRESS, Signal.SEEMING})
_NO_OPS = {Signal.ALREADY: Basis.ALREADY_SO, Signal.NOTHING: Basis.NOTHING_TO_DO}


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The claim of a report, why, on what ground, and the numbers of the clauses that decided."""

    claim: Claim
    causes: tuple[ClaimCause, ...]
    basis: Basis
    deciding: frozenset[int]


def conclude(readings: Sequence[ClauseReading]) -> Conclusion:
    """Return the claim that the clauses of a report add up to."""
    failures = _standing_failures(readings)
    if failures:
        return _with_failures(readings, failures)
    still_open = _still_open(readings)
    if still_open:
        return _conclusion(Claim.UNCLEAR, readings, still_open)
    successes = _where(readings, SUCCESS_SIGNALS)
    if successes:
        return _conclusion(Claim.SUCCESS, readings, successes, _basis(readings, successes))
    return _without_claim_words(readings)


def _where(readings: Sequence[ClauseReading], signals: Iterable[Signal]) -> list[int]:
    wanted = frozenset(signals)
    return [number for number, reading in enumerate(readings) if reading.signal in wanted]


@dataclass(frozen=True, slots=True)
class _Rescue:
    """What may overcome trouble.

    The first and last clause of success, the last one of a success that was brought about, of another attempt, of a
    finished task, as numbers of clauses; -1 where there is none (``first``: the number of all clauses). ``no_op`` says
    that the report claims nothing had to be done.
    """

    first: int
    success: int
    brought_about: int
    attempt: int
    finished: int
    no_op: bool


def _standing_failures(readings: Sequence[ClauseReading]) -> list[int]:
    """Return the failures that no success overcomes, by clause number."""
    failures = _where(readings, FAILURE_SIGNALS)
    if not failures:
        return []
    rescue = _rescue(readings)
    return [
        number
        for number in failures
        if not _is_overcome(readings[number], number, rescue)
        and not (_explains_past_trouble(readings, number) and rescue.success >= 0)
    ]


def _explains_past_trouble(readings: Sequence[ClauseReading], number: int) -> bool:
    """Return whether a failure only tells why an earlier attempt came to nothing."""
    earlier = readings[:number]
    told = [reading for reading in earlier if reading.sentence == readings[number].sentence]
    # Only a sentence that begins with the attempt tells of it; "but the cover is the old one because ..." does not.
    return readings[number].reason and len(told) == 1 and told[0].signal is Signal.PAST_TROUBLE


def _rescue(readings: Sequence[ClauseReading]) -> _Rescue:
    successes = _where(readings, SUCCESS_SIGNALS)
    success = successes[-1] if successes else -1
    # That there is nothing to be found does not overcome a missing place to look in.
    brought_about = [n for n in successes if readings[n].signal not in (Signal.NONE, Signal.NOTHING)]
    return _Rescue(
        first=successes[0] if successes else len(readings),
        success=success,
        brought_about=brought_about[-1] if brought_about else -1,
        attempt=max((n for n in range(success + 1) if readings[n].recovery), default=-1),
        finished=max(_where(readings, {Signal.FINISHED}), default=-1),
        no_op=any(readings[n].signal in _NO_OPS for n in successes),
    )


def _is_overcome(failure: ClauseReading, number: int, rescue: _Rescue) -> bool:
    if failure.signal is Signal.UNTOUCHED:
        # "I changed nothing, and the task is complete": the wished state is told to be there.
        return rescue.no_op or rescue.first < number or number < rescue.finished
    if failure.signal is Signal.PAST_TROUBLE:
        # "It was tried twice and broke off both times. There is no backup": that there is none overcomes nothing.
        return rescue.brought_about >= 0 or rescue.attempt >= 0
    if failure.signal is Signal.OBSTACLE or failure.conceded:
        return number < rescue.brought_about
    if failure.signal in (Signal.UNABLE, Signal.FAILED):
        return number < rescue.attempt
    return False


def _with_failures(readings: Sequence[ClauseReading], failures: list[int]) -> Conclusion:
    doubts = _where(readings, _OUTCOME_HEDGES)
    if len(doubts) > 1 and doubts[0] < failures[0] < doubts[-1]:
        return _conclusion(Claim.UNCLEAR, readings, doubts)
    begun = _where(readings, {Signal.PROGRESS})
    hedged = [
        n
        for n in _where(readings, _OUTCOME_HEDGES)
        if readings[n].content and (n < failures[0] or (begun and begun[0] < failures[0]))
    ]
    if hedged:
        return _conclusion(Claim.UNCLEAR, readings, hedged)
    if all(readings[n].signal is Signal.OBSTACLE for n in failures):
        still_open = _where(readings, OPEN_SIGNALS)
        if still_open:
            return _conclusion(Claim.UNCLEAR, readings, still_open)
    finished = [n for n in _where(readings, {Signal.FINISHED}) if _follows(readings, n, failures[-1])]
    if finished:
        deciding = frozenset([*failures, *finished])
        return Conclusion(Claim.UNCLEAR, (ClaimCause.SELF_CONTRADICTION,), Basis.UNSTATED, deciding)
    return _conclusion(Claim.FAILURE_OR_INCOMPLETE, readings, failures)


def _follows(readings: Sequence[ClauseReading], later: int, earlier: int) -> bool:
    return readings[later].sentence > readings[earlier].sentence


def _still_open(readings: Sequence[ClauseReading]) -> list[int]:
    """Return the clauses that leave the outcome open and that no later word of completion settles."""
    finished = _where(readings, {Signal.FINISHED})
    done = _where(readings, {Signal.DONE, Signal.STATE})
    last_finished = finished[-1] if finished else -1
    last_done = max(done[-1] if done else -1, last_finished)
    successes = _where(readings, SUCCESS_SIGNALS)
    first_success = successes[0] if successes else len(readings)
    return [
        n
        for n in _where(readings, OPEN_SIGNALS)
        if not _is_settled(readings, n, last_finished, last_done) and not _accompanies(readings, n, first_success)
    ]


def _is_settled(readings: Sequence[ClauseReading], number: int, last_finished: int, last_done: int) -> bool:
    signal = readings[number].signal
    if signal is Signal.SEEMING:
        return last_done >= 0 and _follows(readings, last_done, number)
    superseded = signal in _SUPERSEDED or (signal is Signal.HEDGED and not readings[number].content)
    return superseded and last_finished >= 0 and _follows(readings, last_finished, number)


def _accompanies(readings: Sequence[ClauseReading], number: int, first_success: int) -> bool:
    """Whether the clause tells what goes on because of a success told before it in the same sentence."""
    reading = readings[number]
    if reading.signal is not Signal.PROGRESS or reading.contrast or first_success >= number:
        return False
    before = readings[number - 1]
    return before.signal in SUCCESS_SIGNALS and before.sentence == reading.sentence


def _basis(readings: Sequence[ClauseReading], successes: list[int]) -> Basis:
    """Return on what ground success is claimed: the first clause that names one, no-ops told as such first."""
    signals = [_ground(readings, n) for n in successes]
    no_ops = [signal for signal in signals if signal in _NO_OPS]
    if no_ops and Signal.NONE in signals[: signals.index(no_ops[0])]:
        # "There is no draft, so no change was needed."
        return Basis.NOTHING_TO_DO
    if no_ops and _where(readings, {Signal.UNTOUCHED}):
        return _NO_OPS[no_ops[0]]
    deeds = [n for n in successes if readings[n].signal is Signal.DONE and readings[n].agent]
    if not deeds and _where(readings, {Signal.UNTOUCHED}):
        # "It is the photo you describe, so I changed nothing."
        return Basis.ALREADY_SO
    for signal in signals:
        if signal in _NO_OPS:
            return _NO_OPS[signal]
        if signal in (Signal.DONE, Signal.STATE):
            return Basis.PERFORMED
    return Basis.PERFORMED if Signal.FINISHED in signals else Basis.UNSTATED


def _ground(readings: Sequence[ClauseReading], number: int) -> Signal:
    """Return the signal of a clause of success, or that of a no-op which the clause after it makes of it."""
    reading = readings[number]
    after = readings[number + 1] if number + 1 < len(readings) else None
    if reading.signal in (Signal.DONE, Signal.STATE) and not reading.agent and after is not None:
        # "It had been turned on | before I got there", "it is enabled | there is nothing to change".
        return after.signal if after.signal in _NO_OPS and after.sentence <= reading.sentence + 1 else reading.signal
    sought = reading.purpose or (number > 0 and readings[number - 1].purpose)
    return Signal.NOTHING if reading.signal is Signal.NONE and sought else reading.signal


def _without_claim_words(readings: Sequence[ClauseReading]) -> Conclusion:
    for signal, cause in (
        (Signal.EFFECT, ClaimCause.FUTURE),
        (Signal.JUDGE, ClaimCause.OBEYED_TEXT),
        (Signal.ACK, ClaimCause.NO_CLAIM_WORDS),
    ):
        found = _where(readings, {signal})
        if found:
            return Conclusion(Claim.UNCLEAR, (cause,), Basis.UNSTATED, frozenset(found))
    plain = _where(readings, {Signal.PLAIN})
    if plain:
        return _conclusion(Claim.SUCCESS, readings, plain)
    return Conclusion(Claim.UNCLEAR, (ClaimCause.NO_CLAIM_WORDS,), Basis.UNSTATED, frozenset())


def _conclusion(
    claim: Claim, readings: Sequence[ClauseReading], deciding: list[int], basis: Basis = Basis.UNSTATED
) -> Conclusion:
    causes: dict[ClaimCause, None] = {}
    for number in deciding:
        cause = readings[number].cause
        if cause is not None:
            causes.setdefault(cause)
    return Conclusion(claim, tuple(causes), basis, frozenset(deciding))
