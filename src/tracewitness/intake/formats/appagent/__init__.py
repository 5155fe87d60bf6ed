"""AppAgent task folders."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats.appagent.detect import detect
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.retelling import Say
from tracewitness.intake.sealed import SealedRun

__all__ = ["AppAgentFormat"]


class AppAgentFormat:
    """Reader of AppAgent deployment runs: ``tasks/task_<app>_<time>/`` with a log, screenshots and UI dumps."""

    name = "appagent"
    summary = "AppAgent task folders (log_*_task_*.txt with numbered screens and UI dumps)"
    versions = ("upstream 2024 (Action:/Summary:)", "fork 2024-11 (Function:)", "exploration", "demonstration")

    def page(self) -> str:
        """Return the reader's page."""
        return files("tracewitness.intake.formats.appagent").joinpath("page.md").read_text("utf-8")

    def detect(self, candidate: Candidate) -> Verdict:
        """See :func:`tracewitness.intake.formats.appagent.detect.detect`."""
        return detect(candidate)

    def read(self, candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
        """See :func:`tracewitness.intake.formats.appagent.read.read`."""
        from tracewitness.intake.formats.appagent.read import read  # noqa: PLC0415  (loaded with the first log)

        return read(candidate, options)

    def retell(self, candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
        """See :class:`tracewitness.intake.retelling.Retelling`."""
        from tracewitness.intake.formats.appagent.read import retell  # noqa: PLC0415  (loaded when a log is retold)

        return retell(candidate, say, flag, folder)
