"""What can be wrong with an input, said in one clear line.

An error names the file, the place in it, what is wrong with it, and what the user can do. One bad run is data
(:class:`IntakeFailure`), so that it never takes the other runs of a batch down.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from tracewitness.values.folding import fold_spaces, printable


class FailureKind(StrEnum):
    """What kind of trouble an input gave."""

    UNREADABLE = "unreadable"
    EMPTY = "empty"
    LFS_POINTER = "lfs_pointer"
    TOO_LARGE = "too_large"
    ENCODING = "encoding"
    BAD_JSON = "bad_json"
    BAD_RUN = "bad_run"
    UNSAFE_PATH = "unsafe_path"
    UNSAFE_XML = "unsafe_xml"
    BAD_PICKLE = "bad_pickle"
    UNSAFE_PICKLE = "unsafe_pickle"
    UNSAFE_ARCHIVE = "unsafe_archive"
    UNKNOWN_FORMAT = "unknown_format"
    AMBIGUOUS_FORMAT = "ambiguous_format"
    NO_RUNS = "no_runs"
    NO_TASK = "no_task"
    GRADING = "grading"
    DUPLICATE_RUN_ID = "duplicate_run_id"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class IntakeFailure:
    """One input that could not be read, as data.

    Attributes:
        kind: What kind of trouble it is. INTERNAL is a fault of a reader, everything else a fault of the input.
        path: The file or folder, as the user named it.
        where: The place in it, such as ``line 3, key steps[2].action``; empty for the whole file.
        problem: What is wrong, with what was expected instead.
        remedy: What the user can do.
        run_id: The run it concerns, where it is known.
        tried: Where no reader takes it: each format by name, and why it said no.
    """

    kind: FailureKind
    path: str
    where: str
    problem: str
    remedy: str
    run_id: str | None = None
    tried: tuple[tuple[str, str], ...] = ()

    def line(self) -> str:
        """Return the failure as one printable line: ``PATH: WHERE: PROBLEM; REMEDY``."""
        place = f"{self.path}: {self.where}" if self.where else self.path
        remedy = f"; {self.remedy}" if self.remedy else ""
        return printable(fold_spaces(f"{place}: {self.problem}{remedy}"))


class IntakeError(Exception):
    """An input that cannot be read. ``kind`` is fixed by the subclass.

    Args:
        problem: What is wrong and what was expected instead.
        remedy: What the user can do.
        path: The file or folder; a caller that knows it better fills it in later with :meth:`at`.
        where: The place in the file.
    """

    kind: FailureKind = FailureKind.UNREADABLE

    def __init__(self, problem: str, remedy: str = "", *, path: str = "", where: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy
        self.path = path
        self.where = where

    def at(self, path: str = "", where: str = "") -> "IntakeError":
        """Fill in path and place where they are still empty, and return the error itself."""
        self.path = self.path or path
        self.where = self.where or where
        return self

    def within(self, place: str) -> "IntakeError":
        """Put the place of the run in front of the place in the run, and return the error itself."""
        self.where = ", ".join(filter(None, (place, self.where)))
        return self

    def failure(self, run_id: str | None = None) -> IntakeFailure:
        """Return the error as data."""
        return IntakeFailure(self.kind, self.path, self.where, self.problem, self.remedy, run_id)

    def line(self) -> str:
        """Return the error as one printable line."""
        return self.failure().line()


class UnreadableError(IntakeError):
    """The file is missing, not a plain file, or the system refuses to open it."""


class EmptyError(IntakeError):
    """The file or record holds nothing."""

    kind = FailureKind.EMPTY


class LfsPointerError(IntakeError):
    """The file is a Git LFS pointer, not the file it stands for."""

    kind = FailureKind.LFS_POINTER


class TooLargeError(IntakeError):
    """A size limit was reached."""

    kind = FailureKind.TOO_LARGE


class EncodingError(IntakeError):
    """The bytes are not text in an accepted encoding."""

    kind = FailureKind.ENCODING


class UnknownEncodingError(EncodingError):
    """The bytes are text in an encoding that cannot be told; reading them would be guessing."""


class BadJsonError(IntakeError):
    """The text is not the strict JSON that was expected."""

    kind = FailureKind.BAD_JSON


class BadRunError(IntakeError):
    """The JSON is not a run of the format it says it is."""

    kind = FailureKind.BAD_RUN


class UnsafePathError(IntakeError):
    """A path in a log leads out of the run's folder."""

    kind = FailureKind.UNSAFE_PATH


class UnsafeXmlError(IntakeError):
    """A UI dump holds what only an attack would put there: entities, a document type, external references."""

    kind = FailureKind.UNSAFE_XML


class UnsafeArchiveError(IntakeError):
    """A zip file is built as only an attack would build it: names that lead out of it, links, overlapping members."""

    kind = FailureKind.UNSAFE_ARCHIVE


class BadPickleError(IntakeError):
    """The bytes are not the pickle of plain data and objects that was expected, or end too early."""

    kind = FailureKind.BAD_PICKLE


class UnsafePickleError(IntakeError):
    """A pickle holds what only an attack would put there: a function of the system, an object kept elsewhere."""

    kind = FailureKind.UNSAFE_PICKLE


class UnknownFormatError(IntakeError):
    """No reader takes the file.

    Args:
        problem: What is wrong.
        remedy: What the user can do.
        path: The file or folder.
        tried: Why each format said no, by its name.
        part_of: The file with which it is read, where it is a part of a run.
    """

    kind = FailureKind.UNKNOWN_FORMAT

    def __init__(
        self,
        problem: str,
        remedy: str = "",
        *,
        path: str = "",
        tried: Mapping[str, str] | None = None,
        part_of: str = "",
    ) -> None:
        super().__init__(problem, remedy, path=path)
        self.tried = dict(tried or {})
        self.part_of = part_of

    def failure(self, run_id: str | None = None) -> IntakeFailure:
        """Return the error as data."""
        return replace(super().failure(run_id), tried=tuple(self.tried.items()))


class AmbiguousFormatError(IntakeError):
    """More than one reader takes the file."""

    kind = FailureKind.AMBIGUOUS_FORMAT


class NoRunsError(IntakeError):
    """A folder or pattern holds no runs."""

    kind = FailureKind.NO_RUNS


class NoTaskError(IntakeError):
    """The log does not say what the task was, and nobody else did."""

    kind = FailureKind.NO_TASK


class GradingError(IntakeError):
    """The file holds gold labels, which the audit must never read."""

    kind = FailureKind.GRADING


class DuplicateRunIdError(IntakeError):
    """Two runs of a batch have the same id."""

    kind = FailureKind.DUPLICATE_RUN_ID
