"""The promise of non-interference, from the source on: a log that is retold must give the same trace side.

The proof on a sealed run begins behind the reader of its format. A reader that lets words of the agent into the trace
has broken the promise before that; only changing the log itself, and reading it anew, shows it.
"""

from collections.abc import Iterable, Iterator, Sequence

from tracewitness.auditing.isolation import Isolation, Trial, compared, isolate, trace_products
from tracewitness.auditing.mutations import TELLINGS, Telling
from tracewitness.auditing.one_run import Run, halves
from tracewitness.auditing.setup import Setup
from tracewitness.intake.discover import Found
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import read_retold
from tracewitness.store.codec import encode
from tracewitness.values.digests import Digest, digest_json, digest_text

Products = dict[str, Digest]


def isolate_source(found: Found, runs: Sequence[Run], setup: Setup, options: ReadOptions) -> Iterator[Isolation]:
    """Yield the isolation of runs that were read from one source, with the source changed and read again.

    Args:
        found: The source.
        runs: Runs that were read from it; others in it are left alone.
        setup: How they are audited.
        options: How the source was read.
    """
    before = {run.run_id: _products(run, setup) for run in runs}
    trials: dict[str, list[Trial]] = {run.run_id: [] for run in runs}
    unproved = ""
    for telling in TELLINGS:
        again = read_retold(found, options, telling.say, telling.flag)
        if again is None:
            unproved = f"the reader of {found.format.name} logs cannot retell one"
            break
        after = dict(_read_again(again, set(before), setup))
        for run_id, products in before.items():
            trials[run_id] += _trials(telling, products, after.get(run_id))
    for run in runs:
        yield isolate(run, setup, trials[run.run_id], unproved)


def _read_again(
    outcomes: Iterable[Run | IntakeFailure], wanted: set[str], setup: Setup
) -> Iterator[tuple[str, Products]]:
    for outcome in outcomes:
        if not isinstance(outcome, IntakeFailure) and outcome.run_id in wanted:
            yield outcome.run_id, _products(outcome, setup)


def _trials(telling: Telling, before: Products, after: Products | None) -> Iterator[Trial]:
    """Compare; a run that cannot be read any more in other words has been changed by them as well."""
    if after is None:
        yield Trial(telling.change, "reading", digest_text("read"), digest_text("not read"))
        return
    yield from compared(telling.change, before, after)


def _products(run: Run, setup: Setup) -> Products:
    held = halves(run)
    return {"task and trace": digest_json([encode(held.task), encode(held.trace)]), **trace_products(run, setup)}
