"""Putting the outcome of both sides into a record. Nothing here has the halves, only what was found in them.

Every text is redacted before its digest is taken, so what a record names and what the store keeps are the same.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tracewitness.asking.port import Answer, Question, Side
from tracewitness.auditing.sides import ReportSide, TraceSide, answers_of
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.records import ClaimFinding, TraceFinding
from tracewitness.report_side.by_rules import ClaimReading
from tracewitness.report_side.signals import CAUSES, ClauseReading
from tracewitness.store.record import BallotNote, ClauseNote, Prose, ProseSide, RawAnswer, keep
from tracewitness.task_side.task import READ_LENGTH, Task
from tracewitness.trace_side.redacting import RedactedExtraction, redact_answer
from tracewitness.values.redaction import Redacted, cut_out, find_secrets, redact
from tracewitness.values.secret_patterns import SecretKind

MOST_CLAUSES = 200
"""Clauses kept of one report. A report of a megabyte has tens of thousands, and no person reads them."""

_PROSE_SIDE = {Side.REPORT: ProseSide.REPORT, Side.TRACE: ProseSide.TRACE}


def telling_clauses(reading: ClaimReading) -> tuple[tuple[ClauseReading, ClaimCause], ...]:
    """Return the clauses that say something of the outcome, with what they say; those that decided come first.

    At most ``MOST_CLAUSES``, in the order of the report; see ``clauses_left_out`` for the rest.
    """
    telling = [(clause, CAUSES[clause.signal]) for clause in reading.clauses if clause.signal in CAUSES]
    ranked = sorted(telling, key=lambda pair: not pair[0].decided)[:MOST_CLAUSES]
    return tuple(sorted(ranked, key=lambda pair: pair[0].start))


def clauses_left_out(reading: ClaimReading) -> str | None:
    """Return the notice that clauses of a very long report are not kept; None where all are."""
    count = sum(clause.signal in CAUSES for clause in reading.clauses)
    return f"{count - MOST_CLAUSES} clauses of the report were read but are not kept" if count > MOST_CLAUSES else None


def task_left_unread(task: Task) -> str | None:
    """Return the notice that a very long task was not read to its end; None where it was."""
    if not task.is_cut:
        return None
    return f"the task is {len(task.instruction):,} characters long; its first {READ_LENGTH:,} were read"


@dataclass(frozen=True, slots=True)
class Written:
    """What a record says of both sides in words, without secrets.

    Attributes:
        claim: What the report side found.
        trace: What the trace side found.
        clauses: How each clause that says something of the outcome was read.
        answers: The models' answers, by digest.
        ballots: How the votes went.
        prose: Every text that the record names, each on its own side.
        redacted: How many secrets were taken out.
    """

    claim: ClaimFinding
    trace: TraceFinding
    clauses: tuple[ClauseNote, ...]
    answers: tuple[RawAnswer, ...]
    ballots: tuple[BallotNote, ...]
    prose: tuple[Prose, ...]
    redacted: Mapping[SecretKind, int]


def written(instruction: Redacted, reported: ReportSide, traced: TraceSide, shown: RedactedExtraction) -> Written:
    """Return what goes into the record of a run.

    Args:
        instruction: The task's instruction without secrets.
        reported: What came out of the report side.
        traced: What came out of the task and the trace.
        shown: The extraction of ``traced`` without secrets.
    """
    clauses, counts = _clauses(reported.reading)
    answers = [_raw_answer(question, answer) for side in (reported, traced) for question, answer in _answers(side)]
    return Written(
        claim=_claim(reported.reading),
        trace=shown.extraction.finding,
        clauses=tuple(note for note, _ in clauses),
        answers=tuple(answer for answer, _ in answers),
        ballots=(
            *(BallotNote(ProseSide.REPORT, each) for each in reported.reading.ballots),
            *(BallotNote(ProseSide.TRACE, each) for each in traced.extraction.ballots),
        ),
        prose=(
            keep(ProseSide.TASK, instruction.text),
            *(kept for _, kept in clauses),
            *(Prose(digest, ProseSide.TRACE, text) for digest, text in shown.extraction.prose.items()),
            *(kept for _, kept in answers),
        ),
        redacted=Counter(instruction.counts) + counts + Counter(shown.counts),
    )


def _claim(reading: ClaimReading) -> ClaimFinding:
    if not reading.finding.answers:
        return reading.finding
    told = [reading.text[secret.start : secret.end] for secret in find_secrets(reading.text)]
    return replace(reading.finding, answers=tuple(redact_answer(answer, told) for answer in reading.finding.answers))


def _clauses(reading: ClaimReading) -> tuple[list[tuple[ClauseNote, Prose]], Counter[SecretKind]]:
    """Return the clauses with their texts. Secrets are looked for in the whole report: a clause may cut one."""
    secrets = find_secrets(reading.text)
    counts: Counter[SecretKind] = Counter()
    notes: list[tuple[ClauseNote, Prose]] = []
    for clause, cause in telling_clauses(reading):
        place = secrets if reading.text[clause.start : clause.end] == clause.text else find_secrets(clause.text)
        start = clause.start if place is secrets else 0
        redacted = cut_out(clause.text, place, start) if place else Redacted(clause.text, {})
        counts.update(redacted.counts)
        kept = keep(ProseSide.REPORT, redacted.text)
        notes.append((ClauseNote(clause.start, clause.end, cause, kept.digest, clause.decided), kept))
    return notes, counts


def _answers(side: ReportSide | TraceSide) -> list[tuple[Question, Answer]]:
    return answers_of(side.exchanges)


def _raw_answer(question: Question, answer: Answer) -> tuple[RawAnswer, Prose]:
    """Return a model's answer as it came, but for secrets: it was shown none, so it can only have made some up."""
    kept = keep(_PROSE_SIDE[question.side], redact(answer.raw).text)
    key = question.cache_key(answer.model, answer.parameters)
    spent = (answer.input_tokens, answer.output_tokens, answer.microusd)
    return RawAnswer(key, kept.side, answer.model, kept.digest, *spent), kept
