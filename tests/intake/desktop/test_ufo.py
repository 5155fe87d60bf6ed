"""UFO task folders: keys of every version, host and app agents, the end, screens, and what is missing."""

from pathlib import Path
from typing import Any

import pytest
from made_logs import the_failure, the_run, write_lines

import tracewitness
from plants.osworld import picture
from plants.ufo import plant, plant_first
from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import FailureKind
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.testing.words import Words
from tracewitness.trace_side.trace import Action, Observation


def line(step: int, agent: str = "AppAgent", status: str = "CONTINUE", **fields: Any) -> dict[str, Any]:
    return {"agent_type": agent, "session_step": step, "status": status, "request": "Save it.", **fields}


def click(name: str = "Save", **result: Any) -> dict[str, Any]:
    return {"function": "click_input", "arguments": {"button": "left"}, "target": {"name": name}, "result": result}


def read(folder: Path, *lines: dict[str, Any], screens: int = 0) -> SealedRun:
    write_lines(folder / "response.log", lines)
    for number in range(screens):
        picture(folder / f"action_step{number}.png", number)
    return the_run(folder)


HOST_END = line(1, "HostAgent", "FINISH", comment="It is saved.")


def shot(seen: Observation | None) -> str | None:
    return seen.screenshot.name if seen is not None and seen.screenshot is not None else None


def test_a_run(tmp_path: Path) -> None:
    picture(tmp_path / "action_step_final.png", 9)
    run = read(tmp_path, line(0, action=click()), HOST_END, screens=2)
    acted, finish = run.trace.steps
    assert (acted.action.kind, acted.action.target) == ("click", "Save")
    assert acted.action.raw == '{"click_input": {"button": "left"}}'
    assert [shot(acted.before), shot(acted.after)] == ["action_step0.png", "action_step1.png"]
    assert (finish.action, shot(finish.after)) == (Action("finish"), "action_step_final.png")
    assert run.report == Report("It is saved.", DeclaredStatus.SUCCESS)
    assert (run.task.instruction, run.harness) == ("Save it.", HarnessStatus.COMPLETED)
    assert run.run_id == tmp_path.name


def test_keys_of_the_first_version_and_of_the_third_are_one(tmp_path: Path) -> None:
    first = {
        "Step": 0,
        "Agent": "AppAgent",
        "Request": "Save it.",
        "Function": "set_edit_text",
        "Args": {"text": "b"},
        "ControlText": "Name",
        "ControlLabel": "3",
        "Action": "set_edit_text(text='b')",
        "Results": [{"status": "CONTINUE", "error": "", "return_value": "b"}],
        "Status": "FINISH",
        "Comment": "It is saved.",
    }
    run = read(tmp_path, first)
    acted = run.trace.steps[0]
    assert (acted.action.kind, acted.action.target, acted.action.text) == ("type", "Name", "b")
    assert acted.after == Observation("result: b")
    assert run.report == Report("It is saved.", DeclaredStatus.SUCCESS)
    assert run.origin.format_version == "UFO v1"


@pytest.mark.parametrize("make", [plant, plant_first])
def test_both_plants_hold_what_was_typed(tmp_path: Path, make: Any) -> None:
    run = the_run(make(tmp_path, Words()))
    assert [step.action.kind for step in run.trace.steps if step.action.text][0] == "type"


def test_an_app_agent_only_ends_its_part(tmp_path: Path) -> None:
    host = line(0, "HostAgent", "ASSIGN", comment="I hand it on.")
    run = read(tmp_path, host, line(1, status="FINISH", action=click(), comment="It is saved."))
    assert (run.report, run.harness) == (Report(None), HarnessStatus.UNKNOWN)
    assert triage(run).name == "NOT_AUDITABLE_NO_REPORT"


@pytest.mark.parametrize(
    ("status", "flag", "harness"),
    [
        ("FINISH", DeclaredStatus.SUCCESS, HarnessStatus.COMPLETED),
        ("FAIL", DeclaredStatus.FAILURE, HarnessStatus.COMPLETED),
        ("ERROR", None, HarnessStatus.ERROR),
        ("PENDING", None, HarnessStatus.UNKNOWN),
    ],
)
def test_the_last_status(tmp_path: Path, status: str, flag: DeclaredStatus | None, harness: HarnessStatus) -> None:
    run = read(tmp_path, line(0, action=click()), line(1, "HostAgent", status, comment="Over."))
    assert (run.report.declared_status, run.harness) == (flag, harness)
    assert run.report.text == ("Over." if flag else None)


def test_several_functions_of_a_line_are_steps(tmp_path: Path) -> None:
    run = read(tmp_path, line(0, action=[click("A"), click("B")]), HOST_END, screens=2)
    assert [step.action.target for step in run.trace.steps[:2]] == ["A", "B"]
    assert [shot(step.before) for step in run.trace.steps[:2]] == ["action_step0.png", None]
    assert [shot(step.after) for step in run.trace.steps[:2]] == [None, "action_step1.png"]


def test_what_a_function_returned_is_seen_and_its_error_is_told(tmp_path: Path) -> None:
    done = click(status="success", result={"rows": 2})
    failed = click(status="failure", error="no such control")
    run = read(tmp_path, line(0, action=[done, failed]), HOST_END)
    assert run.trace.steps[0].after == Observation('result: {"rows": 2}')
    assert run.trace.steps[1].error == "no such control"


def test_a_traceback_of_the_tool_is_told_without_its_words(tmp_path: Path) -> None:
    run = read(tmp_path, line(0, action=click(), error="Traceback: the model said 'saved'"), HOST_END)
    assert run.trace.steps[0].error == "the log says that the step failed"


def test_a_later_request_is_what_the_user_said_then(tmp_path: Path) -> None:
    later = {**line(1, action=click("Send")), "request": "Send it."}
    run = read(tmp_path, line(0, action=click()), later, {**HOST_END, "request": "Send it."})
    assert run.task.instruction == "Save it."
    assert run.trace.steps[0].after == Observation("user says: Send it.")


def test_paths_of_another_machine_are_found_by_name_and_missing_ones_told(tmp_path: Path) -> None:
    named = line(0, action=click(), clean_screenshot_path="C:\\logs\\..\\t\\shot.png")
    lost = line(1, action=click(), clean_screenshot_path="logs/t/gone.png")
    picture(tmp_path / "shot.png", 1)
    run = read(tmp_path, named, lost, line(2, "HostAgent", "FINISH"))
    assert shot(run.trace.steps[0].before) == "shot.png"
    assert "screenshot (gone.png) is missing or cannot be read" in "\n".join(run.notices)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


def test_a_line_that_is_no_json_costs_itself_alone(tmp_path: Path) -> None:
    run = read(tmp_path, line(0, action=click()), HOST_END)
    log = tmp_path / "response.log"
    log.write_text("not JSON\n" + log.read_text("utf-8"), encoding="utf-8")
    again = the_run(tmp_path)
    assert again.trace.steps == run.trace.steps
    assert Gap.MISSING_STEPS in again.trace.gaps


def test_other_logs_of_that_name_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "response.log").write_text("HTTP/1.1 200 OK\n", encoding="utf-8")
    assert the_failure(tmp_path).kind is FailureKind.NO_RUNS
    write_lines(tmp_path / "response.log", [{"status": 200, "request": "GET /"}])
    assert the_failure(tmp_path).kind is FailureKind.NO_RUNS


def test_a_log_without_a_request_needs_the_task(tmp_path: Path) -> None:
    write_lines(tmp_path / "response.log", [{**line(0, action=click()), "request": ""}])
    assert the_failure(tmp_path).kind is FailureKind.NO_TASK


def test_a_run_is_audited(tmp_path: Path) -> None:
    batch = tracewitness.audit(plant(tmp_path, Words()))
    assert len(batch) == 1
    assert batch[0].disposition != "PASS"


THOUGHT = "The record has been saved for good, as I can tell"


@pytest.mark.parametrize(
    ("result", "shown", "error"),
    [
        ({"result": f"Clicked. {THOUGHT}. 3 rows"}, "result: Clicked. . 3 rows", None),
        ({"result": "Clicked. 3 rows"}, "result: Clicked. 3 rows", None),
        ({"status": "failure", "error": f"no such control ({THOUGHT})"}, None, "no such control ()"),
        ({"status": "failure", "error": THOUGHT}, None, "the log says that it failed"),
    ],
)
def test_answers_show_nothing_that_was_kept_back_of_their_calls(
    tmp_path: Path, result: dict[str, Any], shown: str | None, error: str | None
) -> None:
    called = click(**result) | {"arguments": {"button": "left", "thought": THOUGHT}}
    step = read(tmp_path, line(0, action=called), HOST_END).trace.steps[0]
    assert THOUGHT not in repr(step)
    assert (step.error, step.after.text if step.after else None) == (error, shown)
