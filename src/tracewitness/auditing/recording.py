"""Putting the outcome of both sides into a record. Nothing here has the halves, only what was found in them."""

from collections.abc import Iterator

from tracewitness.asking.port import Side
from tracewitness.auditing.sides import Exchange, ReportSide, TraceSide, answers_of
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.report_side.by_rules import ClaimReading
from tracewitness.report_side.signals import CAUSES, ClauseReading
from tracewitness.store.record import ClauseNote, Prose, ProseSide, RawAnswer, keep
from tracewitness.trace_side.extraction import Extraction
from tracewitness.values.digests import digest_text

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


def clause_notes(reading: ClaimReading) -> tuple[ClauseNote, ...]:
    """Return how each clause that says something of the outcome was read."""
    return tuple(
        ClauseNote(clause.start, clause.end, cause, digest_text(clause.text), clause.decided)
        for clause, cause in telling_clauses(reading)
    )


def raw_answers(*sides: ReportSide | TraceSide) -> tuple[RawAnswer, ...]:
    """Return the models' answers as they came, by digest."""
    return tuple(
        RawAnswer(
            question.cache_key(answer.model),
            _PROSE_SIDE[question.side],
            answer.model,
            digest_text(answer.raw),
            answer.input_tokens,
            answer.output_tokens,
        )
        for side in sides
        for question, answer in answers_of(side.exchanges)
    )


def kept_texts(instruction: str, reported: ReportSide, traced: TraceSide) -> tuple[Prose, ...]:
    """Return every text that the record names, each on its own side."""
    return (
        keep(ProseSide.TASK, instruction),
        *_report_texts(reported.reading),
        *_trace_texts(traced.extraction),
        *_answer_texts(reported.exchanges),
        *_answer_texts(traced.exchanges),
    )


def _report_texts(reading: ClaimReading) -> Iterator[Prose]:
    return (keep(ProseSide.REPORT, clause.text) for clause, _ in telling_clauses(reading))


def _trace_texts(extraction: Extraction) -> Iterator[Prose]:
    return (Prose(digest, ProseSide.TRACE, text) for digest, text in extraction.prose.items())


def _answer_texts(exchanges: tuple[Exchange, ...]) -> Iterator[Prose]:
    return (keep(_PROSE_SIDE[question.side], answer.raw) for question, answer in answers_of(exchanges))
