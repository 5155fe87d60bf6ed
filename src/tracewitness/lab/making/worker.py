"""A process that makes runs, one after the other, until nobody asks for more."""

import asyncio
import contextlib
import shutil
import signal
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

from playwright.async_api import Browser, Error

from tracewitness.lab.driving.hands import PlanError
from tracewitness.lab.making.drawing import Choice, DrawnRun, LabError, draw
from tracewitness.lab.making.made import LabFolder, RunTruth
from tracewitness.lab.making.playing import Played, play, stage
from tracewitness.lab.making.writing import LogForm, write_log, write_recording
from tracewitness.lab.recording.profiles import Profile
from tracewitness.lab.site.server import Site
from tracewitness.lab.truth.outcomes import TruthError
from tracewitness.values.digests import digest_text


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker is to make of every number.

    Attributes:
        choice: What runs are drawn from.
        root: The folder of the lab.
        profiles: The recording profiles of the logs.
        forms: The formats of the logs.
    """

    choice: Choice
    root: Path
    profiles: tuple[Profile, ...]
    forms: tuple[LogForm, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a run could not be made: one line for people."""

    problem: str


def work(job: Job, asker: Connection) -> None:
    """Make runs: each number that comes gives a ``RunTruth`` or a ``Failed``. Ends when the other end is closed.

    An interrupt is left to the process that asks for the runs; when that one is gone, however it went, this one ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(_work(job, asker))


async def _work(job: Job, asker: Connection) -> None:
    try:
        async with stage() as (browser, site):
            while (number := await _next(asker)) is not None:
                asker.send(await _made(job, number, browser, site))
    except LabError as problem:
        with contextlib.suppress(OSError):
            asker.send(Failed(str(problem)))
    except OSError:
        return  # whoever asked is gone


async def _next(asker: Connection) -> int | None:
    try:
        return cast("int | None", await asyncio.to_thread(asker.recv))
    except (EOFError, OSError):
        return None


async def _made(job: Job, number: int, browser: Browser, site: Site) -> RunTruth | Failed:
    try:
        drawn = draw(job.choice, number)
    except LabError as problem:
        return Failed(str(problem))
    lab = LabFolder(job.root)
    folder = lab.recording(drawn.run_id)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        played = await play(browser, site, drawn, folder)
    except (LabError, PlanError, TruthError, Error) as problem:
        return Failed(f"{drawn.run_id} ({_named(drawn)}): {problem}")
    finally:
        drawn.world.close()
    write_recording(played.recording, folder)
    if played.truth.outcome is not drawn.scenario.intended:
        return Failed(_disagreement(drawn, played, folder))
    for profile in job.profiles:
        for form in job.forms:
            write_log(lab, played.recording, profile, form)
    return _truth(drawn, played)


def _named(drawn: DrawnRun) -> str:
    return f"{drawn.kind.name}, {drawn.world.app.name}, {drawn.language}"


def _disagreement(drawn: DrawnRun, played: Played, folder: Path) -> str:
    truth = played.truth
    return (
        f"{drawn.run_id} ({_named(drawn)}): the kind means {drawn.scenario.intended}, and the database says "
        f"{truth.outcome}: {'; '.join(truth.reasons)} (rows: {', '.join(truth.rows) or 'none'}; recording: {folder})"
    )


def _truth(drawn: DrawnRun, played: Played) -> RunTruth:
    order = drawn.world.circumstances.order
    return RunTruth(
        run_id=drawn.run_id,
        kind=drawn.kind.name,
        family=drawn.kind.family.value,
        app=drawn.world.app.name,
        language=drawn.language,
        report_language=drawn.report_language,
        task_class=drawn.scenario.assignments[0].task_class.value,
        outcome=played.truth.outcome,
        reasons=played.truth.reasons,
        claim=drawn.told.claim,
        basis=drawn.told.basis,
        order=order.hiding.value if order else None,
        steps=len(played.recording.actions),
        digest=digest_text(played.recording.written()),
    )
