"""Judges on the command line: connected, what they would cost, asked, and what they cost in the end."""

import warnings
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tracewitness.asking.budget import Stopped
from tracewitness.auditing.one_run import Run
from tracewitness.auditing.recorded_answers import RecordedAnswersError
from tracewitness.backends.errors import ModelError
from tracewitness.cli.asked import told_capabilities, told_foreseen, told_spent
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain
from tracewitness.cli.progress import counted
from tracewitness.judges.book import Book, BookError
from tracewitness.judges.judge import Judge
from tracewitness.judges.judgement import Judgement
from tracewitness.judges.showing import Showing
from tracewitness.store.store import Store
from tracewitness.values.plurals import plural
from tracewitness.wiring.choices import ChoiceError, ModelChoice
from tracewitness.wiring.driving import JudgeBatch, judge_batch
from tracewitness.wiring.judging import Court

_SHOWN_REASONS = 3
_STOPPED = {
    Stopped.BUDGET: "the budget is used up (start again with a larger one to go on)",
    Stopped.ENDPOINT: "the endpoint stays out of reach (start again to go on)",
}


def foresee(
    choice: ModelChoice,
    seats: list[tuple[Judge, Showing]],
    runs: Iterable[Run],
    store: Store | None,
    say: Callable[[str], None],
) -> None:
    """Say what judging would cost; nothing is asked.

    Raises:
        Stop: A choice cannot be met, or there is no run to judge.
    """
    with ExitStack() as stack:
        batch = _opened(choice, seats, store, stack, rehearse=True)
        count = sum(1 for _ in batch.judge(runs, None))
        if not count:
            raise Stop("no run to judge", ExitCode.NOTHING_AUDITED)
        foreseen, most = batch.court.foreseen, choice.voting.asked
        kept = f" ({plural(foreseen.kept, 'answer')} more are kept already)" if foreseen.kept else ""
        say(f"{plural(count, 'run')} to judge: {told_foreseen(foreseen, most)}{kept}")


def unsaid(line: str) -> None:
    """Say nothing."""
    del line


def working_folder(path: Path) -> Path:
    """Return a folder, made where it is not there yet.

    Raises:
        Stop: It cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Stop(f"{path}: cannot be made ({error.strerror})", ExitCode.NOTHING_AUDITED) from error
    return path


@dataclass(frozen=True, slots=True)
class Judging:
    """Judges that are to be asked.

    Attributes:
        choice: The model.
        seats: Each judge with what it is shown.
        store: Where answers are kept, so that none is paid for twice.
        book: Where judgements are written.
        retry_failed: Ask again where a judge failed for a cause that does not pass by itself.
        quiet: Say nothing of how it goes.
    """

    choice: ModelChoice
    seats: list[tuple[Judge, Showing]]
    store: Store
    book: Book
    retry_failed: bool
    quiet: bool

    def judge(
        self,
        runs: Iterable[Run],
        count: int,
        before: Callable[[Court], None],
        said: Callable[[Judgement], None] = lambda _: None,
    ) -> bool:
        """Judge runs and write what was said into the book.

        Args:
            runs: The runs.
            count: How many there are.
            before: Told who judges before anything is asked.
            said: Told every judgement, those of earlier starts among them.

        Returns:
            Whether it came to the last run.

        Raises:
            Stop: A choice cannot be met, a key is missing, an endpoint is out of reach, or the book cannot be written.
        """
        with ExitStack() as stack:
            batch = _opened(self.choice, self.seats, self.store, stack, rehearse=False)
            before(batch.court)
            if not self.quiet:
                for name, found in batch.court.taken.items():
                    complain(f"{name}: {told_capabilities(found)}")
            try:
                with counted(count, "runs", quiet=self.quiet) as advance:
                    for judged in batch.judge(runs, self.book, retry_failed=self.retry_failed):
                        for one in judged:
                            said(one.judgement)
                        advance()
            except BookError as error:
                raise Stop(str(error), ExitCode.INTERNAL) from error
            return _told_end(batch, quiet=self.quiet)


def _told_end(batch: JudgeBatch, *, quiet: bool) -> bool:
    budget = batch.court.budget
    if budget.stopped is not None:
        complain(f"{_STOPPED[budget.stopped]}: the rest of the runs was not judged")
    if not quiet:
        for reason, count in budget.reasons.most_common(_SHOWN_REASONS):
            complain(f"{plural(count, 'call')} without an answer: {reason}")
        complain(f"spent: {told_spent(budget.spent)}")
    return budget.stopped is None


def _opened(
    choice: ModelChoice, seats: list[tuple[Judge, Showing]], store: Store | None, stack: ExitStack, *, rehearse: bool
) -> JudgeBatch:
    # Where an endpoint tells no tokens, that is counted and told at the end; the client library need not say more.
    warnings.filterwarnings("ignore", message="Failed to extract usage")
    try:
        return stack.enter_context(judge_batch(choice, seats, store, rehearse=rehearse))
    except (ChoiceError, RecordedAnswersError) as error:
        raise Stop(str(error), ExitCode.USAGE) from error
    except ModelError as error:
        raise Stop(str(error), ExitCode.NOTHING_AUDITED) from error
