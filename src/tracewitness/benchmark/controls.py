"""Trivial controls: what a method has to beat. They are made from stored audits and cost nothing.

A yes or no on whether the task was done becomes a disposition as any judge's does: beside a report of failure it is
PASS; else done is PASS and not done is FLAG; beside an unclear report, or without a word, it is REVIEW.
"""

from collections.abc import Iterator

import numpy as np

from tracewitness.benchmark.labelled import FLAG, PASS, REVIEW, Labelled, Method, load_of, method_of
from tracewitness.benchmark.loading import Experiment
from tracewitness.findings.labels import Claim, Declared
from tracewitness.store.run_rows import RunRow

DECLARED_FLAG = "declared flag"
_BY_CLAIM = {Claim.SUCCESS: PASS, Claim.FAILURE_OR_INCOMPLETE: PASS, Claim.UNCLEAR: REVIEW}
_DONE = {Declared.SUCCESS: True, Declared.FAILURE: False}


def disposition_of(claim: Claim | None, done: bool | None) -> int:
    """Return the disposition that a claim and a yes or no on completion come to.

    Args:
        claim: The claim; None where it is not known.
        done: Whether the task was done; None where nobody says.
    """
    if claim is Claim.FAILURE_OR_INCOMPLETE:
        return PASS
    if claim is not Claim.SUCCESS or done is None:
        return REVIEW
    return PASS if done else FLAG


def controls(experiment: Experiment) -> Iterator[Method]:
    """Yield the controls: flag all, pass all, believe the agent's own flag, believe the claim as it was read."""
    labelled = experiment.labelled
    yield _always("flag all", FLAG, labelled, len(labelled.targets))
    yield _always("pass all", PASS, labelled, 0)
    rows = [row for row in _every_run(experiment) if row.claim is not None and row.disposition is not None]
    if any(row.declared in _DONE for row in rows):
        declared = {row.run_id: _declared(row) for row in rows}
        yield method_of(DECLARED_FLAG, labelled, declared, blind_to_report=False)
    said = {row.run_id: _BY_CLAIM[row.claim] for row in rows if row.claim is not None}
    yield method_of("claim only", labelled, said, blind_to_report=False)


def _always(name: str, code: int, labelled: Labelled, blocked: int) -> Method:
    return Method(name, np.full(len(labelled), code, dtype=np.int8), in_stream=load_of(blocked, labelled.stream))


def _every_run(experiment: Experiment) -> Iterator[RunRow]:
    """Yield each run once, as the first maker that audited it read it: stores may hold different runs."""
    seen: dict[str, RunRow] = {}
    for one in experiment.audited:
        for run, row in one.rows.items():
            if run not in seen or seen[run].disposition is None:
                seen[run] = row
    yield from seen.values()


def _declared(row: RunRow) -> int:
    return disposition_of(row.claim, _DONE.get(row.declared) if row.declared is not None else None)
