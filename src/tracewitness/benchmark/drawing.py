"""How plots are drawn: as SVG or PNG, out of documents that name nothing outside themselves.

The packages that draw are loaded where the first plot is drawn.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.values.folding import fold_spaces, printable

WIDTH = 480
LABELS = 420
_HEIGHT = 320
_SCALE = 2.0


class MissingPlotsError(ImportError):
    """The packages that draw are not installed."""

    def __init__(self) -> None:
        super().__init__("plots and pages need an extra: pip install 'tracewitness[plots]'")


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot, as a Vega-Lite document that names nothing outside itself.

    Attributes:
        name: A short name; file names are made of it.
        title: What it shows.
        document: The document.
    """

    name: str
    title: str
    document: Mapping[str, Any]

    def svg(self) -> str:
        """Return the plot as SVG."""
        return _converter().vegalite_to_svg(json.dumps(self.document), allowed_base_urls=[])

    def png(self) -> bytes:
        """Return the plot as PNG."""
        return _converter().vegalite_to_png(json.dumps(self.document), scale=_SCALE, allowed_base_urls=[])


def save_plot(plot: Plot, path: Path) -> None:
    """Write a plot to a file, as SVG or PNG by the ending of its name.

    Raises:
        BenchmarkError: The ending is neither, or the file cannot be written.
    """
    ending = path.suffix.lower()
    if ending not in (".svg", ".png"):
        raise BenchmarkError(f"{path}: expected a name that ends in .svg or .png")
    content = plot.svg().encode() if ending == ".svg" else plot.png()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be written ({error.strerror})") from error


def finished(alt: ModuleType, name: str, title: str, chart: Any, *, sized: bool = True) -> Plot:
    """Return a chart as a plot, of the usual size where it is ``sized``."""
    made = chart.properties(width=WIDTH, height=_HEIGHT) if sized else chart
    document = made.properties(title=title, background="white").to_dict()
    return Plot(name, title, document)


def data(alt: ModuleType, rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows as the data of a chart."""
    return alt.Data(values=list(rows))


def legend(alt: ModuleType) -> Any:
    """Return a legend below the chart."""
    return alt.Legend(orient="bottom", columns=1, labelLimit=LABELS)


def label(text: str) -> str:
    """Return a text from a log as one printable line."""
    return printable(fold_spaces(text))


def altair() -> ModuleType:
    """Return the package that charts are put together with.

    Raises:
        MissingPlotsError: It is not installed.
    """
    try:
        import altair as package  # noqa: PLC0415
    except ImportError:
        raise MissingPlotsError from None
    return package


def _converter() -> Any:
    try:
        import vl_convert  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        raise MissingPlotsError from None
    return vl_convert
