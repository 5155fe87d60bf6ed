"""What the commands of ``bench`` share: options, the experiment that they name, and writing what came out."""

import shlex
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from tracewitness.benchmark.drawing import MissingPlotsError, Plot, save_plot
from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.gold import read_gold
from tracewitness.benchmark.loading import Experiment, Selection, load
from tracewitness.benchmark.page import Page, page_html
from tracewitness.benchmark.provenance import Inputs, made_of
from tracewitness.benchmark.rendering import WRITERS, shown
from tracewitness.benchmark.splits import Split, read_split
from tracewitness.benchmark.tables import Table
from tracewitness.benchmark.view_tables import made_of_table
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain
from tracewitness.cli.stores import opened_store
from tracewitness.cli.terminal import line, stdout, table
from tracewitness.stats.distributions import MissingStatisticsError
from tracewitness.values.redaction import redact


class Form(StrEnum):
    """How tables are written."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"


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
FormChoice = Annotated[Form, typer.Option("--form", help="How tables are written.")]
OutputOption = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where tables are written.")]
SuspectOption = Annotated[bool, typer.Option("--suspect", help="Keep runs whose task or checker is suspect.")]
SplitOption = Annotated[Path | None, typer.Option("--split", metavar="FILE", help="A split written by 'bench split'.")]
SideOption = Annotated[Side, typer.Option("--side", help="With --split: the side that is scored.")]
SeedOption = Annotated[int, typer.Option(min=0, help="The seed of every bootstrap.")]
PlotsOption = Annotated[
    Path | None, typer.Option("--plots", metavar="FOLDER", help="Write plots there as SVG and PNG (extra 'plots').")
]
PageOption = Annotated[
    Path | None,
    typer.Option("--page", metavar="FILE", help="Write one self-contained HTML page with all of it (extra 'plots')."),
]
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


@dataclass(frozen=True, slots=True)
class Destination:
    """Where what came out goes.

    Attributes:
        form: How tables are written.
        output: The file of the tables; standard output without one.
        plots: The folder of the plots, where they are wanted.
        page: The file of the page, where one is wanted.
    """

    form: Form = Form.TERMINAL
    output: Path | None = None
    plots: Path | None = None
    page: Path | None = None


@contextmanager
def explained() -> Generator[None]:
    """Turn what is wrong with labels, records or packages into one line and an exit code.

    Raises:
        Stop: With the line and the code.
    """
    try:
        yield
    except BenchmarkError as error:
        raise Stop(str(error), ExitCode.NOTHING_AUDITED) from error
    except (MissingStatisticsError, MissingPlotsError) as error:
        raise Stop(str(error), ExitCode.USAGE) from error


@contextmanager
def loaded(asked: Asked, *, quiet: bool = False) -> Generator[Experiment]:
    """Open the stores of an experiment and say what is left out of it."""
    labels = read_gold(*asked.gold)
    selection = Selection(asked.suspect, chosen_side(asked.split, asked.side))
    with ExitStack() as stack:
        stores = [stack.enter_context(opened_store(address)) for address in asked.stores]
        experiment = load(stores, labels, selection)
        if not quiet:
            for remark in experiment.remarks:
                complain(remark)
        yield experiment


def chosen_split(path: Path | None) -> Split | None:
    """Return the split of an option."""
    return None if path is None else read_split(path)


def chosen_side(split: Split | None, side: Side) -> frozenset[str] | None:
    """Return the runs of a side; None without a split."""
    if split is None:
        return None
    return split.calibration if side is Side.CALIBRATION else split.test


def command_line() -> str:
    """Return the command as it was typed, by the name of the program and without passwords."""
    return redact(shlex.join(["tracewitness", *sys.argv[1:]])).text


def write_outcome(outcome: Outcome, destination: Destination) -> None:
    """Write tables, plots and page.

    Raises:
        Stop: A file cannot be written.
    """
    rows = list(made_of(outcome.experiment, outcome.inputs))
    _write_tables([*outcome.tables, made_of_table(rows)], destination)
    if destination.plots is None and destination.page is None:
        return
    plots = list(outcome.plots)
    if destination.plots is not None:
        for plot in plots:
            for ending in ("svg", "png"):
                save_plot(plot, destination.plots / f"{plot.name.replace(' ', '-')}.{ending}")
    if destination.page is not None:
        page = Page(outcome.title, [*outcome.experiment.remarks, *outcome.remarks], outcome.tables, plots, rows)
        write_text(page_html(page), destination.page)


def _write_tables(tables: Sequence[Table], destination: Destination) -> None:
    form, output = destination.form, destination.output
    if form is Form.TERMINAL and output is None:
        for one in tables:
            _print(stdout(wide=True), one)
        return
    written = WRITERS["markdown" if form is Form.TERMINAL else form](tables)
    if output is None:
        typer.echo(written, nl=False)
    else:
        write_text(written, output)


def write_text(text: str, path: Path) -> None:
    """Write a file.

    Raises:
        Stop: It cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Stop(f"{path}: cannot be written ({error.strerror})", ExitCode.INTERNAL) from error


def _print(console: Console, one: Table) -> None:
    console.print(Text(one.title, "bold"))
    console.print(table(one.columns, [[line(shown(cell)) for cell in row] for row in one.rows]))
    for note in one.notes:
        console.print(Text(note, "dim"), soft_wrap=True)
    console.print()
