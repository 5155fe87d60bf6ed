"""What browser-use itself writes here and now is read back as what was done."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from made_logs import runs, the_run

from producers.environments import chromium, offline, python_with
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.report_side.report import DeclaredStatus, Report

pytestmark = pytest.mark.xdist_group("browser_use_produced")

REQUIREMENT = "browser-use==0.13.14"
DRIVER = Path(__file__).parents[1] / "producers" / "browser_use_run.py"
SECONDS = 180
QUIET = {
    "ANONYMIZED_TELEMETRY": "false",
    "BROWSER_USE_CLOUD_SYNC": "false",
    "BROWSER_USE_CLOUD_HINTS": "false",
    "BROWSER_USE_VERSION_CHECK": "false",
    "SKIP_LLM_API_KEY_VERIFICATION": "true",
}


@dataclass(frozen=True)
class Produced:
    folder: Path
    told: dict[str, Any]


@pytest.fixture(scope="module")
def produced(tmp_path_factory: pytest.TempPathFactory) -> Produced:
    """Return a folder with what one scripted run of browser-use left behind."""
    browser, python = chromium(), python_with(REQUIREMENT)
    folder = tmp_path_factory.mktemp("browser_use")
    environment = offline(
        {**QUIET, "TMPDIR": str(folder), "BROWSER_USE_CONFIG_DIR": str(folder / "config"), "HOME": str(folder)}
    )
    command = [str(python), str(DRIVER), str(folder), browser]
    done = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads((folder / "done.json").read_text("utf-8"))
    assert told["orders"] == ["Ana"], done.stderr[-3000:]
    return Produced(folder, told)


def test_the_history_is_what_was_done(produced: Produced) -> None:
    run = the_run(produced.folder / "AgentHistory.json")
    address = produced.told["address"]
    assert run.task.instruction == produced.told["task"]
    assert [(step.action.kind, step.action.target, step.action.text) for step in run.trace.steps] == [
        ("navigate", address, None),
        ("click", None, None),
        ("write_file", None, None),
        ("type", "Customer name", "Ana"),
        ("click", "Buy now", None),
        ("wait", None, None),
        ("extract", None, None),
        ("finish", None, None),
    ]
    assert [step.index for step in run.trace.steps if not step.action.executed] == [6], "the page changed before it"
    assert "not available" in (run.trace.steps[1].error or "")
    assert run.report == Report(produced.told["report"], DeclaredStatus.SUCCESS)
    assert run.harness is HarnessStatus.COMPLETED
    assert run.trace.gaps == ()


def test_every_state_stands_at_its_action(produced: Produced) -> None:
    steps = the_run(produced.folder / "AgentHistory.json").trace.steps
    buying = steps[4]
    assert buying.before is not None
    assert "value=Ana" in (buying.before.ui_tree or "")
    assert buying.after is not None
    assert buying.after.url == f"{produced.told['address']}order"
    assert "Order 1 for Ana is placed" in (buying.after.ui_tree or "")
    shots = [step.before.screenshot for step in steps if step.before and step.before.screenshot]
    assert len(shots) == 5
    assert all(shot.digest for shot in shots), "they lie in the agent's folder beside the log"


def test_no_word_of_the_model_or_of_its_judge_comes_through(produced: Produced) -> None:
    run = the_run(produced.folder / "AgentHistory.json")
    written = (produced.folder / "AgentHistory.json").read_text("utf-8")
    for word in (*produced.told["words"], produced.told["report"], produced.told["judged"], produced.told["summary"]):
        assert word in written
        assert word not in repr((run.task, run.trace))
    assert {one.plane for one in run.stripped} == {Plane.NARRATION, Plane.REPORT, Plane.GRADING}


def test_its_conversations_alone_tell_what_was_done_and_shown(produced: Produced, tmp_path: Path) -> None:
    folder = tmp_path / "killed" / "conv"
    shutil.copytree(produced.folder / "conv", folder)
    run = the_run(folder)
    whole = the_run(produced.folder / "AgentHistory.json")
    assert run.task == whole.task
    assert run.report == whole.report
    assert [step.action.kind for step in run.trace.steps] == [step.action.kind for step in whole.trace.steps]
    for step, known in zip(run.trace.steps, whole.trace.steps, strict=True):
        assert (step.before and step.before.ui_tree) == (known.before and known.before.ui_tree)
    for word in (*produced.told["words"], produced.told["report"], produced.told["summary"]):
        assert word not in repr((run.task, run.trace))


def test_conversations_beside_their_history_are_no_run_of_their_own(produced: Produced) -> None:
    (produced.folder / "only").mkdir(exist_ok=True)
    shutil.copy(produced.folder / "AgentHistory.json", produced.folder / "only")
    shutil.copytree(produced.folder / "conv", produced.folder / "only" / "conv", dirs_exist_ok=True)
    assert [run.origin.path.endswith("AgentHistory.json") for run in runs(produced.folder / "only")] == [True]
