"""One run in a real browser, from its scenario to its recording and its truth."""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.async_api import Browser, async_playwright

from tracewitness.findings.labels import Language
from tracewitness.lab.driving.driver import Driver
from tracewitness.lab.making.drawing import DrawnRun, LabError
from tracewitness.lab.plans.operations import Operation
from tracewitness.lab.recording.recorder import Recorder
from tracewitness.lab.recording.recording import Recording
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

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
BROWSER_VARIABLE = "TRACEWITNESS_BROWSER"
_WINDOW = {"width": 800, "height": 600}
_RUN_SECONDS = 90


@dataclass(frozen=True, slots=True)
class Performance:
    """A plan that is to be carried out.

    Attributes:
        world: Where.
        look: How the pages look.
        plan: What is done.
        keyboard: Whether it is done without a mouse.
        pictures: The folder that screenshots are written to; None takes none.
    """

    world: World
    look: Look
    plan: tuple[Operation, ...]
    keyboard: bool = False
    pictures: Path | None = None


@dataclass(frozen=True, slots=True)
class Performed:
    """What came of a plan.

    Attributes:
        world: Where it was carried out.
        address: Where it began.
        course: What changed in the database.
        recorder: What was done and seen.
        ends: After how many actions each operation of the plan was through.
    """

    world: World
    address: str
    course: Course
    recorder: Recorder
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a run."""

    recording: Recording
    truth: Truth


def browser_path() -> str:
    """Return the browser of this machine.

    Raises:
        LabError: There is none, or the one that was named is not there.
    """
    named = os.environ.get(BROWSER_VARIABLE)
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        told = f"{BROWSER_VARIABLE} names {named!r}, which is not there" if named else "no Chromium was found"
        raise LabError(f"{told}; install one (apt-get install chromium) or name it in {BROWSER_VARIABLE}")
    return found


@asynccontextmanager
async def stage() -> AsyncGenerator[tuple[Browser, Site]]:
    """Start a browser and a site, and stop both in the end.

    Raises:
        LabError: There is no browser.
    """
    path = browser_path()
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    async with async_playwright() as playwright, Site() as site:
        browser = await playwright.chromium.launch(executable_path=path, args=[*sandbox, "--disable-gpu"])
        try:
            yield browser, site
        finally:
            await browser.close()


async def play(browser: Browser, site: Site, drawn: DrawnRun, pictures: Path) -> Played:
    """Carry out a run.

    Args:
        browser: The browser; the run has a context of its own in it.
        site: The site.
        drawn: The run.
        pictures: The folder that screenshots are written to.

    Raises:
        LabError: It takes too long.
        PlanError: Its plan cannot be carried out.
        TruthError: Its truth cannot be told.
    """
    scenario = drawn.scenario
    wanted = Performance(drawn.world, drawn.look, scenario.plan, scenario.keyboard, pictures)
    try:
        performed = await asyncio.wait_for(perform(browser, site, wanted), _RUN_SECONDS)
    except TimeoutError as cause:
        raise LabError(f"{drawn.run_id}: took more than {_RUN_SECONDS} s") from cause
    recording = _recording(drawn, performed)
    if scenario.cut is not None:
        recording = recording.cut(performed.ends[scenario.cut])
    return Played(recording, truth_of(performed, scenario.goal, scenario.answers))


async def perform(browser: Browser, site: Site, wanted: Performance) -> Performed:
    """Carry out a plan in a browser context of its own.

    Raises:
        PlanError: It cannot be carried out.
    """
    world = wanted.world
    address = site.address + site.show(world, wanted.look).home
    before, first = world.snapshot(), len(world.changes())
    context = await browser.new_context(viewport={"width": _WINDOW["width"], "height": _WINDOW["height"]})
    try:
        page = await context.new_page()
        await page.goto(address)
        recorder = Recorder(
            wanted.pictures, lambda: sum(change.cause is Cause.AGENT for change in world.changes()[first:])
        )
        await recorder.start(page)
        driver = Driver(page, recorder, wanted.keyboard)
        await driver.carry_out(wanted.plan)
        course = Course(before, world.snapshot(), world.changes()[first:])
    finally:
        await context.close()
    return Performed(world, address, course, recorder, tuple(driver.ends))


def truth_of(performed: Performed, goal: Goal, answers: tuple[str, ...] | None) -> Truth:
    """Return what is true of a plan that was carried out.

    Args:
        performed: What came of it.
        goal: What was asked for.
        answers: What the agent answers.

    Raises:
        TruthError: That cannot be told.
    """
    app, language = performed.world.app, performed.world.language
    sights = tuple(
        Sight(urlsplit(seen.url)._replace(scheme="", netloc="").geturl(), seen.text) for seen in performed.recorder.seen
    )
    telling = Telling(app, Language(language), answers, sights, page_forms(app, language))
    return check(goal, performed.course, telling)


def _recording(drawn: DrawnRun, performed: Performed) -> Recording:
    return Recording(
        run_id=drawn.run_id,
        app=drawn.world.app.name,
        language=drawn.language,
        task=drawn.instruction,
        start_url=performed.address,
        actions=tuple(performed.recorder.actions),
        seen=tuple(performed.recorder.seen),
        report=drawn.told.text,
        declared=drawn.told.declared,
        ended=drawn.scenario.ended,
    )
