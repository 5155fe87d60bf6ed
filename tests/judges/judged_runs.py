"""Runs and judges for the tests of judging."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tracewitness.asking.port import Askers, Question
from tracewitness.asking.vote import Voting
from tracewitness.findings.causes import UnavailableCause
from tracewitness.intake.sealed import SealedRun
from tracewitness.judges.book import Book
from tracewitness.judges.builtin import JUDGES
from tracewitness.judges.judge import Judge
from tracewitness.judges.judging import Bench, JudgeOptions
from tracewitness.judges.many import Course, Judged, judge_many
from tracewitness.judges.showing import Showing
from tracewitness.report_side.report import DeclaredStatus
from tracewitness.testing import RunBuilder, ScriptedAsker

REPORT = "Zebrafinch: the alarm at seven is deleted."
NARRATION = "Wallaby thinks that the alarm must be gone."
SCREEN = "page 'Clock'\n  row '07:00 | on'\n  toast 'Quokka'"


def run(run_id: str = "r1", report: str | None = REPORT, narration: str | None = NARRATION) -> SealedRun:
    builder = RunBuilder(run_id).task("Delete the alarm at seven.")
    builder = builder.step("click", "button 'Delete'", after=SCREEN, narration=narration)
    return builder.finish().report(report, DeclaredStatus.SUCCESS if report is not None else None).build()


def verdict(judge: Judge, said: str, why: str = "because") -> dict[str, Any]:
    return {judge.reasoning: why, judge.verdict: said, **dict.fromkeys(judge.flags, False)}


def speaker(judge: Judge, said: Sequence[str | UnavailableCause]) -> ScriptedAsker:
    """Return a model that names key points where it is asked for them, and else gives these verdicts in turn."""
    left = list(said)

    def answer(question: Question) -> dict[str, Any] | UnavailableCause:
        if "key_points" in question.schema:
            return {"key_points": ["the alarm is gone"]}
        word = left.pop(0) if len(left) > 1 else left[0]
        return word if isinstance(word, UnavailableCause) else verdict(judge, word)

    return ScriptedAsker(answer)


def bench(judge: Judge, showing: Showing, runs: int = 1, threshold: float | None = None) -> Bench:
    return Bench(judge, showing, JudgeOptions(Voting(runs, threshold)), "scripted", "{}")


def judged(
    runs: Sequence[SealedRun],
    benches: Sequence[Bench],
    asker: ScriptedAsker,
    book: Path | None = None,
    course: Course | None = None,
) -> list[tuple[Judged, ...]]:
    """Judge runs, with a book where its file is named."""

    async def scene(kept: Book | None) -> list[tuple[Judged, ...]]:
        told = judge_many(runs, benches, Askers(whole=asker), book=kept, course=course or Course(1))
        return [each async for each in told]

    if book is None:
        return asyncio.run(scene(None))
    with Book(book) as kept:
        return asyncio.run(scene(kept))


def asked(judge: str, showing: Showing, one: SealedRun) -> list[Question]:
    """Return what a judge asks about a run."""
    asker = speaker(JUDGES[judge], [next(iter(JUDGES[judge].states))])
    judged([one], [bench(JUDGES[judge], showing)], asker)
    return asker.questions
