"""What each policy costs on the same findings: load against silent passes, over policies and over firmer votes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tracewitness.benchmark.labelled import Labelled, Method
from tracewitness.benchmark.replaying import Stored
from tracewitness.benchmark.scores import Score, score
from tracewitness.benchmark.support import Support, firmer
from tracewitness.policy.table import DecisionTable

LEVELS = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 1.0)
"""Levels of support at which labels are taken back, from the laxest; fixed, so that no label had a part in them."""


class Family(StrEnum):
    """What a point of the frontier differs in from the next."""

    POLICY = "policy"
    VOTES = "votes"
    PROBABILITY = "probability"


@dataclass(frozen=True, slots=True)
class Point:
    """One way of deciding the same findings.

    Attributes:
        finder: Who found what is decided on.
        table: The policy.
        family: What is varied.
        level: The least support that a label has; None where every label counts that was recorded.
        method: What is decided.
        score: How well that does.
    """

    finder: str
    table: DecisionTable
    family: Family
    level: float | None
    method: Method
    score: Score

    @property
    def policy(self) -> str:
        """Return the name of the policy."""
        return self.table.policy.name


def points(
    labelled: Labelled, found: Sequence[tuple[Stored, Support | None]], tables: Sequence[DecisionTable]
) -> Iterator[Point]:
    """Yield every policy on every finder's findings, and with firmer votes where a model voted.

    A level that changes no disposition against the one before is left out.
    """
    for stored, support in found:
        for table in tables:
            yield from _of_policy(labelled, stored, support, table)


def _of_policy(labelled: Labelled, stored: Stored, support: Support | None, table: DecisionTable) -> Iterator[Point]:
    method = stored.decided(table)
    yield Point(stored.name, table, Family.POLICY, None, method, score(labelled, method, intervals=False))
    if support is None:
        return
    family = Family.PROBABILITY if support.by_probability else Family.VOTES
    last = method
    for level in LEVELS:
        name = f"{method.name}, {family} at least {level:g}"
        method_there = firmer(stored, support, level).decided(table, name)
        if (method_there.dispositions == last.dispositions).all():
            continue
        last = method_there
        yield Point(stored.name, table, family, level, last, score(labelled, last, intervals=False))


def undominated(found: Sequence[Point]) -> tuple[bool, ...]:
    """Return for each point whether no other one has less of load or of silent passes and no more of the other."""
    costs = [(point.score.load.value or 0.0, point.score.silent_passes.value or 0.0) for point in found]
    return tuple(not any(_better(other, own) for other in costs) for own in costs)


def _better(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[0] and one[1] <= other[1] and one != other
