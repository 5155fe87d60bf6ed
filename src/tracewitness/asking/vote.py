"""Majority over repeated runs of a model, stopped as soon as the remaining runs cannot change it.

A run that gave no answer is a ballot like any other: it counts towards the number of runs and never towards a label.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.port import Answer, Question
from tracewitness.findings.causes import UnavailableCause

L = TypeVar("L", bound=Hashable)

RUNS = 5
"""Runs per label, as in the publication."""


@dataclass(frozen=True, slots=True)
class Vote(Generic[L]):
    """The outcome of a vote.

    Attributes:
        label: The label that more than half of all runs gave; None without one.
        unavailable: The first cause where more than half of the runs gave no answer; else None.
    """

    label: L | None
    unavailable: UnavailableCause | None = None


def tally(ballots: Sequence[L | UnavailableCause], runs: int = RUNS) -> Vote[L]:
    """Return the outcome of the ballots so far, measured against the full number of runs."""
    labels: Counter[L] = Counter()
    causes: list[UnavailableCause] = []
    for ballot in ballots:
        if isinstance(ballot, UnavailableCause):
            causes.append(ballot)
        else:
            labels[ballot] += 1
    if len(causes) * 2 > runs:
        return Vote(None, causes[0])
    for label, count in labels.items():
        if count * 2 > runs:
            return Vote(label)
    return Vote(None)


def settled(ballots: Sequence[L | UnavailableCause], runs: int = RUNS) -> bool:
    """Tell whether no further run, up to ``runs``, can change the outcome."""
    return missing(ballots, runs) == 0


def missing(ballots: Sequence[L | UnavailableCause], runs: int = RUNS) -> int:
    """Return how many further runs are needed at the least before the outcome can be settled; 0 once it is.

    That many may be asked at once without ever asking one too many.
    """
    left = runs - len(ballots)
    lead = max(_counts(ballots).values(), default=0)
    needed = runs // 2 + 1
    if left <= 0 or lead >= needed or lead + left < needed:
        return 0
    # The outcome settles early either when the leader reaches the majority or when nobody can reach it any more.
    return min(needed - lead, lead + left - needed + 1)


def poll(
    question: Callable[[int], Question],
    read: Callable[[Answer], Sequence[L | UnavailableCause]],
    labels: int,
    runs: int = RUNS,
) -> Dialogue[tuple[tuple[L | UnavailableCause, ...], ...]]:
    """Ask the same thing up to ``runs`` times, and no more once every label is settled.

    Args:
        question: Makes the question of a run from its number, 0 to ``runs`` - 1.
        read: Reads ``labels`` labels out of an answer, or why there are none.
        labels: How many labels one answer holds.
        runs: The full number of runs.

    Returns:
        One sequence of ballots per label, in the order of the runs; hand each to ``tally``.
    """
    ballots: list[list[L | UnavailableCause]] = [[] for _ in range(labels)]
    asked = 0
    while (more := max(missing(each, runs) for each in ballots)) > 0:
        replies = yield tuple(question(number) for number in range(asked, asked + more))
        asked += more
        for reply in replies:
            row = read(reply) if isinstance(reply, Answer) else [reply.cause] * labels
            for each, ballot in zip(ballots, row, strict=True):
                each.append(ballot)
    return tuple(tuple(each) for each in ballots)


def _counts(ballots: Sequence[L | UnavailableCause]) -> Counter[L | None]:
    return Counter(None if isinstance(ballot, UnavailableCause) else ballot for ballot in ballots)
