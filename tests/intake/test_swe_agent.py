import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, runs, the_failure, the_run, write_json

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
    assert "successfully removed" not in repr((run.task, run.trace))
    assert (run.trace.steps[-1].after or first.after).text.startswith("diff --git a/pydicom")  # type: ignore[union-attr]


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


PATCH = "diff --git a/x b/x\n+fixed"


def the_last(run: SealedRun) -> str:
    return run.trace.steps[-1].after.text or "" if run.trace.steps[-1].after else ""


@pytest.mark.parametrize("shown", [PATCH, f"\n<<SWE_AGENT_SUBMISSION>>\n{PATCH}\n<<SWE_AGENT_SUBMISSION>>\n"])
def test_the_patch_that_is_shown_when_the_agent_hands_in_is_evidence(tmp_path: Path, shown: str) -> None:
    state = {"working_dir": "/x", "diff": PATCH}
    run = trajectory(tmp_path, [acted("submit", shown, state=state)], exit_status="submitted", submission=PATCH)
    assert "+fixed" in the_last(run)
    assert "working_dir: /x" in the_last(run)
    assert run.report == Report("I think.")


def test_what_is_handed_in_besides_a_patch_is_the_report_and_its_answer_stays_out(tmp_path: Path) -> None:
    run = trajectory(
        tmp_path,
        [acted("ls"), acted("submit 'the flag'", "wrong: the flag")],
        exit_status="submitted",
        submission="the flag",
    )
    assert run.report == Report("I think.\n\nthe flag")
    assert "the flag" not in repr(run.trace)


def test_an_agent_that_exits_ends_the_run(tmp_path: Path) -> None:
    run = trajectory(tmp_path, [acted("ls"), acted("exit", "Exited")], exit_status="exit_command")
    assert (run.harness, run.report) == (HarnessStatus.COMPLETED, Report("I think."))


@pytest.mark.parametrize("action", ["exit_cost", "exit_context", "exit_format", "exit_error", "exit_api"])
def test_the_end_by_the_tool_is_no_action_of_the_agent(tmp_path: Path, action: str) -> None:
    run = trajectory(tmp_path, [acted("ls"), acted(action, "Exited")], exit_status=action)
    assert [step.action.executed for step in run.trace.steps] == [True, False]


def test_a_command_that_the_tool_turned_down_was_not_carried_out(tmp_path: Path) -> None:
    refused = acted("vim x", "", execution_time=0.0)
    silent = acted("touch x", "", execution_time=0.2, state={"working_dir": "/"})
    run = trajectory(tmp_path, [refused, silent])
    assert [step.action.executed for step in run.trace.steps] == [False, True]


@pytest.mark.parametrize("status", ["exit_command_timeout", "submitted (exit_environment_error)", "exit_error"])
def test_a_command_in_which_the_run_broke_off_is_missing(tmp_path: Path, status: str) -> None:
    run = trajectory(tmp_path, [acted("ls"), acted("", "Exited (autosubmitted)")], exit_status=status)
    assert Gap.MISSING_STEPS in run.trace.gaps


def test_a_picture_within_an_observation_is_kept_by_digest(tmp_path: Path) -> None:
    picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=="
    run = trajectory(tmp_path, [acted("view_image x", f"Here: ![x](data:image/png;base64,{picture}) end")])
    after = run.trace.steps[0].after
    assert after is not None
    assert after.text == "result: Here: [picture] end"
    assert after.screenshot is not None
    assert after.screenshot.digest is not None


def test_of_several_attempts_the_chosen_one_is_read_and_the_others_are_told(tmp_path: Path) -> None:
    attempt = {"trajectory": [acted("rm x")], "history": history(Words()), "info": {"exit_status": "submitted"}}
    chosen = {**attempt, "trajectory": [acted("ls")]}
    run = the_run(write_json(tmp_path / "a.traj", {**chosen, "attempts": [attempt, chosen]}))
    assert "rm x" not in repr(run.trace)
    assert any("2 attempts" in one for one in run.notices)


def test_attempts_of_which_none_was_chosen_are_runs_of_their_own(tmp_path: Path) -> None:
    attempt: dict[str, Any] = {"trajectory": [acted("rm x")], "history": history(Words()), "info": {}}
    found = runs(write_json(tmp_path / "a.traj", {"attempts": [attempt, attempt], "environment": "main"}))
    assert [one.run_id for one in found] == [f"{tmp_path.name}/a-1", f"{tmp_path.name}/a-2"]


def answered(text: str, **extra: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, "extra": {"returncode": 0, **extra}}


def test_a_command_that_does_more_than_hand_in_is_a_step(tmp_path: Path) -> None:
    command = f"sed -i s/a/b/ f.py && {HANDED_IN} && cat notes.txt"
    run = mini(
        tmp_path, commanded(command), {"role": "user", "content": "All of it works."}, submission="All of it works."
    )
    assert [step.action.kind for step in run.trace.steps] == ["bash", "finish"]
    assert "sed -i" in (run.trace.steps[0].action.raw or "")
    assert "All of it works" not in repr(run.trace)
    assert "All of it works." in (run.report.text or "")


@pytest.mark.parametrize("role", ["exit", "user"])
def test_the_patch_that_mini_swe_agent_hands_in_is_evidence(tmp_path: Path, role: str) -> None:
    handed_in = {"role": role, "content": PATCH}
    run = mini(tmp_path, commanded(f"{HANDED_IN} && cat patch.txt", content="Done."), handed_in, submission=PATCH)
    assert "+fixed" in the_last(run)
    assert run.report == Report("Done.")


def test_what_a_person_says_and_runs_is_seen(tmp_path: Path) -> None:
    run = mini(
        tmp_path,
        commanded("rm x"),
        answered("", exception_info="action was not executed"),
        answered("The user rejected your commands: keep the file", interrupt_type="UserRejection"),
        {"role": "user", "content": "User command: ls", "extra": {"actions": [{"command": "ls"}]}},
        answered("a.py"),
        commanded("cat a.py"),
        answered("1"),
    )
    shown = repr(run.trace)
    assert run.trace.steps[0].action.executed is False
    assert "user says: The user rejected your commands: keep the file" in shown
    assert "the user ran a command. User command: ls" in shown
    assert "a.py" in shown


def test_a_command_that_a_user_refused_in_the_first_version(tmp_path: Path) -> None:
    word = {"role": "user", "content": "Command not executed. The user rejected your command: no"}
    run = mini(tmp_path, commanded("rm x"), word)
    assert run.trace.steps[0].action.executed is False
    assert "user says: Command not executed. The user rejected" in repr(run.trace)


def test_messages_of_the_responses_interface(tmp_path: Path) -> None:
    def response(text: str, command: str) -> dict[str, Any]:
        said = {"type": "message", "content": [{"type": "output_text", "text": text}]}
        thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "I should look."}]}
        action = {"command": command, "tool_call_id": command}
        return {"object": "response", "output": [thought, said], "extra": {"actions": [action]}}

    shown = {"type": "function_call_output", "call_id": "ls", "output": "a.py"}
    run = mini(tmp_path, response("I look.", "ls"), shown, response("It is done.", HANDED_IN))
    assert [step.action.kind for step in run.trace.steps] == ["bash", "finish"]
    assert run.trace.steps[0].after is not None
    assert run.trace.steps[0].after.text == "result: a.py"
    assert run.report == Report("It is done.")
    assert "I should look." in {one.text.splitlines()[0] for one in run.narration}


def test_a_message_without_an_action_leaves_no_gap(tmp_path: Path) -> None:
    unparsed = {"role": "assistant", "content": "no command"}
    malformed = {"role": "user", "content": "found 0 actions", "extra": {"interrupt_type": "FormatError"}}
    run = mini(tmp_path, unparsed, malformed, commanded("ls"), answered("a.py"), commanded(HANDED_IN))
    assert run.trace.gaps == ()
