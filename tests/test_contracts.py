"""Every import contract is kept by the code, and each is proved to bite by a planted violation."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# (words of the contract's name that must be reported as broken, file to plant into, line to plant)
PLANTED = [
    ("Layers, exhaustive", "findings/labels.py", "import tracewitness.cli.main"),
    ("Layers, exhaustive", "auditing/one_run.py", "import tracewitness.judges.builtin"),
    ("Layers, exhaustive", "unplaced/__init__.py", '"""A folder that nobody placed in a layer."""'),
    ("The report side and the trace side", "report_side/report.py", "import tracewitness.trace_side.trace"),
    ("The report side and the trace side", "trace_side/trace.py", "import tracewitness.report_side.report"),
    ("Policy, findings, values and statistics", "policy/decide.py", "import time"),
    ("Policy, findings, values and statistics", "values/ternary.py", "import random"),
    ("Policy, findings, values and statistics", "findings/records.py", "import sqlite3"),
    ("Policy, findings, values and statistics", "policy/decide.py", "import tracewitness.task_side.task"),
    ("Policy, findings, values and statistics", "stats/paired.py", "import random"),
    ("Neither side opens files", "trace_side/by_rules.py", "import pathlib"),
    ("Both halves of a run", "cli/audit.py", "import tracewitness.intake.sealed"),
    ("Both halves of a run", "auditing/many_runs.py", "import tracewitness.intake.sealed"),
    ("Gold labels are reached", "cli/audit.py", "import tracewitness.benchmark.gold"),
    ("Gold labels are reached", "auditing/one_run.py", "import tracewitness.benchmark.labels"),
    ("Gold labels are reached", "judges/judging.py", "import tracewitness.benchmark.labels"),
]


def lint(folder: Path) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "NO_COLOR": "1", "COLUMNS": "200"}
    command = [
        sys.executable,
        "-c",
        "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())",
    ]
    command += ["--no-cache", "--config", str(folder / ".importlinter")]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__", "data", "prompts")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    shutil.copy(ROOT / ".importlinter", tmp_path / ".importlinter")
    return tmp_path


def broken(output: str) -> list[str]:
    return re.findall(r"^(.*) BROKEN", output, flags=re.MULTILINE)


def test_all_contracts_are_kept(copy: Path) -> None:
    code, output = lint(copy)
    assert code == 0, output
    assert broken(output) == []


@pytest.mark.parametrize(("name", "file", "line"), PLANTED, ids=[f"{n[:12]}:{f}:{x[:30]}" for n, f, x in PLANTED])
def test_each_contract_bites(copy: Path, name: str, file: str, line: str) -> None:
    planted = copy / "src" / "tracewitness" / file
    planted.parent.mkdir(exist_ok=True)
    before = planted.read_text(encoding="utf-8") if planted.exists() else ""
    planted.write_text(f"{before}\n{line}\n", encoding="utf-8")
    code, output = lint(copy)
    assert code != 0
    assert any(found.startswith(name) for found in broken(output)), output


def test_a_cycle_between_siblings_is_reported(copy: Path) -> None:
    for file, line in (
        ("policy/decide.py", "import tracewitness.language.detect"),
        ("language/detect.py", "import tracewitness.policy.decide"),
    ):
        planted = copy / "src" / "tracewitness" / file
        planted.write_text(planted.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")
    _, output = lint(copy)
    assert any(found.startswith("No cycles between siblings") for found in broken(output)), output
