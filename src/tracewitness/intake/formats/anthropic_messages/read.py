"""Reading messages of Anthropic's interface."""

from collections.abc import Iterator

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.anthropic_blocks import DIALECT
from tracewitness.intake.chats.reading_chats import read_chats
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import SealedRun


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file.

    Raises:
        IntakeError: Nothing of the file can be read.
    """
    yield from read_chats(candidate, options, DIALECT)
