"""In a new interpreter, importing one side loads no module of the other: what no contract on imports can see."""

import json
import subprocess
import sys

import pytest

SIDES = {
    "tracewitness.report_side": ("tracewitness.report_side.by_rules", "tracewitness.report_side.report"),
    "tracewitness.trace_side": ("tracewitness.trace_side.by_rules", "tracewitness.trace_side.by_model"),
}
PURE = ("tracewitness.policy", "tracewitness.findings", "tracewitness.values")
_LIST = """
import importlib, json, pkgutil, sys
for name in {names!r}:
    package = importlib.import_module(name)
    for found in pkgutil.walk_packages(getattr(package, "__path__", []), name + "."):
        importlib.import_module(found.name)
{then}
print(json.dumps(sorted(sys.modules)))
"""


def loaded(*names: str, then: str = "") -> set[str]:
    """Return the modules of a new interpreter that imported these modules, with everything below packages."""
    program = _LIST.format(names=names, then=then)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def below(modules: set[str], *packages: str) -> list[str]:
    return sorted(name for name in modules if any(f"{name}.".startswith(f"{package}.") for package in packages))


@pytest.mark.parametrize("side", SIDES)
def test_a_side_loads_nothing_of_the_other(side: str) -> None:
    (other,) = SIDES.keys() - {side}
    for names in (SIDES[side], (side,)):
        modules = loaded(*names)
        assert set(names) <= modules
        assert below(modules, other, "tracewitness.intake", "tracewitness.auditing", "tracewitness.store") == []


def test_reading_a_trace_loads_nothing_of_the_report_side() -> None:
    """Whatever is loaded when it is first used is loaded by then."""
    then = """
from tracewitness.task_side.reading import read_task
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Action, Observation, Step, Trace
from tracewitness.trace_side import by_model, by_rules
task = Task("Turn on Wi-Fi.")
reading = read_task(task)
off, on = Observation("switch 'Wi-Fi' off"), Observation("switch 'Wi-Fi' on")
steps = (Step(1, Action("click", "switch 'Wi-Fi'"), off, on),)
by_rules.extract(task, reading.goals, reading.finding.task_class, Trace(steps))
next(by_model.extract(task, reading.goals, reading.finding.task_class, Trace(steps)))
"""
    assert below(loaded("tracewitness.trace_side.by_rules", then=then), "tracewitness.report_side") == []


def test_reading_a_report_loads_nothing_of_the_trace_side() -> None:
    then = """
from tracewitness.report_side.by_rules import read_claim
from tracewitness.report_side.report import Report
for text in ("Done, saved.", "已完成。", "Erledigt.", "Ça marche.", None):
    read_claim(Report(text))
"""
    assert below(loaded("tracewitness.report_side.by_rules", then=then), "tracewitness.trace_side") == []


def test_what_decides_loads_neither_side_nor_sql() -> None:
    modules = loaded(*PURE)
    assert set(PURE) <= modules
    assert below(modules, *SIDES, "tracewitness.task_side", "tracewitness.intake", "tracewitness.store") == []
    assert below(modules, "sqlalchemy", "sqlite3", "socket", "pydantic") == []


def test_the_check_bites() -> None:
    crossing = "import tracewitness.report_side.report"
    assert below(loaded("tracewitness.trace_side.by_rules", then=crossing), "tracewitness.report_side") != []
