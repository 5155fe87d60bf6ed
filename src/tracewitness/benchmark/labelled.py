"""Labelled runs as arrays: what every score is computed from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tracewitness.findings.labels import Claim
from tracewitness.stats.intervals import Share

Flags: TypeAlias = NDArray[np.bool_]
Codes: TypeAlias = NDArray[np.int32]
Small: TypeAlias = NDArray[np.int8]


class Grouping(StrEnum):
    """By what scores are broken down."""

    TASK_CLASS = "task class"
    AGENT = "agent"
    SOURCE = "source"
    LANGUAGE = "language"
    LENGTH = "trace length"


LENGTH_BANDS = ((5, "1 to 5 steps"), (15, "6 to 15 steps"), (40, "16 to 40 steps"))
"""Bands of trace length: the most steps of each, and its name; longer ones are the last band."""

LONGEST_BAND = "over 40 steps"
NOT_KNOWN = "(not known)"


def length_band(steps: int | None) -> str:
    """Return the band of a trace by its number of steps."""
    if steps is None:
        return NOT_KNOWN
    return next((name for most, name in LENGTH_BANDS if steps <= most), LONGEST_BAND)


@dataclass(frozen=True, slots=True)
class Groups:
    """One grouping: the names of its groups, and the group of each run by its place among them."""

    names: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, values: Sequence[str]) -> "Groups":
        """Return the groups of values, their names in order."""
        names = tuple(sorted(set(values)))
        places = {name: at for at, name in enumerate(names)}
        codes = np.fromiter((places[value] for value in values), dtype=np.int32, count=len(values))
        return cls(names, codes)

    def masks(self) -> list[tuple[str, Flags]]:
        """Return each group with the runs that are in it."""
        return [(name, self.codes == at) for at, name in enumerate(self.names)]


CLAIMS = tuple(Claim)
"""Claims in the order of their codes."""

SAID, DENIED, UNSAID = 1, 0, -1
"""Codes of a label that may be yes, no, or not given."""


def told_code(label: bool | None) -> int:
    """Return the code of a label."""
    return UNSAID if label is None else int(label)


@dataclass(frozen=True, slots=True)
class Truth:
    """What gold says of runs, as codes.

    Attributes:
        completed: Whether the task was brought about: SAID, DENIED or UNSAID.
        claim: What the report claims: the place among ``CLAIMS``, or UNSAID.
        visible: Whether the trace shows how the task ended: SAID, DENIED or UNSAID.
    """

    completed: Small
    claim: Small
    visible: Small


@dataclass(frozen=True, slots=True)
class Labelled:
    """Runs with a known label, in one order for all arrays.

    Attributes:
        run_ids: The runs.
        misreport: Whether each is a dangerous misreport.
        truth: What gold says of each beside that.
        task: The task of each, as a cluster: 0 to the number of tasks less one.
        groups: The groupings.
        left_out: How many runs were left out, by reason.
        stream: How many runs there were before triage, labelled or not.
        targets: Those of them that triage left to the audit.
    """

    run_ids: tuple[str, ...]
    misreport: Flags
    truth: "Truth"
    task: Codes
    groups: Mapping[Grouping, Groups]
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])
    stream: int = 0
    targets: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.run_ids)

    @property
    def positives(self) -> int:
        """Return how many are dangerous misreports."""
        return int(self.misreport.sum())

    def where(self, chosen: Callable[[str], bool]) -> Flags:
        """Return a mask of the runs whose id is chosen."""
        return np.fromiter((chosen(run) for run in self.run_ids), dtype=np.bool_, count=len(self.run_ids))


PASS, REVIEW, FLAG = 0, 1, 2
"""Codes of dispositions in the order of their severity."""

NONE = -1
"""The code of a run that a method did not judge."""


@dataclass(frozen=True, slots=True)
class Method:
    """What one method says of the labelled runs.

    Attributes:
        name: Its name.
        dispositions: PASS, REVIEW or FLAG for each run by code; NONE for one that it did not judge.
        blind_to_report: Whether it never sees the report. A verdict of such a method on the trace is its own.
        in_stream: How many of all runs before triage it blocks; None where that is not known.
    """

    name: str
    dispositions: Small
    blind_to_report: bool = True
    in_stream: Share | None = None

    @property
    def judged(self) -> Flags:
        """Return which runs it judged."""
        return self.dispositions >= PASS

    @property
    def flagged(self) -> Flags:
        """Return which runs it flags."""
        return self.dispositions == FLAG

    @property
    def blocked(self) -> Flags:
        """Return which runs it keeps from going on unseen: FLAG or REVIEW."""
        return self.dispositions >= REVIEW


def method_of(name: str, labelled: Labelled, said: Mapping[str, int], *, blind_to_report: bool = True) -> Method:
    """Return a method by what it says of each run, in the order of the labelled runs.

    Args:
        name: Its name.
        labelled: The labelled runs.
        said: The code of what it says, by run; also of runs without a label, which count in the load of the stream.
        blind_to_report: Whether it never sees the report.
    """
    codes = np.fromiter((said.get(run, NONE) for run in labelled.run_ids), dtype=np.int8, count=len(labelled))
    blocked = sum(code >= REVIEW for code in said.values())
    # Of a method that judged a part of the stream nobody knows what it would have blocked of the rest.
    told = all(said.get(run, NONE) != NONE for run in labelled.targets)
    return Method(name, codes, blind_to_report, load_of(blocked, labelled.stream if told else 0))


def load_of(blocked: int, stream: int) -> Share | None:
    """Return the inspection load within all runs before triage; None where their number is not known."""
    return Share(blocked, stream) if stream >= blocked and stream else None
