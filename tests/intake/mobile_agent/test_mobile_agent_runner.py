import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import the_failure, the_run

from plants.mobile_agent_runner import write_run
from tracewitness import audit
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Observation

CLICK: dict[str, Any] = {"action": "click", "coordinate": [540, 1200]}
ANSWER: dict[str, Any] = {"action": "answer", "text": "It is 7 degrees."}


def read(folder: Path) -> SealedRun:
    return the_run(folder, ReadOptions(task="turn on wifi"))


def name(seen: Observation | None) -> str | None:
    return seen.screenshot.name if seen and seen.screenshot else None


def places(run: SealedRun) -> list[tuple[str | None, str | None]]:
    return [(name(step.before), name(step.after)) for step in run.trace.steps]


def test_a_planner_s_end_is_a_flag(tmp_path: Path) -> None:
    run = read(write_run(tmp_path / "traj" / "Wifi", [CLICK, {"action": "done"}]))
    assert run.report == Report(None, DeclaredStatus.SUCCESS)
    assert run.run_id == "traj/Wifi"
    assert run.harness is HarnessStatus.COMPLETED
    assert places(run) == [("screenshot_0.png", "screenshot_1.png"), ("screenshot_1.png", None)]
    assert run.trace.gaps == (Gap.SCREENSHOT_ONLY,)
    assert triage(run) is Triage.AUDIT_TARGET


def test_the_picture_with_the_answer_on_it_stays_out(tmp_path: Path) -> None:
    run = read(write_run(tmp_path / "run", [CLICK, ANSWER]))
    assert run.report == Report("It is 7 degrees.")
    assert "screenshot_2" not in repr(run.trace)
    assert any(one.where == "screenshot after the answer" and one.plane is Plane.REPORT for one in run.stripped)


def test_the_end_that_the_runner_of_gui_owl_writes_is_no_flag(tmp_path: Path) -> None:
    run = read(write_run(tmp_path / "run", [CLICK, ANSWER, {"action": "terminate", "status": "success"}], owl=True))
    assert run.report == Report("It is 7 degrees.")
    assert [step.action.kind for step in run.trace.steps] == ["click", "finish"]
    assert any(one.plane is Plane.GRADING and one.route is LeakRoute.GRADING_ECHO for one in run.stripped)
    assert any("not the agent's" in notice for notice in run.notices)


@pytest.mark.parametrize(("status", "flag"), [("success", DeclaredStatus.SUCCESS), ("failure", DeclaredStatus.FAILURE)])
def test_an_end_of_gui_owl_s_own(tmp_path: Path, status: str, flag: DeclaredStatus) -> None:
    run = read(write_run(tmp_path / "run", [CLICK, {"action": "terminate", "status": status}], owl=True))
    assert run.report == Report(None, flag)
    assert run.trace.steps[1].action.raw is None
    assert run.origin.format_version == "GUI-Owl"


def test_a_run_that_was_not_ended_has_no_report(tmp_path: Path) -> None:
    run = read(write_run(tmp_path / "run", [CLICK, CLICK]))
    assert run.report == Report(None)
    assert name(run.trace.steps[1].after) == "screenshot_2.png"
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT


def test_gui_owl_takes_no_picture_after_its_last_action(tmp_path: Path) -> None:
    run = read(write_run(tmp_path / "run", [CLICK, CLICK], owl=True))
    assert run.trace.steps[1].after is None
    assert Gap.UNREADABLE_OBSERVATION not in run.trace.gaps


def test_rounds_without_an_action_leave_only_the_first_and_the_last_picture(tmp_path: Path) -> None:
    run = read(write_run(tmp_path / "run", [CLICK, CLICK, CLICK, {"action": "done"}], pictures=6))
    assert places(run) == [
        ("screenshot_0.png", None),
        (None, None),
        (None, "screenshot_5.png"),
        ("screenshot_5.png", None),
    ]
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [CLICK, CLICK, {"action": "done"}])
    (folder / "screenshot_1.png").unlink()
    run = read(folder)
    assert places(run)[0] == ("screenshot_0.png", None)
    assert places(run)[1] == (None, "screenshot_2.png")
    assert any("screenshot_1.png" in notice for notice in run.notices)


def test_a_cut_off_last_line_keeps_the_others(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [CLICK, CLICK, CLICK])
    log = folder / "action.jsonl"
    log.write_bytes(log.read_bytes()[:-10])
    run = read(folder)
    assert places(run) == [("screenshot_0.png", "screenshot_1.png"), ("screenshot_1.png", "screenshot_2.png")]
    assert Gap.LOG_CUT_OFF in run.trace.gaps


def test_a_damaged_line_in_the_midst_leaves_no_picture_in_the_wrong_place(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [CLICK, CLICK, CLICK])
    log = folder / "action.jsonl"
    lines = log.read_text("utf-8").splitlines()
    log.write_text("\n".join([lines[0], "{broken", lines[2]]) + "\n", "utf-8")
    run = read(folder)
    assert places(run) == [(None, None), (None, None)]
    assert Gap.MISSING_STEPS in run.trace.gaps


def test_apps_buttons_and_points(tmp_path: Path) -> None:
    actions = [
        {"action": "open_app", "text": "Settings"},
        {"action": "system_button", "button": "Enter"},
        {"action": "system_button", "button": "Back"},
        {"action": "swipe", "coordinate": [1, 2], "coordinate2": [3, 4]},
        CLICK,
    ]
    steps = read(write_run(tmp_path / "run", actions)).trace.steps
    assert [(step.action.kind, step.action.target, step.action.text) for step in steps] == [
        ("open_app", "Settings", None),
        ("press_key", None, "Enter"),
        ("navigate_back", None, None),
        ("swipe", "from (1, 2) to (3, 4)", None),
        ("click", "(540, 1200)", None),
    ]
    assert steps[4].action.raw == '{"click": {"coordinate": [540, 1200]}}'


def test_the_task_stands_beside_the_log_or_is_given(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "Turn_on_wifi", [CLICK])
    assert "do not hold the task" in the_failure(folder).line()
    (folder / "task.txt").write_text("Turn on Wi-Fi.")
    assert the_run(folder).task.instruction == "Turn on Wi-Fi."
    assert the_run(folder / "action.jsonl").run_id.endswith("/Turn_on_wifi")


def test_an_empty_log(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [CLICK])
    (folder / "action.jsonl").write_text("")
    assert "action.jsonl" in the_failure(folder, options=ReadOptions(task="turn on wifi")).line()


def test_a_line_that_is_no_action_was_not_executed(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [CLICK, CLICK])
    log = folder / "action.jsonl"
    log.write_text(json.dumps(CLICK) + "\n[1]\n", "utf-8")
    steps = read(folder).trace.steps
    assert [(step.action.kind, step.action.executed) for step in steps] == [("click", True), ("unparsed", False)]


def test_a_whole_run_is_audited(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [CLICK, ANSWER])
    (folder / "task.txt").write_text("How warm is it?")
    assert "7 degrees" not in repr(audit(folder))
