"""Writes a recording to its folder, and the logs that are made of it."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

from tracewitness.lab.making.made import LabFolder, LabFolderError
from tracewitness.lab.recording.as_atif import as_atif
from tracewitness.lab.recording.as_browser_use import SCREENSHOTS, as_browser_use
from tracewitness.lab.recording.as_neutral import PICTURES, as_neutral
from tracewitness.lab.recording.as_osworld import as_osworld, picture_names
from tracewitness.lab.recording.profiles import LOG_SOURCE, Profile, kept
from tracewitness.lab.recording.recording import Recording, read_recording

RECORDING = "recording.json"


class LogForm(StrEnum):
    """The format of a log."""

    NEUTRAL = "neutral"
    BROWSER_USE = "browser-use"
    OSWORLD = "osworld"
    ATIF = "atif"


def write_recording(recording: Recording, folder: Path) -> None:
    """Write a recording beside its pictures."""
    (folder / RECORDING).write_text(recording.written(), encoding="utf-8")


def load_recording(folder: Path) -> Recording:
    """Return the recording of a folder.

    Raises:
        OSError: It cannot be read.
        LabFolderError: It is none.
    """
    path = folder / RECORDING
    try:
        return read_recording(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise LabFolderError(f"{path}: is no recording ({str(error).partition(chr(10))[0]})") from error


def write_log(lab: LabFolder, recording: Recording, profile: Profile, form: LogForm) -> Path:
    """Write the log of a run, in place of one that is there, and return its folder.

    Pictures are linked to those of the recording where the file system can, else copied.
    """
    source = lab.recording(recording.run_id)
    target = lab.logs(profile, form) / recording.run_id
    partial = target.with_name(f".{target.name}.partial")
    for stale in (partial, target):
        shutil.rmtree(stale, ignore_errors=True)
    partial.mkdir(parents=True)
    _WRITERS[form](kept(recording, profile), profile, source, partial)
    partial.rename(target)
    return target


def _neutral(recording: Recording, profile: Profile, source: Path, target: Path) -> None:
    _pictures(_same_names(recording), source, target / PICTURES)
    run = {**as_neutral(recording), "source": f"{LOG_SOURCE}{profile}"}
    _json(run, target / "run.json")


def _browser_use(recording: Recording, profile: Profile, source: Path, target: Path) -> None:
    _pictures(_same_names(recording), source, target / SCREENSHOTS)
    _json(as_browser_use(recording), target / "AgentHistory.json")


def _osworld(recording: Recording, profile: Profile, source: Path, target: Path) -> None:
    _pictures(picture_names(recording), source, target)
    for name, text in as_osworld(recording).items():
        (target / name).write_text(text, encoding="utf-8")


def _atif(recording: Recording, profile: Profile, source: Path, target: Path) -> None:
    _pictures(_same_names(recording), source, target / PICTURES)
    _json(as_atif(recording, f"{LOG_SOURCE}{profile}", target), target / "trajectory.json")


_WRITERS: Mapping[LogForm, Callable[[Recording, Profile, Path, Path], None]] = {
    LogForm.NEUTRAL: _neutral,
    LogForm.BROWSER_USE: _browser_use,
    LogForm.OSWORLD: _osworld,
    LogForm.ATIF: _atif,
}


def _same_names(recording: Recording) -> dict[str, str]:
    return {seen.picture: seen.picture for seen in recording.seen if seen and seen.picture}


def _pictures(names: Mapping[str, str], source: Path, target: Path) -> None:
    if names:
        target.mkdir(exist_ok=True)
    for name, new in names.items():
        try:
            os.link(source / name, target / new)
        except OSError:
            shutil.copyfile(source / name, target / new)


def _json(document: object, path: Path) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
