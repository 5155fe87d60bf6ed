"""Plots of experiments, from plain data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tracewitness.benchmark.drawing import LABELS, WIDTH, Plot, altair, data, finished, label, legend
from tracewitness.stats.intervals import Interval

_ROW_HEIGHT = 22
_COLOURS = ("#1b6ca8", "#c05a12", "#3b7d3b", "#8a4f9e", "#a8324a", "#5b5b5b", "#0f8b8d", "#8c6d1f")


@dataclass(frozen=True, slots=True)
class Cost:
    """A point of the frontier: who decides, which line it belongs to, its load and its silent-pass risk."""

    label: str
    line: str
    load: float
    silent: float
    undominated: bool


def frontier_plot(costs: Iterable[Cost]) -> Plot:
    """Return the silent-pass risk over the inspection load; points that no other one beats are filled."""
    rows = [
        {
            "label": label(one.label),
            "line": label(one.line),
            "load": one.load,
            "silent": one.silent,
            "beaten": "no" if one.undominated else "yes",
        }
        for one in costs
    ]
    alt = altair()
    chart = alt.Chart(data(alt, rows))
    x = alt.X("load:Q", title="inspection load", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    most = max((float(row["silent"]) for row in rows), default=0.0)
    above = alt.Scale(domain=[0, min(1.0, 1.15 * most) or 0.05])  # room for points at the top
    y = alt.Y("silent:Q", title="silent-pass risk", scale=above, axis=alt.Axis(format="%"))
    colour = alt.Color("line:N", title=None, scale=alt.Scale(range=list(_COLOURS)), legend=legend(alt))
    best = chart.transform_filter("datum.beaten == 'no'")
    lines = best.mark_line(strokeWidth=1, color="#999").encode(x=x, y=y, order="load:Q")
    shape = alt.Shape("beaten:N", title="beaten by another", scale=alt.Scale(domain=["no", "yes"]))
    dots = chart.mark_point(size=60, filled=True).encode(x=x, y=y, color=colour, shape=shape)
    return finished(alt, "frontier", "Silent-pass risk against inspection load", lines + dots)


@dataclass(frozen=True, slots=True)
class Bin:
    """Runs of about one confidence: of whom, its mean, the share that is right with its interval, how many runs."""

    line: str
    confidence: float
    right: float
    interval: Interval | None
    runs: int


def reliability_plot(bins: Sequence[Bin]) -> Plot:
    """Return how often a method is right over how sure it says it is; the diagonal is what it should be."""
    rows = [
        {
            "line": label(one.line),
            "confidence": one.confidence,
            "right": one.right,
            "low": one.interval.low if one.interval else one.right,
            "high": one.interval.high if one.interval else one.right,
            "runs": one.runs,
        }
        for one in bins
    ]
    alt = altair()
    chart = alt.Chart(data(alt, rows))
    x = alt.X("confidence:Q", title="confidence", scale=alt.Scale(domain=[0, 1]))
    scale = alt.Scale(domain=[0, 1])
    colour = alt.Color("line:N", title=None, scale=alt.Scale(range=list(_COLOURS)), legend=legend(alt))
    rules = chart.mark_rule().encode(x=x, y=alt.Y("low:Q", title="share that is right", scale=scale), y2="high:Q")
    dots = chart.mark_point(filled=True).encode(x=x, y=alt.Y("right:Q", scale=scale), size=alt.Size("runs:Q"))
    ideal = alt.Chart(data(alt, [{"confidence": 0.0, "right": 0.0}, {"confidence": 1.0, "right": 1.0}]))
    diagonal = ideal.mark_line(strokeDash=[4, 4], color="#999").encode(x=x, y=alt.Y("right:Q", scale=scale))
    drawn = diagonal + rules.encode(color=colour) + dots.encode(color=colour)
    return finished(alt, "reliability", "How often right, over how sure", drawn)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A row of a forest plot: its group, its line, the estimate with its interval, how many runs it rests on."""

    group: str
    line: str
    value: float
    interval: Interval | None
    runs: int


def forest_plot(name: str, title: str, axis: str, rows: Sequence[Estimate], *, zero: bool = False) -> Plot:
    """Return estimates with intervals, one above the other.

    Args:
        name: A short name.
        title: What it shows.
        axis: What the estimates are.
        rows: The estimates.
        zero: They are differences, so zero is marked, and they go from -1 to 1 instead of 0 to 1.
    """
    values = [
        {
            "group": label(f"{one.group} ({one.runs})"),
            "line": label(one.line),
            "value": one.value,
            "low": one.interval.low if one.interval else one.value,
            "high": one.interval.high if one.interval else one.value,
        }
        for one in rows
    ]
    alt = altair()
    scale = alt.Scale(domain=[-1, 1] if zero else [0, 1])
    y = alt.Y("line:N", title=None, axis=None)
    colour = alt.Color("line:N", title=None, scale=alt.Scale(range=list(_COLOURS)), legend=legend(alt))
    base = alt.Chart().encode(y=y, color=colour)
    rules = base.mark_rule().encode(x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q")
    dots = base.mark_point(filled=True, size=50).encode(x=alt.X("value:Q", title=axis, scale=scale))
    layers = [rules, dots]
    if zero:
        layers.append(alt.Chart().mark_rule(color="#999", strokeDash=[4, 4]).encode(x=alt.datum(0)))
    head = alt.Header(labelAngle=0, labelAlign="left", labelLimit=LABELS)
    layered = alt.layer(*layers, data=data(alt, values)).properties(width=WIDTH, height=alt.Step(_ROW_HEIGHT))
    drawn = layered.facet(row=alt.Row("group:N", title=None, header=head))
    return finished(alt, name, title, drawn, sized=False)


@dataclass(frozen=True, slots=True)
class Flips:
    """How many runs flip between two arms: the pair of arms, harmful and recovery flips, and runs in all."""

    pair: str
    harmful: int
    recovery: int
    runs: int


def flips_plot(pairs: Sequence[Flips]) -> Plot:
    """Return harmful flips to the left and recovery flips to the right, for each pair of arms."""
    rows = [
        {"pair": label(f"{one.pair} ({one.runs} runs)"), "kind": kind, "runs": count}
        for one in pairs
        for kind, count in (("harmful", -one.harmful), ("recovery", one.recovery))
    ]
    alt = altair()
    colours = alt.Scale(domain=["harmful", "recovery"], range=["#a8324a", "#1b6ca8"])
    most = max((max(one.harmful, one.recovery) for one in pairs), default=0) or 1
    bars = alt.Chart(data(alt, rows)).mark_bar()
    drawn = bars.encode(
        x=alt.X(
            "runs:Q", title="runs", scale=alt.Scale(domain=[-most, most]), axis=alt.Axis(labelExpr="abs(datum.value)")
        ),
        y=alt.Y("pair:N", title=None, axis=alt.Axis(labelLimit=LABELS)),
        color=alt.Color("kind:N", title=None, scale=colours),
    )
    return finished(
        alt, "flips", "Runs whose judgement flips when more is shown", drawn.properties(width=WIDTH), sized=False
    )
