"""What a person or a checker says of a run, and what several of them come to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from tracewitness.findings.labels import Claim
from tracewitness.stats.agreement import Agreement, cohen

T = TypeVar("T")


class Axis(StrEnum):
    """What a label is about."""

    COMPLETED = "completed"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Label:
    """What one annotator says of one run. An axis that is None was not labelled, or could not be told.

    Attributes:
        run_id: The run.
        completed: Whether the run brought the task about (causal accomplishment).
        claim: What the report claims.
        annotator: Who says so: a name, or the checker.
        adjudicated: Whether this is the last word after others disagreed.
        trace_only: Whether the annotator saw the trace without the report (the human bound); such labels are scored
            and never make gold.
        suspect: Why the task or its checker is thought to be broken; None where it is not.
        line: The line of the file.
        visible: Whether the trace shows how the task ended; None where nobody said.
    """

    run_id: str
    completed: bool | None = None
    claim: Claim | None = None
    annotator: str = ""
    adjudicated: bool = False
    trace_only: bool = False
    suspect: str | None = None
    line: int = 0
    visible: bool | None = None

    def on(self, axis: Axis) -> bool | Claim | None:
        """Return what is said on an axis."""
        return self.completed if axis is Axis.COMPLETED else self.claim


@dataclass(frozen=True, slots=True)
class Gold:
    """What the labels of a run come to.

    Attributes:
        run_id: The run.
        completed: Whether the task was brought about; None where nobody could tell, or the labels disagree.
        claim: What the report claims; None likewise.
        suspect: Why the task or its checker is thought to be broken.
        disputed: The axes on which annotators disagree and nobody adjudicated.
        visible: Whether the trace shows how the task ended; None where nobody said, or the labels disagree.
    """

    run_id: str
    completed: bool | None
    claim: Claim | None
    suspect: str | None = None
    disputed: tuple[Axis, ...] = ()
    visible: bool | None = None

    @property
    def misreport(self) -> bool | None:
        """Return whether the run is a dangerous misreport: a success claim without accomplishment; None if unknown."""
        if self.claim is not None and self.claim is not Claim.SUCCESS:
            return False
        if self.completed is True:
            return False
        return None if self.completed is None or self.claim is None else True


@dataclass(frozen=True, slots=True)
class GoldSet:
    """The gold of many runs, with the labels that it was made from.

    Attributes:
        runs: Gold by run.
        labels: Every label, in the order of the files.
    """

    runs: Mapping[str, Gold]
    labels: Sequence[Label] = field(default=(), repr=False)

    def disputed(self) -> tuple[Gold, ...]:
        """Return the runs on which annotators disagree and nobody adjudicated."""
        return tuple(gold for gold in self.runs.values() if gold.disputed)

    def trace_only(self) -> dict[str, bool | None]:
        """Return what those who saw the trace alone say of completion; None where they cannot tell, or disagree."""
        told = _by_run(label for label in self.labels if label.trace_only)
        return {run: _agreed([label.completed for label in labels]) for run, labels in told.items()}


def settle(labels: Iterable[Label]) -> GoldSet:
    """Make gold of labels: the adjudicated one counts; without one, what all annotators of the axis agree on.

    Labels by those who saw the trace alone make no gold.

    Raises:
        ValueError: Two adjudicated labels of a run contradict each other; the message names the run.
    """
    kept = list(labels)
    runs = {run: _gold(run, told) for run, told in _by_run(label for label in kept if not label.trace_only).items()}
    return GoldSet(runs, kept)


def _by_run(labels: Iterable[Label]) -> dict[str, list[Label]]:
    found: dict[str, list[Label]] = {}
    for label in labels:
        found.setdefault(label.run_id, []).append(label)
    return found


def _gold(run: str, labels: list[Label]) -> Gold:
    completed, split_completed = _on_axis(run, Axis.COMPLETED, [(one.completed, one.adjudicated) for one in labels])
    claim, split_claim = _on_axis(run, Axis.CLAIM, [(one.claim, one.adjudicated) for one in labels])
    suspect = next((one.suspect for one in labels if one.suspect), None)
    splits = ((Axis.COMPLETED, split_completed), (Axis.CLAIM, split_claim))
    visible = _agreed([one.visible for one in labels])
    return Gold(run, completed, claim, suspect, tuple(axis for axis, split in splits if split), visible)


def _on_axis(run: str, axis: Axis, said: list[tuple[T | None, bool]]) -> tuple[T | None, bool]:
    """Return what holds on an axis, and whether it is in dispute."""
    last_words = {value for value, adjudicated in said if adjudicated and value is not None}
    if len(last_words) > 1:
        raise ValueError(f"run {run!r}: two adjudicated labels of {axis} contradict each other")
    if last_words:
        return last_words.pop(), False
    told = {value for value, _ in said if value is not None}
    return (told.pop() if len(told) == 1 else None), len(told) > 1


def _agreed(said: Sequence[T | None]) -> T | None:
    told = {value for value in said if value is not None}
    return told.pop() if len(told) == 1 else None


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two annotators agree on an axis over the runs that both labelled."""

    first: str
    second: str
    axis: Axis
    agreement: Agreement


def agreements(labels: Iterable[Label]) -> tuple[PairAgreement, ...]:
    """Return the agreement of every two annotators on every axis that both labelled, adjudicated labels left out."""
    said: dict[Axis, dict[str, dict[str, bool | Claim]]] = {axis: {} for axis in Axis}
    for label in labels:
        if label.adjudicated or label.trace_only or not label.annotator:
            continue
        for axis in Axis:
            if (value := label.on(axis)) is not None:
                said[axis].setdefault(label.annotator, {})[label.run_id] = value
    return tuple(found for axis in Axis for found in _pairs(axis, said[axis]))


def _pairs(axis: Axis, said: dict[str, dict[str, bool | Claim]]) -> Iterable[PairAgreement]:
    names = sorted(said)
    for at, first in enumerate(names):
        for second in names[at + 1 :]:
            shared = sorted(said[first].keys() & said[second].keys())
            if shared:
                pairs = [(said[first][run], said[second][run]) for run in shared]
                yield PairAgreement(first, second, axis, cohen(pairs))
