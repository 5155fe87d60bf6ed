"""The neutral run format, ``tracewitness.run/1``: reader, writer and JSON Schema."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats.neutral.detect import FORMAT, detect
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.retelling import Say
from tracewitness.intake.sealed import SealedRun

__all__ = ["NeutralFormat"]


class NeutralFormat:
    """Reader of ``tracewitness.run/1``: one JSON object, a list of them, or one per line."""

    name = "neutral"
    summary = "The neutral run format tracewitness.run/1 (.json, .jsonl, .jsonl.gz)"
    versions = (FORMAT,)

    def page(self) -> str:
        """Return the reader's page."""
        return files("tracewitness.intake.formats.neutral").joinpath("page.md").read_text("utf-8")

    def detect(self, candidate: Candidate) -> Verdict:
        """See :func:`tracewitness.intake.formats.neutral.detect.detect`."""
        return detect(candidate)

    def read(self, candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
        """See :func:`tracewitness.intake.formats.neutral.read.read`."""
        from tracewitness.intake.formats.neutral.read import read  # noqa: PLC0415  (loaded with the first log)

        return read(candidate, options)

    def retell(self, candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
        """See :class:`tracewitness.intake.retelling.Retelling`."""
        from tracewitness.intake.formats.neutral.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

        return retell(candidate, say, flag, folder)
