import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, the_failure, the_run, write_json

import tracewitness
from plants.swe_agent import history, plant, plant_mini
from tracewitness.findings.causes import Gap
from tracewitness.intake.formats.swe_agent.instruction import issue_in
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import Report
from tracewitness.testing.words import Words

REAL = FIXTURES / "swe_agent"


def trajectory(tmp_path: Path, rounds: list[Any], **info: Any) -> SealedRun:
    told = {"trajectory": rounds, "history": history(Words()), "info": info}
    return the_run(write_json(tmp_path / "issue-1.traj", told))


def acted(action: str, seen: str = "seen", **more: Any) -> dict[str, Any]:
    return {"action": action, "observation": seen, "thought": "I think.", "response": "r", "state": {}, **more}


def mini(tmp_path: Path, *messages: dict[str, Any], status: str = "Submitted", **info: Any) -> SealedRun:
    asked = {"role": "user", "content": "Please solve this issue: Fix it.\n\nYou can execute bash commands and edit"}
    told = {"info": {"exit_status": status, **info}, "messages": [asked, *messages]}
    return the_run(write_json(tmp_path / "issue-1.traj.json", {**told, "trajectory_format": "mini-swe-agent-1.1"}))


def commanded(*commands: str, content: str = "I go on.") -> dict[str, Any]:
    return {"role": "assistant", "content": content, "extra": {"actions": [{"command": one} for one in commands]}}


HANDED_IN = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


def test_a_real_trajectory() -> None:
    run = the_run(REAL / "pydicom__pydicom-1458.traj")
    assert run.run_id == "swe_agent/pydicom__pydicom-1458"
    assert run.task.instruction.startswith("Pixel Representation attribute should be optional")
    assert "INSTRUCTIONS" not in run.task.instruction
    assert [step.action.kind for step in run.trace.steps] == ["bash"] * 5 + ["finish"]
    first = run.trace.steps[0]
    assert first.action.raw == '{"bash": {"command": "create reproduce_bug.py"}}'
    assert first.after is not None
    assert first.after.text is not None
    assert first.after.text.endswith("working_dir: /pydicom__pydicom")
    assert run.report.text is not None
    assert run.report.text.startswith("The `reproduce_bug.py` script has been successfully removed.")
    assert run.harness is HarnessStatus.COMPLETED
    blind = repr((run.task, run.trace))
    assert "diff --git" not in blind
    assert "successfully removed" not in blind


def test_a_real_demonstration() -> None:
    run = the_run(REAL / "function_calling_simple.traj")
    assert run.task.instruction.startswith("SyntaxError: invalid syntax")
    assert [step.action.kind for step in run.trace.steps] == ["bash"] * 4 + ["finish"]
    assert run.report.text is not None
    assert "let's submit our changes" in run.report.text
    assert run.origin.format_version == "SWE-agent demonstration"


@pytest.mark.parametrize(
    ("status", "harness"),
    [
        ("exit_cost", HarnessStatus.STEP_LIMIT),
        ("submitted (exit_cost)", HarnessStatus.STEP_LIMIT),
        ("exit_context", HarnessStatus.STEP_LIMIT),
        ("exit_total_execution_time", HarnessStatus.TIMEOUT),
        ("exit_error", HarnessStatus.ERROR),
        ("early_exit", HarnessStatus.ERROR),
    ],
)
def test_what_was_submitted_for_the_agent_is_no_report(tmp_path: Path, status: str, harness: HarnessStatus) -> None:
    run = trajectory(tmp_path, [acted("ls"), acted("submit")], exit_status=status, submission="diff --git a b")
    assert run.report == Report(None)
    assert run.harness is harness
    assert f"the tool ended the run: {status}" in run.notices


def test_a_round_without_an_action_was_not_carried_out(tmp_path: Path) -> None:
    run = trajectory(tmp_path, [acted("", "no action found"), acted("ls")])
    assert [(step.action.kind, step.action.executed) for step in run.trace.steps] == [
        ("unparsed", False),
        ("bash", True),
    ]


def test_no_observation_is_no_evidence(tmp_path: Path) -> None:
    run = trajectory(tmp_path, [acted("ls", ""), {"action": "rm x", "thought": "t", "response": "r"}])
    assert [step.after for step in run.trace.steps] == [None, None]
    assert Gap.NO_OBSERVATIONS in run.trace.gaps
    assert run.report == Report(None)


def test_rounds_that_are_none_are_a_gap(tmp_path: Path) -> None:
    run = trajectory(tmp_path, [acted("ls"), "nonsense"])
    assert Gap.MISSING_STEPS in run.trace.gaps


def test_what_was_kept_back_is_recorded(tmp_path: Path) -> None:
    run = the_run(plant(tmp_path, Words()))
    kept = {(one.where, one.plane) for one in run.stripped}
    assert {
        ("trajectory[0].text", Plane.NARRATION),
        ("trajectory[0].query", Plane.NARRATION),
        ("history", Plane.NARRATION),
        ("info", Plane.GRADING),
        ("info.submission", Plane.REPORT),
        ("trajectory[3].thought", Plane.REPORT),
    } <= kept


def test_mini_swe_agent(tmp_path: Path) -> None:
    run = the_run(plant_mini(tmp_path, Words()))
    assert [(step.action.kind, step.action.executed) for step in run.trace.steps] == [
        ("bash", True),
        ("bash", False),
        ("unparsed", False),
        ("bash", True),
        ("finish", True),
    ]
    assert run.run_id == f"{tmp_path.name}/made"
    assert run.origin.format_version == "mini-swe-agent-1.1"
    assert run.origin.agent == "mini-swe-agent"


def test_what_mini_swe_agent_submits_is_the_report_unless_it_is_a_patch(tmp_path: Path) -> None:
    ended = commanded(HANDED_IN, content="I am done.")
    assert mini(tmp_path, ended, submission="The answer is 4.").report == Report("I am done.\n\nThe answer is 4.")
    assert mini(tmp_path, ended, submission="diff --git a/x b/x").report == Report("I am done.")


@pytest.mark.parametrize(
    ("status", "harness"),
    [
        ("LimitsExceeded", HarnessStatus.STEP_LIMIT),
        ("TimeExceeded", HarnessStatus.TIMEOUT),
        ("RepeatedFormatError", HarnessStatus.STEP_LIMIT),
        ("ValueError", HarnessStatus.ERROR),
    ],
)
def test_mini_swe_agent_that_did_not_hand_in(tmp_path: Path, status: str, harness: HarnessStatus) -> None:
    run = mini(tmp_path, commanded("ls"), {"role": "user", "content": "out"}, commanded(HANDED_IN), status=status)
    assert run.report == Report(None)
    assert run.harness is harness


def test_another_version_of_mini_swe_agent_is_refused_by_name(tmp_path: Path) -> None:
    told: dict[str, Any] = {"info": {}, "messages": [], "trajectory_format": "mini-swe-agent-9"}
    assert (
        "trajectory_format 'mini-swe-agent-9' is not known" in the_failure(write_json(tmp_path / "x.json", told)).line()
    )


def test_a_trajectory_without_rounds(tmp_path: Path) -> None:
    told: dict[str, Any] = {"trajectory": [], "history": history(Words()), "info": {}}
    assert "holds no round" in the_failure(write_json(tmp_path / "x.traj", told)).line()


@pytest.mark.parametrize(
    ("message", "issue"),
    [
        ("ISSUE:\nIt breaks.\n\nINSTRUCTIONS:\nNow", "It breaks."),
        (
            "<pr_description>\nConsider the following PR description:\nFix it.\n</pr_description>\n<instructions>",
            "Fix it.",
        ),
        ("Please solve this issue: Fix it.\n\nYou can execute bash commands and", "Fix it."),
        ("Something else.", "Something else."),
    ],
)
def test_the_issue_within_the_prompt(message: str, issue: str) -> None:
    assert issue_in(message) == issue


def test_a_whole_audit() -> None:
    (result,) = tracewitness.audit(str(REAL / "pydicom__pydicom-1458.traj")).results
    assert result.run_id == "swe_agent/pydicom__pydicom-1458"
    assert json.dumps(result.run_id)


def test_what_answers_the_agent_is_no_task_where_the_prompt_is_lost(tmp_path: Path) -> None:
    path = plant_mini(tmp_path, Words())
    document = json.loads(path.read_text("utf-8"))
    document["messages"] = [one for one in document["messages"] if "solve this issue" not in str(one["content"])]
    assert "task" in the_failure(write_json(path, document)).line()


def test_notes_of_the_agent_in_the_state_are_kept_out_and_told(tmp_path: Path) -> None:
    state = {"open_file": "a.py", "agent_memory": "The order was placed", "note": "The order was placed"}
    run = trajectory(tmp_path, [acted("ls # The order was placed", "a.py", state=state)])
    shown = repr(run.trace)
    assert "open_file: a.py" in shown
    assert "placed" not in shown
    assert "trajectory[0].state.note" in {one.where for one in run.stripped}
