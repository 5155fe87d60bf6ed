"""One HTML page for an experiment: it holds everything, asks for nothing from outside and runs no script."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from tracewitness.benchmark.drawing import MissingPlotsError, Plot
from tracewitness.benchmark.rendering import shown
from tracewitness.benchmark.tables import Cell, Table
from tracewitness.values.folding import fold_spaces, printable

_TEMPLATE, _STYLE = "page.html.j2", "page.css"


@dataclass(frozen=True, slots=True)
class Page:
    """What a page holds.

    Attributes:
        title: What the experiment is.
        remarks: What a reader has to know first, one line each.
        tables: The tables.
        plots: The plots.
        made_of: Data digests, models, prompts, policies, seeds, counts and command, as names and values.
    """

    title: str
    remarks: Sequence[str]
    tables: Sequence[Table]
    plots: Sequence[Plot]
    made_of: Sequence[tuple[str, str]]


def page_html(page: Page) -> str:
    """Return a page as HTML.

    Raises:
        MissingPlotsError: The packages that draw are not installed.
    """
    style = _text(_STYLE)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        _environment()
        .from_string(_text(_TEMPLATE))
        .render(
            title=_line(page.title),
            remarks=[_line(remark) for remark in page.remarks],
            tables=[_table(table) for table in page.tables],
            plots=[(_line(plot.title), _picture(plot)) for plot in page.plots],
            made_of=[(_line(name), printable(value)) for name, value in page.made_of],
            style=style,
            policy=policy,
        )
    )


def _table(table: Table) -> dict[str, Any]:
    rows = [[(_line(shown(cell)), _is_number(cell)) for cell in row] for row in table.rows]
    columns, notes = map(_line, table.columns), map(_line, table.notes)
    return {"title": _line(table.title), "columns": list(columns), "rows": rows, "notes": list(notes)}


def _is_number(cell: Cell) -> bool:
    return cell is None or isinstance(cell, int | float)


def _picture(plot: Plot) -> str:
    # As a picture, whatever stands in the SVG is drawn and none of it is run.
    return "data:image/svg+xml;base64," + base64.b64encode(plot.svg().encode()).decode()


def _line(text: str) -> str:
    return printable(fold_spaces(text))


def _text(name: str) -> str:
    return files("tracewitness.benchmark").joinpath("data", name).read_text(encoding="utf-8")


def _environment() -> Any:
    try:
        from jinja2 import Environment, StrictUndefined  # noqa: PLC0415
    except ImportError:
        raise MissingPlotsError from None
    return Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
