"""One run in a real browser, from its scenario to its recording and its truth."""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.async_api import Browser, Page, async_playwright

from tracewitness.findings.labels import Language
from tracewitness.lab.driving.driver import Driver
from tracewitness.lab.making.drawing import DrawnRun, LabError
from tracewitness.lab.recording.recorder import Recorder
from tracewitness.lab.recording.recording import Recording, Seen
from tracewitness.lab.site.server import Site
from tracewitness.lab.truth.answers import Telling
from tracewitness.lab.truth.checker import check
from tracewitness.lab.truth.course import Course
from tracewitness.lab.truth.forms import page_forms
from tracewitness.lab.truth.outcomes import Sight, Truth
from tracewitness.lab.world.rows import Cause

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
BROWSER_VARIABLE = "TRACEWITNESS_BROWSER"
_WINDOW = {"width": 800, "height": 600}
_RUN_SECONDS = 90


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
    served = site.show(drawn.world, drawn.look)
    context = await browser.new_context(viewport={"width": _WINDOW["width"], "height": _WINDOW["height"]})
    try:
        page = await context.new_page()
        address = site.address + served.home
        return await asyncio.wait_for(_played(page, address, drawn, pictures), _RUN_SECONDS)
    except TimeoutError as cause:
        raise LabError(f"{drawn.run_id}: took more than {_RUN_SECONDS} s") from cause
    finally:
        await context.close()


async def _played(page: Page, address: str, drawn: DrawnRun, pictures: Path) -> Played:
    world, scenario = drawn.world, drawn.scenario
    before, first = world.snapshot(), len(world.changes())
    await page.goto(address)
    recorder = Recorder(pictures, lambda: sum(change.cause is Cause.AGENT for change in world.changes()[first:]))
    await recorder.start(page)
    driver = Driver(page, recorder, scenario.keyboard)
    await driver.carry_out(scenario.plan)
    course = Course(before, world.snapshot(), world.changes()[first:])
    recording = _recording(drawn, recorder, address)
    if scenario.cut is not None:
        recording = recording.cut(driver.ends[scenario.cut])
    return Played(recording, _truth(drawn, course, recorder.seen))


def _recording(drawn: DrawnRun, recorder: Recorder, address: str) -> Recording:
    return Recording(
        run_id=drawn.run_id,
        app=drawn.world.app.name,
        language=drawn.language,
        task=drawn.instruction,
        start_url=address,
        deeds=tuple(recorder.deeds),
        seen=tuple(recorder.seen),
        report=drawn.told.text,
        declared=drawn.told.declared,
        ended=drawn.scenario.ended,
    )


def _truth(drawn: DrawnRun, course: Course, seen: list[Seen]) -> Truth:
    world = drawn.world
    sights = tuple(Sight(urlsplit(one.url)._replace(scheme="", netloc="").geturl(), one.text) for one in seen)
    forms = page_forms(world.app, world.language)
    telling = Telling(world.app, Language(world.language), drawn.scenario.answers, sights, forms)
    return check(drawn.scenario.goal, course, telling)
