"""The pictures of a run, read from where the run was read, when they are asked for."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from tracewitness.intake.archives import Archive, is_archive, opened_archive
from tracewitness.intake.array_pictures import pickled_pictures
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.inline_pictures import KEPT_BYTES, LogPictures, PicturesIn, pictures_in, pictures_of
from tracewitness.intake.limits import Limits
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import open_plain, peek
from tracewitness.intake.sealed import Origin
from tracewitness.trace_side.trace import Screenshot
from tracewitness.values.digests import Digest, digest_bytes
from tracewitness.values.picture_heads import read_head

_PICKLE = b"\x80"
_MOST_MARKS = 8
_HELD_FILES = 4
"""Files of a run whose pictures are held at the same time."""


class RunPictures:
    """The screenshots of a run: files in its folder, or pictures in one of its files.

    A name is that of a file in the run's folder, or of a file and a place in it with ``!`` between them; the log itself
    has no name there (``!messages[3]``). The file is a zip file (the place is a member, or stands in one), a pickle
    with arrays of pixels, or a text with base64 in its strings. In the last two, and in a member that is a text, a
    picture is found by its digest.

    What it gives has the digest that the trace names and is a PNG, JPEG, WebP or GIF of a bearable size; whatever else
    a log names or holds is never handed on. Nothing is read before it is asked for, and nothing is written.

    Args:
        origin: Where the run came from.
        limits: Bounds on what is read.
        room: Most bytes of pictures out of the log that are held in memory, and as many out of its other files.
    """

    def __init__(self, origin: Origin, limits: Limits | None = None, room: int = KEPT_BYTES) -> None:
        self._limits = limits or Limits()
        self._origin = origin
        self._folder = run_folder(origin, self._limits)
        self._room = room
        self._log = LogPictures(Path(origin.path), self._limits, room)
        self._files: OrderedDict[tuple[Path, str], LogPictures] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, screenshot: Screenshot) -> bytes | None:
        """Return the bytes of a screenshot; None where they are missing, too large, or not those of the digest."""
        if screenshot.digest is None:
            return None
        picture = self._found(screenshot.name, screenshot.digest)
        return picture if picture is not None and read_head(picture) is not None else None

    def _found(self, name: str, digest: Digest) -> bytes | None:
        picture = self._file(name)
        if picture is not None and digest_bytes(picture) == digest:
            return picture
        for file, place in _splits(name):
            picture = self._inside(file, place, digest)
            if picture is not None and digest_bytes(picture) == digest:
                return picture
        return self._log.find(digest)

    def _file(self, name: str) -> bytes | None:
        try:
            with open_plain(self._folder.locate(name)) as stream:
                picture = stream.read(self._limits.screenshot + 1)
        except (IntakeError, OSError):
            return None
        return picture if len(picture) <= self._limits.screenshot else None

    def _inside(self, file: str, place: str, digest: Digest) -> bytes | None:
        """Return a picture in a file: the log itself, its side record, or a file of the run's folder."""
        log, evidence = Path(self._origin.path), Path(self._origin.evidence)
        try:
            path = log if not file else evidence if file == evidence.name else self._folder.locate(file)
            head = peek(path, len(_PICKLE) + 3)
            if is_archive(head):
                return self._in_archive(path, place, digest)
        except (IntakeError, OSError):
            return None
        if head.startswith(_PICKLE):
            return self._held(path, "", pickled_pictures).find(digest)
        return self._log.find(digest) if path == log else self._held(path, "", pictures_in).find(digest)

    def _in_archive(self, path: Path, place: str, digest: Digest) -> bytes | None:
        with opened_archive(path, self._limits) as archive:
            if place in archive:
                return archive.read_member(place, self._limits.screenshot)
            members = _members_of(place, archive.names)

        def pictures_in_members(path: Path, limits: Limits) -> Iterator[bytes]:
            with opened_archive(path, limits) as archive:
                for member in members:
                    yield from _pictures_in_member(archive, member, limits)

        return self._held(path, "!".join(members), pictures_in_members).find(digest)

    def _held(self, path: Path, member: str, source: PicturesIn) -> LogPictures:
        """Return the pictures of a file as they are held; those of the file longest unused give way."""
        with self._lock:
            made = LogPictures(path, self._limits, self._room // _HELD_FILES, source)
            held = self._files.setdefault((path, member), made)
            self._files.move_to_end((path, member))
            while len(self._files) > _HELD_FILES:
                self._files.popitem(last=False)
            return held


def _splits(name: str) -> Iterator[tuple[str, str]]:
    """Yield file and place at every mark between them, as a file's name may hold the mark itself."""
    parts = name.split("!", _MOST_MARKS)
    for at in range(1, len(parts)):
        yield "!".join(parts[:at]), "!".join(parts[at:])


def _members_of(place: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the member that a place stands in, the longest name it begins with; else every JSON text."""
    holding = [name for name in names if place.startswith(name) and place[len(name) : len(name) + 1] in ("!", "/")]
    if holding:
        return (max(holding, key=len),)
    return tuple(name for name in names if name.endswith((".json", ".jsonl")))


def _pictures_in_member(archive: Archive, member: str, limits: Limits) -> Iterator[bytes]:
    try:
        with archive.opened_member(member) as source:
            yield from pictures_of(source, limits)
    except IntakeError:
        return


def run_folder(origin: Origin, limits: Limits) -> RunFolder:
    """Return the folder that the files a log names lie in: the log itself, or the folder that it lies in."""
    place = Path(origin.path)
    return RunFolder(place if place.is_dir() else place.parent, limits)
