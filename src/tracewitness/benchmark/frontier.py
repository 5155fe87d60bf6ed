"""What each policy costs on the same findings: load against silent passes, over policies and over firmer votes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tracewitness.asking.vote import majority
from tracewitness.benchmark.labelled import Labelled, Method
from tracewitness.benchmark.replaying import Stored
from tracewitness.benchmark.scores import Score, score
from tracewitness.benchmark.support import Support, firmer
from tracewitness.policy.table import DecisionTable

LEVELS = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 1.0)
"""Levels of support at which labels are taken back, from the laxest; fixed, so that no label had a part in them."""


class Family(StrEnum):
    """What a point of the frontier differs in from the next.

    ``VOTES`` counts how many of all runs of a vote have to agree (``audit --agree``), ``SHARE`` the share of those that
    were asked before the vote stopped, ``PROBABILITY`` the probability of one run (``audit --logit-threshold``).
    """

    POLICY = "policy"
    VOTES = "votes"
    SHARE = "share of votes"
    PROBABILITY = "probability"


@dataclass(frozen=True, slots=True)
class Level:
    """How much has to stand behind a label, and of what.

    Attributes:
        family: What is measured.
        least: The least of it that a label needs.
        runs: For votes, the full number of runs.
    """

    family: Family
    least: float
    runs: int = 0

    def __str__(self) -> str:
        """Return it for people."""
        return (
            f"{self.least:g} of {self.runs} votes" if self.family is Family.VOTES else f"{self.family} {self.least:g}"
        )

    @property
    def option(self) -> str:
        """Return the options of ``audit`` that hold to it; empty where there are none."""
        if self.family is Family.VOTES:
            return f"--runs {self.runs} --agree {self.least:g}"
        return f"--vote logits --logit-threshold {self.least:g}" if self.family is Family.PROBABILITY else ""

    def taken(self, stored: Stored, support: Support) -> Stored | None:
        """Return what was found without the labels below the level; None where the votes do not tell which are."""
        if self.family is not Family.VOTES:
            return firmer(stored, support.shares, self.least)
        return firmer(stored, support.counts, self.least) if support.tells(int(self.least)) else None


@dataclass(frozen=True, slots=True)
class Point:
    """One way of deciding the same findings.

    Attributes:
        finder: Who found what is decided on.
        table: The policy.
        level: What a label needs behind it; None where every label counts that was recorded.
        method: What is decided.
        score: How well that does.
    """

    finder: str
    table: DecisionTable
    level: Level | None
    method: Method
    score: Score

    @property
    def policy(self) -> str:
        """Return the name of the policy."""
        return self.table.policy.name

    @property
    def family(self) -> Family:
        """Return what is varied."""
        return Family.POLICY if self.level is None else self.level.family


def points(
    labelled: Labelled,
    found: Sequence[tuple[Stored, Support | None]],
    tables: Sequence[DecisionTable],
    *,
    seed: int | None = None,
) -> Iterator[Point]:
    """Yield every policy on every finder's findings, and with firmer votes where a model voted.

    A level that changes no disposition against the one before is left out.

    Args:
        labelled: The runs.
        found: What each finder found, with the votes behind it.
        tables: The policies.
        seed: The seed of the bootstrap of F1; None to make none.
    """
    for stored, support in found:
        for table in tables:
            yield from _of_policy(labelled, stored, support, table, seed)


def _of_policy(
    labelled: Labelled, stored: Stored, support: Support | None, table: DecisionTable, seed: int | None
) -> Iterator[Point]:
    last = stored.decided(table)
    yield Point(stored.name, table, None, last, scored(labelled, last, seed))
    if support is None:
        return
    name = last.name
    for level in levels_of(support):
        taken = level.taken(stored, support)
        method = None if taken is None else taken.decided(table, f"{name}, at least {level}")
        if method is None or (method.dispositions == last.dispositions).all():
            continue
        last = method
        yield Point(stored.name, table, level, last, scored(labelled, last, seed))


def levels_of(support: Support) -> list[Level]:
    """Return the levels that may be set against what was found, from the laxest; no label had a part in them."""
    if support.by_probability:
        return [Level(Family.PROBABILITY, least) for least in LEVELS]
    counts = range(majority(support.runs) + 1, support.runs + 1) if support.runs else range(0)
    told = [Level(Family.VOTES, agree, support.runs) for agree in counts if support.tells(agree)]
    return told or [Level(Family.SHARE, least) for least in LEVELS]


def scored(labelled: Labelled, method: Method, seed: int | None) -> Score:
    """Return the score of a method, with intervals where there is a seed."""
    return score(labelled, method, intervals=seed is not None, seed=seed or 0)


def undominated(found: Sequence[Point]) -> tuple[bool, ...]:
    """Return for each point whether no other one has less of load or of silent passes and no more of the other."""
    costs = [(point.score.load.value or 0.0, point.score.silent_passes.value or 0.0) for point in found]
    return tuple(not any(_better(other, own) for other in costs) for own in costs)


def _better(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[0] and one[1] <= other[1] and one != other
