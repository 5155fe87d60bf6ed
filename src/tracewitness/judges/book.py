"""A file of judgements, one a line: what is in it is not asked again, whatever ended the start before."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from tracewitness.judges.judgement import Judgement, JudgementError, Key, judgement_from

_NEWLINE = b"\n"


class BookError(ValueError):
    """A file of judgements cannot be used; the message is one line that names the file and the line."""


def read_judgements(path: Path) -> Iterator[Judgement]:
    """Yield the judgements of a file in their order. A last line that was cut off, as by a crash, is left out.

    Raises:
        BookError: The file cannot be read, or another line is no judgement.
    """
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.endswith(_NEWLINE):
                    return
                try:
                    yield judgement_from(line.decode("utf-8"))
                except (JudgementError, UnicodeDecodeError) as error:
                    raise BookError(f"{path}: line {number}: {error}") from error
    except OSError as error:
        raise BookError(f"{path}: cannot be read ({error.strerror})") from error


class Book:
    """A file that takes judgements. Use it as a context manager.

    Args:
        path: The file; one that is there already is added to.

    Raises:
        BookError: The file cannot be read or written, or holds something else.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[Key, Judgement] = {}
        if path.exists():
            self._known = {one.key: one for one in read_judgements(path)}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream: IO[bytes] = path.open("ab+")
            self._drop_cut_line()
        except OSError as error:
            raise BookError(f"{path}: cannot be written ({error.strerror})") from error

    def __enter__(self) -> "Book":
        """Return the book itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        with suppress(OSError):  # what could not be written was told when it was to be written
            self._stream.close()

    def find(self, key: Key) -> Judgement | None:
        """Return the judgement with a key, the latest where there are several."""
        return self._known.get(key)

    def add(self, judgement: Judgement) -> None:
        """Write a judgement down before it is passed on.

        Raises:
            BookError: It cannot be written.
        """
        try:
            self._stream.write(judgement.line().encode("utf-8") + _NEWLINE)
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise BookError(f"{self._path}: cannot be written ({error.strerror})") from error
        self._known[judgement.key] = judgement

    def _drop_cut_line(self) -> None:
        """Take away what a crash left of a last line; its answers are kept elsewhere, so nothing is paid for twice."""
        self._stream.seek(0)
        whole = sum(len(line) for line in self._stream if line.endswith(_NEWLINE))
        self._stream.truncate(whole)
