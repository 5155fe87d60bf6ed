"""Labelled runs made for tests."""

from collections.abc import Sequence

import numpy as np

from tracewitness.benchmark.labelled import Grouping, Groups, Labelled, Method


def labelled(
    misreport: Sequence[bool], tasks: Sequence[int] | None = None, agents: Sequence[str] | None = None, stream: int = 0
) -> Labelled:
    """Return runs with these labels; every run is a task of its own unless told otherwise."""
    count = len(misreport)
    return Labelled(
        tuple(f"r{at}" for at in range(count)),
        np.array(misreport, dtype=np.bool_),
        np.ones(count, dtype=np.bool_),
        np.array(range(count) if tasks is None else tasks, dtype=np.int32),
        {Grouping.AGENT: Groups.of(agents or ["a"] * count)},
        stream=stream,
    )


def method(name: str, codes: Sequence[int]) -> Method:
    """Return a method that says so."""
    return Method(name, np.array(codes, dtype=np.int8))


def counted(positives: int, blocked: int, runs: int, load: int) -> tuple[Labelled, Method]:
    """Return runs and a method with these counts: ``load`` of ``runs`` are blocked, ``blocked`` of them positives."""
    misreport = [at < positives for at in range(runs)]
    codes = [2] * blocked + [0] * (positives - blocked) + [2] * (load - blocked)
    return labelled(misreport), method("counted", codes + [0] * (runs - len(codes)))
