"""Ratio: the speed of each reader against bare parsing of the same files.

Run as ``python benchmarks/readers.py [NAME...] [--megabytes N]``; without names, every reader. ``--real FOLDER...``
measures the longest log of each format below folders of real logs, as it is. The logs are those that
the tests plant and the fixtures of the tests, made longer where their lists of steps can be repeated, and else read
again and again until enough bytes were read. Telling and reading are timed together (``detect`` and ``read``), in time
of the processor. The yardstick does with every file of the log what no reader can do without: ``json.loads`` of JSON
(as one document, or line by line), parsing of XML, unpacking of zip members, the inert reading of pickles, digests of
pictures.
"""

import argparse
import gzip
import hashlib
import json
import math
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from defusedxml.ElementTree import fromstring
from measuring import Measured, best, processor_seconds
from sources import ROOT

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.discover import Found, find_runs, is_picture
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Format
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.pickles import read_pickle
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing.words import Words
from tracewitness.wiring.formats import known_formats

sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "intake"))

AIM = 0.25
FIXTURES = ROOT / "tests" / "intake" / "fixtures"
MEGABYTE = 1_000_000
_TASK = "Do what is asked."
_DEEPEST = 4
_SLOW = 2.0
"""Seconds beyond which a reading is not taken again for a better time."""


@dataclass(frozen=True)
class Subject:
    """A log to be read: its name in the table, its format, where it lies, and whether it is measured as it is."""

    name: str
    format: Format
    path: Path
    real: bool = False


class LongWords(Words):
    """Words of a planted log in which screens are as long as in real logs."""

    def evidence(self, about: str) -> str:
        """Return words of the environment with a page of text behind them where they are of a screen."""
        word = super().evidence(about)
        if not any(part in about for part in ("page", "screen", "seen", "shown", "result", "output", "text", "dump")):
            return word
        return word + "".join(f"\nrow {line} of the list, order {line * 7}, open" for line in range(60))


def planted(folder: Path, names: frozenset[str] = frozenset()) -> Iterator[Subject]:
    """Yield the logs that the tests plant; with names, those of these formats or dialects."""
    from plants import all_plants  # noqa: PLC0415  (the tests are no package that is installed)

    for name, one in all_plants().items():
        if names and not names & {name, one.format.name}:
            continue
        for words in (LongWords(), Words()):
            place = folder / f"{name}-{type(words).__name__}" / "run"
            place.mkdir(parents=True)
            path = one.plant(place, words)
            subject = Subject(name, one.format, path)
            if steps_of(subject):
                yield subject
                break


def fixtures(place: Path = FIXTURES, kind: str = "fixture") -> Iterator[Subject]:
    """Yield the longest real log of each format below a place; by default of those that the tests keep."""
    longest: dict[str, Subject] = {}
    for found in find_runs([place], known_formats()[0]):
        if isinstance(found, Found):
            name = f"{found.format.name} ({kind})"
            subject = Subject(name, found.format, found.candidate.path)
            if name not in longest or size_of(subject.path) > size_of(longest[name].path):
                longest[name] = subject
    yield from longest.values()


def files_of(path: Path) -> list[Path]:
    """Return the files of a log."""
    return [path] if path.is_file() else [one for one in sorted(path.rglob("*")) if one.is_file()]


def size_of(path: Path) -> int:
    """Return how many bytes a log has."""
    return sum(one.stat().st_size for one in files_of(path))


def steps_of(subject: Subject) -> int:
    """Detect and read a log, and return how many steps its runs have; 0 where it cannot be read."""
    options = ReadOptions(task=_TASK)
    candidate = Candidate(subject.path, subject.path.name)
    try:
        if not subject.format.detect(candidate).yes:
            return 0
        runs = [one for one in subject.format.read(candidate, options) if isinstance(one, SealedRun)]
    except IntakeError:
        return 0
    return sum(len(run.trace.steps) for run in runs)


def bare(path: Path) -> None:
    """Parse every file of a log and keep nothing."""
    for file in files_of(path):
        _bare_file(file)


def _bare_file(file: Path) -> None:
    content = file.read_bytes()
    if is_picture(file.name):
        hashlib.sha256(content)
    elif file.name.endswith((".pkl", ".pkl.gz", ".pickle")):
        read_pickle(file, Limits())
    elif zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as packed:
            for name in packed.namelist():
                _bare_text(packed.read(name), name)
    else:
        _bare_text(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content, file.name)


def _bare_text(content: bytes, name: str) -> None:
    if is_picture(name):
        hashlib.sha256(content)
        return
    if name.endswith(".xml"):
        _tried(lambda: fromstring(content))
        return
    text = content.decode("utf-8", "replace")
    if not _tried(lambda: json.loads(text)):
        for line in text.splitlines():
            _tried(lambda line=line: json.loads(line))


def _tried(work: Any) -> bool:
    try:
        work()
    except (ValueError, SyntaxError):
        return False
    return True


def lengthened(subject: Subject, folder: Path, size: int) -> Subject:
    """Return the log with its steps repeated until it has so many bytes; as it is where that makes no longer run."""
    copy = folder / subject.path.name
    copied = shutil.copytree(subject.path, copy) if subject.path.is_dir() else _copied_beside(subject.path, folder)
    texts = [one for one in files_of(copied) if not is_picture(one.name) and one.suffix in (".json", ".jsonl", ".txt")]
    if not texts:
        return subject
    longest = max(texts, key=lambda one: one.stat().st_size)
    text = _longer_text(longest.read_text("utf-8", "replace"), size)
    if text is None:
        return subject
    longest.write_text(text, "utf-8")
    long = Subject(subject.name, subject.format, copied)
    return long if steps_of(long) > 2 * steps_of(subject) else subject


def _copied_beside(path: Path, folder: Path) -> Path:
    whole = shutil.copytree(path.parent, folder / path.parent.name)
    return whole / path.name


def _longer_text(text: str, size: int) -> str | None:
    times = math.ceil(size / max(len(text), 1))
    try:
        value: Any = json.loads(text)
    except ValueError:
        lines = text.splitlines()
        return "\n".join(_repeated(lines, times)) + "\n" if len(lines) > 1 else None
    holders = list(_lists(value, 0))
    if not holders:
        return None
    longest = max(holders, key=lambda held: len(json.dumps(held)))
    longest[:] = _repeated(longest, times)
    return json.dumps(value)


def _repeated(items: list[Any], times: int) -> list[Any]:
    """Return a list with its middle repeated: what comes first and last in a log stands there once."""
    middle = items[1:-1] or items[:-1]
    return [*items[:1], *middle * times, *items[-1:]] if len(items) > 2 else [*middle * times, *items[-1:]]


def _lists(value: Any, depth: int) -> Iterator[list[Any]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        listed = cast(list[Any], value)
        if len(listed) > 1 and isinstance(listed[0], dict):
            yield listed
        for item in listed[:3]:
            yield from _lists(item, depth + 1)
    elif isinstance(value, dict):
        for item in cast(dict[str, Any], value).values():
            yield from _lists(item, depth + 1)


def measured(subject: Subject, size: int) -> Measured:
    """Return the ratio for one log of about so many bytes."""
    with tempfile.TemporaryDirectory() as folder:
        long = subject if size_of(subject.path) >= size or subject.real else lengthened(subject, Path(folder), size)
        length = size_of(long.path)
        times = max(round(size / length), 1)
        steps = steps_of(long)
        reading = processor_seconds(lambda: [steps_of(long) for _ in range(times)])
        if reading < _SLOW:
            again = best(lambda: [steps_of(long) for _ in range(times)], clock=processor_seconds)
            reading = min(reading, again)
        parsing = best(lambda: [bare(long.path) for _ in range(times)], clock=processor_seconds)
    rate, how = length * times / MEGABYTE / reading, "in one run" if times == 1 else f"{times} times"
    step = 1000 * reading / times / max(steps, 1)
    detail = (
        f"{rate:.1f} MB/s against {rate * reading / parsing:.0f} MB/s; {steps} steps, {length / 1000:.0f} kB, {how}; "
        f"{step:.2f} ms and {length / 1000 / max(steps, 1):.1f} kB a step"
    )
    return Measured(f"reading {subject.name} / bare parsing", parsing / reading, AIM, True, detail)


def readers(size: int = 5 * MEGABYTE, names: frozenset[str] = frozenset()) -> Iterator[Measured]:
    """Yield the ratio of every reader."""
    with tempfile.TemporaryDirectory() as folder:
        for subject in (*planted(Path(folder), names), *fixtures()):
            if not names or subject.format.name in names or subject.name in names:
                yield measured(subject, size)


def real(places: list[Path], size: int) -> Iterator[Measured]:
    """Yield the ratio of the longest log of each format below each place, as it is."""
    for place in places:
        for subject in fixtures(place, place.name):
            yield measured(replace(subject, real=True), size)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the speed of each reader.")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--megabytes", type=float, default=5.0)
    parser.add_argument("--real", type=Path, nargs="*", help="measure the longest log of each format there, as it is")
    chosen = parser.parse_args()
    most = int(chosen.megabytes * MEGABYTE)
    rows = real(chosen.real, most) if chosen.real else readers(most, frozenset(chosen.names))
    for row in rows:
        print(f"{row.name:<52} {row.value:>6.3f}  {'ok' if row.ok else 'short':<5} {row.detail}", flush=True)
