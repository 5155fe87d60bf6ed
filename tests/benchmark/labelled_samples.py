"""Labelled runs made for tests."""

from collections.abc import Sequence

import numpy as np

from tracewitness.benchmark.labelled import UNSAID, Grouping, Groups, Labelled, Method, Truth
from tracewitness.stats.intervals import Share


def labelled(
    misreport: Sequence[bool], tasks: Sequence[int] | None = None, agents: Sequence[str] | None = None, stream: int = 0
) -> Labelled:
    """Return runs with these labels; every run is a task of its own unless told otherwise."""
    count = len(misreport)
    return Labelled(
        tuple(f"r{at}" for at in range(count)),
        np.array(misreport, dtype=np.bool_),
        Truth(
            np.array([not one for one in misreport], dtype=np.int8),
            np.zeros(count, dtype=np.int8),
            np.full(count, UNSAID, dtype=np.int8),
        ),
        np.array(range(count) if tasks is None else tasks, dtype=np.int32),
        {Grouping.AGENT: Groups.of(agents or ["a"] * count)},
        stream=stream,
    )


def method(name: str, codes: Sequence[int], in_stream: Share | None = None) -> Method:
    """Return a method that says so."""
    return Method(name, np.array(codes, dtype=np.int8), in_stream=in_stream)


def counted(positives: int, blocked: int, runs: int, load: int) -> tuple[Labelled, Method]:
    """Return runs and a method with these counts: ``load`` of ``runs`` are blocked, ``blocked`` of them positives."""
    misreport = [at < positives for at in range(runs)]
    codes = [2] * blocked + [0] * (positives - blocked) + [2] * (load - blocked)
    return labelled(misreport), method("counted", codes + [0] * (runs - len(codes)))
