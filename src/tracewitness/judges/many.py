"""Judges on many runs: several at a time, and none that is in the book already."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from tracewitness.asking.dialogue import settle_async
from tracewitness.asking.port import Askers
from tracewitness.asking.vote import Voting
from tracewitness.auditing.one_run import Run, identify
from tracewitness.auditing.side_by_side import side_by_side
from tracewitness.findings.causes import UnavailableCause
from tracewitness.judges.book import Book
from tracewitness.judges.judgement import Judgement
from tracewitness.judges.judging import Bench, judge_run
from tracewitness.values.digests import Digest

AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement; ``resumed`` where it was in the book already."""

    judgement: Judgement
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """How judging goes.

    Attributes:
        at_once: Most runs judged at the same time.
        stop: Asked before each run; True ends it after the runs in flight.
        retry_failed: Ask again also where a judge failed for a cause that does not pass by itself.
    """

    at_once: int = AT_ONCE
    stop: Callable[[], bool] = bool
    retry_failed: bool = False


_COURSE = Course()


async def judge_many(
    runs: Iterable[Run], benches: Sequence[Bench], askers: Askers, *, book: Book | None = None, course: Course = _COURSE
) -> AsyncGenerator[tuple[Judged, ...]]:
    """Yield what each bench says of each run, in the order of the runs and of the benches.

    The benches judge a run one after the other, so that an endpoint can use again what it has read of the trace. A
    judgement is in the book before it is yielded. Where the budget ends in the midst of a run, what is left of it is
    not judged.

    Args:
        runs: The runs; taken as room becomes free.
        benches: Who judges each.
        askers: The model that is asked.
        book: Where judgements are looked up and written down.
        course: How it goes.

    Raises:
        BookError: A judgement cannot be written.
    """
    panel = _Panel(benches, askers, book, course)
    async with aclosing(side_by_side(runs, panel.judge, course.at_once, course.stop)) as done:
        async for one in done:
            yield one


def _is_cut_short(found: Judgement, voting: Voting) -> bool:
    """Return whether every run of the vote is wanted and was not asked; answers of those that were are kept."""
    return not voting.early_stop and len(found.ballots) < voting.asked


class _Panel:
    """The benches, with what they have in common."""

    def __init__(self, benches: Sequence[Bench], askers: Askers, book: Book | None, course: Course) -> None:
        self._benches = benches
        self._askers = askers
        self._book = book
        self._course = course
        self._room = asyncio.Semaphore(course.at_once)

    async def judge(self, run: Run) -> tuple[Judged, ...]:
        async with self._room:
            digest = identify(run).run
            judged: list[Judged] = []
            for bench in self._benches:
                found = self._found(digest, bench)
                if found is None and self._course.stop():
                    break
                judged.append(
                    Judged(found, resumed=True) if found is not None else await self._asked(run, digest, bench)
                )
            return tuple(judged)

    def _found(self, digest: Digest, bench: Bench) -> Judgement | None:
        found = self._book.find(bench.key(digest)) if self._book is not None else None
        if found is None or found.unavailable is None:
            return None if found is not None and _is_cut_short(found, bench.options.voting) else found
        return None if found.unavailable.passing or self._course.retry_failed else found

    async def _asked(self, run: Run, digest: Digest, bench: Bench) -> Judged:
        key = bench.key(digest)
        try:
            told = await settle_async(judge_run(run, key, bench), self._askers, apart=bench.options.texts is not None)
        except Exception:
            # A run that breaks what shows it takes down no other; why is no verdict.
            told = Judgement(run.run_id, key, bench.model, None, UnavailableCause.INTERNAL, ())
        if self._book is not None:
            self._book.add(told)
        return Judged(told)
