"""Splits fixed by the task text: never the same task on both sides, and the same split for everyone."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import decode_utf8, parse_json, read_bytes
from tracewitness.values.digests import Digest, canonical_json, digest_text

_FORMAT = "tracewitness.split/1"
_DIGITS = 12
_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Split:
    """Which side every run is on.

    Attributes:
        calibration: Runs to choose on.
        test: Runs to check on.
        share: The share of tasks that was asked for the calibration side, above 0 and below 1.
        salt: What the hash was salted with; another salt is another split.
    """

    calibration: frozenset[str]
    test: frozenset[str]
    share: float
    salt: str

    def to_json(self) -> dict[str, Any]:
        """Return the split as JSON values."""
        sides = {"calibration": sorted(self.calibration), "test": sorted(self.test)}
        return {"format": _FORMAT, "share": self.share, "salt": self.salt, **sides}

    @property
    def digest(self) -> Digest:
        """Return the digest of the split, as experiments name it."""
        return digest_text(canonical_json(self.to_json()))


def split_by_task(tasks: Mapping[str, str], share: float = _SHARE, salt: str = "") -> Split:
    """Put runs on two sides by a hash of their task text.

    Args:
        tasks: The key of each run's task (``Task.key``), which is equal for texts that differ in case, spacing and
            punctuation alone.
        share: The share of tasks that goes to the calibration side.
        salt: Another text gives another split.

    Raises:
        BenchmarkError: The share is not above 0 and below 1.
    """
    if not 0 < share < 1:
        raise BenchmarkError(f"share: expected above 0 and below 1, found {share:g}")
    chosen = frozenset(run for run, task in tasks.items() if _place(task, salt) < share)
    return Split(chosen, frozenset(tasks) - chosen, share, salt)


def _place(task: str, salt: str) -> float:
    """Return where a task stands between 0 and 1."""
    digest = digest_text(f"{salt}\0{task}").removeprefix("sha256:")
    return int(digest[:_DIGITS], 16) / 16**_DIGITS


def write_split(split: Split, path: Path) -> None:
    """Write a split to a new file.

    Raises:
        BenchmarkError: The file is there with another split, or cannot be written. A split that scores have been made
            with is never changed.
    """
    text = json.dumps(split.to_json(), indent=1) + "\n"
    try:
        if path.exists():
            if read_split(path) != split:
                raise BenchmarkError(f"{path}: holds another split; scores may rest on it, so name a new file")
            return
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be written ({error.strerror})") from error


def read_split(path: Path) -> Split:
    """Read a split.

    Raises:
        BenchmarkError: The file is none, or a run is on both sides.
    """
    try:
        value: Any = parse_json(decode_utf8(read_bytes(path, Limits().document)), strict=True)
    except IntakeError as error:
        raise BenchmarkError(f"{path}: cannot be read as a split ({error.problem})") from error
    keys = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    calibration, test = _runs(keys.get("calibration")), _runs(keys.get("test"))
    share, salt = keys.get("share", _SHARE), keys.get("salt", "")
    if keys.get("format") != _FORMAT or calibration is None or test is None or not isinstance(salt, str):
        raise BenchmarkError(f"{path}: expected a split written by 'bench split'")
    if not isinstance(share, float) or not 0 < share < 1:
        raise BenchmarkError(f"{path}: share: expected above 0 and below 1")
    if both := sorted(calibration & test):
        raise BenchmarkError(f"{path}: {both[0]!r} is on both sides")
    return Split(calibration, test, share, salt)


def _runs(value: Any) -> frozenset[str] | None:
    """Return the runs of a side; None where they are no list of texts."""
    entries = cast(list[Any], value) if isinstance(value, list) else None
    if entries is None or not all(isinstance(entry, str) for entry in entries):
        return None
    return frozenset(entries)
