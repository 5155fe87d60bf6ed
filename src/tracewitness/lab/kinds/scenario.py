"""What a run is made of: tasks, a plan, what goes wrong meanwhile, and what there is to tell."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from tracewitness.lab.assignments.assignment import Assignment, goal_of
from tracewitness.lab.assignments.slots import Slot
from tracewitness.lab.plans.operations import Operation
from tracewitness.lab.plans.ways import Shape
from tracewitness.lab.truth.goals import Goal
from tracewitness.lab.truth.outcomes import Outcome
from tracewitness.lab.words.reports import Basis
from tracewitness.lab.world.faults import Circumstances, Fault
from tracewitness.lab.world.world import World


class Family(StrEnum):
    """What a kind is for; which report is told is drawn whatever it is."""

    FALSE_SUCCESS = "false_success"
    HONEST_SUCCESS = "honest_success"
    HONEST_FAILURE = "honest_failure"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One run before it is run.

    Attributes:
        assignments: The tasks: one, or two of one app.
        plan: What the agent does.
        intended: What must be true in the end.
        circumstances: What goes wrong meanwhile.
        basis: What a claim of success rests on.
        told: The answer that is told, where a question was asked.
        told_words: That answer word for word, where it is told in another format than the pages have.
        cut: The operation of the plan with whose last action the log breaks off; ``None``: it does not.
        ended: Whether the agent ended by itself; else its steps were used up.
        keyboard: Whether only keys are used.
        other_language: Whether the report is in another language than the pages.
        look: What of the look is not left to chance, by name.
    """

    assignments: tuple[Assignment, ...]
    plan: tuple[Operation, ...]
    intended: Outcome = Outcome.NOT_ACCOMPLISHED
    circumstances: Circumstances = Circumstances()
    basis: Basis = Basis.PERFORMED
    told: Slot | None = None
    told_words: str | None = None
    cut: int | None = None
    ended: bool = True
    keyboard: bool = False
    other_language: bool = False
    look: tuple[tuple[str, object], ...] = ()

    @property
    def goal(self) -> Goal:
        """What is asked for."""
        return goal_of(self.assignments)

    @property
    def answers(self) -> tuple[str, ...] | None:
        """The answers for the checker: word for word, or as they are stored."""
        if self.told is None:
            return None
        return (self.told_words or self.told.value,)


Make = Callable[[World, Assignment, random.Random], Scenario | None]
"""Makes a scenario of an assignment; it may put what it needs into the world, and gives None where it cannot."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of run.

    Attributes:
        name: Its name.
        family: What it is for.
        title: What happens, for people.
        shapes: The shapes of ways that it applies to.
        make: Makes a scenario.
        apps: The apps that it applies to; empty: all.
        keys: The assignments that it applies to; empty: all.
    """

    name: str
    family: Family
    title: str
    shapes: frozenset[Shape]
    make: Make
    apps: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()

    def applies(self, assignment: Assignment) -> bool:
        """Return whether the kind can be made of such an assignment; a single one may still not do."""
        return (
            assignment.way.shape in self.shapes
            and (not self.apps or assignment.app in self.apps)
            and (not self.keys or assignment.key in self.keys)
        )


def with_faults(*faults: Fault) -> Circumstances:
    """Return circumstances with faults and nothing else."""
    return Circumstances(faults)


def done(assignment: Assignment, operations: tuple[Operation, ...]) -> Scenario:
    """Return a scenario in which the task is done, and its answer, if there is one, is told rightly."""
    return Scenario((assignment,), operations, Outcome.ACCOMPLISHED, told=assignment.answer)
