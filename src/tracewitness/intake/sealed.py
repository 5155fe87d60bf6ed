"""The sealed run: the only type that holds both halves of a run."""

from dataclasses import dataclass
from enum import StrEnum

from tracewitness.intake.planes import Echo, Narrated, Stripped
from tracewitness.report_side.report import Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace


class HarnessStatus(StrEnum):
    """The harness's coarse view of a run; used by triage alone and shown to no side."""

    PASSED = "passed"
    FAILED = "failed"
    COMPLETED = "completed"
    STEP_LIMIT = "step_limit"
    TIMEOUT = "timeout"
    ERROR = "error"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a run came from. Never shown to a model.

    Attributes:
        path: The file or folder, as the user named it.
        format_name: The reader that took it, such as ``appagent``.
        format_version: The version of the format that was seen, or empty.
        encoding: The text encoding that was used, or empty.
        agent: Who ran, for grouping only.
        source: Where the file came from, for grouping only.
        evidence: The side record whose evidence was joined (:mod:`tracewitness.intake.evidence`); empty for none.
    """

    path: str
    format_name: str
    format_version: str = ""
    encoding: str = ""
    agent: str | None = None
    source: str | None = None
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class SealedRun:
    """Both halves of a run, kept apart.

    Only intake, ``auditing.one_run``, ``judges`` and ``testing`` may import this type (an import contract); everything
    else is handed one half. Its repr shows no text of either half. A run with anything in ``quarantined`` may be
    audited, but it never gets PASS (see :mod:`tracewitness.intake.guard`).
    """

    run_id: str
    task: Task
    trace: Trace
    report: Report
    harness: HarnessStatus
    origin: Origin
    narration: tuple[Narrated, ...] = ()
    stripped: tuple[Stripped, ...] = ()
    notices: tuple[str, ...] = ()
    extra_json: str | None = None
    quarantined: tuple[Echo, ...] = ()

    def __repr__(self) -> str:
        """Return the id and sizes alone, so that a log line or a traceback never mixes the halves."""
        return f"SealedRun(run_id={self.run_id!r}, steps={len(self.trace.steps)}, format={self.origin.format_name!r})"
