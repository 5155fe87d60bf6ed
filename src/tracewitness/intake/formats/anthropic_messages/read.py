"""Reading messages of Anthropic's interface."""

from collections.abc import Iterator
from pathlib import Path

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.anthropic_blocks import DIALECT
from tracewitness.intake.chats.reading_chats import read_chats
from tracewitness.intake.chats.retelling_chats import retell_chats
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.retelling import Say
from tracewitness.intake.sealed import SealedRun


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file.

    Raises:
        IntakeError: Nothing of the file can be read.
    """
    yield from read_chats(candidate, options, DIALECT)


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """See :class:`tracewitness.intake.retelling.Retelling`."""
    return retell_chats(candidate, say, flag, folder, DIALECT)
