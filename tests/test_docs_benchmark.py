"""What docs/benchmark.md shows can be read and called as it is shown."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tracewitness.benchmark.gold import read_gold
from tracewitness.benchmark.verdicts import read_verdicts
from tracewitness.benchmark.views import View
from tracewitness.cli.main import app
from tracewitness.findings.labels import Disposition

PAGE = (Path(__file__).parents[1] / "docs" / "benchmark.md").read_text("utf-8")
COMMANDS = re.findall(r"^(?:\$ )?tracewitness (bench \w+.*)$", PAGE, re.MULTILINE)
JSON = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_labels_are_labels(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text(JSON[0], encoding="utf-8")
    gold = read_gold(tmp_path / "gold.jsonl")
    assert {run: one.misreport for run, one in gold.runs.items()} == {"shop/174": True, "shop/175": True}
    assert gold.runs["shop/175"].visible is False and gold.trace_only() == {"shop/175": True}


def test_the_verdicts_are_verdicts(tmp_path: Path) -> None:
    (tmp_path / "judge.jsonl").write_text(JSON[1], encoding="utf-8")
    given = read_verdicts(tmp_path / "judge.jsonl")
    assert given.method == "my judge" and not given.blind_to_report
    assert [one.disposition for one in given.said.values()] == [Disposition.FLAG, None]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_one(command: str) -> None:
    verb, what, *words = command.split()
    shown = CliRunner().invoke(app, [verb, what, "--help"]).stdout
    options = [word for word in words if word.startswith("-")]
    assert options and all(option in shown for option in options)


def test_every_view_is_told() -> None:
    after = PAGE.partition("`--view`")[2]
    told = re.findall(r"^\| `([a-z-]+)` \| [^|]+ \|$", after, re.MULTILINE)
    assert told[: len(View)] == list(View)
