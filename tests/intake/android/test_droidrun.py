from pathlib import Path
from typing import Any

import pytest
from made_logs import the_failure, the_run

from plants.droidrun import answer, element, tool, write_run
from tracewitness import audit
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.calls import Call
from tracewitness.intake.formats.droidrun.code import calls_in
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report

GOAL = "turn on wifi"
OFF = [
    element(1, "Wi-Fi", "0,0,500,90", "Switch", checkedState="isChecked=False"),
    element(2, "Search", "0,100,500,190"),
]
ON = [element(1, "Wi-Fi", "0,0,500,90", "Switch", checkedState="isChecked=True"), element(2, "Search", "0,100,500,190")]
END = {"type": "FastAgentEndEvent", "success": True, "reason": "Wi-Fi is on.", "tool_call_count": 2}
COMPLETE = tool("complete", {"success": True, "message": "Wi-Fi is on."}, "Wi-Fi is on.")
TAP = tool("click", {"index": 1}, "Clicked on Wi-Fi")


def run_of(folder: Path, *events: dict[str, Any], states: Any = (OFF, ON), pictures: int = 0) -> SealedRun:
    return the_run(write_run(folder, list(events), list(states), goal=GOAL, pictures=pictures))


def test_a_run_of_tool_executions(tmp_path: Path) -> None:
    run = run_of(tmp_path, answer("I tap."), TAP, answer("Done."), COMPLETE, END, pictures=2)
    assert (run.task.instruction, run.run_id) == (GOAL, "20260131_120000_0a1b2c3d")
    tap, end = run.trace.steps
    assert (tap.action.kind, tap.action.target, tap.action.raw) == ("click", "Wi-Fi", '{"click": {"index": 1}}')
    assert tap.before is not None
    assert tap.before.ui_tree == '[1] Switch "Wi-Fi" checked=false\n[2] Button "Search"'
    assert tap.before.screenshot is not None
    assert tap.before.screenshot.name == "screenshots/0000.png"
    assert tap.after is not None
    assert end.before is not None
    assert (tap.after.text, tap.after.ui_tree) == ("result: Clicked on Wi-Fi", end.before.ui_tree)
    assert (end.action.kind, end.after) == ("finish", None)
    assert run.report == Report("Wi-Fi is on.", DeclaredStatus.SUCCESS)
    assert run.trace.gaps == ()
    assert run.harness is HarnessStatus.COMPLETED
    assert triage(run) is Triage.AUDIT_TARGET
    assert "is on" not in repr(run.trace)
    assert {one.plane for one in run.stripped} >= {Plane.NARRATION, Plane.REPORT}


def test_a_failed_tool_is_an_error(tmp_path: Path) -> None:
    failed = tool("click", {"index": 9}, "Failed to click: no element 9", success=False)
    step = run_of(tmp_path, answer("I tap."), failed, states=[OFF]).trace.steps[0]
    assert (step.error, step.action.target) == ("Failed to click: no element 9", "element 9")
    assert step.after is None


def test_several_actions_after_one_look(tmp_path: Path) -> None:
    typed = tool("type", {"text": "jazz", "index": 2}, "Typed")
    steps = run_of(tmp_path, answer("Both."), TAP, typed, answer("Done."), COMPLETE).trace.steps
    assert steps[0].before is not None
    assert steps[0].after is not None
    assert steps[0].after.ui_tree is None, "no look stands between them"
    assert steps[1].before is None
    assert steps[1].after is not None
    assert steps[1].after.ui_tree is not None
    assert steps[1].action.text == "jazz"


def test_the_step_limit_is_no_report(tmp_path: Path) -> None:
    limit = {"type": "FastAgentEndEvent", "success": False, "reason": "Reached max step count of 15 steps"}
    run = run_of(tmp_path, answer("I tap."), TAP, limit, states=[OFF])
    assert run.report == Report(None)
    assert run.harness is HarnessStatus.STEP_LIMIT
    assert run.trace.steps[0].after is not None
    assert run.trace.steps[0].after.ui_tree is None, "nothing was seen after the last action but what the tool said"


def test_an_agent_that_gives_up(tmp_path: Path) -> None:
    gave_up = tool("complete", {"success": False, "reason": "No such switch."}, "No such switch.")
    assert run_of(tmp_path, answer("No."), gave_up, states=[OFF]).report == Report(
        "No such switch.", DeclaredStatus.FAILURE
    )


@pytest.mark.parametrize("states", [[OFF], [OFF, ON, ON, ON]])
def test_another_number_of_states_shows_none_in_the_wrong_place(tmp_path: Path, states: Any) -> None:
    run = run_of(tmp_path, answer("I tap."), TAP, answer("Done."), COMPLETE, states=states)
    assert all(step.before is None for step in run.trace.steps)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert any("places are not known" in notice for notice in run.notices)


def test_a_state_missing_in_the_midst_is_named(tmp_path: Path) -> None:
    folder = write_run(tmp_path, [answer("1"), TAP, answer("2"), TAP, answer("3"), COMPLETE], [OFF, ON, ON], goal=GOAL)
    (folder / "ui_states" / "0001.json").unlink()
    run = the_run(folder)
    assert run.trace.steps[1].before is None
    assert run.trace.steps[2].before is not None
    assert any("ui_states/1.json" in notice for notice in run.notices)


TAPPED = {"type": "TapActionEvent", "action_type": "tap", "x": 5, "y": 6, "element_index": 1, "element_text": "Wi-Fi"}
SWIPED = {"action_type": "swipe", "start_x": 1, "start_y": 2, "end_x": 3, "end_y": 4, "duration_ms": 300}
BACK = {"action_type": "button_press", "button": "back"}


def thinking(code: str | None) -> dict[str, Any]:
    return {"type": "TaskThinkingEvent", "thoughts": "I think.", "code": code}


def test_a_macro_of_an_early_version(tmp_path: Path) -> None:
    events = [thinking("tap_by_index(1)  # it works"), thinking("complete(success=True, reason='All on.')")]
    events.append({"type": "TaskEndEvent", "success": True, "reason": "All on."})
    actions = [TAPPED, SWIPED, BACK]
    run = the_run(write_run(tmp_path, events, [OFF, OFF, OFF, ON], goal=GOAL, actions=actions))
    assert [(step.action.kind, step.action.target) for step in run.trace.steps] == [
        ("click", "Wi-Fi"),
        ("swipe", "from [1, 2] to [3, 4]"),
        ("navigate_back", None),
        ("finish", None),
    ]
    assert run.trace.steps[2].after == run.trace.steps[3].before
    assert run.report == Report("All on.", DeclaredStatus.SUCCESS)
    assert run.origin.format_version == "macro"
    assert "it works" not in repr(run.trace)


def test_the_end_of_an_early_version_alone_is_a_report(tmp_path: Path) -> None:
    events = [thinking("tap_by_index(1)"), {"type": "TaskEndEvent", "success": True, "reason": "All on."}]
    run = the_run(write_run(tmp_path, events, [OFF, ON], goal=GOAL, actions=[TAPPED]))
    assert [step.action.kind for step in run.trace.steps] == ["click", "finish"]
    assert run.report == Report("All on.", DeclaredStatus.SUCCESS)


def test_code_alone(tmp_path: Path) -> None:
    events = [
        thinking("# I am sure it works\ntap_by_index(1)\nprint('done well')"),
        thinking("complete(True, 'All on.')"),
    ]
    run = the_run(write_run(tmp_path, events, [OFF, ON]), ReadOptions(task=GOAL))
    assert [(step.action.kind, step.action.target) for step in run.trace.steps] == [
        ("click", "Wi-Fi"),
        ("finish", None),
    ]
    assert run.report == Report("All on.", DeclaredStatus.SUCCESS)
    assert any("agent's code" in notice for notice in run.notices)
    for words in ("sure", "done well", "All on"):
        assert words not in repr(run.trace)


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("input_text('a # b')", [Call("input_text", {"text": "a # b"})]),
        ("tap_by_index(index=3); swipe(1, 2, 3, 4)", [
            Call("tap_by_index", {"index": 3}),
            Call("swipe", {"start_x": 1, "start_y": 2, "end_x": 3, "end_y": 4}),
        ]),
        ("for i in range(3):\n    tap_by_index(i)", [Call("tap_by_index", {})]),
        ("__import__('os').system('x'); open('y')", []),
        ("tap_by_index(", []),
        ("(" * 5000, []),
        ('<invoke name="click"><parameter name="index">3</parameter></invoke>', [Call("click", {"index": 3})]),
        ('<invoke name="type"><parameter name="text">a > b</parameter>', [Call("type", {"text": "a > b"})]),
    ],
)  # fmt: skip
def test_code_is_taken_apart_and_not_run(code: str, calls: list[Call]) -> None:
    assert calls_in(code) == calls


def test_a_manager_s_answer_is_the_report(tmp_path: Path) -> None:
    plan = {"plan": "p", "subgoal": "s", "thought": "t", "answer": "", "success": None}
    acted = {"type": "ExecutorActionResultEvent", "action": {"action": "click", "index": 1}, "success": True}
    events = [
        {"type": "ManagerContextEvent"},
        {"type": "ManagerPlanDetailsEvent", **plan},
        {**acted, "error": "", "summary": "Clicked element at index 1", "full_response": "x"},
        {"type": "ManagerContextEvent"},
        {"type": "ManagerPlanDetailsEvent", **plan, "answer": "It is on.", "success": True},
    ]
    run = run_of(tmp_path, *events)
    assert [(step.action.kind, step.action.target) for step in run.trace.steps] == [
        ("click", "Wi-Fi"),
        ("finish", None),
    ]
    seen, shown = run.trace.steps[0].after, run.trace.steps[1].before
    assert seen is not None
    assert shown is not None
    assert (seen.text, seen.ui_tree) == ("result: Clicked element at index 1", shown.ui_tree)
    assert run.report == Report("It is on.", DeclaredStatus.SUCCESS)
    assert "it is on" not in repr(run.trace)


def test_a_goal_that_nobody_gave(tmp_path: Path) -> None:
    folder = write_run(tmp_path, [answer("x"), TAP], [OFF], goal="Mobilerun automation sequence")
    assert "give it with --task" in the_failure(folder).line()


def test_a_log_that_breaks_off(tmp_path: Path) -> None:
    folder = write_run(tmp_path, [answer("1"), TAP, answer("2"), COMPLETE], [OFF, ON], goal=GOAL)
    log = folder / "trajectory.json"
    content = log.read_text("utf-8")
    log.write_text(content[: content.index('"complete"')], "utf-8")
    run = the_run(folder)
    assert [step.action.kind for step in run.trace.steps] == ["click"]
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert run.report == Report(None)


def test_a_whole_run_is_audited(tmp_path: Path) -> None:
    folder = write_run(tmp_path, [answer("1"), TAP, answer("2"), COMPLETE, END], [OFF, ON], goal=GOAL)
    assert "Wi-Fi is on" not in repr(audit(folder))


def test_what_a_look_after_the_end_shows_is_seen_at_the_end(tmp_path: Path) -> None:
    run = run_of(tmp_path, answer("I tap."), TAP, answer("Done."), COMPLETE, END, states=[OFF, OFF, ON], pictures=3)
    end = run.trace.steps[-1]
    assert end.before is not None
    assert end.after is not None
    assert end.action.kind == "finish"
    assert ("checked=false" in (end.before.ui_tree or ""), "checked=true" in (end.after.ui_tree or "")) == (True, True)
    assert end.after.screenshot is not None
    assert "is on" not in repr(run.trace)


LIMITS = [
    "Reached max step count of 15 steps",
    "Reached maximum steps (15)",
    "Reached maximum number of steps (15)",
]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("refused", [True, False])
def test_an_end_that_did_not_end_the_run_is_no_report(tmp_path: Path, limit: str, refused: bool) -> None:
    """The tool goes on after ``complete`` where it is refused, or where a message of the user waits."""
    said = "All is on, I checked it twice."
    ended = tool("complete", {"success": True, "reason": said}, f"Invalid arguments for complete: {said}", not refused)
    last = {"type": "FinalizeEvent", "success": False, "reason": limit}
    for at, between in enumerate(([], [answer("More."), TAP])):
        states = [OFF] * (1 + len(between) // 2)
        run = run_of(tmp_path / str(at), answer("Done."), ended, *between, last, states=states)
        assert run.report == Report(None)
        assert run.harness is HarnessStatus.STEP_LIMIT
        assert run.trace.steps[0].action.kind == "attempt to finish"
        assert said not in repr(run.trace)


@pytest.mark.parametrize(
    ("name", "arguments", "summary"),
    [
        ("click_at", {"x": 500, "y": 300}, "Tapped at (250, 150)"),
        ("click_area", {"x1": 400, "y1": 200, "x2": 600, "y2": 400}, "Tapped center of area at (250, 150)"),
        ("long_press_at", {"x": 500, "y": 300}, "Long pressed at (250, 150)"),
        ("swipe", {"coordinate": [500, 300], "coordinate2": [500, 9]}, "Swiped from (250, 150) to (250, 10)"),
    ],
)
def test_a_point_is_where_the_tool_touched_the_screen(
    tmp_path: Path, name: str, arguments: dict[str, Any], summary: str
) -> None:
    """Agents may give thousandths of the screen; the tool tells pixels, as the bounds of the elements are."""
    run = run_of(tmp_path, answer("There."), tool(name, arguments, summary), answer("."), COMPLETE)
    assert run.trace.steps[0].action.target == "Search"


@pytest.mark.parametrize(
    "summary",
    ["Unknown tool: fly. Available: ['click']", "Invalid arguments for click: unexpected keyword argument 'z'"],
)
def test_what_the_tool_did_not_do_was_not_executed(tmp_path: Path, summary: str) -> None:
    run = run_of(tmp_path, answer("."), tool("click", {"z": 1}, summary, success=False), states=[OFF])
    assert not run.trace.steps[0].action.executed
    assert run.trace.steps[0].error == summary
