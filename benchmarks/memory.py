"""Ratio: the most memory that reading and auditing one long run takes, against the size of its file.

Run as ``python benchmarks/memory.py [STEPS]``. Two measures, each in a process of its own after a short run has been
audited, so that modules and lexicons do not count: Python's own allocations at their peak, and the growth of the
process's largest resident size.
"""

import json
import resource
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

from measuring import Measured
from rules_speed import audit_file, warm_up

AIM = 32.0
_LINES = 30
_UNIT = 1 if sys.platform == "darwin" else 1024


def long_run(steps: int) -> dict[str, Any]:
    """Return a run whose every step opens another record of a long list and changes it."""
    return {
        "format": "tracewitness.run/1",
        "run_id": f"long_{steps}",
        "task": {"instruction": f"Set the status of every order to 'shipped', {steps} in all, and save."},
        "steps": [_step(number) for number in range(1, steps + 1)],
        "report": {"text": "All orders are set to shipped and saved.", "declared_status": "success"},
        "harness": {"status": "completed"},
    }


def _step(number: int) -> dict[str, Any]:
    rows = (f"row 'Order {number * 7 + line}, customer {line * number % 997}' [status: open]" for line in range(_LINES))
    shown = "\n  ".join((f"page 'Orders, page {number}'", *rows, "button 'Save'", f"toast 'Order {number} saved'"))
    return {"index": number, "action": {"kind": "click", "raw": f"click('Save', {number})"}, "after": {"text": shown}}


def one_round(path: Path, how: str) -> int:
    """Return the bytes that auditing a file takes at its peak."""
    with tempfile.TemporaryDirectory() as name:
        warm_up(Path(name))
    if how == "traced":
        tracemalloc.start()
        audit_file(path)
        return tracemalloc.get_traced_memory()[1]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    audit_file(path)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * _UNIT


def memory(steps: int = 1_000) -> list[Measured]:
    """Return both measures as ratios to the size of the file."""
    rows: list[Measured] = []
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "long.jsonl"
        path.write_text(f"{json.dumps(long_run(steps))}\n", encoding="utf-8")
        size = path.stat().st_size
        for how in ("traced", "resident"):
            command = [sys.executable, __file__, "--round", str(path), how]
            taken = int(subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout)
            detail = f"{taken / 2**20:.1f} MiB for a file of {size / 2**20:.1f} MiB"
            rows.append(Measured(f"memory of {steps:,} steps / file ({how})", taken / size, AIM, False, detail))
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--round"]:
        print(one_round(Path(sys.argv[2]), sys.argv[3]))
    else:
        for row in memory(*map(int, sys.argv[1:])):
            print(f"{row.name}: {row.value:.2f} ({row.detail})")
