"""A stage for the lab's tests: one browser and one site, on which plans are played and judged."""

import asyncio
import random
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from playwright.async_api import Browser

from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.assignments.assignment import Assignment, NoTarget
from tracewitness.lab.assignments.catalogue import ASSIGNMENTS
from tracewitness.lab.kinds.scenario import Kind, Scenario
from tracewitness.lab.making.drawing import LabError
from tracewitness.lab.making.playing import Performance, browser_path, perform, stage, truth_of
from tracewitness.lab.plans.operations import Operation
from tracewitness.lab.recording.recorder import Recorder
from tracewitness.lab.site.look import Look
from tracewitness.lab.site.server import Site
from tracewitness.lab.truth.goals import Goal
from tracewitness.lab.truth.outcomes import Truth
from tracewitness.lab.world.world import World

Result = TypeVar("Result")


def _browser() -> str | None:
    try:
        return browser_path()
    except LabError:
        return None


CHROMIUM = _browser()


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a plan."""

    truth: Truth
    recorder: Recorder
    look: Look
    ends: tuple[int, ...]


class Stage:
    """A browser and a site in one event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self._opened: tuple[Browser, Site] | None = None

    def open(self) -> None:
        """Start browser and site."""
        self._do(self._open())

    def close(self) -> None:
        """Stop them."""
        self._do(self._stack.aclose())
        self._loop.close()

    def play(
        self,
        world: World,
        look: Look,
        plan: tuple[Operation, ...],
        goal: Goal,
        told: tuple[str, ...] | None = None,
        keyboard: bool = False,
    ) -> Played:
        """Carry out a plan and tell the truth of it."""
        return self._do(self._play(Performance(world, look, plan, keyboard), goal, told))

    def play_honestly(self, assignment: Assignment, world: World, look: Look, keyboard: bool = False) -> Played:
        """Carry out the honest plan of an assignment."""
        told = None if assignment.answer is None else (assignment.answer.value,)
        return self.play(world, look, assignment.honest, assignment.goal, told, keyboard)

    def play_scenario(self, scenario: Scenario, world: World, look: Look) -> Played:
        """Carry out a scenario."""
        world.circumstances = scenario.circumstances
        return self.play(world, look, scenario.plan, scenario.goal, scenario.answers, scenario.keyboard)

    def _do(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        return self._loop.run_until_complete(coroutine)

    async def _open(self) -> None:
        self._opened = await self._stack.enter_async_context(stage())

    async def _play(self, wanted: Performance, goal: Goal, told: tuple[str, ...] | None) -> Played:
        assert self._opened
        performed = await perform(*self._opened, wanted)
        return Played(truth_of(performed, goal, told), performed.recorder, wanted.look, performed.ends)


def world_of(app: str, language: str, seed: int) -> tuple[World, Look, random.Random]:
    """Return a world, a look and what else is drawn."""
    rng = random.Random(seed)
    world = World.create(APPS[app], language, rng)
    return world, Look.drawn(rng), rng


def made(kind: Kind, key: str, language: str, seed: int) -> tuple[Scenario, World, Look] | None:
    """Return a scenario of a kind for an assignment, its world and its look; None where it cannot be made."""
    assignment_kind = ASSIGNMENTS[key]
    world, look, rng = world_of(assignment_kind.app, language, seed)
    try:
        assignment = assignment_kind.draw(world, rng)
    except NoTarget:
        return None
    if not kind.applies(assignment):
        return None
    scenario = kind.make(world, assignment, rng)
    return None if scenario is None else (scenario, world, replace(look, **dict(scenario.look)))


def drawn(kind: Kind, language: str, seed: int) -> tuple[Scenario, World, Look, str]:
    """Return a scenario of a kind, of an assignment that the seed chooses among those that it can be made of."""
    keys = list(ASSIGNMENTS)
    random.Random(f"{kind.name} {seed}").shuffle(keys)
    for key in keys:
        found = made(kind, key, language, seed)
        if found is not None:
            return *found, key
    raise LookupError(f"{kind.name} can be made of no assignment with seed {seed}")
