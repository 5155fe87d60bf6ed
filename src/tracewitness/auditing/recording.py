"""Putting the outcome of both sides into a record. Nothing here has the halves, only what was found in them."""

from collections.abc import Iterator

from tracewitness.asking.port import Side
from tracewitness.auditing.sides import Exchange, ReportSide, TraceSide, answers_of
from tracewitness.report_side.by_rules import ClaimReading
from tracewitness.store.record import ClauseNote, Prose, ProseSide, RawAnswer, keep
from tracewitness.trace_side.extraction import Extraction
from tracewitness.values.digests import digest_text

_PROSE_SIDE = {Side.REPORT: ProseSide.REPORT, Side.TRACE: ProseSide.TRACE}


def clause_notes(reading: ClaimReading) -> tuple[ClauseNote, ...]:
    """Return how each clause of the report was read."""
    return tuple(
        ClauseNote(clause.start, clause.end, clause.cause, digest_text(clause.text)) for clause in reading.clauses
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
    return (keep(ProseSide.REPORT, clause.text) for clause in reading.clauses)


def _trace_texts(extraction: Extraction) -> Iterator[Prose]:
    return (Prose(digest, ProseSide.TRACE, text) for digest, text in extraction.prose.items())


def _answer_texts(exchanges: tuple[Exchange, ...]) -> Iterator[Prose]:
    return (keep(_PROSE_SIDE[question.side], answer.raw) for question, answer in answers_of(exchanges))
