"""Audits with models on the command line: connected, told what was taken, and what it cost in the end."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from rich.text import Text

from tracewitness.asking.budget import MICROUSD, Spent, Stopped
from tracewitness.asking.capabilities import Capabilities
from tracewitness.asking.rehearsal import Foreseen
from tracewitness.auditing.outcome import Audit, Audited, Item
from tracewitness.auditing.recorded_answers import RecordedAnswersError
from tracewitness.backends.errors import ModelError
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain
from tracewitness.cli.terminal import print_json, stdout
from tracewitness.values.plurals import plural
from tracewitness.wiring.choices import ChoiceError, ModelChoice
from tracewitness.wiring.driving import ModelBatch, model_batch
from tracewitness.wiring.models import Terms as Terms

_SHOWN_REASONS = 3

_STOPPED = {
    Stopped.BUDGET: "the budget is used up (start again with a larger one to go on)",
    Stopped.ENDPOINT: "the endpoint stays out of reach (start again to go on)",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A batch that asks models: its outcomes, and what they cost."""

    outcomes: Iterator[Audit]
    batch: ModelBatch

    @property
    def stopped(self) -> Stopped | None:
        """Return what ended the batch before its last run."""
        return self.batch.auditor.budget.stopped

    def say_what_stopped(self) -> None:
        """Say what ended the batch before its last run, and how it goes on."""
        if self.stopped is not None:
            complain(f"{_STOPPED[self.stopped]}: the rest of the runs was not audited")

    def spent(self) -> str:
        """Return in one line what was spent."""
        return told_spent(self.batch.auditor.budget.spent)

    def say_why_not(self) -> None:
        """Say why calls brought no answer, the most frequent reasons first."""
        for reason, count in self.batch.auditor.budget.reasons.most_common(_SHOWN_REASONS):
            complain(f"{plural(count, 'call')} without an answer: {reason}")

    def spent_json(self) -> dict[str, object]:
        """Return what was spent as JSON values."""
        return {**spent_json(self.batch.auditor.budget.spent), "stopped": self.stopped}

    def foresee(self, runs: int, *, json_lines: bool) -> bool:
        """Go through the runs without asking, and say what they would cost.

        Args:
            runs: The most runs per label.
            json_lines: Say it as JSON.

        Returns:
            Whether every input could be read, and there was a run to audit.
        """
        targets, unread = 0, 0
        for outcome in self.outcomes:
            if isinstance(outcome, Audited):
                targets += outcome.record.decision is not None
            else:
                unread += 1
                complain(outcome.line())
        self._say_what_it_would_cost(targets, runs, json_lines=json_lines)
        return targets > 0 and not unread

    def _say_what_it_would_cost(self, targets: int, runs: int, *, json_lines: bool) -> None:
        foreseen = self.batch.auditor.foreseen
        if json_lines:
            print_json({"type": "estimate", "runs": targets, **foreseen_json(foreseen, runs)})
        else:
            stdout().print(Text(f"{plural(targets, 'run')} to audit: {told_foreseen(foreseen, runs)}"))
            if foreseen.kept:
                complain(f"{plural(foreseen.kept, 'answer')} of the store would be taken again and cost nothing")


def ask_models(
    items: Iterable[Item],
    choice: ModelChoice,
    terms: Terms,
    stack: ExitStack,
    *,
    fresh: bool,
    retry_failed: bool,
    quiet: bool,
) -> Asked:
    """Return the outcomes of a batch that asks models.

    Raises:
        Stop: A choice cannot be met, a key is missing, or an endpoint is out of reach.
    """
    try:
        batch = stack.enter_context(model_batch(choice, terms))
    except (ChoiceError, RecordedAnswersError) as error:
        raise Stop(str(error), ExitCode.USAGE) from error
    except ModelError as error:
        raise Stop(str(error), ExitCode.NOTHING_AUDITED) from error
    # Where an endpoint tells no tokens, that is counted and told at the end; the client library need not say more.
    warnings.filterwarnings("ignore", message="Failed to extract usage")
    if not quiet:
        for name, found in batch.auditor.taken.items():
            complain(f"{name}: {told_capabilities(found)}")
    return Asked(batch.audit(items, fresh=fresh, retry_failed=retry_failed), batch)


def told_capabilities(found: Capabilities) -> str:
    """Return in one line what a model can do."""
    context = f"{found.context_tokens:,} tokens of context" if found.context_tokens else "size of context unknown"
    told = [f"answers as {found.form}", context]
    told.append("takes images" if found.images else "takes no images")
    told.append("gives token probabilities" if found.logprobs else "gives no token probabilities")
    return ", ".join(told)


def told_spent(spent: Spent) -> str:
    """Return in one line what calls cost."""
    failed = f" ({spent.failed} without an answer)" if spent.failed else ""
    money = f", {spent.microusd / MICROUSD:.4f} US dollars" if spent.unpriced < spent.calls else ""
    unpriced = f" ({plural(spent.unpriced, 'call')} of unknown price)" if spent.unpriced else ""
    return (
        f"{plural(spent.calls, 'call')}{failed}, {spent.input_tokens:,} tokens asked and {spent.output_tokens:,} "
        f"answered{money}{unpriced}"
    )


def spent_json(spent: Spent) -> dict[str, object]:
    """Return what calls cost as JSON values."""
    return {
        "calls": spent.calls,
        "failed": spent.failed,
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "usd": spent.microusd / MICROUSD,
        "unpriced_calls": spent.unpriced,
    }


def told_foreseen(foreseen: Foreseen, runs: int) -> str:
    """Return in one line what the questions would cost: at the least, and at the most where no vote settles early.

    Args:
        foreseen: What was counted with every vote settled at the earliest.
        runs: The full number of runs per label.
    """
    most = most_calls(foreseen.calls, runs)
    factor = most / foreseen.calls if foreseen.calls else 0.0
    tokens = f"{foreseen.input_tokens:,} to {_scaled(foreseen.input_tokens, factor):,} tokens asked"
    answered = f"up to {_scaled(foreseen.most_output_tokens, factor):,} answered"
    if not foreseen.most_microusd:
        return f"{_calls(foreseen.calls, most)}, {tokens}, {answered}; nothing to pay, or no known price"
    low, high = foreseen.least_microusd / MICROUSD, foreseen.most_microusd * factor / MICROUSD
    return f"{_calls(foreseen.calls, most)}, {tokens}, {answered}; {low:.4f} to {high:.4f} US dollars"


def _calls(least: int, most: int) -> str:
    return plural(least, "call") if least == most else f"{least} to {most} calls"


def most_calls(least: int, runs: int) -> int:
    """Return the calls of votes that go on to the last run, from those of votes that settle at the earliest."""
    return least * runs // (runs // 2 + 1)


def foreseen_json(foreseen: Foreseen, runs: int) -> dict[str, object]:
    """Return what the questions would cost as JSON values."""
    most = most_calls(foreseen.calls, runs)
    factor = most / foreseen.calls if foreseen.calls else 0.0
    return {
        "calls": [foreseen.calls, most],
        "kept_answers": foreseen.kept,
        "input_tokens": [foreseen.input_tokens, _scaled(foreseen.input_tokens, factor)],
        "most_output_tokens": _scaled(foreseen.most_output_tokens, factor),
        "usd": [foreseen.least_microusd / MICROUSD, foreseen.most_microusd * factor / MICROUSD],
    }


def _scaled(count: int, factor: float) -> int:
    return round(count * factor)
