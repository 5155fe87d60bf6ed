"""What came out of an experiment, on the terminal or in files, and what is wrong with one in one line."""

import shlex
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from tracewitness.benchmark.drawing import MissingPlotsError, Plot, save_plot
from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.page import Page, page_html
from tracewitness.benchmark.rendering import WRITERS, shown
from tracewitness.benchmark.tables import Table
from tracewitness.benchmark.view_tables import made_of_table
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop
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


FormChoice = Annotated[Form, typer.Option("--form", help="How tables are written.")]
PlotsOption = Annotated[
    Path | None, typer.Option("--plots", metavar="FOLDER", help="Write plots there as SVG and PNG (extra 'plots').")
]
PageOption = Annotated[
    Path | None,
    typer.Option("--page", metavar="FILE", help="Write one self-contained HTML page with all of it (extra 'plots')."),
]


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


@dataclass(frozen=True, slots=True)
class Told:
    """What came out of an experiment.

    Attributes:
        title: What the experiment is.
        tables: The tables.
        plots: Makes the plots; they are made only where they are asked for.
        made_of: Data digests, models, prompts, policies, seeds, counts and command, as names and values.
        remarks: What a reader has to know first.
    """

    title: str
    tables: Sequence[Table]
    plots: Iterator[Plot]
    made_of: Sequence[tuple[str, str]]
    remarks: Sequence[str] = ()


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


def command_line() -> str:
    """Return the command as it was typed, by the name of the program and without passwords."""
    return redact(shlex.join(["tracewitness", *sys.argv[1:]])).text


def write_told(told: Told, destination: Destination) -> None:
    """Write tables, plots and page.

    Raises:
        Stop: A file cannot be written.
    """
    _write_tables([*told.tables, made_of_table(list(told.made_of))], destination)
    if destination.plots is None and destination.page is None:
        return
    plots = list(told.plots)
    if destination.plots is not None:
        for plot in plots:
            for ending in ("svg", "png"):
                save_plot(plot, destination.plots / f"{plot.name.replace(' ', '-')}.{ending}")
    if destination.page is not None:
        page = Page(told.title, told.remarks, told.tables, plots, told.made_of)
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
