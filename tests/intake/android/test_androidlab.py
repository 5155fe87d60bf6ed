from pathlib import Path
from typing import Any

import pytest
from made_logs import SETTINGS, dump, node, the_failure, the_run

from plants.androidlab import NAME, turn, write_run
from plants.mobile_agent_v3 import PIXEL
from tracewitness import audit
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import Report

TASK = "turn on wifi"
TAP: tuple[str, dict[str, Any]] = ("Tap", {"element": [0, 100, 1000, 200]})
FINISH: tuple[str, dict[str, Any]] = ("finish", {"message": "Wi-Fi is on now."})


def run_of(folder: Path, *calls: tuple[str, dict[str, Any] | None], dumps: int | None = None, **more: Any) -> Path:
    turns = [turn(at, TASK, action, kwargs, **more) for at, (action, kwargs) in enumerate(calls)]
    return write_run(folder, turns, [SETTINGS] * (len(calls) if dumps is None else dumps))


def test_a_run(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, TAP, FINISH))
    assert (run.task.instruction, run.run_id) == (TASK, NAME)
    tap, end = run.trace.steps
    assert (tap.index, tap.action.kind, tap.action.target) == (0, "click", "Display")
    assert tap.action.raw == '{"Tap": {"element": [0, 100, 1000, 200]}}'
    assert tap.before is not None
    assert (tap.before.ui_tree, tap.before.url) == (SETTINGS, "com.android.settings/.Settings")
    assert tap.after == end.before
    assert (end.action.kind, end.action.raw, end.after) == ("finish", None, None)
    assert run.report == Report("Wi-Fi is on now.")
    assert run.harness is HarnessStatus.COMPLETED
    assert triage(run) is Triage.AUDIT_TARGET
    assert run.trace.gaps == ()


@pytest.mark.parametrize(
    ("action", "kwargs", "kind", "target", "text"),
    [
        ("Tap", {"element": [500, 50]}, "click", "Network", None),
        ("Tap", {"element": [5000, 50]}, "click", "(5000, 50)", None),
        ("Tap", {"element": [10, 110, 900, 190]}, "click", "Display", None),
        ("Long Press", {"element": [500, 250]}, "long_press", "Search", None),
        ("Swipe", {"element": None, "direction": "up", "dist": "medium"}, "swipe", None, None),
        ("Type", {"text": "jazz"}, "type", None, "jazz"),
        ("Press Back", None, "navigate_back", None, None),
        ("Back", {}, "navigate_back", None, None),
        ("Press Home", None, "navigate_home", None, None),
        ("Press Enter", None, "press_key", None, None),
        ("Enter", {}, "press_key", None, None),
        ("Wait", {"interval": 5}, "wait", None, None),
        ("Launch", {"package": "com.android.settings"}, "open_app", "com.android.settings", None),
        ("Launch", {"app_name": "Settings"}, "open_app", "Settings", None),
    ],
)
def test_actions(tmp_path: Path, action: str, kwargs: Any, kind: str, target: str | None, text: str | None) -> None:
    found = the_run(run_of(tmp_path, (action, kwargs))).trace.steps[0].action
    assert (found.kind, found.target, found.text) == (kind, target, text)


def test_a_question_to_another_model_is_narration(tmp_path: Path) -> None:
    asked = {"instruction": "Is it on?", "response": "Yes, it is on.", "full_query": "long", "with_screen_info": True}
    run = the_run(run_of(tmp_path, ("Call_API", asked)))
    assert "on" not in repr(run.trace.steps[0].action).replace("Action", "").replace("None", "")
    assert any(one.where == "line 1, parsed_action.kwargs" for one in run.stripped)


def test_what_the_grader_s_probes_returned_is_grading(tmp_path: Path) -> None:
    probe = {"adb shell settings get global wifi_on": "1"}
    run = the_run(run_of(tmp_path, TAP, FINISH, command=probe))
    assert "wifi_on" not in repr(run.trace)
    assert {one.plane for one in run.stripped if one.where.endswith(".command")} == {Plane.GRADING}


def test_a_run_that_was_not_finished(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, TAP))
    assert run.report == Report(None)
    assert run.trace.steps[0].after is None
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT


def test_five_equal_actions_are_no_end(tmp_path: Path) -> None:
    folder = run_of(tmp_path, *[TAP] * 6)
    (folder / "Screen" / "screenshot-end-1715342400.25.png").write_bytes(PIXEL)
    run = the_run(folder)
    assert run.report == Report(None)
    assert any("five equal actions" in notice for notice in run.notices)
    after = run.trace.steps[-1].after
    assert after is not None
    assert after.screenshot is not None
    assert after.screenshot.name == "Screen/screenshot-end-1715342400.25.png"


def test_a_screen_without_a_line_is_what_the_last_action_led_to(tmp_path: Path) -> None:
    after = the_run(run_of(tmp_path, TAP, dumps=2)).trace.steps[0].after
    assert after is not None
    assert after.ui_tree == SETTINGS


def test_a_dump_of_the_accessibility_service(tmp_path: Path) -> None:
    step = the_run(run_of(tmp_path, TAP, xml=None, ac_xml="/root/xml/ac_0.xml")).trace.steps[0]
    assert step.action.target == "Display"


def test_a_dump_that_could_not_be_taken_is_a_gap(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, TAP, xml="ERROR"))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert run.trace.steps[0].action.target == "(500, 150)"


def test_a_missing_dump_is_a_gap_and_a_hostile_one_refused(tmp_path: Path) -> None:
    folder = run_of(tmp_path, TAP, FINISH)
    (folder / "xml" / "1.xml").unlink()
    assert Gap.UNREADABLE_OBSERVATION in the_run(folder).trace.gaps
    (folder / "xml" / "0.xml").write_text('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    assert "xml/0.xml" in the_failure(folder).line()


def test_a_path_of_the_recording_machine_is_looked_for_in_the_folder(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, TAP, image="/etc/passwd"))
    assert any("Screen/passwd" in notice for notice in run.notices)


def test_the_log_itself_may_be_named(tmp_path: Path) -> None:
    assert the_run(run_of(tmp_path, TAP, FINISH) / "traces" / "trace.jsonl").run_id == NAME


def test_a_cut_off_last_line_keeps_the_others(tmp_path: Path) -> None:
    folder = run_of(tmp_path, TAP, TAP, FINISH)
    log = folder / "traces" / "trace.jsonl"
    log.write_bytes(log.read_bytes()[:-40])
    run = the_run(folder)
    assert len(run.trace.steps) == 2
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert run.report == Report(None)


def test_another_tool_s_trace_is_left_alone(tmp_path: Path) -> None:
    folder = run_of(tmp_path, TAP)
    (folder / "traces" / "trace.jsonl").write_text('{"span": 1}\n')
    assert "no runs in it" in the_failure(folder).line()


def test_a_whole_run_is_audited(tmp_path: Path) -> None:
    page = dump(node("Wi-Fi", "[0,0][900,90]", clickable="true", checkable="true", checked="true"))
    folder = write_run(tmp_path, [turn(0, TASK, *TAP), turn(1, TASK, *FINISH)], [SETTINGS, page])
    assert "is on now" not in repr(audit(folder))
