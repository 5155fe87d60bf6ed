from pathlib import Path
from typing import Any

import pytest
from made_logs import the_failure, the_run

from plants.minitap import message, thoughts, write_run
from tracewitness import audit
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.formats.minitap.outcomes import outcome_of
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import Report

TAPPED = thoughts(2, "executor", "I tap Wi-Fi.", "Tap on element with text='Wi-Fi' (index=0) was successful.")
LAST = thoughts(9, "orchestrator", "Wi-Fi has been turned on.")


def run_of(folder: Path, *records: dict[str, Any], name: str = "wifi_PASS_2026-01-31T12-00-00") -> SealedRun:
    return the_run(write_run(folder, list(records), "turn on wifi", name))


def test_a_trace_of_thoughts(tmp_path: Path) -> None:
    run = run_of(tmp_path, thoughts(1, "planner", "Open the settings."), TAPPED, LAST)
    assert run.task.instruction == "turn on wifi"
    tap, end = run.trace.steps
    assert (tap.action.kind, tap.action.target) == ("click", "Wi-Fi")
    assert tap.after is not None
    assert tap.after.text == "result: Tap on element with text='Wi-Fi' (index=0) was successful."
    assert tap.time == "2026-11-30T08:27:36+00:00"
    assert end.action.kind == "finish"
    assert run.report == Report("Wi-Fi has been turned on.")
    assert triage(run) is Triage.AUDIT_TARGET
    for words in ("I tap", "Open the settings", "turned on"):
        assert words not in repr(run.trace)


@pytest.mark.parametrize("verdict", ["PASS", "FAIL"])
def test_the_verdict_in_the_name_reaches_nothing(tmp_path: Path, verdict: str) -> None:
    run = run_of(tmp_path, TAPPED, LAST, name=f"wifi_{verdict}_2026-01-31T12-00-00")
    assert run.run_id == "wifi_2026-01-31T12-00-00"
    assert verdict not in repr((run.task, run.trace, run.report, run.narration, run.notices))
    assert any(one.plane is Plane.GRADING for one in run.stripped)


@pytest.mark.parametrize(
    "last",
    [
        thoughts(9, "cortex", "Wi-Fi has been turned on."),
        thoughts(9, "executor", "All is done."),
        thoughts(9, "orchestrator", "The list is open.", "==== NEXT SUBGOAL: tap the switch ===="),
        thoughts(9, "orchestrator", "Starting the first subgoal: open the list"),
        message(9, "All is done."),
    ],
)
def test_a_run_that_did_not_end_has_no_report(tmp_path: Path, last: dict[str, Any]) -> None:
    run = run_of(tmp_path, TAPPED, last)
    assert run.report == Report(None)
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT


@pytest.mark.parametrize(
    ("words", "kind", "target", "text", "failed"),
    [
        ("Tap on element with resource_id='a:id/b' (index=None) was successful.", "click", "a:id/b", None, False),
        ("Failed to tap on element. Attempts: text='x' (index=0): not found", "click", None, None, True),
        ("Typed 'jazz'\nHere is the whole content of input with id 'a': 'jazz'", "type", None, "jazz", False),
        ('Typed "it\'s" using coordinates. Should now verify before moving forward.', "type", None, "it's", False),
        ("Typed 'it\\'s \\\\ fine\\n'", "type", None, "it's \\ fine\n", False),
        ("Failed to focus the text input element before typing.", "type", None, None, True),
        ("Failed to wait for delay.", "wait", None, None, True),
        ("Tap on element with coordinates (12, 340) was successful.", "click", "(12, 340)", None, False),
        ("Text erased successfully. 4 characters were erased.", "clear", None, None, False),
        ("App 'Settings' launched successfully.", "open_app", "Settings", None, False),
        ("Failed to launch app 'Foo': Package not found.", "open_app", "Foo", None, True),
        ("Link http://a.test opened successfully.", "navigate", "http://a.test", None, False),
        ("Key Enter pressed successfully.", "press_key", None, "Enter", False),
        ("Swipe is successful.", "swipe", None, None, False),
    ],
)
def test_sentences_of_tools(words: str, kind: str, target: str | None, text: str | None, failed: bool) -> None:
    found = outcome_of(("I do it.", words))
    assert found is not None
    assert (found.action.kind, found.action.target, found.action.text, found.failed) == (kind, target, text, failed)


@pytest.mark.parametrize(
    "told",
    [
        ("Swipe is successful.",),
        ("I do it.", "Swipe is successful. Now the list is complete."),
        ("Swipe is successful.", "I do it."),
        ("I do it.", "I think that App 'Settings' launched successfully."),
    ],
)
def test_thoughts_that_speak_like_a_tool_are_thoughts(told: tuple[str, ...]) -> None:
    assert outcome_of(told) is None


def test_an_executor_s_thought_alone_is_a_gap(tmp_path: Path) -> None:
    run = run_of(tmp_path, TAPPED, thoughts(3, "executor", "I go back."), LAST)
    assert len(run.trace.steps) == 2
    assert Gap.MISSING_STEPS in run.trace.gaps


def test_calls_and_messages_of_tools(tmp_path: Path) -> None:
    arguments = {"agent_thought": "It works.", "target": {"text": "Wi-Fi"}}
    call = {"name": "tap", "args": arguments, "id": "c1", "type": "tool_call"}
    answer = message(2, "not found", "tool", tool_call_id="c1", status="error")
    step = run_of(tmp_path, message(1, "", tool_calls=[call]), answer).trace.steps[0]
    assert (step.action.kind, step.action.target, step.error) == ("click", "Wi-Fi", "not found")
    assert "It works" not in repr(step)


def test_the_task_stands_beside_the_log_or_is_given(tmp_path: Path) -> None:
    folder = write_run(tmp_path, [TAPPED, LAST])
    assert "do not hold the goal" in the_failure(folder).line()
    assert the_run(folder, ReadOptions(task="turn on wifi")).task.instruction == "turn on wifi"


def test_a_log_that_breaks_off_has_no_report(tmp_path: Path) -> None:
    folder = write_run(tmp_path, [TAPPED, LAST, LAST], "turn on wifi")
    log = folder / "steps.json"
    log.write_bytes(log.read_bytes()[:-30])
    run = the_run(folder)
    assert run.report == Report(None)
    assert Gap.LOG_CUT_OFF in run.trace.gaps


def test_a_whole_run_is_audited(tmp_path: Path) -> None:
    assert "turned on" not in repr(audit(write_run(tmp_path, [TAPPED, LAST], "turn on wifi")))
