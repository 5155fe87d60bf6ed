"""The promise of non-interference, from the source on: a log that is retold must give the same trace side.

The proof on a sealed run begins behind the reader of its format. A reader that lets words of the agent into the trace
has broken the promise before that; only changing the log itself, and reading it anew, shows it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tracewitness.auditing.isolation import Isolation, Trial, Values, compared, digests, isolate, trace_values
from tracewitness.auditing.mutations import TELLINGS, Telling
from tracewitness.auditing.one_run import Run, halves
from tracewitness.auditing.setup import Setup
from tracewitness.intake.discover import Found
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import OwnId, read_retold
from tracewitness.store.codec import encode
from tracewitness.values.digests import Digest, digest_text

Products = dict[str, Digest]


def isolate_source(
    found: Found,
    runs: Sequence[Run],
    setup: Setup,
    options: ReadOptions,
    own_ids: Mapping[str, OwnId] | None = None,
) -> Iterator[Isolation]:
    """Yield the isolation of runs that were read from one source, with the source changed and read again.

    Args:
        found: The source.
        runs: Runs that were read from it; others in it are left alone.
        setup: How they are audited.
        options: How the source was read.
        own_ids: The ids that the reader gave to the runs, where they are not those that the runs have.
    """
    known = own_ids or {}
    wanted = {known.get(run.run_id, (run.run_id, 0)): run for run in runs}
    before = {own_id: digests(_values(run, setup)) for own_id, run in wanted.items()}
    trials: dict[OwnId, list[Trial]] = {own_id: [] for own_id in wanted}
    unproved = ""
    for telling in TELLINGS:
        again = read_retold(found, options, telling.say, telling.flag)
        if again is None:
            unproved = f"the reader of {found.format.name} logs cannot retell one"
            break
        missing = set(wanted)
        for own_id, other in _read_again(again):
            if own_id in wanted:
                missing.discard(own_id)
                run = wanted[own_id]
                trials[own_id] += _trials(telling, run, other, before[own_id], setup)
        for own_id in missing:
            trials[own_id].append(_not_read(telling))
    for own_id, run in wanted.items():
        yield isolate(run, setup, trials[own_id], unproved)


def _read_again(outcomes: Iterable[Run | IntakeFailure]) -> Iterator[tuple[OwnId, Run]]:
    met = Counter[str]()
    for outcome in outcomes:
        if not isinstance(outcome, IntakeFailure):
            yield (outcome.run_id, met[outcome.run_id]), outcome
            met[outcome.run_id] += 1


def _trials(telling: Telling, run: Run, other: Run, before: Products, setup: Setup) -> Iterator[Trial]:
    return compared(telling.change, before, _values(other, setup), lambda: _values(run, setup))


def _not_read(telling: Telling) -> Trial:
    """A run that cannot be read any more in other words has been changed by them as well."""
    told = "the log cannot be read any more in these words"
    return Trial(telling.change, "reading", digest_text("read"), digest_text("not read"), told)


def _values(run: Run, setup: Setup) -> Values:
    held = halves(run)
    trace = encode(held.trace)
    return {"task and trace": {"task": encode(held.task), **trace}, **trace_values(run, setup)}
