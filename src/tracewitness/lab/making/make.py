"""Makes the runs of a lab: in parallel, with progress, and on from where it stopped."""

import json
import multiprocessing
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, cast

from tracewitness.lab.making.drawing import Choice, LabError, run_id
from tracewitness.lab.making.made import LabFolder, RunTruth
from tracewitness.lab.making.playing import browser_path
from tracewitness.lab.making.worker import Failed, Job, work
from tracewitness.lab.making.writing import LogForm
from tracewitness.lab.recording.profiles import Profile

FORMAT = "tracewitness.lab/1"
_STOP_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Lab:
    """A lab to be made.

    Attributes:
        choice: What its runs are drawn from.
        runs: How many there are.
        root: Its folder.
        profiles: The recording profiles of its logs.
        forms: The formats of its logs.
    """

    choice: Choice
    runs: int
    root: Path
    profiles: tuple[Profile, ...] = (Profile.ALL,)
    forms: tuple[LogForm, ...] = (LogForm.NEUTRAL,)

    def plan(self) -> dict[str, Any]:
        """Return what the lab is made with, without the number of runs: more can be made later."""
        return {
            "format": FORMAT,
            **asdict(self.choice),
            "profiles": [one.value for one in self.profiles],
            "forms": [one.value for one in self.forms],
        }


def make(lab: Lab, workers: int, tell: Callable[[RunTruth], None]) -> int:
    """Make the runs of a lab that are not there yet, and return how many there were already.

    Args:
        lab: The lab.
        workers: How many processes, each with a browser and a server of its own.
        tell: Told of every run that is done.

    Raises:
        LabError: The folder holds another lab; there is no browser; or a run could not be made, or came out otherwise
            than its kind means. What was done until then stays.
        OSError: The folder cannot be written.
    """
    browser_path()
    folder = LabFolder(lab.root)
    done = _opened(lab, folder)
    numbers = [number for number in range(lab.runs) if run_id(lab.choice, number) not in done]
    if numbers:
        with folder.truth.open("a", encoding="utf-8") as written:
            for truth in _made(lab, numbers, min(workers, len(numbers))):
                written.write(truth.line())
                written.flush()
                tell(truth)
    _write_gold(folder)
    return len(done & {run_id(lab.choice, number) for number in range(lab.runs)})


def _opened(lab: Lab, folder: LabFolder) -> set[str]:
    """Begin or take up a folder, and return the runs that are done in it."""
    plan = json.loads(json.dumps(lab.plan()))
    if folder.plan.exists():
        if json.loads(folder.plan.read_text(encoding="utf-8")) != plan:
            raise LabError(f"{lab.root}: holds a lab of another seed, choice, profile or format; name another folder")
    elif lab.root.exists() and any(lab.root.iterdir()):
        raise LabError(f"{lab.root}: is no lab's folder and not empty; name another folder")
    folder.truth.parent.mkdir(parents=True, exist_ok=True)
    folder.plan.write_text(json.dumps(plan, indent=1) + "\n", encoding="utf-8")
    if not folder.truth.exists():
        return set()
    truths = list(folder.truths())
    # A line that was cut off is of a run that is made again.
    partial = folder.truth.with_suffix(".partial")
    partial.write_text("".join(truth.line() for truth in truths), encoding="utf-8")
    partial.replace(folder.truth)
    return {truth.run_id for truth in truths}


def _write_gold(folder: LabFolder) -> None:
    partial = folder.gold.with_suffix(".partial")
    partial.write_text("".join(truth.gold() for truth in folder.truths()), encoding="utf-8")
    partial.replace(folder.gold)


@dataclass(slots=True)
class _Team:
    """The workers, and what each of them is busy with."""

    processes: dict[Connection, BaseProcess] = field(default_factory=dict[Connection, BaseProcess])

    def start(self, job: Job) -> None:
        """Start one more."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(job, theirs), daemon=True)
        process.start()
        theirs.close()
        self.processes[ours] = process

    def stop(self) -> None:
        """Let all of them end, and end those that do not."""
        for connection in self.processes:
            connection.close()
        for process in self.processes.values():
            process.join(_STOP_SECONDS)
            if process.is_alive():
                process.terminate()
                process.join()


@contextmanager
def _team(job: Job, size: int) -> Generator[_Team]:
    team = _Team()
    try:
        for _ in range(size):
            team.start(job)
        yield team
    finally:
        team.stop()


def _made(lab: Lab, numbers: list[int], workers: int) -> Iterator[RunTruth]:
    job = Job(lab.choice, lab.root, lab.profiles, lab.forms)
    left = iter(numbers)
    with _team(job, workers) as team:
        busy: set[Connection] = set()
        for connection in team.processes:
            _ask(connection, next(left, None), busy)
        while busy:
            for ready in wait(list(busy)):
                connection = cast(Connection, ready)
                busy.discard(connection)
                yield _answer(connection)
                _ask(connection, next(left, None), busy)


def _ask(connection: Connection, number: int | None, busy: set[Connection]) -> None:
    if number is None:
        return
    try:
        connection.send(number)
    except OSError as gone:
        raise LabError("a process that makes runs ended by itself") from gone
    busy.add(connection)


def _answer(connection: Connection) -> RunTruth:
    try:
        told: RunTruth | Failed = connection.recv()
    except (EOFError, OSError) as gone:
        raise LabError("a process that makes runs ended by itself; run the same command again to go on") from gone
    if isinstance(told, Failed):
        raise LabError(told.problem)
    return told


def default_workers() -> int:
    """Return how many processes are started where nobody says: one a processor."""
    return max(1, os.cpu_count() or 1)
