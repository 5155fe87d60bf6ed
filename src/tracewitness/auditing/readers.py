"""What reads the two halves of a run: the ports of the audit, and their ends that need no model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tracewitness.asking.dialogue import Dialogue
from tracewitness.findings.labels import TaskClass
from tracewitness.report_side.by_rules import ClaimReading, read_claim
from tracewitness.report_side.claim_lexicon import lexicon_digest as claim_rules_digest
from tracewitness.report_side.report import Report
from tracewitness.store.record import PromptUse
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task
from tracewitness.trace_side.by_rules import extract
from tracewitness.trace_side.by_rules import maker_digest as evidence_rules_digest
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.trace import Trace
from tracewitness.values.digests import Digest


@dataclass(frozen=True, slots=True)
class Maker:
    """Who read a half, as records name it.

    Attributes:
        name: Its name, such as ``rules``.
        digest: Digest of its rules and lexicons, or of its prompts.
        prompts: The prompts it uses, if it asks a model.
    """

    name: str
    digest: Digest
    prompts: tuple[PromptUse, ...] = ()


class ClaimReader(Protocol):
    """Reads the claim out of a report. It is handed the report and nothing else."""

    @property
    def maker(self) -> Maker:
        """Return who it is."""
        ...

    def read(self, report: Report) -> Dialogue[ClaimReading]:
        """Read the report, asking a model where it needs one."""
        ...


class EvidenceExtractor(Protocol):
    """Fills the evidence fields. It is handed the task and the trace, with what goes along, and nothing else."""

    @property
    def maker(self) -> Maker:
        """Return who it is."""
        ...

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        """Extract the evidence, asking a model where it needs one."""
        ...


class RulesClaimReader:
    """The claim reader by rules."""

    def __init__(self) -> None:
        self._maker = Maker("rules", claim_rules_digest())

    @property
    def maker(self) -> Maker:
        """Return who it is."""
        return self._maker

    def read(self, report: Report) -> Dialogue[ClaimReading]:
        """Read the report; no model is asked."""
        yield from ()
        return read_claim(report)


class RulesExtractor:
    """The evidence extractor by rules."""

    def __init__(self) -> None:
        self._maker = Maker("rules", evidence_rules_digest())

    @property
    def maker(self) -> Maker:
        """Return who it is."""
        return self._maker

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        """Extract the evidence; no model is asked."""
        yield from ()
        return extract(task, tuple(goals), task_class, trace)
