"""A format put together from its parts: what it is called, how it is told, how it is read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import ParamSpec, TypeVar

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeError, IntakeFailure
from tracewitness.intake.format import Verdict
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.retelling import Say
from tracewitness.intake.sealed import SealedRun

Detect = Callable[[Candidate], Verdict]
Read = Callable[[Candidate, ReadOptions], Iterator[SealedRun | IntakeFailure]]
Retell = Callable[[Candidate, Say, bool | None, Path], Path]

_Given = ParamSpec("_Given")
_Back = TypeVar("_Back")


def later(load: Callable[[], Callable[_Given, _Back]]) -> Callable[_Given, _Back]:
    """Return a function that is loaded when it is first called.

    All formats are asked for every log and few of them read one: what only a reading needs is imported then.
    """

    def call(*args: _Given.args, **named: _Given.kwargs) -> _Back:
        return load()(*args, **named)

    return call


@dataclass(frozen=True)
class LogFormat:
    """A log format whose page lies in its package as ``page.md``.

    Attributes:
        name: The short name.
        summary: What it reads, in one line.
        versions: The versions or dialects that were seen in real logs, or read in the source of the framework.
        package: The package that holds ``page.md``.
        detector: Tells by content whether a candidate is of the format.
        reader: Yields the runs of a candidate; whatever it raises gets the name of the file.
    """

    name: str
    summary: str
    versions: tuple[str, ...]
    package: str
    detector: Detect
    reader: Read

    def page(self) -> str:
        """Return the reader's page."""
        return files(self.package).joinpath("page.md").read_text("utf-8")

    def detect(self, candidate: Candidate) -> Verdict:
        """Tell by content whether the candidate is of this format."""
        return self.detector(candidate)

    def read(self, candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
        """Yield the runs of a candidate.

        Raises:
            IntakeError: Nothing of the candidate can be read; it names the file.
        """
        try:
            yield from self.reader(candidate, options)
        except IntakeError as error:
            raise error.at(candidate.name) from error.__cause__


@dataclass(frozen=True)
class RetoldFormat(LogFormat):
    """A log format that can also retell its logs (:class:`tracewitness.intake.retelling.Retelling`)."""

    reteller: Retell

    def retell(self, candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
        """See :class:`tracewitness.intake.retelling.Retelling`."""
        return self.reteller(candidate, say, flag, folder)
