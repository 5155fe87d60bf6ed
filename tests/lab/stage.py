"""A stage for the lab's tests: one browser and one site, on which plans are played and judged."""

import asyncio
import os
import random
import shutil
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from playwright.async_api import Browser, Playwright, async_playwright

from tracewitness.findings.labels import Language
from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.assignments.assignment import Assignment, NoTarget
from tracewitness.lab.assignments.catalogue import ASSIGNMENTS
from tracewitness.lab.driving.driver import Driver
from tracewitness.lab.kinds.scenario import Kind, Scenario
from tracewitness.lab.plans.operations import Operation
from tracewitness.lab.recording.recorder import Recorder
from tracewitness.lab.site.look import Look
from tracewitness.lab.site.server import Site
from tracewitness.lab.truth.answers import Telling
from tracewitness.lab.truth.checker import check
from tracewitness.lab.truth.course import Course
from tracewitness.lab.truth.forms import page_forms
from tracewitness.lab.truth.goals import Goal
from tracewitness.lab.truth.outcomes import Sight, Truth
from tracewitness.lab.world.rows import Cause
from tracewitness.lab.world.world import World

Result = TypeVar("Result")
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)


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
        self._site = Site()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    def open(self) -> None:
        """Start browser and site."""
        self._do(self._open())

    def close(self) -> None:
        """Stop them."""
        self._do(self._close())
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
        return self._do(self._play(world, look, plan, goal, told, keyboard))

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
        await self._site.__aenter__()
        self._playwright = await async_playwright().start()
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        self._browser = await self._playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)

    async def _close(self) -> None:
        if self._browser and self._playwright:
            await self._browser.close()
            await self._playwright.stop()
        await self._site.__aexit__(None, None, None)

    async def _play(
        self,
        world: World,
        look: Look,
        plan: tuple[Operation, ...],
        goal: Goal,
        told: tuple[str, ...] | None,
        keyboard: bool,
    ) -> Played:
        assert self._browser
        served = self._site.show(world, look)
        before, first = world.snapshot(), len(world.changes())
        context = await self._browser.new_context(viewport={"width": 800, "height": 600})
        try:
            page = await context.new_page()
            await page.goto(self._site.address + served.home)
            recorder = Recorder(None, lambda: sum(change.cause is Cause.AGENT for change in world.changes()))
            await recorder.start(page)
            driver = Driver(page, recorder, keyboard)
            await driver.carry_out(plan)
        finally:
            await context.close()
        course = Course(before, world.snapshot(), world.changes()[first:])
        sights = tuple(
            Sight(urlsplit(seen.url)._replace(scheme="", netloc="").geturl(), seen.text) for seen in recorder.seen
        )
        forms = page_forms(world.app, world.language)
        truth = check(goal, course, Telling(world.app, Language(world.language), told, sights, forms))
        return Played(truth, recorder, look, tuple(driver.ends))


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
