"""Tables as text: Markdown, CSV, JSON, LaTeX. Nothing of a log in them is taken for markup or for a formula."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence

from tracewitness.benchmark.tables import Cell, Table
from tracewitness.values.folding import fold_spaces, printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # After the end of a row these two would be taken for its options, so a name may not begin with them.
    "[": "{[}",
    "*": "{*}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
# What JSON leaves as it is and a terminal obeys, or does not show: control and bidirectional characters, surrogates.
_INVISIBLE = re.compile("[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_MARKDOWN = re.compile(r"([\\|`*_<>\[\]])")


def shown(cell: Cell) -> str:
    """Return a cell as a person reads it; a dash where the data carry no figure."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.3g}" if 0 < abs(cell) < 0.001 else f"{cell:.3f}"
    return printable(fold_spaces(str(cell)))


def as_markdown(tables: Sequence[Table]) -> str:
    """Return tables as Markdown."""
    return "\n\n".join("\n".join(_markdown_lines(table)) for table in tables) + "\n"


def _markdown_lines(table: Table) -> list[str]:
    rows = [list(map(_marked, row)) for row in table.rows]
    columns = " | ".join(map(_marked, table.columns))
    head = [f"**{_marked(table.title)}**", "", f"| {columns} |", f"|{'---|' * len(table.columns)}"]
    body = [f"| {' | '.join(row)} |" for row in rows]
    notes = ["", *map(_marked, table.notes)] if table.notes else []
    return [*head, *body, *notes]


def _marked(cell: Cell) -> str:
    return _MARKDOWN.sub(r"\\\1", shown(cell)).replace("&", "&amp;")


def as_csv(tables: Sequence[Table]) -> str:
    """Return tables as CSV, one after the other with a name above each; a cell that a sheet would run is defused."""
    sink = io.StringIO()
    # Texts are quoted, so that a sheet that splits at semicolons finds no cell that begins with a formula either.
    writer = csv.writer(sink, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for at, table in enumerate(tables):
        if len(tables) > 1:
            sink.write("\n" * (at > 0))
            writer.writerow([table.name])
        writer.writerow(table.columns)
        writer.writerows([_csv_cell(cell) for cell in row] for row in table.rows)
    return sink.getvalue()


def _csv_cell(cell: Cell) -> Cell:
    if isinstance(cell, str):
        text = printable(fold_spaces(cell))
        return f"'{text}" if text.startswith(_FORMULA) else text
    return "" if cell is None else cell


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]


def as_json(tables: Sequence[Table]) -> str:
    """Return tables as JSON: names, titles, and rows as objects by column."""
    found = [
        {
            "name": table.name,
            "title": table.title,
            "rows": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
            "notes": list(table.notes),
        }
        for table in tables
    ]
    return _INVISIBLE.sub(_escape, json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"


def as_latex(tables: Sequence[Table]) -> str:
    """Return tables as LaTeX, for booktabs."""
    return "\n".join(_latex(table) for table in tables)


def _latex(table: Table) -> str:
    columns = "l" + "r" * (len(table.columns) - 1)
    head = [r"\begin{table}", rf"\caption{{{_escaped(table.title)}}}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    rows = [_latex_row([shown(cell) for cell in row]) for row in table.rows]
    lines = [*head, _latex_row(table.columns), r"\midrule", *rows]
    notes = [rf"\par{{\footnotesize {_escaped(printable(note))}}}" for note in table.notes]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", *notes, r"\end{table}", ""])


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(_escaped, cells)) + r" \\"


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text).replace("--", "-{}-")


WRITERS: Mapping[str, Callable[[Sequence[Table]], str]] = {
    "markdown": as_markdown,
    "csv": as_csv,
    "json": as_json,
    "latex": as_latex,
}
"""How tables are written, by name."""
