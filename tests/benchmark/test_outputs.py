"""Tables, plots and pages: nothing of a log in them is run, and they say what they are made of."""

import base64
import hashlib
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from made_records import Case, store_of
from typer.testing import CliRunner

from tracewitness.benchmark.drawing import MissingPlotsError, Plot, save_plot
from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.page import Page, page_html
from tracewitness.benchmark.plots import (
    Bin,
    Cost,
    Estimate,
    Flips,
    flips_plot,
    forest_plot,
    frontier_plot,
    reliability_plot,
)
from tracewitness.benchmark.tables import Table
from tracewitness.cli.main import app
from tracewitness.findings.labels import Claim, FieldValue, TaskClass
from tracewitness.stats.intervals import Interval

HOSTILE = "<script>alert(1)</script>\x1b[31m\n\u202e&\"'"
PLOTS = [
    frontier_plot([Cost(HOSTILE, HOSTILE, 0.4, 0.1, True), Cost("b", "b", 0.6, 0.1, False)]),
    reliability_plot([Bin(HOSTILE, 0.8, 0.7, Interval(0.5, 0.9), 30), Bin("b", 0.2, 0.0, None, 1)]),
    forest_plot("forest", "By class", "recall", [Estimate(HOSTILE, HOSTILE, 0.4, Interval(0.1, 0.7), 12)]),
    forest_plot("differences", "Differences", "difference", [Estimate("a", "b", -0.4, None, 12)], zero=True),
    flips_plot([Flips(HOSTILE, 7, 2, 60), Flips("none", 0, 0, 60)]),
    flips_plot([]),
]


@pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: plot.name)
def test_plots_are_written_as_svg_and_png(tmp_path: Path, plot: Plot) -> None:
    save_plot(plot, tmp_path / "deep" / "a.svg")
    save_plot(plot, tmp_path / "a.png")
    svg = (tmp_path / "deep" / "a.svg").read_text(encoding="utf-8")
    assert svg.startswith("<svg") and "<script" not in svg and "\x1b" not in svg
    assert not re.search(r"(?:href|src)\s*=\s*[\"']?https?:", svg)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_flips_stand_on_both_sides_with_their_counts() -> None:
    found = re.findall(r'"kind": "(\w+)", "runs": (-?\d+)', json.dumps(PLOTS[4].document))
    values = {(kind, int(count)) for kind, count in found}
    assert {("harmful", -7), ("recovery", 2)} <= values


def test_a_plot_of_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"ends in \.svg or \.png"):
        save_plot(PLOTS[0], tmp_path / "a.pdf")


def test_without_the_packages_that_draw_one_line_says_which_extra_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingPlotsError, match=r"tracewitness\[plots\]"):
        frontier_plot([])
    store, gold = experiment(tmp_path)
    plain = bench("score", store, "--gold", gold, "--quiet")
    assert plain.exit_code == 0
    done = bench("score", store, "--gold", gold, "--quiet", "--plots", tmp_path / "plots")
    assert done.exit_code == 2 and "tracewitness[plots]" in done.stderr and done.stderr.count("\n") == 1


class Seen(HTMLParser):
    """What a browser would make of a page: its tags, and everything that it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.fetched: list[str] = []
        self.policy = ""
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        keys = dict(attrs)
        self.tags.add(tag)
        self.fetched += [keys[name] or "" for name in ("src", "href", "action", "data") if name in keys]
        assert not any(name.startswith("on") or name == "style" for name in keys)
        if keys.get("http-equiv") == "Content-Security-Policy":
            self.policy = keys["content"] or ""

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def seen(html: str) -> Seen:
    parser = Seen()
    parser.feed(html)
    return parser


def test_a_page_holds_everything_and_runs_nothing() -> None:
    table = Table("t", HOSTILE, (HOSTILE, "n"), ((HOSTILE, 0.5), ("x", None)), (HOSTILE,))
    html = page_html(Page(HOSTILE, [HOSTILE], [table], PLOTS[:2], [(HOSTILE, HOSTILE)]))
    found = seen(html)
    assert not found.tags & {"script", "iframe", "object", "embed", "link", "base", "form", "svg"}
    assert found.fetched and all(address.startswith("data:image/svg+xml;base64,") for address in found.fetched)
    style = html.split("<style>")[1].split("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert found.policy.startswith("default-src 'none'") and f"style-src 'sha256-{digest}'" in found.policy
    assert "unsafe" not in found.policy and "script-src" not in found.policy
    assert "\x1b" not in html and "\u202e" not in html


def experiment(tmp_path: Path) -> tuple[Path, Path]:
    cases = [
        Case(f"r{at}", Claim.SUCCESS, FieldValue.NO if at % 2 else FieldValue.YES, agent=HOSTILE, task_class=task_class)
        for at, task_class in enumerate([*TaskClass] * 2)
    ]
    store_of(tmp_path / "a.db", cases).close()
    gold = tmp_path / "gold.jsonl"
    labels = ({"run_id": case.run_id, "completed": at % 3 == 0, "claim": "SUCCESS"} for at, case in enumerate(cases))
    gold.write_text("".join(json.dumps(label) + "\n" for label in labels), encoding="utf-8")
    return tmp_path / "a.db", gold


def bench(*words: object) -> Any:
    return CliRunner().invoke(app, ["bench", *map(str, words)])


@pytest.mark.parametrize("command", ["score", "policies"])
def test_a_page_says_what_the_experiment_is_made_of(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, gold = experiment(tmp_path)
    page, plots = tmp_path / "page.html", tmp_path / "plots"
    words = ["bench", command, "postgresql://me:secret@host/audits", "--gold", "the gold.jsonl"]
    monkeypatch.setattr(sys, "argv", ["somewhere/tracewitness", *words])
    done = bench(command, store, "--gold", gold, "--policy", "paper", "--page", page, "--plots", plots, "--quiet")
    assert done.exit_code == 0, done.output
    told = " ".join(seen(page.read_text(encoding="utf-8")).text)
    for said in (
        f"sha256:{hashlib.sha256(gold.read_bytes()).hexdigest()}",
        "rules (default): audits",
        "rules (default): policy",
        "policy paper",
        "seed of the bootstrap",
        "labelled runs",
        "dangerous misreports",
        "command",
        f"tracewitness bench {command} ",
        "--gold 'the gold.jsonl'",
    ):
        assert said in told
    assert "secret" not in told
    assert {path.suffix for path in plots.iterdir()} == {".svg", ".png"}
    assert (plots / "frontier.svg").is_file()


def test_the_same_experiment_gives_the_same_bytes(tmp_path: Path) -> None:
    store, gold = experiment(tmp_path)
    words = [("score", store, "--gold", gold, "--quiet", "--form", form) for form in ("json", "csv", "latex")]
    told, again = ([bench(*each).stdout for each in words] for _ in range(2))
    assert told == again
    other = bench("score", store, "--gold", gold, "--quiet", "--form", "json", "--seed", "7").stdout
    assert other != told[0]
