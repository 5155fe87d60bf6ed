"""The files of a trace, in the zip file that Playwright writes or in a folder where that was unpacked."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from tracewitness.intake.archives import opened_archive
from tracewitness.intake.errors import IntakeError, UnreadableError
from tracewitness.intake.limits import Limits
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import Line, lines_of, read_bytes
from tracewitness.values.digests import Digest

TRACE = ".trace"
_RUNNER = "test.trace"
"""What the test runner writes: titles of tests and steps, expectations, attachments. All of it grades."""

_FOLDERS = ("resources", "screencast", "screenshots")


class Members(Protocol):
    """The files of a trace by name."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all files."""
        ...

    def read_member(self, name: str, limit: int) -> bytes:
        """Return the content of a file of at most ``limit`` bytes."""
        ...

    def lines_of_member(self, name: str) -> Iterator[Line]:
        """Yield the non-blank lines of a file."""
        ...

    def digest_of_member(self, name: str) -> Digest | None:
        """Return the digest of a file; None where it is missing or cannot be read."""
        ...


class FolderMembers:
    """The files of an unpacked trace.

    Args:
        root: The folder.
        limits: Bounds on what is read.
    """

    def __init__(self, root: Path, limits: Limits) -> None:
        self._folder = RunFolder(root, limits)
        self._limits = limits

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the files in the folder and in those of its folders that belong to a trace."""
        places = [self._folder.root, *(self._folder.root / name for name in _FOLDERS)]
        found = [one for place in places if place.is_dir() for one in place.iterdir() if one.is_file()]
        return tuple(sorted(str(one.relative_to(self._folder.root).as_posix()) for one in found))

    def read_member(self, name: str, limit: int) -> bytes:
        """Return the content of a file of at most ``limit`` bytes."""
        return read_bytes(self._folder.locate(name), limit)

    def lines_of_member(self, name: str) -> Iterator[Line]:
        """Yield the non-blank lines of a file."""
        return lines_of(self._folder.locate(name), self._limits)

    def digest_of_member(self, name: str) -> Digest | None:
        """Return the digest of a file; None where it is missing or cannot be read."""
        try:
            return self._folder.screenshot(name).digest
        except IntakeError:
            return None


@contextmanager
def opened_members(path: Path, limits: Limits) -> Generator[Members]:
    """Open a zip file, or a folder into which one was unpacked.

    Raises:
        IntakeError: The file is no zip file that may be read, or the folder cannot be listed.
    """
    if not path.is_dir():
        with opened_archive(path, limits) as archive:
            yield archive
        return
    try:
        yield FolderMembers(path, limits)
    except OSError as error:
        raise UnreadableError(f"cannot be listed ({error.strerror})", "check its rights", path=str(path)) from error


def trace_names(members: Members) -> list[str]:
    """Return the files of recordings, those of the test runner left out."""
    return sorted(name for name in members.names if name.endswith(TRACE) and not by_runner(name))


def by_runner(name: str) -> bool:
    """Tell whether the test runner writes a file of this name."""
    return name.rsplit("/", 1)[-1] == _RUNNER
