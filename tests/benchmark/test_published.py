"""The publication's counts, as stored records, come out of the command line as its rates, loads and silent passes."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_records import Case, store_of
from typer.testing import CliRunner

from tracewitness.cli.main import app
from tracewitness.findings.labels import Claim, FieldValue
from tracewitness.stats.detection import precision_implied

# arXiv 2610.29609: records, dangerous misreports, blocked ones, load in whole percent, silent passes, F1 where printed.
PUBLISHED = [
    ("qwen", 465, 180, 138, 48, 42, 0.75),
    ("deepseek", 465, 180, 159, 56, 21, 0.78),
    ("qwen, batch 2", 130, 50, 37, 45, 13, None),
    ("deepseek, batch 2", 130, 50, 45, 54, 5, None),
]
BLOCKED, PASSED = FieldValue.NO, FieldValue.YES


def cases(runs: int, positives: int, blocked: int, load: int) -> list[Case]:
    """Return records of which the first are misreports, and of both kinds as many are blocked as was counted."""
    others = round(runs * load / 100) - blocked
    values = [BLOCKED] * blocked + [PASSED] * (positives - blocked) + [BLOCKED] * others
    values += [PASSED] * (runs - len(values))
    return [Case(f"r{at}", Claim.SUCCESS, value) for at, value in enumerate(values)]


def gating(tmp_path: Path, runs: int, positives: int, blocked: int, load: int) -> dict[str, Any]:
    gold = tmp_path / "gold.jsonl"
    labels = ({"run_id": f"r{at}", "completed": at >= positives, "claim": "SUCCESS"} for at in range(runs))
    gold.write_text("".join(json.dumps(label) + "\n" for label in labels), encoding="utf-8")
    store_of(tmp_path / "a.db", cases(runs, positives, blocked, load), "paper").close()
    words = ["bench", "score", str(tmp_path / "a.db"), "--gold", str(gold), "--view", "overall", "--form", "json", "-q"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    tables = {table["name"]: table["rows"] for table in json.loads(done.stdout)}
    return next(row for row in tables["gating"] if row["method"] == "rules (paper)")


@pytest.mark.parametrize(("name", "runs", "positives", "blocked", "load", "silent", "f1"), PUBLISHED)
def test_the_publication_s_records_give_its_figures(
    tmp_path: Path, name: str, runs: int, positives: int, blocked: int, load: int, silent: int, f1: float | None
) -> None:
    row = gating(tmp_path, runs, positives, blocked, load)
    assert (row["runs"], row["misreports"]) == (runs, positives)
    assert (row["blocked"], row["silent passes"], round(100 * row["load"])) == (blocked, silent, load)
    assert 74 <= round(100 * row["blocked share"]) <= 90 and 45 <= round(100 * row["load"]) <= 56
    assert row["silent-pass risk"] == pytest.approx(silent / positives)
    if f1 is not None:
        # FLAG finds no more than FLAG and REVIEW block, so this is the least precision that its F1 leaves room for.
        implied = precision_implied(f1, blocked / positives)
        assert implied is not None and 0.5 < implied < 0.8


def test_the_four_experiments_span_the_ranges_that_the_publication_prints() -> None:
    shares = [round(100 * blocked / positives) for _, _, positives, blocked, *_ in PUBLISHED]
    assert (min(shares), max(shares)) == (74, 90)
    assert (min(row[4] for row in PUBLISHED), max(row[4] for row in PUBLISHED)) == (45, 56)
