"""What the commands of ``bench`` share: options, the experiment that they name, and writing what came out."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tracewitness.benchmark.drawing import Plot
from tracewitness.benchmark.gold import read_gold
from tracewitness.benchmark.loading import Experiment, Selection, load
from tracewitness.benchmark.provenance import Inputs, made_of
from tracewitness.benchmark.splits import Split, read_split
from tracewitness.benchmark.tables import Table
from tracewitness.cli.guard import complain
from tracewitness.cli.stores import opened_store
from tracewitness.cli.tabled import Destination, Told, write_told
from tracewitness.findings.decision import PolicyRef
from tracewitness.policy.rules import Policy
from tracewitness.policy.table import DecisionTable, compile_policy


class Side(StrEnum):
    """A side of a split."""

    CALIBRATION = "calibration"
    TEST = "test"


StoresArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[STORE...]", help="Stores of audits [the default store].")
]
GoldOption = Annotated[
    list[Path],
    typer.Option(
        "--gold",
        metavar="FILE",
        help="Labels: gold.jsonl, AgentRewardBench annotations (.csv), Online-Mind2Web human labels (.json).",
    ),
]
OutputOption = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where tables are written.")]
SuspectOption = Annotated[bool, typer.Option("--suspect", help="Keep runs whose task or checker is suspect.")]
SplitOption = Annotated[Path | None, typer.Option("--split", metavar="FILE", help="A split written by 'bench split'.")]
SideOption = Annotated[Side, typer.Option("--side", help="With --split: the side that is scored.")]
SeedOption = Annotated[int, typer.Option(min=0, help="The seed of every bootstrap.")]
PoliciesOption = Annotated[
    list[str] | None,
    typer.Option("--policy", metavar="NAME|PATH", help="A policy to decide stored findings under; may be repeated."),
]


@dataclass(frozen=True, slots=True)
class Asked:
    """Which experiment is asked for.

    Attributes:
        stores: Addresses of stores; None for the default one.
        gold: Files of labels.
        suspect: Keep runs whose task or checker is suspect, too.
        split: A split, where one is used.
        side: The side of it.
    """

    stores: Sequence[str | None]
    gold: Sequence[Path]
    suspect: bool = False
    split: Split | None = None
    side: Side = Side.TEST

    def on(self, side: Side) -> "Asked":
        """Return the same on a side of the split."""
        return Asked(self.stores, self.gold, self.suspect, self.split, side)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out, and how it is to be written.

    Attributes:
        title: What the experiment is.
        tables: The tables.
        plots: Makes the plots; they are made only where they are asked for.
        experiment: What they were made of.
        inputs: What it was given.
        remarks: What a reader has to know beside what was left out.
    """

    title: str
    tables: Sequence[Table]
    plots: Iterator[Plot]
    experiment: Experiment
    inputs: Inputs
    remarks: Sequence[str] = ()


@contextmanager
def loaded(asked: Asked, *, quiet: bool = False) -> Generator[Experiment]:
    """Open the stores of an experiment and say what is left out of it."""
    labels = read_gold(*asked.gold)
    selection = Selection(asked.suspect, chosen_side(asked.split, asked.side), _rest(asked.split, asked.side))
    with ExitStack() as stack:
        stores = [stack.enter_context(opened_store(address)) for address in _once(asked.stores)]
        experiment = load(stores, labels, selection)
        if not quiet:
            for remark in experiment.remarks:
                complain(remark)
        yield experiment


def _once(addresses: Sequence[str | None]) -> Iterator[str | None]:
    """Yield the addresses of stores, each once: audits would else be compared with themselves."""
    seen: set[object] = set()
    for address in addresses:
        place = Path(address).resolve() if address is not None and "://" not in address else address
        if place not in seen:
            seen.add(place)
            yield address


def chosen_split(path: Path | None) -> Split | None:
    """Return the split of an option."""
    return None if path is None else read_split(path)


def chosen_side(split: Split | None, side: Side) -> frozenset[str] | None:
    """Return the runs of a side; None without a split."""
    if split is None:
        return None
    return split.calibration if side is Side.CALIBRATION else split.test


def _rest(split: Split | None, side: Side) -> frozenset[str]:
    other = Side.TEST if side is Side.CALIBRATION else Side.CALIBRATION
    return chosen_side(split, other) or frozenset()


def write_outcome(outcome: Outcome, destination: Destination) -> None:
    """Write tables, plots and page.

    Raises:
        Stop: A file cannot be written.
    """
    rows = list(made_of(outcome.experiment, outcome.inputs))
    remarks = [*outcome.experiment.remarks, *outcome.remarks]
    write_told(Told(outcome.title, outcome.tables, outcome.plots, rows, remarks), destination)


def compiled_policies(policies: Sequence[Policy]) -> list[DecisionTable]:
    """Return policies as decision tables, each once."""
    return [compile_policy(policy) for policy in {policy.digest: policy for policy in policies}.values()]


def refs_of(tables: Sequence[DecisionTable]) -> list[PolicyRef]:
    """Return names, versions and digests of policies."""
    return [table.ref for table in tables]
