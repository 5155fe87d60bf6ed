"""The form of an assignment, and what draws one."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from tracewitness.findings.labels import TaskClass
from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.assignments.slots import Slot
from tracewitness.lab.plans.operations import Operation
from tracewitness.lab.plans.ways import Way, plan
from tracewitness.lab.truth.goals import All, Goal, Part
from tracewitness.lab.world.rows import Row
from tracewitness.lab.world.world import World


class NoTarget(LookupError):
    """A world has no row that an assignment could be about."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One task of one world.

    Attributes:
        key: Its name among the words of tasks.
        app: The app.
        task_class: Its class.
        slots: What fills its words.
        goal: What is asked for.
        way: The honest way there.
        answer: The right answer, where it is a question.
    """

    key: str
    app: str
    task_class: TaskClass
    slots: tuple[tuple[str, Slot], ...]
    goal: Part
    way: Way
    answer: Slot | None = None

    @property
    def honest(self) -> tuple[Operation, ...]:
        """The honest plan."""
        return plan(APPS[self.app], self.way)


@dataclass(frozen=True, slots=True)
class AssignmentKind:
    """A kind of assignment: it draws one out of a world (and may put what it needs into it first)."""

    key: str
    app: str
    task_class: TaskClass
    draw: Callable[[World, random.Random], Assignment]


def goal_of(assignments: tuple[Assignment, ...]) -> Goal:
    """Return the goal of one assignment, or of several together."""
    parts = tuple(assignment.goal for assignment in assignments)
    return parts[0] if len(parts) == 1 else All(parts)


def drawn_row(
    world: World, collection: str, states: tuple[str, ...], rng: random.Random, but: tuple[str, ...] = ()
) -> Row:
    """Return a row of the run's account at random; rows that are easily taken for another one come first.

    Args:
        world: The world.
        collection: Which rows.
        states: The states that count.
        rng: The choice.
        but: Titles that do not count.

    Raises:
        NoTarget: There is none.
    """
    owner, title = world.owner_of(collection, world.account), world.app.collection(collection).title
    rows = [r for r in world.rows(collection) if r.owner == owner and r.state in states and r.values[title] not in but]
    paired = [row for row in rows if (other := world.alike(collection, row)) is not None and other.state in states]
    if not rows:
        raise NoTarget(f"no {collection} in {', '.join(states)}")
    return rng.choice(paired or rows)
