"""What a reader of a log format is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import SealedRun


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a reader takes a candidate.

    Attributes:
        yes: Whether it does.
        why: Why, in one clause that is shown to the user.
        part_of: Where it does not because the candidate is read with another file: the name of that one.
    """

    yes: bool
    why: str
    part_of: str = ""


class Format(Protocol):
    """A log format. Plug-ins implement this; nothing else is asked of them.

    One that can also retell a log (:class:`tracewitness.intake.retelling.Retelling`) has its reader covered by the
    proof of ``tracewitness isolation``.
    """

    @property
    def name(self) -> str:
        """The short name, such as ``appagent``."""
        ...

    @property
    def summary(self) -> str:
        """What it reads, in one line."""
        ...

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions or dialects of the format that were seen in real logs."""
        ...

    def page(self) -> str:
        """Return the reader's page (Markdown): what is read, and which plane every field goes to."""
        ...

    def detect(self, candidate: Candidate) -> Verdict:
        """Tell by content whether the candidate is of this format. Never raises for a candidate of another format."""
        ...

    def read(self, candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
        """Yield the runs of a candidate that was detected; a bad run among good ones is a failure in their midst.

        Raises:
            IntakeError: Nothing of the candidate can be read.
        """
        ...
