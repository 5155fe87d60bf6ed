"""Tables of an experiment on the terminal or in a file, and what is wrong with an experiment in one line."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.rendering import WRITERS, shown
from tracewitness.benchmark.tables import Table
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop
from tracewitness.cli.terminal import line, stdout, table
from tracewitness.stats.distributions import MissingStatisticsError


class Form(StrEnum):
    """How tables are written."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"


@contextmanager
def explained() -> Generator[None]:
    """Turn what is wrong with an experiment into one line and an exit code.

    Raises:
        Stop: Something is wrong with it.
    """
    try:
        yield
    except BenchmarkError as error:
        raise Stop(str(error), ExitCode.NOTHING_AUDITED) from error
    except MissingStatisticsError as error:
        raise Stop(str(error), ExitCode.USAGE) from error


def write_tables(tables: Sequence[Table], form: Form, output: Path | None) -> None:
    """Write tables on the terminal, or into a file; a file takes Markdown where no form is named.

    Raises:
        Stop: The file cannot be written.
    """
    if form is Form.TERMINAL and output is None:
        for one in tables:
            _print(stdout(wide=True), one)
        return
    written = WRITERS["markdown" if form is Form.TERMINAL else form](tables)
    if output is None:
        typer.echo(written, nl=False)
        return
    try:
        output.write_text(written, encoding="utf-8")
    except OSError as error:
        raise Stop(f"{output}: cannot be written ({error.strerror})", ExitCode.INTERNAL) from error


def _print(console: Console, one: Table) -> None:
    console.print(Text(one.title, "bold"))
    console.print(table(one.columns, [[line(shown(cell)) for cell in row] for row in one.rows]))
    for note in one.notes:
        console.print(Text(note, "dim"), soft_wrap=True)
    console.print()
