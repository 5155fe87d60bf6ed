"""Where the screenshots of a run lie, seen from the file that ``convert`` writes."""

import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import Limits
from tracewitness.intake.pictures import RunPictures, run_folder
from tracewitness.intake.sealed import Origin
from tracewitness.trace_side.trace import Screenshot
from tracewitness.values.digests import Digest
from tracewitness.values.picture_heads import read_head

_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif"}
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}")


@dataclass(slots=True)
class ScreenshotPaths:
    """Renames screenshots so that they are found from the folder of the written file, and counts those that are not.

    A run file may only name files in its own folder and below. A screenshot elsewhere, or one that stands inside a log,
    is copied beside the written file where that is asked for; else it keeps its name and is counted.

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
    _pictures: tuple[Origin, RunPictures] | None = field(default=None, repr=False)

    def name(self, origin: Origin, screenshot: Screenshot) -> str:
        """Return the name of a screenshot in the written file.

        Raises:
            OSError: It cannot be copied.
        """
        found = _file(origin, screenshot)
        base = self.base.resolve()
        if found is not None and found.is_relative_to(base):
            return found.relative_to(base).as_posix()
        if screenshot.digest is None:
            return screenshot.name
        copied = self._copied(origin, screenshot, screenshot.digest, found) if self.copies is not None else None
        self.out_of_reach += copied is None
        return copied or screenshot.name

    def _copied(self, origin: Origin, screenshot: Screenshot, digest: Digest, found: Path | None) -> str | None:
        """Copy a picture under the name of its digest, so that pictures of the same name never meet.

        Args:
            origin: Where the run came from.
            screenshot: The picture.
            digest: The digest of its bytes.
            found: Its file; None where it stands inside a log.

        Returns:
            Its name in the written file; None where the log does not give its bytes.
        """
        assert self.copies is not None
        if found is not None:
            suffix, content = found.suffix if _SUFFIX.fullmatch(found.suffix) else "", None
        else:
            content = self._pictures_of(origin).read(screenshot)
            head = read_head(content) if content is not None else None
            if head is None:
                return None
            suffix = _SUFFIXES.get(head.media_type, "")
        target = self.copies / f"{digest.rpartition(':')[2]}{suffix}"
        if not target.exists():
            self.copies.mkdir(parents=True, exist_ok=True)
            _write(target, found, content)
            self.copied += 1
        return PurePosixPath(self.copies.name, target.name).as_posix()

    def _pictures_of(self, origin: Origin) -> RunPictures:
        """Return the pictures of a run; runs of one log share what was read of it."""
        if self._pictures is None or self._pictures[0] != origin:
            self._pictures = origin, RunPictures(origin)
        return self._pictures[1]


def _write(target: Path, found: Path | None, content: bytes | None) -> None:
    if found is not None:
        shutil.copyfile(found, target)
    elif content is not None:
        target.write_bytes(content)


def _file(origin: Origin, screenshot: Screenshot) -> Path | None:
    """Return the file of a screenshot, there or not; None for a picture that stands inside the log."""
    try:
        found = run_folder(origin, Limits()).locate(screenshot.name).resolve()
    except (IntakeError, OSError):
        return None
    return found if found.is_file() or screenshot.digest is None else None
