"""Majority over repeated runs of a model, stopped as soon as the remaining runs cannot change it.

A run that gave no answer is a ballot like any other: it counts towards the number of runs and never towards a label.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.logits import label_probabilities
from tracewitness.asking.port import Answer, Question
from tracewitness.findings.causes import UnavailableCause

L = TypeVar("L", bound=Hashable)

RUNS = 5
"""Runs per label, as in the publication."""

MOST_RUNS = 9

_DIGITS = 6
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Voting:
    """How labels are voted on.

    Attributes:
        runs: The full number of runs, 1 to ``MOST_RUNS``.
        early_stop: Stop as soon as the rest of the runs cannot change the outcome; without it all are asked.
        threshold: Where set (0.5 to 1), one run is weighed by its token probabilities instead: a label is firm where
            its probability is at least this. A label needs one half, and no other label as likely.
        agree: How many runs have to give a label for it to be firm, more than half of them; None for the majority.
    """

    runs: int = RUNS
    threshold: float | None = None
    early_stop: bool = True
    agree: int | None = None

    @property
    def asked(self) -> int:
        """Return the most runs that are asked for."""
        return self.runs if self.threshold is None else 1

    @property
    def needed(self) -> int:
        """Return how many runs have to give a label for it to be firm."""
        return majority(self.runs) if self.agree is None else self.agree


def majority(runs: int) -> int:
    """Return the least number of runs that is more than half of them."""
    return runs // 2 + 1


VOTING = Voting()
"""The publication's protocol."""


@dataclass(frozen=True, slots=True)
class Share:
    """A label and its probability, 0 to 1, rounded to six digits."""

    label: str
    share: float


@dataclass(frozen=True, slots=True)
class Ballots:
    """How the vote on one label went, as records keep it.

    Attributes:
        subject: What was voted on: ``claim``, the name of a field, or ``answer``.
        part: Which part of the task, from 0.
        labels: The label of each run in order; ``unavailable:`` with the cause for a run that gave none.
        probabilities: Where one run was weighed by its token probabilities: each label with its share.
        runs: The full number of runs, of which a vote that stopped early asked fewer; 0 where nobody wrote it down.
    """

    subject: str
    part: int
    labels: tuple[str, ...]
    probabilities: tuple[Share, ...] = ()
    runs: int = 0


@dataclass(frozen=True, slots=True)
class Vote(Generic[L]):
    """The outcome of a vote.

    Attributes:
        label: The label that more than half of all runs gave; None without one.
        unavailable: The first cause where more than half of the runs gave no answer; else None.
        is_firm: Whether as many runs gave the label as were to agree, or it is as likely as it was to be.
    """

    label: L | None
    unavailable: UnavailableCause | None = None
    is_firm: bool = True

    @property
    def firm_label(self) -> L | None:
        """Return the label where it is firm; None else."""
        return self.label if self.is_firm else None


def tally(ballots: Sequence[L | UnavailableCause], runs: int = RUNS, agree: int | None = None) -> Vote[L]:
    """Return the outcome of the ballots so far, measured against the full number of runs.

    Args:
        ballots: What the runs said.
        runs: The full number of runs.
        agree: How many have to give a label for it to be firm; None for the majority.
    """
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
            return Vote(label, is_firm=agree is None or count >= agree)
    return Vote(None)


def settled(ballots: Sequence[L | UnavailableCause], runs: int = RUNS, agree: int | None = None) -> bool:
    """Tell whether no further run, up to ``runs``, can change the outcome."""
    return missing(ballots, runs, agree) == 0


def missing(ballots: Sequence[L | UnavailableCause], runs: int = RUNS, agree: int | None = None) -> int:
    """Return how many further runs are needed at the least before the outcome can be settled; 0 once it is.

    That many may be asked at once without ever asking one too many.

    Args:
        ballots: What the runs said so far.
        runs: The full number of runs.
        agree: How many have to give a label for it to be firm; None for the majority.
    """
    left = runs - len(ballots)
    lead = max(_counts(ballots).values(), default=0)
    more = _until(majority(runs), lead, left)
    vote = tally(ballots, runs)
    # Once a label has the majority it is the leader, and what is open is whether it becomes firm.
    return _until(agree, lead, left) if more == 0 and agree is not None and vote.label is not None else more


def _until(needed: int, lead: int, left: int) -> int:
    """Return the least number of runs after which the leader has what is needed, or nobody can have it any more."""
    if left <= 0 or lead >= needed or lead + left < needed:
        return 0
    return min(needed - lead, lead + left - needed + 1)


def poll(
    question: Callable[[int], Question],
    read: Callable[[Answer], Sequence[L | UnavailableCause]],
    labels: int,
    runs: int = RUNS,
    *,
    early_stop: bool = True,
    agree: int | None = None,
) -> Dialogue[tuple[tuple[L | UnavailableCause, ...], ...]]:
    """Ask the same thing up to ``runs`` times, and no more once every label is settled.

    Args:
        question: Makes the question of a run from its number, 0 to ``runs`` - 1.
        read: Reads ``labels`` labels out of an answer, or why there are none.
        labels: How many labels one answer holds.
        runs: The full number of runs.
        early_stop: False asks all of them, whatever the outcome.
        agree: How many have to give a label for it to be firm; None for the majority.

    Returns:
        One sequence of ballots per label, in the order of the runs; hand each to ``tally``.
    """
    ballots: list[list[L | UnavailableCause]] = [[] for _ in range(labels)]
    asked = 0
    while (more := max(missing(each, runs, agree) for each in ballots) if early_stop else runs - asked) > 0:
        replies = yield tuple(question(number) for number in range(asked, asked + more))
        asked += more
        for reply in replies:
            row = read(reply) if isinstance(reply, Answer) else [reply.cause] * labels
            for each, ballot in zip(ballots, row, strict=True):
                each.append(ballot)
    return tuple(tuple(each) for each in ballots)


@dataclass(frozen=True, slots=True)
class Spot(Generic[L]):
    """One thing that is voted on.

    Attributes:
        subject: What it is: ``claim``, the name of a field, or ``answer``.
        path: The keys that lead to its label in an answer; empty where it has no fixed labels.
        labels: The labels it may have.
        word: Gives a label as records keep it.
    """

    subject: str
    path: tuple[str, ...] = ()
    labels: tuple[L, ...] = ()
    word: Callable[[L], str] = str

    def written(self, ballot: L | UnavailableCause) -> str:
        """Return a ballot as records keep it."""
        return f"unavailable:{ballot.id}" if isinstance(ballot, UnavailableCause) else self.word(ballot)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[L]):
    """How the vote on one spot came out, and how it went."""

    vote: Vote[L]
    ballots: Ballots


def conduct(
    voting: Voting,
    question: Callable[[int], Question],
    read: Callable[[Answer], Sequence[L | UnavailableCause]],
    spots: Sequence[Spot[L]],
    part: int = 0,
) -> Dialogue[tuple[Outcome[L], ...]]:
    """Hold a vote on every spot.

    Args:
        voting: How.
        question: Makes the question of a run from its number.
        read: Reads one label per spot out of an answer, or why there is none.
        spots: What is voted on.
        part: Which part of the task it is about.
    """
    if voting.threshold is not None:
        return (yield from _weigh(voting.threshold, question, read, spots, part))
    stop, agree = voting.early_stop, voting.agree
    rows = yield from poll(question, read, len(spots), voting.runs, early_stop=stop, agree=agree)
    return tuple(
        Outcome(
            tally(row, voting.runs, agree),
            Ballots(spot.subject, part, tuple(map(spot.written, row)), runs=voting.runs),
        )
        for spot, row in zip(spots, rows, strict=True)
    )


def _weigh(
    threshold: float,
    question: Callable[[int], Question],
    read: Callable[[Answer], Sequence[L | UnavailableCause]],
    spots: Sequence[Spot[L]],
    part: int,
) -> Dialogue[tuple[Outcome[L], ...]]:
    (reply,) = yield (replace(question(0), logprobs=True),)
    if not isinstance(reply, Answer):
        return tuple(_failed(spot, part, reply.cause) for spot in spots)
    labels = read(reply)
    return tuple(_weighed(spot, part, label, reply, threshold) for spot, label in zip(spots, labels, strict=True))


def _weighed(spot: Spot[L], part: int, label: L | UnavailableCause, answer: Answer, threshold: float) -> Outcome[L]:
    if isinstance(label, UnavailableCause):
        return _failed(spot, part, label)
    if not spot.path:
        return Outcome(Vote(label), Ballots(spot.subject, part, (spot.written(label),)))
    shares = label_probabilities(answer, spot.path, [str(each) for each in spot.labels])
    if shares is None:
        return _failed(spot, part, UnavailableCause.NO_PROBABILITIES)
    likeliest = max(spot.labels, key=lambda each: shares[str(each)])
    alone = sum(share == shares[str(likeliest)] for share in shares.values()) == 1
    told = tuple(Share(name, round(share, _DIGITS)) for name, share in shares.items())
    share = shares[str(likeliest)]
    vote = Vote(likeliest if alone and share >= _HALF else None, is_firm=share >= threshold)
    return Outcome(vote, Ballots(spot.subject, part, (spot.written(label),), told))


def _failed(spot: Spot[L], part: int, cause: UnavailableCause) -> Outcome[L]:
    return Outcome(Vote(None, cause), Ballots(spot.subject, part, (spot.written(cause),)))


def _counts(ballots: Sequence[L | UnavailableCause]) -> Counter[L | None]:
    return Counter(None if isinstance(ballot, UnavailableCause) else ballot for ballot in ballots)
