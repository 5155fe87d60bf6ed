"""All benchmarks in a few minutes: a table of ratio, aim, and ok or short.

Run as ``python benchmarks/run_all.py [--json] [--quick]``. The exit code is 0 whatever the ratios: they are figures to
read, not tests to pass.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout

from measuring import Measured
from memory import memory
from readers import readers
from replay import AIM as REPLAY_AIM
from replay import replay_ratios
from rules_speed import rules_speed
from startup import startup


def all_rows(quick: bool) -> Iterator[Measured]:
    """Yield every figure; ``quick`` takes tiny sizes, to see that the scripts run."""
    yield from startup(2 if quick else 15)
    yield from replayed(*((5_000, 1) if quick else (1_000_000, 9)))
    yield from memory(30 if quick else 1_000)
    yield from rules_speed(0, 60, 1) if quick else rules_speed()
    yield from readers(20_000, frozenset({"neutral", "browser_use"})) if quick else readers()


def replayed(count: int, rounds: int) -> Iterator[Measured]:
    """Yield the ratios of replay; what its script prints for people goes to standard error."""
    with redirect_stdout(sys.stderr):
        ratios = replay_ratios(count, rounds)
    for way, ratio in ratios.items():
        # Loading again into mapped memory is a bare copy: shown, but the aim is for a replay as it is run.
        aim = REPLAY_AIM if way.endswith("once") else None
        yield Measured(f"replay of {count:,} records / loading ({way})", ratio, aim, False, "")


def row_of(row: Measured) -> dict[str, object]:
    """Return a figure as JSON."""
    return {
        "name": row.name,
        "value": round(row.value, 4),
        "aim": row.aim,
        "at_least": row.at_least,
        "ok": row.ok,
        "detail": row.detail,
    }


def line_of(row: Measured) -> str:
    """Return a figure as a line of the table."""
    verdict = {True: "ok", False: "short", None: ""}[row.ok]
    aim = "" if row.aim is None else f"{'>=' if row.at_least else '<'} {row.aim:g}"
    value = f"{row.value:,.0f}" if row.value >= 100 else f"{row.value:.3g}"
    return f"{row.name:<55} {value:>8}  {aim:<8} {verdict:<5}  {row.detail}".rstrip()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure speed and memory as ratios.")
    parser.add_argument("--json", action="store_true", help="print one JSON array")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that the scripts run")
    chosen = parser.parse_args()
    rows: list[Measured] = []
    for row in all_rows(chosen.quick):
        rows.append(row)
        if not chosen.json:
            print(line_of(row), flush=True)
    if chosen.json:
        print(json.dumps([row_of(row) for row in rows], indent=1))


if __name__ == "__main__":
    main()
