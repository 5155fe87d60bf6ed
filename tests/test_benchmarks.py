"""The benchmark scripts run, at tiny sizes, and give every figure that is aimed at."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "benchmarks"


def measure() -> dict[str, dict[str, Any]]:
    command = [sys.executable, str(SCRIPTS / "run_all.py"), "--quick", "--json"]
    done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr
    return {row["name"]: row for row in json.loads(done.stdout)}


SMOKE = """
import memory, readers, run_all, rules_speed
from startup import startup
figures = [*startup(1), *run_all.replayed(200, 1)]
figures += readers.readers(5_000, frozenset({"neutral"}))
print(len([run_all.line_of(figure) for figure in figures]))
"""


def test_the_scripts_load_and_the_quick_ones_run() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SMOKE], cwd=SCRIPTS, check=False, capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "8\n"


@pytest.mark.slow
def test_every_figure_is_measured_against_its_yardstick() -> None:
    rows = measure()
    read = {name for name in rows if name.startswith("reading ")}
    assert {rows.get(f"reading {name} / bare parsing", {}).get("aim") for name in ("neutral", "browser_use")} == {0.25}
    aims = {name: row["aim"] for name, row in rows.items() if row["aim"] is not None and name not in read}
    assert aims == {
        "start-up of --help / python -c pass": 8,
        "knowing all formats / python -c pass": 20,
        "replay of 5,000 records / loading (even, once)": 2,
        "replay of 5,000 records / loading (clustered, once)": 2,
        "memory of 30 steps / file (traced)": 32,
        "memory of 30 steps / file (resident)": 32,
        "audit speed / json.loads: all": 0.1,
        "small runs a second, storing off": 1000,
        "small runs a second, storing on": 1000,
    }
    for row in rows.values():
        assert row["value"] >= 0
        met = row["value"] >= row["aim"] if row["at_least"] and row["aim"] else row["value"] < (row["aim"] or 0)
        assert row["ok"] is (None if row["aim"] is None else met)
