"""Trivial controls: what a method has to beat. They are made from stored audits and cost nothing."""

from collections.abc import Iterator

import numpy as np

from tracewitness.benchmark.labelled import FLAG, PASS, REVIEW, Method, method_of
from tracewitness.benchmark.loading import Audited, Experiment
from tracewitness.findings.labels import Claim

_BY_CLAIM = {Claim.SUCCESS: PASS, Claim.FAILURE_OR_INCOMPLETE: PASS, Claim.UNCLEAR: REVIEW}


def controls(experiment: Experiment) -> Iterator[Method]:
    """Yield the controls: flag all, pass all, and believe the claim as the first method read it."""
    count = len(experiment.labelled)
    yield Method("flag all", np.full(count, FLAG, dtype=np.int8))
    yield Method("pass all", np.full(count, PASS, dtype=np.int8))
    yield _claim_only(experiment, experiment.audited[0])


def _claim_only(experiment: Experiment, audited: Audited) -> Method:
    """Believe what the report claims: a success passes, as does a failure that is reported as one; else a look."""
    said = {run: _BY_CLAIM[row.claim] for run, row in audited.rows.items() if row.claim is not None}
    return method_of("claim only", experiment.labelled, said, blind_to_report=False)
