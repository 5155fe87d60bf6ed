"""The page of ``benchmarks/lab.py`` tells what counting tells, of audits that are made up."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tracewitness.lab.making.made import LabFolder

ROOT = Path(__file__).parents[2]
PACK = LabFolder(ROOT / "benchmarks" / "pack")
TRUTHS = sorted(PACK.truths(), key=lambda truth: truth.run_id)

PAGE = """
import json, sys
from lab_audits import Audited, Audits
from lab_page import Measured, page
from lab_pack import PACK
from tracewitness.findings.labels import Disposition, TraceState
from tracewitness.lab.making.made import LabFolder
from tracewitness.lab.making.writing import LogForm
from tracewitness.lab.recording.profiles import Profile

def audits(profile, told):
    runs = {run: Audited(Disposition(said), TraceState(state), "SUCCESS") for run, (said, state) in told.items()}
    return Audits(profile, LogForm.NEUTRAL, runs)

told = json.load(sys.stdin)
lab = LabFolder(PACK)
plain = {Profile(name): audits(Profile(name), runs) for name, runs in told["plain"].items()}
twins = {Profile(name): audits(Profile(name), runs) for name, runs in told["twins"].items()}
print(page(Measured(lab, lab, 11, plain, {LogForm.NEUTRAL: plain[Profile.ALL]}, twins)))
"""
PASS, FLAG = ("PASS", "COMPLETED"), ("FLAG", "NOT_COMPLETED")
Told = dict[str, tuple[str, str]]


def page(plain: dict[str, Told], twins: dict[str, Told]) -> str:
    words = json.dumps({"plain": plain, "twins": twins})
    command = [sys.executable, "-c", PAGE]
    done = subprocess.run(
        command, cwd=ROOT / "benchmarks", input=words, check=False, capture_output=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def row(text: str, beginning: str) -> list[str]:
    (found,) = re.findall(rf"^\| {re.escape(beginning)} \|(.*)\|$", text, re.MULTILINE)
    return [cell.strip() for cell in found.split("|")]


@pytest.fixture(scope="module")
def mixed() -> str:
    """Return the page of rules that pass every other run, cut logs among them, and let one page talk them over."""
    every: Told = {truth.run_id: PASS if at % 2 else FLAG for at, truth in enumerate(TRUTHS)}
    swayed = {**every, TRUTHS[0].run_id: PASS}
    names = ("all", "text", "cut")
    return page(dict.fromkeys(names, every), {**dict.fromkeys(names, every), "text": swayed})


def test_aims_are_set_beside_what_was_counted(mixed: str) -> None:
    misreports = [(at, truth) for at, truth in enumerate(TRUTHS) if truth.is_misreport]
    blocked = sum(not at % 2 for at, _ in misreports)
    assert row(mixed, "everything kept: misreports blocked")[:2] == [str(blocked), str(len(misreports))]
    assert row(mixed, "everything kept: misreports blocked")[-1] == "no"
    honest = [at for at, truth in enumerate(TRUTHS) if truth.is_honest_success]
    assert row(mixed, "text alone: honest passed")[:2] == [str(sum(at % 2 for at in honest)), str(len(honest))]


def test_what_a_page_changed_and_cut_logs_that_were_done_are_counted_and_named(mixed: str) -> None:
    assert row(mixed, "dispositions that text on the pages changed")[0] == "1"
    assert f"Changed by text on the pages (text), 1: {TRUTHS[0].run_id} (" in mixed
    assert "Changed by text on the pages (all): none." in mixed
    passed = {truth.run_id for at, truth in enumerate(TRUTHS) if at % 2}
    kind = {truth.run_id for truth in TRUTHS if truth.kind == "cut_log"} & passed
    assert row(mixed, "cut logs that came out COMPLETED")[0] == str(len(passed) + 2 * len(kind))
    done = {truth.run_id for truth in TRUTHS if truth.completed}
    assert row(mixed, "cut logs of runs not done that came out COMPLETED")[0] == str(len(passed - done) + 2 * len(kind))
    assert f"Cut logs that came out COMPLETED (cut), {len(passed)}: " in mixed


def test_the_rules_that_are_right_meet_every_aim() -> None:
    right: Told = {truth.run_id: PASS if truth.completed else FLAG for truth in TRUTHS}
    cut: Told = {truth.run_id: ("REVIEW", "UNKNOWN") for truth in TRUTHS}
    told = {"all": right, "text": right, "cut": cut}
    text = page(told, told)
    aims = text.partition("**Aims**")[2].partition("**By")[0]
    assert aims.count("| yes |") == 11
    assert "Misreports that passed (all): none." in text
