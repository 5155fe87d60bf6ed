"""Texts and tables on a terminal. Every text from a log is made printable here, and none is read as markup."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import typer
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from tracewitness.values.folding import fold_spaces, printable

WIDTH = 80
"""Tables fit this many columns, on a terminal of any width and in a pipe."""

_WIDE = 2000

STYLES = {"FLAG": "bold red", "REVIEW": "yellow", "PASS": "green", "NO": "red", "YES": "green"}


class _SafeConsole(Console):
    """A console that shows every control character of a text and obeys none, whatever it is asked to print.

    Its own colours are put around the texts later, so they are not touched.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is to be printed, with every text made printable."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(printable(segment.text), segment.style)


def stdout(*, wide: bool = False) -> Console:
    """Return the console for results. It obeys ``NO_COLOR``, colours nothing in a pipe and takes no text for an order.

    Args:
        wide: Break no line, however long.
    """
    return _SafeConsole(width=_WIDE if wide else WIDTH, highlight=False, markup=False, emoji=False, soft_wrap=False)


def line(text: str) -> str:
    """Return a text from a log as one printable line."""
    return printable(fold_spaces(text))


def shortened(text: str, length: int) -> str:
    """Return one printable line of at most ``length`` characters; what is cut is replaced by an ellipsis."""
    whole = line(text)
    return whole if len(whole) <= length else whole[: length - 1] + "…"


def cut_in_the_middle(text: str, width: int) -> str:
    """Return one printable line of at most ``width`` columns; what is cut out of its middle is an ellipsis."""
    whole = line(text)
    kept = width - 1
    while cell_len(whole) > width:
        head, tail = (kept + 1) // 2, kept // 2
        shorter = f"{whole[:head]}…{whole[len(whole) - tail :]}"
        if cell_len(shorter) <= width:
            return shorter
        kept -= 1
    return whole


def short_digest(digest: str) -> str:
    """Return a digest as people tell two apart: its algorithm and the first twelve digits."""
    return digest[:19]


def styled(text: str) -> Text:
    """Return a word in its colour, where it has one."""
    return Text(line(text), STYLES.get(text, ""))


def table(columns: Sequence[str], rows: Iterable[Sequence[str | Text]], right: Sequence[str] = ()) -> Table:
    """Return a table that wraps within the width; its cells are texts, never markup.

    Args:
        columns: Headings.
        rows: Cells, which may come from a log.
        right: Headings of columns to set right.
    """
    made = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1))
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else Text(line(cell)) for cell in row))
    return made


def print_json(value: Any) -> None:
    """Write a value as one JSON line. All that is not ASCII is escaped, so no log text can reach the terminal raw."""
    typer.echo(json.dumps(value, ensure_ascii=True, allow_nan=False))
