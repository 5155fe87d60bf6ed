"""Reading a pickle file, plain or gzip-compressed."""

import gzip
import io
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from tracewitness.intake.errors import UnreadableError
from tracewitness.intake.limits import MEBIBYTE, Limits
from tracewitness.intake.pickles.machine import PickleMachine
from tracewitness.intake.pickles.source import Source
from tracewitness.intake.pickles.values import Array
from tracewitness.intake.reading_files import is_compressed, open_plain, refuse_lfs

_PEEKED = 64


@dataclass(frozen=True, slots=True)
class Pickled:
    """What a pickle holds.

    Attributes:
        value: Plain data, stubs and arrays.
        unknown: Names of classes in it that are no known data; their objects are stubs all the same.
    """

    value: Any
    unknown: tuple[str, ...]


def read_pickle(path: Path, limits: Limits, note: Callable[[Array], Any] | None = None) -> Pickled:
    """Return what a pickle file holds.

    Args:
        path: The file.
        limits: Bounds on what is read.
        note: Returns what is put down about an array (``mark``) as soon as it is read; its bytes are let go then.
            Without it arrays keep their bytes.

    Raises:
        IntakeError: It cannot be read, is damaged, too large, or an attack; the error names the file.
    """
    with _machine(path, limits) as machine:
        for array in machine.run():
            if note is not None:
                array.mark, array.content = note(array), None
        return Pickled(machine.value, tuple(machine.unknown))


def arrays_of(path: Path, limits: Limits) -> Iterator[Array]:
    """Yield the arrays of a pickle file in order, each with its bytes, one at a time in memory.

    Raises:
        IntakeError: See :func:`read_pickle`; raised where it is met.
    """
    with _machine(path, limits) as machine:
        for array in machine.run():
            yield array
            array.content = None


@contextmanager
def _machine(path: Path, limits: Limits) -> Generator[PickleMachine]:
    try:
        with open_plain(path) as stream:
            head = stream.read(_PEEKED)
            stream.seek(0)
            refuse_lfs(head, path)
            yield PickleMachine(Source(_unpacked(stream, is_compressed(head)), limits))
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableError("the gzip data is damaged or cut off", "copy the file again", path=str(path)) from error


def _unpacked(stream: BinaryIO, compressed: bool) -> BinaryIO:
    if not compressed:
        return stream
    return cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=stream), MEBIBYTE))
