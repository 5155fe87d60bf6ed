"""Ratio: deciding 1,000,000 records through the decision table against loading their columns from .npy files.

Run as ``python benchmarks/replay.py [RECORDS]``. Records are drawn evenly from the whole domain, the worst case
for the processor's caches, or from a thousand combinations, which is closer to real streams. Two ratios are given:

* once: every round is a process of its own that loads once and decides once, as a replay does;
* again: one process loads and decides over and over, so that both find their memory already mapped. This flatters
  loading most, which then is little more than a copy.

Deciding includes the check of the codes and the dispositions; medians are compared.
"""

import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from tracewitness.policy.domain import INPUT_AXES, size
from tracewitness.policy.parsing import parse_policy
from tracewitness.policy.table import DecisionTable, RunColumns, compile_policy

ROUNDS = 9
AIM = 2.0


def even_records(count: int, random: np.random.Generator) -> dict[str, Any]:
    """Return columns of records drawn evenly from the domain."""
    return {axis.value: random.integers(0, size(axis), count, dtype=np.uint8) for axis in INPUT_AXES}


def clustered_records(count: int, random: np.random.Generator) -> dict[str, Any]:
    """Return columns of records drawn from a thousand combinations."""
    kinds = even_records(1_000, random)
    chosen = random.integers(0, 1_000, count)
    return {name: codes[chosen] for name, codes in kinds.items()}


def default_table() -> DecisionTable:
    """Return the compiled default policy."""
    text = files("tracewitness.policy").joinpath("builtin", "default.toml").read_text(encoding="utf-8")
    return compile_policy(parse_policy(text, "default"))


def one_round(folder: Path, table: DecisionTable) -> tuple[float, float]:
    """Return the seconds of loading and of deciding the columns in a folder."""
    start = perf_counter()
    loaded: dict[str, Any] = {axis.value: np.load(folder / f"{axis}.npy") for axis in INPUT_AXES}
    between = perf_counter()
    _ = table.decide_columns(RunColumns(**loaded)).severities
    return between - start, perf_counter() - between


def fresh_round(folder: Path) -> tuple[float, float]:
    """Return the same, measured in a process of its own."""
    command = [sys.executable, __file__, "--round", str(folder)]
    printed = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout.split()
    return float(printed[0]), float(printed[1])


def replay_ratios(count: int = 1_000_000, rounds: int = ROUNDS) -> dict[str, float]:
    """Return deciding time over loading time, per kind of records and way of measuring; print them."""
    table, random = default_table(), np.random.default_rng(20_261_130)
    ratios: dict[str, float] = {}
    for kind, make in (("even", even_records), ("clustered", clustered_records)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for axis, codes in make(count, random).items():
                np.save(folder / f"{axis}.npy", codes)
            measured = {
                "once": [fresh_round(folder) for _ in range(rounds)],
                "again": [one_round(folder, table) for _ in range(rounds)],
            }
        for way, times_of_rounds in measured.items():
            loading, deciding = (median(times) for times in zip(*times_of_rounds, strict=True))
            ratios[f"{kind}, {way}"] = deciding / loading
            print(
                f"replay of {count:,} records ({kind}, {way}): load {loading * 1e3:.1f} ms, "
                f"decide {deciding * 1e3:.1f} ms, ratio {deciding / loading:.2f} (aim: under {AIM:g})"
            )
    return ratios


if __name__ == "__main__":
    if sys.argv[1:2] == ["--round"]:
        print(*one_round(Path(sys.argv[2]), default_table()))
    else:
        replay_ratios(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
