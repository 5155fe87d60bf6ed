import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, outcomes, the_failure, the_run

from plants.mobile_agent_v3 import REQUEST, picture, result, role
from tracewitness import audit
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.formats.mobile_agent_v3.response import decision_of, is_finished
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report

REAL = FIXTURES / "mobile_agent_v3" / "20260312_001556_Add_a_new_contact_wi"


def said(action: object, thought: str = "I see.") -> str:
    written = action if isinstance(action, str) else json.dumps(action)
    return f"### Thought ###\n{thought}\n\n### Action ###\n{written}\n\n### Description ###\nTap it."


def made(folder: Path, *actions: object, finished: bool = False, pictures: int | None = None) -> Path:
    """Write a run with one action a step, None for an answer that could not be used."""
    prompt = REQUEST.format(task="turn on wifi", rest="### Plan ###\nopen the settings")
    steps = [*actions, *([None] if finished else [])]
    for at, action in enumerate(steps, 1):
        last = finished and at == len(steps)
        plan = "Finished" if last else "1. Open the settings. 2. Tap the switch."
        role(folder, at, "manager", f"### Thought ###\nIt is on.\n\n### Plan ###\n{plan}", prompt)
        if action is not None:
            role(folder, at, "operator", said(action), prompt)
    done = sum(action is not None for action in actions)
    for number in range(1, (done + 1 if pictures is None else pictures) + 1):
        picture(folder, number)
    return folder


def test_a_real_run() -> None:
    run = the_run(REAL)
    assert run.task.instruction == "Add a new contact with name John Doe and phone 1234567890"
    assert run.run_id == REAL.name
    assert [step.action.kind for step in run.trace.steps] == [
        "swipe", "click", "click", "click", "type", "click", "type", "click", "type", "click", "finish",
    ]  # fmt: skip
    assert [step.action.text for step in run.trace.steps if step.action.text] == ["John", "Doe", "1234567890"]
    assert run.trace.steps[0].action.raw == '{"swipe": {"coordinate": [546, 1780], "coordinate2": [546, 739]}}'
    assert run.trace.steps[0].action.target == "from (546, 1780) to (546, 739)"
    assert run.report.declared_status is DeclaredStatus.SUCCESS
    assert (run.report.text or "").startswith("The contact 'John Doe' has been successfully added")
    assert run.trace.gaps == (Gap.SCREENSHOT_ONLY,)
    assert run.harness is HarnessStatus.COMPLETED
    assert triage(run) is Triage.AUDIT_TARGET


def test_pictures_of_a_real_run_stand_before_and_after_their_actions() -> None:
    steps = the_run(REAL).trace.steps
    names = [step.before.screenshot.name for step in steps if step.before and step.before.screenshot]
    assert names[0] == "images/screenshot_2026-03-12-956-cac67561.png"
    assert names[-1] == "images/screenshot_2026-03-12-1109-5bc71a01.png", "956 stands before 1109"
    assert len(names) == 11
    assert all(steps[at].after == steps[at + 1].before for at in range(10))
    assert steps[-1].after is None


def test_no_word_of_any_role_reaches_the_trace_side() -> None:
    run = the_run(REAL)
    blind = repr((run.task, run.trace))
    for words in ("app drawer", "Outcome", "progress", "successfully", "keyboard is ready", "Historical"):
        assert words not in blind
    assert {one.plane for one in run.stripped} == {Plane.NARRATION, Plane.REPORT}
    places = {one.where.rsplit("/", 1)[-1] for one in run.stripped}
    assert {"manager.json.response", "operator.json.messages", "reflector.json.response"} <= places


def test_a_real_run_is_audited() -> None:
    found = audit(REAL)
    assert "successfully added" not in repr(found)


def test_an_action_written_as_a_python_dict(tmp_path: Path) -> None:
    run = the_run(
        made(tmp_path / "run", "{'action': 'type', 'text': \"it's on\"}", "{'action': 'answer', 'text': 'On.'}")
    )
    assert run.trace.steps[0].action.text == "it's on"
    assert run.report == Report("On.")
    assert (run.trace.steps[1].action.kind, run.trace.steps[1].action.raw) == ("finish", None)


@pytest.mark.parametrize(
    "written",
    ["__import__('os').system('x')", "{'action': open('x')}", "{" * 5000, "click", '["action"]', '{"action": 1}', ""],
)
def test_what_is_no_action_is_not_run_and_not_executed(tmp_path: Path, written: str) -> None:
    run = the_run(made(tmp_path / "run", written, {"action": "click", "coordinate": [1, 2]}, pictures=2))
    assert [step.action.kind for step in run.trace.steps] == ["unparsed", "click"]
    assert not run.trace.steps[0].action.executed


def test_the_action_is_the_last_one_as_the_tool_takes_it() -> None:
    decision = decision_of(said({"action": "click", "coordinate": [1, 2]}, "### Action ###\n{'action': 'answer'}"))
    assert decision.action == {"action": "click", "coordinate": [1, 2]}
    assert "answer" in decision.words


def test_only_a_short_plan_finishes() -> None:
    assert is_finished("### Plan ###\nFinished")
    assert is_finished("### Thought ###\nno\n\n### Plan ###\n Finished. ")
    assert not is_finished("### Plan ###\n1. Finished shopping is shown. 2. Stop.")


def test_a_run_at_its_step_limit_has_no_report(tmp_path: Path) -> None:
    run = the_run(made(tmp_path / "run", {"action": "click", "coordinate": [1, 2]}))
    assert run.report == Report(None)
    assert run.harness is HarnessStatus.UNKNOWN
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT
    assert any("no end is inferred" in notice for notice in run.notices)


def test_a_step_limit_that_the_log_states(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", {"action": "click", "coordinate": [1, 2]})
    result(folder, "turn on wifi", 1.0)
    assert the_run(folder).harness is HarnessStatus.STEP_LIMIT


def test_a_flag_in_task_result_is_no_end(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", {"action": "click", "coordinate": [1, 2]})
    result(folder, "turn on wifi", 0.0)
    assert the_run(folder).report == Report(None)


def test_an_answer_that_could_not_be_used_took_no_picture(tmp_path: Path) -> None:
    click = {"action": "click", "coordinate": [1, 2]}
    steps = the_run(made(tmp_path / "run", click, None, click, finished=True)).trace.steps
    assert [(step.action.kind, step.action.executed) for step in steps] == [
        ("click", True), ("unparsed", False), ("click", True), ("finish", True),
    ]  # fmt: skip
    assert steps[0].after == steps[1].before == steps[2].before
    assert steps[1].after is None
    assert steps[2].after == steps[3].before != steps[0].after


@pytest.mark.parametrize(
    "action", [{"action": "long_press", "coordinate": [1, 2]}, {"action": "system_button", "button": "Enter"}]
)
def test_an_action_that_the_tool_does_not_send_was_not_executed(tmp_path: Path, action: dict[str, Any]) -> None:
    run = the_run(made(tmp_path / "run", action, finished=True))
    assert not run.trace.steps[0].action.executed
    assert any("sends nothing to the device" in notice for notice in run.notices)


def test_buttons(tmp_path: Path) -> None:
    buttons = [{"action": "system_button", "button": button} for button in ("Back", "Home")]
    run = the_run(made(tmp_path / "run", *buttons, finished=True))
    assert [step.action.kind for step in run.trace.steps] == ["navigate_back", "navigate_home", "finish"]


@pytest.mark.parametrize("pictures", [0, 1, 2, 4])
def test_another_number_of_pictures_shows_none_in_the_wrong_place(tmp_path: Path, pictures: int) -> None:
    click = {"action": "click", "coordinate": [1, 2]}
    run = the_run(made(tmp_path / "run", click, click, finished=True, pictures=pictures))
    assert all(step.before is None and step.after is None for step in run.trace.steps)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert any("3 were expected" in notice for notice in run.notices)


def test_pictures_in_the_messages_stand_in_for_missing_files(tmp_path: Path) -> None:
    for source in REAL.rglob("*"):
        if source.is_file() and source.name != "screenshot_2026-03-12-1067-efdfb8b5.png":
            copy = tmp_path / REAL.name / source.relative_to(REAL)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(source.read_bytes())
    run = the_run(tmp_path / REAL.name)
    before = run.trace.steps[9].before
    assert before is not None
    assert before.screenshot is not None
    assert before.screenshot.name == "step_10/operator.json!messages[0].content[1]"
    assert before.screenshot.digest is not None
    assert any("11 were expected" in notice for notice in run.notices)


def test_a_damaged_operator_in_the_midst_is_a_gap(tmp_path: Path) -> None:
    click = {"action": "click", "coordinate": [1, 2]}
    folder = made(tmp_path / "run", click, click, click, finished=True)
    (folder / "step_2" / "operator.json").write_text('{"name": "operator", "resp')
    run = the_run(folder)
    assert [step.index for step in run.trace.steps] == [1, 3, 4]
    assert Gap.MISSING_STEPS in run.trace.gaps
    assert run.trace.steps[1].before is not None
    assert any("step_2/operator.json" in notice for notice in run.notices)


def test_the_request_ends_ahead_of_what_a_model_wrote(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", {"action": "click", "coordinate": [1, 2]})
    assert the_run(folder).task.instruction == "turn on wifi"


def test_a_run_without_a_request(tmp_path: Path) -> None:
    role(tmp_path / "run", 1, "operator", said({"action": "click", "coordinate": [1, 2]}), "Hello")
    assert "give it with --task" in the_failure(tmp_path / "run").line()
    assert the_run(tmp_path / "run", ReadOptions(task="turn on wifi")).task.instruction == "turn on wifi"


def test_step_folders_of_another_tool_are_no_run(tmp_path: Path) -> None:
    other = tmp_path / "run" / "step_1" / "manager.json"
    other.parent.mkdir(parents=True)
    other.write_text('{"employee": "Ann"}')
    assert not any(getattr(one, "run_id", None) for one in outcomes(tmp_path / "run"))
