from pathlib import Path
from typing import Any

import pytest
from made_logs import the_failure, the_run

from plants.mobile_agent_e import action, finish, init, perception, write_log
from tracewitness import audit
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report

LIST = perception(1, ("text: Network & internet", 300, 400), ("icon: a blue gear", 900, 400), ("icon", 10, 10))
SWITCH = perception(2, ("text: Wi-Fi\nConnected", 300, 400), ("icon: None", 500, 700))
TAP = action(1, "Tap", {"x": 310, "y": 395}, action_thought="I tap it.", raw_response="### Thought ###")
DONE = finish(2, "success", {"finish_thought": "Wi-Fi is on now.", "progress_status": "It is on."})


def run_of(folder: Path, *entries: dict[str, Any], pictures: int = 2) -> Path:
    return write_log(folder / "test" / "7", [init("turn on wifi"), *entries], pictures)


def test_screens_stand_before_and_after_the_actions(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, LIST, TAP, SWITCH, DONE))
    tap, end = run.trace.steps
    assert tap.before is not None
    assert tap.before.text == 'Network & internet\nicon "a blue gear"'
    assert tap.before.screenshot is not None
    assert tap.before.screenshot.name == "screenshots/1.jpg"
    assert tap.after == end.before
    assert end.before is not None
    assert end.before.text == "Wi-Fi Connected"
    assert (end.action.kind, end.after) == ("finish", None)
    assert run.trace.gaps == ()


def test_a_point_is_named_by_the_nearest_element(tmp_path: Path) -> None:
    steps = the_run(run_of(tmp_path, LIST, TAP, SWITCH, action(2, "Tap", {"x": "900", "y": "1400"}))).trace.steps
    assert steps[0].action.target == "Network & internet"
    assert steps[0].action.raw == '{"Tap": {"x": 310, "y": 395}}'
    assert steps[1].action.target == "(900, 1400)", "nothing recognised lies near"


def test_the_finish_thought_is_the_report(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, LIST, TAP, SWITCH, DONE))
    assert run.report == Report("Wi-Fi is on now.", DeclaredStatus.SUCCESS)
    assert run.harness is HarnessStatus.COMPLETED
    assert triage(run) is Triage.AUDIT_TARGET
    assert "It is on" not in repr(run.trace)
    assert {one.plane for one in run.stripped} == {Plane.NARRATION, Plane.REPORT}


@pytest.mark.parametrize(
    ("flag", "status"),
    [
        ("max_iteration", HarnessStatus.STEP_LIMIT),
        ("max_consecutive_failures", HarnessStatus.UNKNOWN),
        ("max_repetitive_actions", HarnessStatus.UNKNOWN),
        ("abnormal", HarnessStatus.UNKNOWN),
    ],
)
def test_a_run_that_the_tool_stopped_has_no_report(tmp_path: Path, flag: str, status: HarnessStatus) -> None:
    run = the_run(run_of(tmp_path, LIST, TAP, SWITCH, finish(2, flag, {"finish_thought": "All done."})))
    assert run.report == Report(None)
    assert run.harness is status
    assert [step.action.kind for step in run.trace.steps] == ["click"]
    assert any("no end is inferred" in notice for notice in run.notices)


def test_a_shortcut_is_one_step(tmp_path: Path) -> None:
    typed = action(1, "Tap_Type_and_Enter", {"x": 300, "y": 400, "text": "jazz"})
    tapped = action(2, "Tap_Twice", {"x": 300, "y": 400})
    steps = the_run(run_of(tmp_path, LIST, typed, SWITCH, tapped)).trace.steps
    assert (steps[0].action.kind, steps[0].action.target, steps[0].action.text) == (
        "type", "Network & internet", "jazz",
    )  # fmt: skip
    assert steps[0].action.raw == '{"Tap_Type_and_Enter": {"text": "jazz", "x": 300, "y": 400}}'
    assert (steps[1].action.kind, steps[1].action.target) == ("click", "Wi-Fi Connected")


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "target"),
    [
        ("Swipe", {"x1": 1, "y1": 2, "x2": 3, "y2": 4}, "swipe", "from (1, 2) to (3, 4)"),
        ("Open_App", {"app_name": "Settings"}, "open_app", "Settings"),
        ("Back", None, "navigate_back", None),
        ("Home", None, "navigate_home", None),
        ("Enter", None, "press_key", None),
        ("Wait", None, "wait", None),
        ("Switch_App", None, "Switch_App", None),
    ],
)
def test_actions(tmp_path: Path, name: str, arguments: Any, kind: str, target: str | None) -> None:
    step = the_run(run_of(tmp_path, LIST, action(1, name, arguments))).trace.steps[0]
    assert (step.action.kind, step.action.target) == (kind, target)


def test_no_screen_after_the_last_action_is_no_observation(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, LIST, TAP))
    assert run.trace.steps[0].after is None
    assert any("no entry finish" in notice for notice in run.notices)


def test_a_log_that_breaks_off_keeps_what_stands_ahead(tmp_path: Path) -> None:
    folder = run_of(tmp_path, LIST, TAP, SWITCH, DONE)
    log = folder / "steps.json"
    content = log.read_text("utf-8")
    log.write_text(content[: content.index('"operation": "finish"')], "utf-8")
    run = the_run(folder)
    assert [step.action.kind for step in run.trace.steps] == ["click"]
    assert run.trace.steps[0].after is not None
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert run.report == Report(None)


def test_a_planned_step_without_an_action_is_a_gap(tmp_path: Path) -> None:
    planning = {"step": 2, "operation": "planning", "thought": "x", "plan": "y", "current_subgoal": "z"}
    assert Gap.LOG_CUT_OFF in the_run(run_of(tmp_path, LIST, TAP, SWITCH, planning)).trace.gaps


def test_a_missing_screenshot_is_named_and_its_words_stay(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, LIST, TAP, SWITCH, DONE, pictures=1))
    after = run.trace.steps[0].after
    assert after is not None
    assert after.text == "Wi-Fi Connected"
    assert any("screenshots/2.jpg" in notice for notice in run.notices)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


@pytest.mark.parametrize("path", ["/etc/passwd", "../../../secret.jpg", "..", ""])
def test_a_logged_path_never_leads_out(tmp_path: Path, path: str) -> None:
    run = the_run(run_of(tmp_path, {**LIST, "screenshot": path}, TAP, pictures=1))
    before = run.trace.steps[0].before
    assert before is not None
    assert before.screenshot is None or before.screenshot.digest is None


def test_a_field_that_is_not_known_is_hidden(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, LIST, {**TAP, "verdict": "It went well."}))
    assert "went well" not in repr(run.trace)
    assert any(one.where.endswith(".verdict") for one in run.stripped)


def test_a_log_without_its_first_entry(tmp_path: Path) -> None:
    folder = write_log(tmp_path / "test" / "7", [LIST, TAP])
    assert "give it with --task" in the_failure(folder).line()
    assert the_run(folder, ReadOptions(task="turn on wifi")).run_id == "test/7"


def test_a_whole_run_is_audited(tmp_path: Path) -> None:
    assert "Wi-Fi is on now" not in repr(audit(run_of(tmp_path, LIST, TAP, SWITCH, DONE)))
