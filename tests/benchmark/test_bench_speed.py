"""All tables over many stored records stay within the time that a person waits for a table."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "benchmarks"


def measured(records: int) -> list[str]:
    command = [sys.executable, "bench_speed.py", str(records)]
    done = subprocess.run(command, cwd=SCRIPTS, check=False, capture_output=True, encoding="utf-8", timeout=900)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_script_runs() -> None:
    assert [line.partition(":")[0] for line in measured(300)] == [
        "bench of 300 records, seconds of the processor",
        "bench of 300 records / reading them",
    ]


@pytest.mark.slow
def test_a_hundred_thousand_records_take_less_than_twenty_seconds() -> None:
    spent = float(measured(100_000)[0].partition(": ")[2].partition(" ")[0])
    assert spent < 20
