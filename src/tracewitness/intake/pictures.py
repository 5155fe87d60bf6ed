"""The pictures of a run, read from where the run was read, when they are asked for."""

from pathlib import Path

from tracewitness.intake.archives import opened_archive
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.inline_pictures import KEPT_BYTES, LogPictures
from tracewitness.intake.limits import Limits
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import open_plain
from tracewitness.intake.sealed import Origin
from tracewitness.trace_side.trace import Screenshot
from tracewitness.values.digests import digest_bytes
from tracewitness.values.picture_heads import read_head


class RunPictures:
    """The screenshots of a run: files in its folder or in a zip file there, or pictures that stand in the log itself.

    What it gives has the digest that the trace names and is a PNG, JPEG, WebP or GIF of a bearable size; whatever else
    a log names or holds is never handed on. Nothing is read before it is asked for, and nothing is written.

    Args:
        origin: Where the run came from.
        limits: Bounds on what is read.
        room: Most bytes of pictures out of the log that are held in memory.
    """

    def __init__(self, origin: Origin, limits: Limits | None = None, room: int = KEPT_BYTES) -> None:
        self._limits = limits or Limits()
        self._origin = origin
        self._folder = run_folder(origin, self._limits)
        self._log = LogPictures(Path(origin.path), self._limits, room)

    def read(self, screenshot: Screenshot) -> bytes | None:
        """Return the bytes of a screenshot; None where they are missing, too large, or not those of the digest."""
        if screenshot.digest is None:
            return None
        picture = self._file(screenshot.name)
        if picture is None or digest_bytes(picture) != screenshot.digest:
            picture = self._log.find(screenshot.digest)
        return picture if picture is not None and read_head(picture) is not None else None

    def _file(self, name: str) -> bytes | None:
        if "!" in name:
            return self._member(*name.split("!", 1))
        try:
            with open_plain(self._folder.locate(name)) as stream:
                picture = stream.read(self._limits.screenshot + 1)
        except (IntakeError, OSError):
            return None
        return picture if len(picture) <= self._limits.screenshot else None

    def _member(self, file: str, member: str) -> bytes | None:
        """Return a picture in a zip file: the log itself, its side record, or a file of the run's folder."""
        log, evidence = Path(self._origin.path), Path(self._origin.evidence)
        try:
            path = log if not file else evidence if file == evidence.name else self._folder.locate(file)
            with opened_archive(path, self._limits) as archive:
                return archive.read_member(member, self._limits.screenshot)
        except IntakeError:
            return None


def run_folder(origin: Origin, limits: Limits) -> RunFolder:
    """Return the folder that the files a log names lie in: the log itself, or the folder that it lies in."""
    place = Path(origin.path)
    return RunFolder(place if place.is_dir() else place.parent, limits)
