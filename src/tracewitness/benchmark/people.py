"""The human bound: people who saw the trace alone, scored like any method.

What they say of completion stands beside the claim of gold, so that nothing but the trace can mislead them.
"""

from collections.abc import Iterator, Mapping

from tracewitness.benchmark.controls import disposition_of
from tracewitness.benchmark.labelled import Labelled, Method, method_of
from tracewitness.benchmark.labels import GoldSet
from tracewitness.store.texts import to_column

TOGETHER = "people who saw the trace alone"


def people(gold: GoldSet, labelled: Labelled) -> Iterator[Method]:
    """Yield those who saw the trace alone: each who gave a name, and all together where they are several.

    Together they say what all of them say; a run on which they disagree, or cannot tell, is for REVIEW.
    """
    by_annotator: dict[str, dict[str, bool | None]] = {}
    for label in gold.labels:
        if label.trace_only:
            by_annotator.setdefault(label.annotator, {})[label.run_id] = label.completed
    if len(by_annotator) != 1:
        for name, said in sorted(by_annotator.items()):
            if name:
                yield _method(f"{name}, trace alone", said, gold, labelled)
    if by_annotator:
        yield _method(TOGETHER, gold.trace_only(), gold, labelled)


def _method(name: str, said: Mapping[str, bool | None], gold: GoldSet, labelled: Labelled) -> Method:
    told = {
        to_column(run): disposition_of(gold.runs[run].claim, done) for run, done in said.items() if run in gold.runs
    }
    return method_of(name, labelled, told)
