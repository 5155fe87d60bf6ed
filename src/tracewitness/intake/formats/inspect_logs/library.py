"""The package ``inspect_ai``, imported when the first log is read and kept from taking anything down."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from tracewitness.intake.archives import is_archive, opened_archive
from tracewitness.intake.errors import BadRunError, IntakeError, TooLargeError, UnreadableError
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import peek, read_bytes, size_words

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample, EvalSampleSummary

_Read = TypeVar("_Read")
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class OpenedLog:
    """A log without its samples, and what reads them one after the other: each may raise an IntakeError of its own."""

    header: "EvalLog"
    samples: "tuple[tuple[str, Callable[[], EvalSample]], ...]"


def opened_log(path: Path, limits: Limits) -> OpenedLog:
    """Open a log. Its samples come with their attachments put back, under names made of id and epoch.

    Raises:
        IntakeError: The package is missing, or the log is damaged, too large or of a version the package cannot read.
    """
    library = _library()  # first: it teaches the zip reader Zstandard, with which newer logs are packed
    place = path.absolute().as_posix()
    if not _is_checked_archive(path, limits):
        log: EvalLog = _guarded(lambda: library.read_eval_log(place, resolve_attachments=True, format="json"))
        return OpenedLog(log, tuple((_name(one), partial(_same, one)) for one in log.samples or []))
    header: EvalLog = _guarded(lambda: library.read_eval_log(place, header_only=True, format="eval"))
    listed: list[EvalSampleSummary] = _guarded(lambda: library.read_eval_log_sample_summaries(place, format="eval"))

    def read(one: "EvalSampleSummary") -> "EvalSample":
        return _guarded(
            lambda: library.read_eval_log_sample(
                place, id=one.id, epoch=one.epoch, resolve_attachments=True, format="eval"
            )
        )

    return OpenedLog(header, tuple((_name(one), partial(read, one)) for one in sorted(listed, key=_order)))


def _name(one: "EvalSample | EvalSampleSummary") -> str:
    return f"{one.id}-{one.epoch}"


def _order(one: "EvalSampleSummary") -> tuple[bool, int, str, int]:
    """Put samples in the order of their ids, numbers as numbers; the log lists them as they ended."""
    number = int(one.id) if str(one.id).isdigit() else 0
    return not number, number, str(one.id), one.epoch


def _same(sample: "EvalSample") -> "EvalSample":
    return sample


def _is_checked_archive(path: Path, limits: Limits) -> bool:
    """Tell how a log is written, once it is known to hold no more than what is read."""
    if not is_archive(peek(path)):
        read_bytes(path, limits.document)
        return False
    size = 0
    with opened_archive(path, limits) as archive:
        for name in archive.names:
            size += len(archive.read_member(name, limits.document))
            if size > limits.unpacked:
                raise TooLargeError(f"unpacks to more than the limit of {size_words(limits.unpacked)}", "split the log")
    return True


def _library() -> ModuleType:
    try:
        from inspect_ai import log  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise UnreadableError(
            "an Inspect log is read with the package inspect_ai, which is not installed",
            "pip install 'tracewitness[inspect]'",
        ) from error
    return log


def _guarded(reading: Callable[[], _Read]) -> _Read:
    """Return what the package reads, in a thread of its own: it drives an event loop, and one may be running here."""
    try:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(reading).result()
    except IntakeError:
        raise
    except Exception as error:  # whatever a hostile log makes the package raise is a fault of the log
        first = str(error).strip().splitlines()[:1]
        told = first[0][:_SHOWN] if first else type(error).__name__
        raise BadRunError(f"inspect_ai cannot read it ({told})", "check the log with 'inspect log dump'") from error
