"""The ends of the audit's ports that ask a model: the claim reader, the extractor, and rules and model together."""

from collections.abc import Sequence

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.prompts import Prompt
from tracewitness.asking.vote import Voting
from tracewitness.auditing.readers import Maker
from tracewitness.findings.labels import TaskClass
from tracewitness.report_side import by_model as claims
from tracewitness.report_side.by_rules import ClaimReading
from tracewitness.report_side.report import Report
from tracewitness.store.record import PromptUse
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task
from tracewitness.trace_side import by_model as evidence
from tracewitness.trace_side import by_rules
from tracewitness.trace_side.by_model import ModelOptions
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.firmness import firm
from tracewitness.trace_side.hybrid import combine
from tracewitness.trace_side.redacting import redact_trace
from tracewitness.trace_side.trace import Trace
from tracewitness.values.digests import Digest, digest_json


class ModelClaimReader:
    """The claim reader by a model.

    Args:
        voting: How the claim is voted on.
    """

    def __init__(self, voting: Voting) -> None:
        self._voting = voting
        self._maker = Maker("model", digest_json(_told(claims.prompt(), voting)), (_use(claims.prompt()),))

    @property
    def maker(self) -> Maker:
        """Return who it is."""
        return self._maker

    def read(self, report: Report) -> Dialogue[ClaimReading]:
        """Ask for the claim of a report."""
        return claims.read_claim_by_model(report, self._voting)


class ModelExtractor:
    """The evidence extractor by a model.

    Args:
        options: How the model is asked.
    """

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._maker = Maker("model", options_digest(options), (_use(evidence.prompt()),))

    @property
    def maker(self) -> Maker:
        """Return who it is."""
        return self._maker

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        """Ask for the evidence of a trace."""
        found = yield from evidence.extract(task, goals, task_class, trace, self._options, exhibits)
        return firm(found, self._options.voting)


class HybridExtractor:
    """Rules and a model together: facts of the record overrule a model that reads the trace against them.

    It asks the very questions of ``ModelExtractor``, so answers kept for one serve the other.

    Args:
        options: How the model is asked.
    """

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        digest = digest_json([by_rules.maker_digest(), options_digest(options)])
        self._maker = Maker("both", digest, (_use(evidence.prompt()),))

    @property
    def maker(self) -> Maker:
        """Return who it is."""
        return self._maker

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        """Extract the evidence by rules, ask for it, and put both together."""
        ours = by_rules.extract(task, tuple(goals), task_class, trace)
        theirs = yield from evidence.extract(task, goals, task_class, trace, self._options, exhibits)
        return firm(combine(redact_trace(trace), task_class, ours, theirs), self._options.voting)


def options_digest(options: ModelOptions) -> Digest:
    """Return the digest of how a model is asked about a trace."""
    asked = [options.window_tokens, options.pictures, options.answer_tokens]
    return digest_json([*_told(evidence.prompt(), options.voting), *asked])


def _told(prompt: Prompt, voting: Voting) -> list[object]:
    # As text: a float has no canonical form of its own.
    threshold = None if voting.threshold is None else repr(voting.threshold)
    agree = [] if voting.agree is None else [voting.agree]
    return [prompt.digest, voting.runs, threshold, voting.early_stop, *agree]


def _use(prompt: Prompt) -> PromptUse:
    return PromptUse(prompt.prompt_id, prompt.digest)
