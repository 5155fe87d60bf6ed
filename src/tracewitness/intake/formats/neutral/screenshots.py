"""Where the screenshots of a run lie, seen from the file that ``convert`` writes."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import Limits
from tracewitness.intake.pictures import run_folder
from tracewitness.intake.sealed import Origin
from tracewitness.trace_side.trace import Screenshot

_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}")


@dataclass(slots=True)
class ScreenshotPaths:
    """Renames screenshots so that they are found from the folder of the written file, and counts those that are not.

    A run file may only name files in its own folder and below. A screenshot elsewhere is copied beside the written
    file where that is asked for; else it keeps its name and is counted.

    Attributes:
        base: The folder of the written file.
        copies: The folder in ``base`` that takes copies; None copies nothing.
        copied: Files copied.
        out_of_reach: Screenshots that are there but cannot be named from ``base``.
    """

    base: Path
    copies: Path | None = None
    copied: int = 0
    out_of_reach: int = 0

    def name(self, origin: Origin, screenshot: Screenshot) -> str:
        """Return the name of a screenshot in the written file.

        Raises:
            OSError: It cannot be copied.
        """
        found = _file(origin, screenshot)
        if found is None:
            self.out_of_reach += screenshot.digest is not None  # a picture that stands inside the log
            return screenshot.name
        base = self.base.resolve()
        if found.is_relative_to(base):
            return found.relative_to(base).as_posix()
        if self.copies is not None and screenshot.digest is not None:
            return self._copied(found, screenshot.digest.rpartition(":")[2])
        self.out_of_reach += screenshot.digest is not None
        return screenshot.name

    def _copied(self, found: Path, digest: str) -> str:
        """Copy a file under the name of its digest, so that pictures of the same name never meet."""
        assert self.copies is not None
        suffix = found.suffix if _SUFFIX.fullmatch(found.suffix) else ""
        target = self.copies / f"{digest}{suffix}"
        if not target.exists():
            self.copies.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(found, target)
            self.copied += 1
        return PurePosixPath(self.copies.name, target.name).as_posix()


def _file(origin: Origin, screenshot: Screenshot) -> Path | None:
    """Return the file of a screenshot, there or not; None for a picture that stands inside the log."""
    try:
        found = run_folder(origin, Limits()).locate(screenshot.name).resolve()
    except (IntakeError, OSError):
        return None
    return found if found.is_file() or screenshot.digest is None else None
