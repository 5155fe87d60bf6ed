"""Running each side with its own half: what it found, what it asked, and what happens when it fails.

A reader that raises gives "unavailable", which the policy turns into REVIEW; it never gives a verdict and never takes
the batch down.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tracewitness.asking.dialogue import Dialogue, Reply
from tracewitness.asking.port import Answer, Question, Side, Unavailable
from tracewitness.auditing.readers import ClaimReader, EvidenceExtractor
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import Basis, Claim, FieldName, FieldValue, Language, TaskClass
from tracewitness.findings.records import ClaimFinding, Evidence, FieldFinding, TaskFinding, TraceFinding
from tracewitness.report_side.by_rules import ClaimReading
from tracewitness.report_side.report import Report
from tracewitness.task_side.class_rule import rule_digest
from tracewitness.task_side.goal import Goal, Wanted
from tracewitness.task_side.reading import TaskReading, read_task
from tracewitness.task_side.task import Task
from tracewitness.trace_side.exhibits import NO_EXHIBITS, Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.trace import Trace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question of one side with the reply it got."""

    question: Question
    reply: Reply


@dataclass(frozen=True, slots=True)
class ReportSide:
    """What came out of the report side."""

    reading: ClaimReading
    exchanges: tuple[Exchange, ...] = ()
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class TraceSide:
    """What came out of the task and the trace."""

    task: TaskReading
    extraction: Extraction
    exchanges: tuple[Exchange, ...] = ()
    failure: str | None = None


def report_side(report: Report, reader: ClaimReader) -> Dialogue[ReportSide]:
    """Read the claim. The report is all that is handed over."""
    exchanges: list[Exchange] = []
    try:
        reading = yield from _noted(reader.read(report), Side.REPORT, exchanges)
    except Exception as error:
        return ReportSide(_no_claim(), tuple(exchanges), _failure("claim reader", error))
    return ReportSide(reading, tuple(exchanges))


def trace_side(
    task: Task, trace: Trace, extractor: EvidenceExtractor, exhibits: Exhibits = NO_EXHIBITS
) -> Dialogue[TraceSide]:
    """Read the task and extract the evidence. Task and trace, with what goes along, are all that is handed over."""
    exchanges: list[Exchange] = []
    task_reading, failure = read_task_safely(task)
    if failure is not None:
        return TraceSide(task_reading, _no_evidence(task_reading.goals), (), failure)
    goals = task_reading.goals
    try:
        dialogue = extractor.extract(task, goals, task_reading.finding.task_class, trace, exhibits)
        extraction = yield from _noted(dialogue, Side.TRACE, exchanges)
    except Exception as error:
        return TraceSide(task_reading, _no_evidence(goals), tuple(exchanges), _failure("evidence extractor", error))
    return TraceSide(task_reading, _not_all_asked(extraction) if task.is_cut else extraction, tuple(exchanges))


def _not_all_asked(extraction: Extraction) -> Extraction:
    """Return what may be said of a task that was not read whole: neither that all of it was done, nor that any was not.

    What was not read may ask for more, or be the matter that the words before it only lead to.
    """
    finding = extraction.finding
    parts = tuple(_left_open(part) for part in finding.parts)
    return replace(extraction, finding=replace(finding, parts=parts))


def _left_open(part: Evidence) -> Evidence:
    kept = {
        name: FieldFinding(FieldValue.UNKNOWN, EvidenceCause.TASK_CUT, field.citations, field.rationale)
        for name, field in part.fields()
        if field.value is FieldValue.NO or (name is FieldName.FINAL_SUPPORT and field.value is FieldValue.YES)
    }
    return replace(part, **kept)


def read_task_safely(task: Task) -> tuple[TaskReading, str | None]:
    """Return the reading of a task, and the failure where there is one."""
    try:
        return read_task(task), None
    except Exception as error:
        return _unread(task), _failure("task reader", error)


def _unread(task: Task) -> TaskReading:
    finding = TaskFinding(TaskClass.OTHER, rule_digest(), False, 1, Language.OTHER)
    return TaskReading(finding, (Goal(task.instruction, Wanted.OTHER),))


def _noted(dialogue: Dialogue[T], side: Side, exchanges: list[Exchange]) -> Dialogue[T]:
    """Pass a dialogue on, noting every question and reply; a question that names the other side is refused."""
    try:
        questions = next(dialogue)
        while True:
            if any(question.side is not side for question in questions):
                raise ValueError("a question was asked in the name of the other side")
            replies = yield questions
            exchanges.extend(Exchange(*pair) for pair in zip(questions, replies, strict=True))
            questions = dialogue.send(replies)
    except StopIteration as ended:
        return ended.value


def _failure(who: str, error: Exception) -> str:
    # The kind of error alone: its message may quote the half that the component was reading.
    return f"the {who} failed: {type(error).__name__}"


def _no_claim(cause: UnavailableCause = UnavailableCause.INTERNAL) -> ClaimReading:
    finding = ClaimFinding(Claim.UNCLEAR, Basis.UNSTATED, (ClaimCause.UNAVAILABLE,), Language.NONE, (), cause)
    return ClaimReading(finding, ())


def _no_evidence(goals: Sequence[Goal], cause: UnavailableCause = UnavailableCause.INTERNAL) -> Extraction:
    unknown = FieldFinding(FieldValue.UNKNOWN, EvidenceCause.UNAVAILABLE)
    part = Evidence(unknown, unknown, unknown, unknown, unknown, unknown)
    return Extraction(TraceFinding((part,) * len(goals), unavailable=cause), {})


def out_of_time(task: Task) -> tuple[ReportSide, TraceSide]:
    """Return what both sides found where the audit took too long: nothing, and the task is not read again."""
    cause = UnavailableCause.TIMEOUT
    task_reading = _unread(task)
    return ReportSide(_no_claim(cause)), TraceSide(task_reading, _no_evidence(task_reading.goals, cause))


def answers_of(exchanges: Sequence[Exchange]) -> list[tuple[Question, Answer]]:
    """Return the exchanges in which the model answered."""
    return [(each.question, each.reply) for each in exchanges if not isinstance(each.reply, Unavailable)]
