"""Progress of a batch on standard error: a live line on a terminal, plain lines elsewhere, nothing when quiet.

How many runs there are is not known before they are read, so the remaining time follows the bytes that were named and
those that were gone through.
"""

import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

_PLAIN_SECONDS = 10.0
_MEBIBYTE = 1024 * 1024
_TELLING_SHARE = 0.02
"""Share of the bytes that must be gone through before the rest can be told: folders hold more than runs."""

Advance = Callable[[str], None]
"""Told the place of each run gone through."""


@dataclass(slots=True)
class Meter:
    """How far a batch is: runs counted, and bytes where they can be told."""

    total: int
    runs: int = 0
    done: float = 0.0
    started: float = field(default_factory=time.monotonic)
    _share: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, place: str) -> float:
        """Count a run read from a place, and return its share of the bytes."""
        self.runs += 1
        if place not in self._share:
            self._share[place] = _bytes_per_run(Path(place))
            share = self._share[place] or float(_size(Path(place)))
        else:
            share = self._share[place]
        self.done += share
        return share

    @property
    def rate(self) -> float:
        """Return the runs a second so far."""
        return self.runs / max(time.monotonic() - self.started, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """Return about how long the rest takes; None where too little is known yet."""
        if not self.total or self.done < self.total * _TELLING_SHARE:
            return None
        spent = time.monotonic() - self.started
        return max(self.total - self.done, 0.0) * spent / self.done


@contextmanager
def progress(paths: Sequence[str], *, quiet: bool) -> Generator[Advance]:
    """Show the progress of a batch while the block runs; call what is yielded with the place of each run.

    Args:
        paths: What the user named.
        quiet: Show nothing.
    """
    if quiet:
        yield lambda place: None
        return
    meter = Meter(sum(_size(Path(path)) for path in paths))
    if sys.stderr.isatty():
        with _live(meter) as advance:
            yield advance
    else:
        yield _Plain(meter)


@contextmanager
def _live(meter: Meter) -> Generator[Advance]:
    columns = (TextColumn("{task.description}"), BarColumn(20), TextColumn("about"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("auditing", total=meter.total or None)

        def advance(place: str) -> None:
            share = meter.add(place)
            shown.update(task, advance=share, description=f"{meter.runs} runs, {meter.rate:.0f} runs/s")

        yield advance


@dataclass(slots=True)
class _Plain:
    meter: Meter
    last: float = field(default_factory=time.monotonic)

    def __call__(self, place: str) -> None:
        self.meter.add(place)
        now = time.monotonic()
        if now - self.last >= _PLAIN_SECONDS:
            self.last = now
            left = self.meter.seconds_left
            rest = "" if left is None else f", about {left:.0f} s left"
            typer.echo(f"tracewitness: {self.meter.runs} runs, {self.meter.rate:.0f} runs/s{rest}", err=True)


def _size(path: Path) -> int:
    """Return the bytes of a file, or of all files below a folder; 0 for what is not there."""
    try:
        if path.is_dir():
            return sum(entry.stat().st_size for entry in path.rglob("*") if entry.is_file())
        return path.stat().st_size
    except OSError:
        return 0


def _bytes_per_run(path: Path) -> float:
    """Return the share of each run in a file of one run a line; 0 for any other file (counted at its first run)."""
    if path.suffix not in {".jsonl", ".ndjson"} or not path.is_file():
        return 0.0
    with path.open("rb") as opened:
        lines = sum(piece.count(b"\n") for piece in iter(lambda: opened.read(_MEBIBYTE), b""))
    return path.stat().st_size / max(lines, 1)


@contextmanager
def counted(total: int, what: str, *, quiet: bool) -> Generator[Callable[[], None]]:
    """Show how many of a known number are done while the block runs; call what is yielded for each.

    Args:
        total: How many there are.
        what: What they are, such as ``runs``.
        quiet: Show nothing.
    """
    if quiet:
        yield lambda: None
    elif sys.stderr.isatty():
        columns = (TextColumn("{task.completed:.0f} of {task.total:.0f} {task.description}"), BarColumn(20))
        with Progress(*columns, TextColumn("about"), TimeRemainingColumn(), console=Console(stderr=True)) as shown:
            task = shown.add_task(what, total=total)
            yield lambda: shown.advance(task)
    else:
        yield _PlainCount(total, what)


@dataclass(slots=True)
class _PlainCount:
    total: int
    what: str
    done: int = 0
    started: float = field(default_factory=time.monotonic)
    last: float = field(default_factory=time.monotonic)

    def __call__(self) -> None:
        self.done += 1
        now = time.monotonic()
        if now - self.last >= _PLAIN_SECONDS:
            self.last = now
            left = (self.total - self.done) * (now - self.started) / self.done
            typer.echo(f"tracewitness: {self.done} of {self.total} {self.what}, about {left:.0f} s left", err=True)
