"""The runs that are measured: the examples with the corpora beside the checkout or, without those, the tests' cases.

Every source is turned into lines of the neutral format first, so that an audit and ``json.loads`` get the same bytes.
"""

import gzip
import json
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.formats.neutral.write import to_neutral
from tracewitness.wiring.formats import known_formats
from tracewitness.wiring.inputs import read_inputs

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
CORPORA = ROOT.parent / "shared" / "corpora"
CASES = ROOT / "tests" / "cases"


def example_runs() -> list[dict[str, Any]]:
    """Return the examples as neutral runs."""
    found = read_inputs([EXAMPLES], known_formats()[0])
    return [to_neutral(run) for run in found if not isinstance(run, IntakeFailure)]


def case_runs() -> list[dict[str, Any]]:
    """Return the runs of the tests' cases: short ones, in eight languages."""
    cases = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.rglob("*.json")))
    return [case["run"] for case in cases if isinstance(case, dict) and "run" in case]


def write_corpora(folder: Path, every: int = 1) -> list[Path]:
    """Write one JSON Lines file for each source into a folder and return their paths.

    Args:
        folder: Where to.
        every: Take each run of this distance; 1 takes all, 0 none (the cases are then taken, as where there are none).
    """
    written = [_write(folder / "examples.jsonl", map(json.dumps, _unlike(example_runs())))]
    packed = sorted(CORPORA.glob("*/runs.jsonl.gz")) if every else []
    for path in packed:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            kept = (line.rstrip("\n") for line in islice(lines, 0, None, every))
            written.append(_write(folder / f"{path.parent.name}.jsonl", kept))
    if not packed:
        written.append(_write(folder / "cases.jsonl", map(json.dumps, _unlike(case_runs()))))
    return written


def write_small(path: Path, count: int) -> Path:
    """Write so many small runs, made from the short examples and cases, each with texts of its own.

    A number in the task, in the report and in the first line of every screen keeps any of them from being met twice.
    The other lines come again, as they do where agents work in the same apps (of the lines in the corpora, one in ten
    is new).
    """
    models = [run for run in (*example_runs(), *case_runs()) if len(json.dumps(run)) < 6_000]
    numbered = enumerate(islice(cycle(_unlike(models)), count))
    return _write(path, (json.dumps(_varied(run, number)) for number, run in numbered))


def _unlike(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({run["run_id"]: run for run in runs}.values())


def _varied(run: dict[str, Any], number: int) -> dict[str, Any]:
    task = {**run["task"], "instruction": f"{run['task']['instruction']} (#{number})"}
    report = run.get("report") or {}
    if report.get("text"):
        report = {**report, "text": f"{report['text']} (#{number})"}
    steps = [_varied_step(step, number) for step in run["steps"]]
    return {**run, "run_id": f"{run['run_id']}_{number}", "task": task, "steps": steps, "report": report}


def _varied_step(step: dict[str, Any], number: int) -> dict[str, Any]:
    changed = dict(step)
    for part in ("before", "after"):
        seen = step.get(part)
        if seen and seen.get("text"):
            first, gap, rest = seen["text"].partition("\n")
            changed[part] = {**seen, "text": f"{first} #{number}{gap}{rest}"}
    return changed


def _write(path: Path, lines: Iterator[str]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    return path
