from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, the_failure, the_run, write_json, write_lines

import tracewitness
from plants.agent_tars import call, event, message, plant
from tracewitness.findings.causes import Gap
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import Report
from tracewitness.testing.words import Words

REAL = FIXTURES / "agent_tars"
START = event(1, "agent_run_start", sessionId="session-1", runOptions={"input": "Turn on Wi-Fi."})
ASKED = event(2, "user_message", content="Turn on Wi-Fi.")
GO = call(4, "call_1", "browser_navigate", {"url": "http://x.test"})
WENT = event(5, "tool_result", toolCallId="call_1", name="browser_navigate", content="Navigated")
SAID = message(3, "I go.", "raw", GO)
DONE = event(8, "assistant_message", content="Wi-Fi is on.", finishReason="stop")
END = event(9, "agent_run_end", sessionId="session-1", iterations=2, elapsedMs=1, status="executing")


def run_of(tmp_path: Path, *events: dict[str, Any]) -> SealedRun:
    return the_run(write_json(tmp_path / "trace.json", {"events": list(events)}))


def test_a_real_session() -> None:
    run = the_run(REAL / "trace.json")
    assert (run.run_id, run.task.instruction) == (
        "3ZZp7adHwAe2e8QlUWM1B",
        "Use jupyter to calculate who is greater in 9.11 and 9.9",
    )
    ran, ended = run.trace.steps
    assert (ran.action.kind, ran.time) == ("JupyterCI", "2025-09-08T17:18:11.113000+00:00")
    assert ran.after is not None
    assert '"text": "9.9  9.11\\n"' in (ran.after.text or "")  # what the code itself says is not shown
    assert "is greater than" not in repr(run.trace)
    assert ended.action.kind == "finish"
    assert (run.report.text or "").startswith("Through Jupyter (using the JupyterCI code sandbox tool)")
    assert (run.trace.gaps, run.notices, run.harness) == ((), (), HarnessStatus.COMPLETED)
    assert "Got it" not in repr((run.task, run.trace, run.report))
    assert run.origin.agent == "Omni Agent"


def test_a_converted_session_whose_events_are_out_of_order() -> None:
    run = the_run(REAL / "custom-format-transformed.json")
    kinds = [step.action.kind for step in run.trace.steps]
    assert kinds == ["calculator", "calculator", "speak", "weather_api", "finish"]
    assert run.task.instruction.startswith("Help me calculate the tip")
    assert (run.report.text or "").startswith("The weather in San Francisco today")


def test_a_session_one_event_a_line_is_the_same(tmp_path: Path) -> None:
    events = [START, ASKED, SAID, GO, WENT, DONE, END]
    run = run_of(tmp_path, *events)
    lines = the_run(write_lines(tmp_path / "trace.jsonl", events))
    assert (lines.task, lines.trace, lines.report) == (run.task, run.trace, run.report)
    listed = the_run(write_json(tmp_path / "list.json", events))
    assert (listed.task, listed.trace, listed.report) == (run.task, run.trace, run.report)


def test_an_action_on_the_screen_is_told_from_its_text(tmp_path: Path) -> None:
    acted = {"action": "click(point='<point>120 40</point>')", "step": "Click the switch.", "thought": "It must be on."}
    click = call(4, "call_1", "browser_vision_control", acted)
    content = {"action": acted["action"], "status": "success", "step": "Click the switch."}
    done = event(5, "tool_result", toolCallId="call_1", name="browser_vision_control", content=content)
    run = run_of(tmp_path, START, ASKED, click, done, DONE, END)
    assert (run.trace.steps[0].action.kind, run.trace.steps[0].action.target) == ("click", "(120, 40)")
    assert "Click the switch" not in repr(run.trace)
    assert "must be on" not in repr(run.trace)
    routes = {one.where: one.route for one in run.stripped}
    assert routes["events[2].arguments.step"] is LeakRoute.THOUGHTS


@pytest.mark.parametrize("acted", [{"operator_action": {"type": "scroll", "inputs": {"direction": "down"}}}, {}])
def test_an_action_that_cannot_be_told_shows_no_words(acted: dict[str, Any], tmp_path: Path) -> None:
    told = {"action": "I think that all is done.", "step": "s", **acted}
    run = run_of(tmp_path, START, ASKED, call(4, "call_1", "browser_vision_control", told), DONE, END)
    assert run.trace.steps[0].action.kind == ("scroll" if acted else "browser_vision_control")
    assert "all is done" not in repr(run.trace)


def test_screens_are_seen_before_the_first_call_and_after_the_others(tmp_path: Path) -> None:
    first = event(2, "environment_input", content=[{"type": "text", "text": "the first page"}])
    later = event(6, "environment_input", content=[{"type": "text", "text": "the page after"}])
    run = run_of(tmp_path, START, ASKED, first, SAID, GO, WENT, later, DONE, END)
    went, ended = run.trace.steps
    seen = [one.text if one else None for one in (went.before, went.after, ended.before)]
    assert seen == ["the first page", "result: Navigated", "the page after"]


def test_an_error_of_a_tool(tmp_path: Path) -> None:
    failed = event(5, "tool_result", toolCallId="call_1", name="browser_navigate", content=None, error="no connection")
    run = run_of(tmp_path, START, ASKED, SAID, GO, failed, DONE, END)
    assert (run.trace.steps[0].error, run.trace.steps[0].after) == ("no connection", None)


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("max_iterations", HarnessStatus.STEP_LIMIT),
        ("error", HarnessStatus.ERROR),
        ("abort", HarnessStatus.UNKNOWN),
    ],
)
def test_words_with_which_the_framework_stops_the_agent_are_no_report(
    reason: str, status: HarnessStatus, tmp_path: Path
) -> None:
    stopped = event(8, "assistant_message", content="Sorry, I could not complete this task.", finishReason=reason)
    run = run_of(tmp_path, START, ASKED, SAID, GO, WENT, stopped, END)
    assert (run.harness, run.report) == (status, Report(None))
    assert "Sorry" not in repr(run.trace)


def test_a_final_answer_is_the_report(tmp_path: Path) -> None:
    answer = event(9, "final_answer", content="The answer is 7.", isDeepResearch=True)
    run = run_of(tmp_path, START, ASKED, SAID, GO, WENT, DONE, answer, {**END, "timestamp": 2e12})
    assert run.report == Report("The answer is 7.")
    assert "Wi-Fi is on." not in repr(run.trace)


def test_calls_that_were_never_carried_out(tmp_path: Path) -> None:
    run = run_of(tmp_path, START, ASKED, SAID)
    assert (run.report, run.trace.steps) == (Report(None), ())
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert "1 call of the agent was never carried out" in run.notices


def test_a_log_without_its_end_is_a_gap(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "trace.jsonl", [START, ASKED, SAID, GO, WENT, DONE, END])
    path.write_text(path.read_text("utf-8")[:-20], encoding="utf-8")
    run = the_run(path)
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert "the last line of the log is cut off" in run.notices


def test_the_task_from_the_options_of_the_run(tmp_path: Path) -> None:
    run = run_of(tmp_path, START, SAID, GO, WENT, DONE, END)
    assert run.task.instruction == "Turn on Wi-Fi."


def test_streams_without_anything_said_or_done_are_refused(tmp_path: Path) -> None:
    path = write_json(tmp_path / "trace.json", {"events": [START, END]})
    assert "no event in it is of the user, the agent or a tool" in the_failure(path).problem


def test_plans_and_streamed_words_are_noted(tmp_path: Path) -> None:
    run = the_run(plant(tmp_path, Words()))
    planes = {one.where: one.plane for one in run.stripped}
    assert (planes["events[2]"], planes["events[20]"]) == (Plane.NARRATION, Plane.REPORT)


def test_a_whole_audit_of_a_real_session() -> None:
    (result,) = tracewitness.audit(REAL / "trace.json")
    assert result.record.run_id == "3ZZp7adHwAe2e8QlUWM1B"
