"""Readers that ask a model, small enough for tests: they go through the same ports as the real ones."""

from collections.abc import Callable, Sequence

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.fences import fence
from tracewitness.asking.port import Answer, Question, Side
from tracewitness.asking.vote import poll, tally
from tracewitness.auditing.readers import Maker
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import Basis, Claim, FieldName, FieldValue, Language, StepPart, TaskClass
from tracewitness.findings.records import Citation, ClaimFinding, Evidence, FieldFinding, TraceFinding
from tracewitness.report_side.by_rules import ClaimReading
from tracewitness.report_side.report import Report
from tracewitness.store.record import PromptUse
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.trace import Trace
from tracewitness.trace_side.window import build_window
from tracewitness.values.digests import digest_text

_MAKER = Maker("asked", digest_text("asked"), (PromptUse("test/1", digest_text("prompt")),))


class AskedClaimReader:
    """Asks for the claim, by vote."""

    maker = _MAKER

    def read(self, report: Report) -> Dialogue[ClaimReading]:
        user = fence(f"{report.text}\n{report.declared_status}", "report")
        (ballots,) = yield from poll(_question(Side.REPORT, user), _claim, 1)
        vote = tally(ballots)
        claim = vote.label or Claim.UNCLEAR
        cause = ClaimCause.ASSERTED_DONE if vote.label else ClaimCause.NO_MAJORITY
        return ClaimReading(ClaimFinding(claim, Basis.UNSTATED, (cause,), Language.EN, (), vote.unavailable))


class AskedExtractor:
    """Asks for the five fields, by vote; every YES or NO cites the last step."""

    maker = _MAKER

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        window = build_window(task, build_ledger(trace)).text
        ballots = yield from poll(_question(Side.TRACE, window), _fields, len(FieldName))
        votes = [tally(each) for each in ballots]
        cited = (Citation(trace.steps[-1].index, StepPart.ACTION),)
        fields = [
            FieldFinding(vote.label or FieldValue.UNKNOWN, EvidenceCause.NO_MAJORITY, cited if vote.label else ())
            for vote in votes
        ]
        unknown = FieldFinding(FieldValue.UNKNOWN, EvidenceCause.PRIOR_UNKNOWN)
        action, target, transition, commitment, final_support = fields
        part = Evidence(action, target, transition, commitment, final_support, unknown)
        return Extraction(TraceFinding((part,) * len(goals), unavailable=votes[0].unavailable))


def _question(side: Side, user: str) -> Callable[[int], Question]:
    return lambda number: Question(side, "test/1", "Read it.", user, "{}", number)


def _claim(answer: Answer) -> list[Claim | UnavailableCause]:
    try:
        return [Claim(answer.value["claim"])]
    except (KeyError, ValueError):
        return [UnavailableCause.UNPARSABLE]


def _fields(answer: Answer) -> list[FieldValue | UnavailableCause]:
    return [FieldValue(answer.value[name]) for name in FieldName]
