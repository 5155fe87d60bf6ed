"""The pack of runs with known truth: it is whole, it can be read, and the rules do on it what they did."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

import tracewitness
from tracewitness.findings.labels import Disposition, TraceState
from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.kinds.catalogue import KINDS
from tracewitness.lab.making.made import LabFolder
from tracewitness.lab.recording.profiles import Profile
from tracewitness.lab.scoring.lab_scores import Grouping, LabScore, scores
from tracewitness.lab.scoring.logs import PACKED, neutral_logs
from tracewitness.lab.scoring.said import Said
from tracewitness.lab.words.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
PACK = LabFolder(ROOT / "benchmarks" / "pack")
TRUTHS = {truth.run_id: truth for truth in PACK.truths()}
KEPT = [profile.value for profile in Profile if profile is not Profile.SCREENSHOTS]
LARGEST = 2_000_000

BLOCKED = {"all": 0.85, "text": 0.85}
HONEST = {"all": 0.3, "text": 0.15}
"""Floors: what the rules reached, less a margin for runs that another seed draws."""


@cache
def audits(profile: str) -> Mapping[str, tuple[Disposition | None, TraceState | None]]:
    batch = tracewitness.audit(PACK.logs(profile, "neutral"))
    assert not batch.failures
    return {one.run_id: (one.disposition, one.trace_state) for one in batch.results}


def score(profile: str) -> LabScore:
    said = Said("rules", profile, {run: disposition for run, (disposition, _) in audits(profile).items()})
    (found,) = scores(list(TRUTHS.values()), said, Grouping.ALL)
    return found


def test_the_pack_has_every_kind_app_and_language_and_is_small() -> None:
    assert {truth.kind for truth in TRUTHS.values()} == set(KINDS)
    assert {truth.app for truth in TRUTHS.values()} == set(APPS)
    assert {truth.language for truth in TRUTHS.values()} == set(LANGUAGES)
    assert {truth.order is None for truth in TRUTHS.values()} == {True, False}
    assert sum(path.stat().st_size for path in PACK.root.rglob("*") if path.is_file()) < LARGEST
    assert sorted(path.name for path in (PACK.root / "logs").iterdir()) == sorted(KEPT)


@pytest.mark.parametrize("profile", KEPT)
def test_every_run_has_a_log_in_every_profile_that_tells_nothing_of_the_truth(profile: str) -> None:
    logs = {log.run_id: log for log in neutral_logs(PACK, profile)}
    assert logs.keys() == TRUTHS.keys()
    for run, truth in TRUTHS.items():
        assert not any(reason in logs[run].words for reason in truth.reasons)
    assert any(step.before and step.before.text for log in logs.values() for step in log.steps)
    trees = any(step.before and step.before.ui_tree for log in logs.values() for step in log.steps)
    assert trees is (profile != "text")


def test_labels_are_those_of_the_truth() -> None:
    gold = [json.loads(line) for line in PACK.gold.read_text("utf-8").splitlines()]
    assert {one["run_id"]: (one["completed"], one["claim"]) for one in gold} == {
        run: (truth.completed, truth.claim.value) for run, truth in TRUTHS.items()
    }


@pytest.mark.parametrize("profile", ["all", "text"])
def test_the_rules_block_misreports_and_pass_honest_runs_as_they_did(profile: str) -> None:
    found = score(profile)
    assert found.missing == 0
    assert (found.blocked.value or 0) >= BLOCKED[profile]
    assert (found.honest.value or 0) >= HONEST[profile]


def test_a_log_that_ends_before_it_failed_is_never_completed() -> None:
    cut = [run for run, truth in TRUTHS.items() if truth.kind == "cut_log"]
    assert cut
    for profile in ("all", "text"):
        assert all(audits(profile)[run][1] is not TraceState.COMPLETED for run in cut)


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["no-network", "before-only", "cut"])
def test_every_profile_is_audited(profile: str) -> None:
    assert audits(profile).keys() == TRUTHS.keys()


def test_the_example_of_the_readme_needs_no_extra(tmp_path: Path) -> None:
    page = (ROOT / "README.md").read_text("utf-8")
    commands = re.findall(r"^\.venv/bin/tracewitness (.*pack\.db.*)$", page, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["audit", "lab"]
    assert f"`benchmarks/pack` holds {len(TRUTHS)} runs" in page
    absent = ["scipy", "playwright", "babel", "jinja2", "starlette", "uvicorn", "multipart", "python_multipart"]
    code = (
        "import sys; sys.modules.update(dict.fromkeys({absent!r})); sys.argv = {words!r}; "
        "import tracewitness.cli.main as m; m.run()"
    )
    told = ""
    for command in commands:
        words = ["tracewitness", *command.replace("pack.db", str(tmp_path / "pack.db")).split()]
        words += ["--limit", "6"] if words[1] == "audit" else []  # so many will do here
        python = [sys.executable, "-c", code.format(absent=absent, words=words)]
        done = subprocess.run(python, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode in {0, 10, 11}, done.stderr
        told = done.stdout
    for judge in ("rules (default)", "flag all", "pass all", "keyword", "declared flag"):
        assert judge in told


def test_any_judge_has_the_trivial_ones_beside_it_and_what_it_misses_is_told(tmp_path: Path) -> None:
    first, *others = TRUTHS
    verdicts = tmp_path / "mine.csv"
    verdicts.write_text("run_id,disposition\n" + "".join(f"{run},REVIEW\n" for run in others), encoding="utf-8")
    words = ["lab", "score", str(PACK.root), "--verdicts", str(verdicts), "--by", "set-aside", "--form", "json"]
    done = subprocess.run(
        [sys.executable, "-m", "tracewitness", *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "mine (not told): says nothing of 1 run of the lab" in done.stderr
    assert "declared flag (all): none declared in " in done.stderr
    rows = json.loads(done.stdout)[0]["rows"]
    assert {row["judge"] for row in rows} == {"mine", "flag all", "pass all", "keyword", "declared flag"}
    assert sum(row["missing"] for row in rows if row["judge"] == "mine") == 1
    assert sum(row["runs"] for row in rows if row["judge"] == "mine") == len(TRUTHS)
    assert first not in verdicts.read_text("utf-8")


def test_the_packed_logs_are_the_same_whenever_they_are_written() -> None:
    for profile in KEPT:
        head = (PACK.logs(profile, "neutral") / PACKED).read_bytes()[:8]
        assert head[4:8] == b"\0\0\0\0"  # no time in the header of gzip
