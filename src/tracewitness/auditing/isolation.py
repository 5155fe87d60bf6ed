"""The promise of non-interference, shown and proved on one run.

Shown: what was hidden, from whom, and where it stood. Proved: with another report, other narration and another flag the
trace side gives the same evidence, window and cache keys, byte for byte; with another trace the report side gives the
same claim. Where the source is at hand, the log itself is retold and read again (:mod:`tracewitness.auditing.retold`),
so that the proof covers its reader too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tracewitness.asking.fences import fence
from tracewitness.asking.port import Question, Side
from tracewitness.auditing.first_difference import first_difference
from tracewitness.auditing.mutations import other_reports, other_traces
from tracewitness.auditing.one_run import Halves, Run, halves, read_report_alone, read_trace_alone, with_halves
from tracewitness.auditing.setup import Setup
from tracewitness.auditing.sides import Exchange
from tracewitness.store.codec import encode
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.window import WindowTooSmallError, build_window
from tracewitness.values.digests import Digest, digest_json, digest_text
from tracewitness.values.redaction import redact

Values = Mapping[str, Any]
"""What a side makes of a run, by name, as plain data or text."""

_ANY_MODEL = "any-model"

_HIDDEN_FROM = {
    "task": "nobody",
    "evidence": "the report side",
    "narration": "both sides",
    "report": "the trace side",
    "grading": "both sides",
}


@dataclass(frozen=True, slots=True)
class HiddenText:
    """One text that was hidden: where it stood, its plane, from whom it is hidden, its leak route and size."""

    where: str
    plane: str
    hidden_from: str
    route: str
    characters: int


@dataclass(frozen=True, slots=True)
class Trial:
    """One change, and whether a product of the other side stayed the same byte for byte.

    Attributes:
        change: What was changed, in words.
        product: What was compared: evidence, window, cache keys, claim, report prompt.
        before: Its digest for the run as it is.
        after: Its digest for the changed run.
        differs: Where the two differ first, such as ``step 3, action, raw``; empty where they are the same.
    """

    change: str
    product: str
    before: Digest
    after: Digest
    differs: str = ""

    @property
    def same(self) -> bool:
        """Return whether nothing changed."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Isolation:
    """What was hidden in a run, and the proof that it made no difference.

    Attributes:
        run_id: The run.
        hidden: What was hidden.
        trials: What was changed, and what came of it.
        unproved: Why the proof does not begin at the source; empty where the source was changed and read again.
    """

    run_id: str
    hidden: tuple[HiddenText, ...]
    trials: tuple[Trial, ...]
    unproved: str = ""

    @property
    def holds(self) -> bool:
        """Return whether every trial left the other side as it was."""
        return all(trial.same for trial in self.trials)

    @property
    def proved(self) -> bool:
        """Return whether that is so from the log on, its reader included."""
        return self.holds and not self.unproved


NO_SOURCE = "the source is not at hand"


def isolate(run: Run, setup: Setup, retold: Sequence[Trial] = (), unproved: str = NO_SOURCE) -> Isolation:
    """Show what was hidden in a run, and try out whether it makes a difference.

    Args:
        run: The run, as it was read.
        setup: How it is audited.
        retold: What came of changing its source and reading it again.
        unproved: Why that was not done; empty where it was.
    """
    held = halves(run)
    trials = (*retold, *_trace_trials(run, setup), *_report_trials(run, setup))
    return Isolation(held.run_id, tuple(_hidden(held)), trials, unproved)


def _hidden(held: Halves) -> Iterator[HiddenText]:
    for one in held.stripped:
        yield HiddenText(redact(one.where).text, one.plane, _HIDDEN_FROM[one.plane], one.route, one.characters)
    size = sum(len(str(encode(step))) for step in held.trace.steps)
    where = f"{len(held.trace.steps)} steps"
    yield HiddenText(where, "evidence", _HIDDEN_FROM["evidence"], "none", size)


def _trace_trials(run: Run, setup: Setup) -> Iterator[Trial]:
    held = halves(run)
    changed = [(words, with_halves(run, report=report)) for words, report in other_reports(held.report)]
    if not setup.admit_narration:
        changed.append(("the narration is replaced", with_halves(run, narration="I am sure that everything is saved.")))
    yield from _compared_all(run, changed, lambda one: trace_values(one, setup))


def _report_trials(run: Run, setup: Setup) -> Iterator[Trial]:
    changed = [(words, with_halves(run, trace=trace)) for words, trace in other_traces(halves(run).trace)]
    yield from _compared_all(run, changed, lambda one: _report_values(one, setup))


def _compared_all(run: Run, changed: Sequence[tuple[str, Run]], made: Callable[[Run], Values]) -> Iterator[Trial]:
    before = made(run)
    products = digests(before)
    for words, other in changed:
        yield from compared(words, products, made(other), lambda: before)


def digests(values: Values) -> dict[str, Digest]:
    """Return the digests of products."""
    return {
        product: digest_text(value) if isinstance(value, str) else digest_json(value)
        for product, value in values.items()
    }


def compared(
    words: str, before: Mapping[str, Digest], after: Values, made_before: Callable[[], Values]
) -> Iterator[Trial]:
    """Yield a trial for every product of a run.

    Args:
        words: What was changed.
        before: What the products were, as digests.
        after: What they are after the change.
        made_before: Makes them anew as they were, where one differs.
    """
    now = digests(after)
    different = [product for product in before if before[product] != now[product]]
    known: Values = made_before() if different else {}
    for product in before:
        differs = first_difference(known[product], after[product]) if product in different else ""
        yield Trial(words, product, before[product], now[product], redact(differs).text)


def trace_values(run: Run, setup: Setup) -> Values:
    """Return all that the trace side makes of a run, as plain data."""
    side = read_trace_alone(run, setup)
    held = halves(run)
    try:
        window = build_window(held.task, build_ledger(held.trace)).text
    except WindowTooSmallError as error:
        window = str(error)
    asked = [Question(Side.TRACE, "window", "", window, "{}"), *_questions(side.exchanges)]
    extraction = side.extraction
    return {
        "evidence": {
            "task class": encode(side.task.finding),
            "evidence": encode(extraction.finding),
            "reasons": dict(extraction.prose),
        },
        "window": window,
        "cache keys": _keys(asked),
    }


def trace_products(run: Run, setup: Setup) -> dict[str, Digest]:
    """Return the digests of all that the trace side makes of a run."""
    return digests(trace_values(run, setup))


def _report_values(run: Run, setup: Setup) -> Values:
    side = read_report_alone(run, setup)
    report = halves(run).report
    prompt = fence(report.text or "", "report")
    asked = [Question(Side.REPORT, "report", "", prompt, "{}"), *_questions(side.exchanges)]
    clauses = [[clause.start, clause.end, clause.signal, clause.text] for clause in side.reading.clauses]
    return {
        "claim": {"claim": encode(side.reading.finding), "clauses": clauses},
        "report prompt": prompt,
        "cache keys": _keys(asked),
    }


def _questions(exchanges: Sequence[Exchange]) -> list[Question]:
    return [exchange.question for exchange in exchanges]


def _keys(questions: Sequence[Question]) -> dict[str, list[str]]:
    return {"questions": [question.cache_key(_ANY_MODEL) for question in questions]}
