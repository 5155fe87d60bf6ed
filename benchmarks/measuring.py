"""What every benchmark here shares: one measured ratio with its aim, and fair ways of taking a time.

The machine may be slow, shared or noisy, so nothing is stated in seconds alone: each figure stands against a yardstick
taken in the same run, the two in turn, and the best of several rounds counts.
"""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time

ROUNDS = 3


Clock = Callable[[Callable[[], object]], float]


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure.

    Attributes:
        name: What was measured.
        value: The figure; a ratio to its yardstick, or a rate.
        aim: What it should be; None where there is no aim.
        at_least: The aim is a lower bound; otherwise an upper one.
        detail: The times, sizes or rates behind it, for people.
    """

    name: str
    value: float
    aim: float | None
    at_least: bool
    detail: str

    @property
    def ok(self) -> bool | None:
        """Whether the aim is met; None where there is none."""
        if self.aim is None:
            return None
        return self.value >= self.aim if self.at_least else self.value < self.aim


def seconds(work: Callable[[], object]) -> float:
    """Return how long some work takes; garbage of earlier work is collected first and not during it."""
    gc.collect()
    start = perf_counter()
    work()
    return perf_counter() - start


def processor_seconds(work: Callable[[], object]) -> float:
    """Return how much time of the processor some work takes in this process, whatever else the machine does."""
    gc.collect()
    start = process_time()
    work()
    return process_time() - start


def best(work: Callable[[], object], rounds: int = ROUNDS, clock: Clock = seconds) -> float:
    """Return the shortest time of several rounds."""
    return min(clock(work) for _ in range(rounds))
