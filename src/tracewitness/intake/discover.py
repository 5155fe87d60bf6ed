"""Finding runs in what a user names: files, folders and patterns."""

import glob
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tracewitness.intake.candidate import LOG_SUFFIXES, Candidate
from tracewitness.intake.errors import (
    GradingError,
    IntakeError,
    IntakeFailure,
    NoRunsError,
    UnknownFormatError,
    UnreadableError,
)
from tracewitness.intake.format import Format
from tracewitness.intake.limits import Limits
from tracewitness.intake.reasons import failed_detections
from tracewitness.intake.registry import UNPACK, Registry, verdict_of
from tracewitness.intake.sidecar import EVIDENCE_NAME, EVIDENCE_SUFFIX
from tracewitness.values.plurals import plural

_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".mp4", ".webm", ".avi", ".mov")
_SIDECARS = frozenset({"task.json", "task.txt"})
_GOLD = ("gold.json", "gold.jsonl", "gold.jsonl.gz")
_PACKAGES = frozenset({"node_modules", "site-packages", "__pycache__", "__MACOSX"})
_OWN_STORE = ".tracewitness"


@dataclass(frozen=True, slots=True)
class Found:
    """A file or folder that a format takes, and why.

    Attributes:
        candidate: The file or folder.
        format: The format that reads it.
        why: Why it does.
        doubt: Why it should not, where the user told the format and its own detection says no.
    """

    candidate: Candidate
    format: Format
    why: str
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file met in a folder that holds no run, and why it was left alone."""

    path: str
    why: str


Finding = Found | Skipped | IntakeFailure


def find_runs(
    paths: Iterable[str | Path], registry: Registry, limits: Limits | None = None, format_name: str | None = None
) -> Iterator[Finding]:
    """Yield what the paths hold, in the order of the paths and by name within a folder.

    A path is spelled in every message as ``pathlib`` spells it: without ``./`` in front and slashes at the end.

    Args:
        paths: Files, folders, or patterns (``*``, ``?``, ``[...]``, ``**``) where no file has that very name.
        registry: The formats.
        limits: Bounds on what is read.
        format_name: Take every named file as this format, without asking. A folder that is not of it is searched for
            files and folders that are.
    """
    seen: set[Path] = set()
    for given in paths:
        for finding in _of_one_path(str(Path(given)), registry, limits or Limits(), format_name):
            if isinstance(finding, Found):
                real = finding.candidate.path.resolve()
                if real in seen:
                    continue
                seen.add(real)
            yield finding


def _of_one_path(given: str, registry: Registry, limits: Limits, format_name: str | None) -> Iterator[Finding]:
    matches = _expanded(given)
    if not matches:
        pattern = glob.has_magic(given)
        error = NoRunsError("no file matches the pattern", "check the pattern") if pattern else _missing()
        yield error.at(given).failure()
        return
    skipped: list[Skipped] = []
    found = False
    for match in matches:
        for finding in _of_match(Candidate(Path(match), match, limits), registry, format_name):
            if isinstance(finding, Skipped):
                skipped.append(finding)
            else:
                found = True
            yield finding
    if not found:
        yield _nothing(given, skipped).failure()


def _missing() -> IntakeError:
    return UnreadableError("there is no such file or folder", "check the path")


def _expanded(given: str) -> list[str]:
    if os.path.lexists(given):
        return [given]
    return sorted(glob.glob(given, recursive=True)) if glob.has_magic(given) else []


def _nothing(given: str, skipped: list[Skipped]) -> IntakeError:
    if is_gold(Path(given).name):
        return GradingError("gold labels are grading and are never read as runs", "name the runs", path=given)
    shown = next((one for one in skipped if one.path.endswith(LOG_SUFFIXES)), skipped[0] if skipped else None)
    looked = f" ({plural(len(skipped), 'file')} looked at, such as {shown.path}: {shown.why})" if shown else ""
    return NoRunsError(f"no runs in it{looked}", "see 'tracewitness formats' for what is read", path=given)


def _of_match(candidate: Candidate, registry: Registry, format_name: str | None) -> Iterator[Finding]:
    if is_gold(candidate.path.name):
        yield Skipped(candidate.name, "gold labels are grading")
        return
    try:
        if format_name is not None:
            yield from _of_told_format(candidate, registry.named(format_name))
        elif candidate.path.is_dir():
            yield from _of_folder(candidate, registry, 0)
        else:
            yield _chosen(candidate, registry)
    except IntakeError as error:
        yield error.at(candidate.name).failure()


def _of_told_format(candidate: Candidate, told: Format) -> Iterator[Finding]:
    """Yield a file as it was told; a folder as a run of the format, or what of the format lies below it."""
    if candidate.path.is_dir():
        yield from _of_folder(candidate, Registry([told]), 0)
        return
    verdict, error = verdict_of(told, candidate)
    # Where the file itself is in trouble, its reader says so.
    doubt = "" if verdict.yes or (error is not None and _troubled(candidate, error)) else verdict.why
    yield Found(candidate, told, "as told with --format", doubt)


def _troubled(candidate: Candidate, met: IntakeError) -> bool:
    try:
        _ = candidate.sample
    except IntakeError:
        return True
    return candidate.trouble(met) is not None


def _chosen(candidate: Candidate, registry: Registry) -> Found:
    choice = registry.choose(candidate)
    return Found(candidate, choice.format, choice.why)


def _of_folder(candidate: Candidate, registry: Registry, depth: int) -> Iterator[Finding]:
    """Yield the runs of a folder: the folder itself where a format takes it, else those of its entries by name."""
    try:
        yield _chosen(candidate, registry)
        return
    except UnknownFormatError as error:
        if depth == 0 and (failed := failed_detections(error.tried)):
            yield Skipped(candidate.name, f"this folder itself is no run{failed}")
    if depth >= candidate.limits.depth:
        yield Skipped(candidate.name, f"more than {candidate.limits.depth} folders deep")
        return
    alone = True
    if (empty := _without_files(candidate.names)) and depth > 0:
        yield Skipped(candidate.name, empty)
    for name in sorted(candidate.names, key=lambda name: (name == EVIDENCE_NAME, name.startswith("."), name)):
        entry = Candidate(candidate.path / name, os.path.join(candidate.name, name), candidate.limits)
        if (name == EVIDENCE_NAME and not alone) or _is_beside(name, candidate.names):
            yield Skipped(entry.name, "evidence for the log beside it")
            continue
        for finding in _of_entry(entry, registry, depth):
            alone = alone and (isinstance(finding, Skipped) or entry.path.is_dir())
            yield finding


def _without_files(names: frozenset[str]) -> str:
    """Return in words that a folder holds nothing that may be a log; empty where it may hold one."""
    if not names:
        return "an empty folder"
    alone = f"{plural(len(names), 'picture')} alone; a log reads those that it names"
    return alone if all(map(is_picture, names)) else ""


def _is_beside(name: str, names: frozenset[str]) -> bool:
    """Tell a browser's trace that is named after a log or a folder beside it; it is evidence, and no run of its own."""
    if not name.endswith(EVIDENCE_SUFFIX):
        return False
    stem = name.removesuffix(EVIDENCE_SUFFIX)
    return any(other == stem or other == f"{stem}{suffix}" for other in names for suffix in LOG_SUFFIXES)


def _of_entry(entry: Candidate, registry: Registry, depth: int) -> Iterator[Finding]:
    name = entry.path.name
    if name.startswith("."):
        if name != _OWN_STORE:
            yield Skipped(entry.name, "a name with a dot in front is hidden; name it to have it read")
    elif entry.path.is_symlink() and not _stays_inside(entry.path):
        yield Skipped(entry.name, _why_not_followed(entry.path))
    elif name in _PACKAGES and entry.path.is_dir():
        yield Skipped(entry.name, "a folder of packages or of the system; name it to have it searched")
    elif entry.path.is_dir():
        yield from _guarded_folder(entry, registry, depth + 1)
    elif is_gold(name):
        yield Skipped(entry.name, "gold labels are grading")
    elif name not in _SIDECARS and not is_picture(name):
        yield _of_file(entry, registry)


def _stays_inside(path: Path) -> bool:
    """Tell whether a link leads to a file in its own folder; links to folders are never followed (they may loop)."""
    try:
        return path.is_file() and path.resolve().is_relative_to(path.parent.resolve())
    except (OSError, RuntimeError):
        return False


def _why_not_followed(link: Path) -> str:
    try:
        real = link.resolve(strict=True)
    except FileNotFoundError:
        return "a broken link"
    except (OSError, RuntimeError):
        return "a link that leads to itself"
    own = link.parent.resolve()
    if own.is_relative_to(real):
        return "a link to the folder it lies in"
    return "a link to a folder" if real.is_relative_to(own) else "a link out of the folder"


def _guarded_folder(entry: Candidate, registry: Registry, depth: int) -> Iterator[Finding]:
    try:
        yield from _of_folder(entry, registry, depth)
    except IntakeError as error:
        yield error.at(entry.name).failure()


def _of_file(entry: Candidate, registry: Registry) -> Finding:
    """Return what a file in a searched folder is: one of another kind is left alone, a damaged log a failure.

    Only a name that says JSON makes a file that cannot be read a damaged log.
    """
    logged = entry.path.name.endswith(LOG_SUFFIXES)
    try:
        return _chosen(entry, registry)
    except UnknownFormatError as error:
        if error.part_of:
            return Skipped(entry.name, f"belongs to the run of {error.part_of}")
        kind = "JSON of no log that is known" if logged else "no reader takes a file of this kind"
        packed = f"; {UNPACK}, if runs are in it" if entry.is_archive else ""
        return Skipped(entry.name, kind + packed + failed_detections(error.tried))
    except IntakeError as error:
        member = f"{error.where}: " if error.where.startswith("member ") else ""
        return error.at(entry.name).failure() if logged else Skipped(entry.name, member + error.problem)


def is_picture(name: str) -> bool:
    """Tell a picture or a film by its name; these belong to a run and are none."""
    return name.lower().endswith(_PICTURES)


def is_gold(name: str) -> bool:
    """Tell gold label files by their fixed name; labels never reach the audit."""
    return name in _GOLD
