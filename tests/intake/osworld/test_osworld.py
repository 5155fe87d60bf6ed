"""The traj.jsonl family: before and after, several calls, the end, the task, and what is missing."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import outcomes, the_failure, the_run, write_lines

import tracewitness
from plants.osworld import picture, plant_waa
from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import FailureKind
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.task_files import TaskFiles
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus
from tracewitness.testing.words import Words
from tracewitness.trace_side.trace import Action, Observation

ID = "06fe7178-4491-4589-810f-2e2bc9502122"
TASK = ReadOptions(task="Turn on the dark mode.")


def line(number: int, action: Any, **fields: Any) -> dict[str, Any]:
    stamp = f"20250828@1623{number:02}"
    common: dict[str, Any] = {"reward": 0, "done": False, "info": {}, "screenshot_file": f"step_{number}_{stamp}.png"}
    return {"step_num": number, "action_timestamp": stamp, "action": action, "response": "I act.", **common, **fields}


def folder_of(parent: Path, *lines: dict[str, Any], pictures: bool = True, name: str = ID) -> Path:
    folder = parent / name
    folder.mkdir(parents=True)
    write_lines(folder / "traj.jsonl", lines)
    for number, one in enumerate(lines if pictures else ()):
        if "screenshot_file" in one:
            picture(folder / one["screenshot_file"], number + 1)
    return folder


def read(parent: Path, *lines: dict[str, Any], **given: Any) -> SealedRun:
    return the_run(folder_of(parent, *lines, **given), TASK)


def actions(run: SealedRun) -> list[tuple[str, str | None, str | None]]:
    return [(step.action.kind, step.action.target, step.action.text) for step in run.trace.steps]


def shot(seen: Observation | None) -> str | None:
    return seen.screenshot.name if seen is not None and seen.screenshot is not None else None


def test_a_run_of_the_common_runner(tmp_path: Path) -> None:
    run = read(
        tmp_path / "gpt-4o" / "chrome",
        line(1, "pyautogui.click(100, 200)", response="```python\npyautogui.click(100, 200)\n```"),
        line(2, "DONE", response="The dark mode is on."),
    )
    assert run.run_id == f"gpt-4o/chrome/{ID}"
    assert actions(run) == [("click", "(100, 200)", None), ("finish", None, None)]
    assert run.trace.steps[0].action.raw == "pyautogui.click(100, 200)"
    assert run.trace.steps[0].time == "2025-08-28T16:23:01"
    assert run.trace.steps[0].before is None
    assert shot(run.trace.steps[0].after) == shot(run.trace.steps[1].before) == "step_1_20250828@162301.png"
    assert (run.report.text, run.report.declared_status) == ("The dark mode is on.", DeclaredStatus.SUCCESS)
    assert run.harness is HarnessStatus.COMPLETED
    assert run.trace.gaps == (Gap.SCREENSHOT_ONLY,)
    assert {one.where: (one.plane, one.route) for one in run.stripped}["line 2.response"] == (
        Plane.REPORT,
        LeakRoute.FINAL_REPORT,
    )


def test_the_log_itself_may_be_named(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, line(1, "pyautogui.press('enter')"), line(2, "DONE"))
    assert the_run(folder / "traj.jsonl", TASK).trace == the_run(folder, TASK).trace


def test_several_calls_of_a_line_are_steps_and_the_picture_is_seen_after_the_last(tmp_path: Path) -> None:
    code = "pyautogui.click(1, 2)\npyautogui.write('dark')\ntime.sleep(1)\npyautogui.press('enter')"
    run = read(tmp_path, line(1, code), line(2, "DONE"))
    assert actions(run)[:3] == [("click", "(1, 2)", None), ("type", None, "dark"), ("press_key", None, "enter")]
    assert [step.index for step in run.trace.steps] == [1, 2, 3, 4]
    assert [shot(step.after) for step in run.trace.steps[:3]] == [None, None, "step_1_20250828@162301.png"]


def test_several_lines_of_a_turn_share_a_number(tmp_path: Path) -> None:
    first, second = (
        line(1, "pyautogui.click(1, 2)"),
        line(1, "pyautogui.press('a')", action_timestamp="20250828@162307"),
    )
    run = read(tmp_path, first, second | {"screenshot_file": "step_1_20250828@162307.png"}, line(2, "DONE"))
    assert [step.index for step in run.trace.steps] == [1, 2, 3]
    assert Gap.MISSING_STEPS not in run.trace.gaps


def test_a_picture_that_was_overwritten_is_of_the_last_action_alone(tmp_path: Path) -> None:
    name = {"screenshot_file": "step_1.png"}
    run = read(tmp_path, line(1, "pyautogui.click(1, 2)", **name), line(1, "pyautogui.press('a')", **name))
    assert [shot(step.after) for step in run.trace.steps] == [None, "step_1.png"]
    assert run.trace.steps[1].before is None


def test_a_runner_that_names_another_file_than_it_writes(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, line(1, "pyautogui.click(1, 2)"), pictures=False)
    picture(folder / "step_1.png", 1)
    assert shot(the_run(folder, TASK).trace.steps[0].after) == "step_1.png"


def test_numbers_that_are_skipped_are_missing_steps(tmp_path: Path) -> None:
    run = read(tmp_path, line(1, "pyautogui.click(1, 2)"), line(3, "DONE"))
    assert [step.index for step in run.trace.steps] == [1, 3]
    assert Gap.MISSING_STEPS in run.trace.gaps


@pytest.mark.parametrize("name", ["step_0.png", "step_0_20250828@162300.png", "initial_state.png"])
def test_the_first_screen_is_before_the_first_action(tmp_path: Path, name: str) -> None:
    folder = folder_of(tmp_path, line(1, "pyautogui.click(1, 2)"))
    picture(folder / name, 9)
    assert shot(the_run(folder, TASK).trace.steps[0].before) == name


def test_a_line_of_the_first_screen_is_no_step(tmp_path: Path) -> None:
    run = read(tmp_path, line(0, "__init__"), line(1, "pyautogui.click(1, 2)"))
    assert len(run.trace.steps) == 1
    assert shot(run.trace.steps[0].before) == "step_0_20250828@162300.png"


def test_missing_pictures_are_told_once(tmp_path: Path) -> None:
    run = read(tmp_path, line(1, "pyautogui.click(1, 2)"), line(2, "DONE"), pictures=False)
    assert run.trace.steps[0].after is None
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert Gap.NO_OBSERVATIONS in run.trace.gaps
    assert any(one.startswith("2 screenshots (the first: step_1_") for one in run.notices)


def test_a_picture_by_a_path_of_another_machine_is_found_by_its_name(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, line(1, "pyautogui.click(1, 2)", screenshot_file="x.png"))
    write_lines(folder / "traj.jsonl", [line(1, "pyautogui.click(1, 2)", screenshot_file="C:\\runs\\..\\x.png")])
    assert shot(the_run(folder, TASK).trace.steps[0].after) == "x.png"


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({"action_type": "CLICK", "parameters": {"x": 1, "y": 2}}, ("click", "(1, 2)", None)),
        ({"action_type": "RIGHT_CLICK", "x": 1, "y": 2}, ("right_click", "(1, 2)", None)),
        ({"action_type": "TYPING", "parameters": {"text": "a"}}, ("type", None, "a")),
        ({"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "s"]}}, ("press_key", None, "ctrl+s")),
        ({"name": "computer", "input": {"action": "left_click", "coordinate": [3, 4]}}, ("click", "(3, 4)", None)),
        ({"name": "computer", "input": {"action": "type", "text": "a"}}, ("type", None, "a")),
        ({"name": "computer", "input": {"action": "key", "text": "ctrl+s"}}, ("press_key", None, "ctrl+s")),
        (
            {
                "name": "computer",
                "input": {"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]},
            },
            ("drag", "from (1, 2) to (3, 4)", None),
        ),
        ({"type": "click", "x": 1, "y": 2, "button": "left"}, ("click", "(1, 2)", None)),
        ({"type": "keypress", "keys": ["CTRL", "S"]}, ("press_key", None, "CTRL+S")),
        ({"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}, ("drag", "from (1, 2) to (3, 4)", None)),
        ({"action_space": "pyautogui", "action": "pyautogui.click(1, 2)", "call_id": "c"}, ("click", "(1, 2)", None)),
        ({"action": "left_click", "coordinate": [1, 2]}, ("click", "(1, 2)", None)),
        ({"name": "computer_use", "arguments": '{"action": "type", "text": "a"}'}, ("type", None, "a")),
        ("{'action_type': 'CLICK', 'x': 1, 'y': 2}", ("click", "(1, 2)", None)),
        ("click(start_box='(1,2)')", ("click", "(1, 2)", None)),
        ("```python\npyautogui.click(1, 2)\n```", ("click", "(1, 2)", None)),
        ('MCP:calc.set:{"cell": "A1"}', ("calc.set", None, None)),
        ("WAIT", ("wait", None, None)),
        ({"x": 10**400, "action_type": "CLICK", "y": 1}, ("click", None, None)),
    ],
)
def test_the_forms_of_an_action(tmp_path: Path, action: Any, expected: tuple[str, str | None, str | None]) -> None:
    assert actions(read(tmp_path, line(1, action), line(2, "DONE")))[0] == expected


@pytest.mark.parametrize(
    ("action", "flag"),
    [
        ("DONE", DeclaredStatus.SUCCESS),
        ("FAIL", DeclaredStatus.FAILURE),
        ("DONE (terminate)", DeclaredStatus.SUCCESS),
        ({"action_type": "DONE", "raw_response": "[TEXT] It is on."}, DeclaredStatus.SUCCESS),
        ({"action_space": "pyautogui", "action": "FAIL", "call_id": ""}, DeclaredStatus.FAILURE),
        ({"name": "computer_use", "arguments": {"action": "terminate", "status": "failure"}}, DeclaredStatus.FAILURE),
        ("CALL_USER", None),
    ],
)
def test_the_end_keeps_that_the_agent_ended(tmp_path: Path, action: Any, flag: DeclaredStatus | None) -> None:
    run = read(tmp_path, line(1, "pyautogui.click(1, 2)"), line(2, action))
    assert run.trace.steps[-1].action == Action("finish")
    assert run.report.declared_status is flag
    assert run.report.text


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"response": "Thought: I look.\nAction: finished(content='It is on.')"}, "It is on."),
        ({"response": "Thought: It is on.\nAction: finished()"}, "It is on."),
        ({"response": {"thought": "It is on.", "code": "x"}}, "It is on."),
        ({"response": ["It is", "on."]}, "It is\non."),
        ({"response": None, "plan": "It is on.", "plan_code": "agent.done()"}, "It is on."),
        ({"response": None, "natural_language_action": "It is on."}, "It is on."),
        ({"response": {"a": [{"b": 1}]}}, None),
        ({"response": 3}, None),
    ],
)
def test_where_the_last_words_stand(tmp_path: Path, fields: dict[str, Any], text: str | None) -> None:
    assert read(tmp_path, line(1, "pyautogui.click(1, 2)"), line(2, "DONE", **fields)).report.text == text


@pytest.mark.parametrize(
    ("action", "response"),
    [
        ("FAIL", "Thought: I go on.\nAction: click(start_box='(1,2)')"),
        ("DONE", "client error"),
        ("FAIL", "client error"),
    ],
)
def test_an_end_that_the_harness_wrote_is_no_report(tmp_path: Path, action: str, response: str) -> None:
    run = read(tmp_path, line(1, "pyautogui.click(1, 2)"), line(2, action, response=response))
    assert (run.report.text, run.report.declared_status) == (None, None)


def test_a_run_that_never_ended_has_no_report(tmp_path: Path) -> None:
    run = read(tmp_path, line(1, "pyautogui.click(1, 2)", response="The task is complete.", done=True))
    assert (run.report.text, run.report.declared_status) == (None, None)
    assert run.harness is HarnessStatus.UNKNOWN
    assert triage(run).name == "NOT_AUDITABLE_NO_REPORT"
    assert "the agent did not end the run in the log; no report is inferred" in run.notices


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("Time limit exceeded in chrome/06fe7178", HarnessStatus.TIMEOUT),
        ("chrome/06fe7178 - a bytes-like object is required, not 'NoneType'", HarnessStatus.ERROR),
    ],
)
def test_an_error_line_is_the_status_of_the_harness(tmp_path: Path, error: str, status: HarnessStatus) -> None:
    run = read(tmp_path, line(1, "pyautogui.press('enter')"), {"Error": error})
    assert run.harness is status
    assert len(run.trace.steps) == 1


def test_a_runner_that_went_on_after_an_error_has_not_failed(tmp_path: Path) -> None:
    run = read(tmp_path, {"Error": "x"}, line(1, "pyautogui.press('enter')"), line(2, "DONE"))
    assert run.harness is HarnessStatus.COMPLETED


def test_a_step_that_failed_was_not_carried_out(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, line(1, "pyautogui.press('a')", step_status=True), pictures=True)
    failed = line(2, "pyautogui.press('b')", step_status=False, done=True, reward=None)
    write_lines(folder / "traj.jsonl", [line(1, "pyautogui.press('a')", step_status=True), failed])
    run = the_run(folder, TASK)
    assert [step.action.executed for step in run.trace.steps] == [True, False]
    assert run.trace.steps[1].error == "the log says that the step failed"
    assert not any("missing" in one for one in run.notices)


def test_a_tool_that_failed_is_an_error(tmp_path: Path) -> None:
    served = {"exec_ok": False, "exec_result": {"ok": False, "result": "no such cell", "error": "no such cell"}}
    run = read(tmp_path, line(1, "MCP:calc.set:{}", **served))
    assert run.trace.steps[0].error == "no such cell"


def test_code_that_is_no_python_keeps_nothing(tmp_path: Path) -> None:
    run = read(tmp_path, line(1, "I will click on '''it''' now"), line(2, "DONE"))
    assert run.trace.steps[0].action == Action("code")
    assert Gap.MISSING_STEPS in run.trace.gaps
    assert "line 1: the action cannot be read, so nothing of it is kept" in run.notices


def test_a_click_is_on_the_element_of_the_accessibility_tree(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, line(1, "pyautogui.click(9, 9)"), line(2, "pyautogui.click(30, 40)"), line(3, "DONE"))
    tree = (
        '<desktop-frame xmlns:cp="uri:deskat:component"><push-button name="Apply" cp:screencoord="(20, 30)" '
        'cp:size="(40, 20)"/><panel name="All" cp:screencoord="(0, 0)" cp:size="(900, 900)"/></desktop-frame>'
    )
    (folder / "step_1_20250828@162301_a11y.xml").write_text(tree, encoding="utf-8")
    run = the_run(folder, TASK)
    assert [target for _, target, _ in actions(run)] == ["(9, 9)", "Apply", None]
    assert run.trace.steps[0].after is not None
    assert run.trace.steps[0].after.ui_tree == tree


def test_a_hostile_tree_refuses_the_run(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, line(1, "pyautogui.click(9, 9)"))
    hostile = '<!DOCTYPE d [<!ENTITY a "b">]><d>&a;</d>'
    (folder / "step_1_20250828@162301_a11y.xml").write_text(hostile, encoding="utf-8")
    assert the_failure(folder, options=TASK).kind is FailureKind.UNSAFE_XML


def test_windows_agent_arena_saw_the_screen_before_each_action(tmp_path: Path) -> None:
    run = the_run(plant_waa(tmp_path, Words()))
    click, typing, finish = run.trace.steps
    assert (click.action.kind, click.action.target) == ("click", "mark 78")
    assert click.before is not None and "window: " in (click.before.text or "")
    assert shot(click.before) == "screenshot/screenshot-step_0_20260501@120000.png"
    assert typing.after == finish.before
    assert shot(finish.after) == "screenshot/screenshot-step_2_20260501@120059.png"
    assert run.origin.format_version == "WindowsAgentArena"
    assert Gap.NO_FINAL_OBSERVATION not in run.trace.gaps


def test_without_a_last_screen_windows_agent_arena_shows_nothing_after_the_last_action(tmp_path: Path) -> None:
    folder = plant_waa(tmp_path, Words(finished=False))
    for path in [*folder.glob("screenshot/screenshot-step_1_*"), *folder.glob("accessibility_tree-step_1_*")]:
        path.unlink()
    assert the_run(folder).trace.steps[-1].after is None


class TestTheTask:
    LINES = (line(1, "pyautogui.click(1, 2)"), line(2, "DONE"))

    def test_nobody_says_it(self, tmp_path: Path) -> None:
        failure = the_failure(folder_of(tmp_path, *self.LINES))
        assert failure.kind is FailureKind.NO_TASK
        assert ID in failure.problem
        assert "--tasks" in failure.remedy

    def test_the_log_says_it(self, tmp_path: Path) -> None:
        run = read(tmp_path, *({**one, "instruction": "Open it."} for one in self.LINES))
        assert run.task.instruction == "Open it."

    def test_a_file_in_the_folder_says_it(self, tmp_path: Path) -> None:
        folder = folder_of(tmp_path, *self.LINES)
        (folder / "instruction.txt").write_text("Open it.\n", encoding="utf-8")
        assert the_run(folder, TASK).task.instruction == "Open it."

    def test_the_tasks_by_id_say_it(self, tmp_path: Path) -> None:
        (tmp_path / "tasks.json").write_text(json.dumps({ID: "Open it."}), encoding="utf-8")
        options = ReadOptions(task="Another.", tasks=TaskFiles.of(tmp_path / "tasks.json"))
        assert the_run(folder_of(tmp_path / "runs", *self.LINES), options).task.instruction == "Open it."

    def test_the_examples_beside_the_runs_say_it(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder_of(tmp_path / "results" / "m" / "chrome", *self.LINES)
        examples = tmp_path / "evaluation_examples" / "examples" / "chrome"
        examples.mkdir(parents=True)
        told = {"id": ID, "instruction": "Open it.", "evaluator": {"expected": "SECRET"}}
        (examples / f"{ID}.json").write_text(json.dumps(told), encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        run = the_run(Path("results"))
        assert run.task.instruction == "Open it."
        assert "SECRET" not in repr((run.task, run.trace, run.report, run.notices))


class TestDamage:
    def test_a_last_line_that_is_cut_off_keeps_the_others(self, tmp_path: Path) -> None:
        folder = folder_of(tmp_path, line(1, "pyautogui.click(1, 2)"), line(2, "DONE"))
        log = folder / "traj.jsonl"
        log.write_bytes(log.read_bytes()[:-40])
        run = the_run(folder, TASK)
        assert [step.action.kind for step in run.trace.steps] == ["click"]
        assert Gap.LOG_CUT_OFF in run.trace.gaps
        assert run.report.text is None

    @pytest.mark.parametrize(
        ("content", "kind"),
        [
            ("version https://git-lfs.github.com/spec/v1\noid sha256:fa7f\nsize 7844\n", FailureKind.LFS_POINTER),
            ("", FailureKind.EMPTY),
            ("{", FailureKind.BAD_JSON),
            ('{"instruction": "Open it.", "initial_state": "initial_state.png"}\n', FailureKind.EMPTY),
        ],
    )
    def test_a_log_without_a_step_is_told(self, tmp_path: Path, content: str, kind: FailureKind) -> None:
        folder = tmp_path / ID
        folder.mkdir()
        (folder / "traj.jsonl").write_text(content, encoding="utf-8")
        assert the_failure(folder, options=TASK).kind is kind

    def test_a_foreign_traj_jsonl_is_left_alone(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "traj.jsonl", [{"id": 1, "messages": []}])
        assert the_failure(tmp_path / "traj.jsonl", options=TASK).kind is FailureKind.UNKNOWN_FORMAT

    def test_lines_nested_deeply_cost_themselves_alone(self, tmp_path: Path) -> None:
        deep: Any = "x"
        for _ in range(200):
            deep = [deep]
        run = read(tmp_path, line(1, "pyautogui.click(1, 2)"), line(2, deep), line(3, "DONE"))
        assert [step.index for step in run.trace.steps] == [1, 3]
        assert "line 2 is nested too deeply" in run.notices


def test_runs_of_a_task_by_two_models_have_ids_of_their_own(tmp_path: Path) -> None:
    for model in ("a", "b"):
        folder_of(tmp_path / model / "chrome", line(1, "pyautogui.click(1, 2)"), line(2, "DONE"))
    (tmp_path / "a" / "args.json").write_text("{}", encoding="utf-8")
    found = [one.run_id for one in outcomes(tmp_path, options=TASK) if isinstance(one, SealedRun)]
    assert found == [f"a/chrome/{ID}", f"b/chrome/{ID}"]


def test_a_run_of_pictures_alone_is_no_pass(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, line(1, "pyautogui.click(1, 2)"), line(2, "DONE", response="The dark mode is on."))
    batch = tracewitness.audit(folder, task="Turn on the dark mode.")
    assert [one.disposition for one in batch] == ["REVIEW"]
    assert batch[0].claim == "SUCCESS"


def coded(*answers: str) -> dict[str, Any]:
    history = [{"step": at, "action": one, "thoughts": "I think so."} for at, one in enumerate(answers, 1)]
    return {"summary": "It all worked.", "completion_reason": "DONE", "execution_history": history}


def test_code_that_a_coding_agent_ran_is_done_ahead_of_its_pause(tmp_path: Path) -> None:
    ran = coded(
        "First this.\n```python\n# I believe this is right\nopen('sum.txt', 'w').write('42')\n```\nand then",
        "```bash\ncp sum.txt /srv/sum.txt # done now\n```",
        "```\nrm -rf /\n```",
        "DONE",
    )
    run = read(
        tmp_path,
        line(1, "import pyautogui; pyautogui.click(1, 2)", code_agent_output=None),
        line(2, "import time; time.sleep(2.222)", code_agent_output=ran, plan="I hand it over."),
        line(3, "DONE", response="It is done."),
    )
    assert [step.action.kind for step in run.trace.steps] == ["click", "python", "bash", "wait", "finish"]
    assert "sum.txt" in (run.trace.steps[1].action.raw or "") and "42" in (run.trace.steps[1].action.raw or "")
    assert "cp sum.txt /srv/sum.txt" in (run.trace.steps[2].action.raw or "")
    told = repr(run.trace)
    assert not any(
        words in told for words in ("I believe", "done now", "rm -rf", "It all worked", "I think so", "First")
    )
    assert shot(run.trace.steps[1].before) == "step_1_20250828@162301.png"
    assert shot(run.trace.steps[3].after) == "step_2_20250828@162302.png"
    assert any("printed is not in this log" in notice for notice in run.notices)
    assert any(one.where == "line 2.code_agent_output" for one in run.stripped)


@pytest.mark.parametrize("odd", ["text", [], {}, {"execution_history": "x"}, coded("```python\n```"), coded("no code")])
def test_a_coding_agent_that_ran_nothing_adds_nothing(tmp_path: Path, odd: Any) -> None:
    run = read(tmp_path, line(1, "pyautogui.click(1, 2)", code_agent_output=odd), line(2, "DONE"))
    assert actions(run) == [("click", "(1, 2)", None), ("finish", None, None)]


SAID = "because the old title was misspelt"


@pytest.mark.parametrize(
    ("action", "result", "shown"),
    [
        (
            f'MCP:writer.set_title:{{"text": "Plan", "reason": "{SAID}"}}',
            {"result": f"title set; {SAID}"},
            "title set;",
        ),
        (f'MCP:ask_user:{{"question": "{SAID}?"}}', {"result": f"{SAID}? Yes, go on."}, "user says: Yes, go on."),
        (f'MCP:note:{{"text": "{SAID}"}}', {"result": f"noted: {SAID}"}, ""),
        (f'MCP:report_success:{{"summary": "{SAID}"}}', {"result": f"told: {SAID}"}, ""),
        (f'MCP:writer.set_title:{{"text": "{SAID}"}}', {"result": f"title is now {SAID}"}, f"title is now {SAID}"),
    ],
)
def test_what_a_tool_server_answers_shows_nothing_that_the_agent_explained(
    tmp_path: Path, action: str, result: dict[str, Any], shown: str
) -> None:
    run = read(tmp_path, line(1, action, exec_ok=True, exec_result=result), line(2, "pyautogui.click(1, 2)"))
    seen = run.trace.steps[0].after
    assert seen is not None
    assert shown in (seen.text or "")
    assert (SAID in repr(run.trace)) == (SAID in shown)
    failed = line(1, action, exec_ok=False, exec_result={"error": f"1 validation error input_value='{SAID}'"})
    refused = read(tmp_path / "refused", failed, line(2, "pyautogui.click(1, 2)"))
    assert refused.trace.steps[0].error
    assert SAID not in (refused.trace.steps[0].error or "")


@pytest.mark.parametrize("again", [0, 1])
def test_of_several_attempts_in_one_folder_the_last_is_the_run(tmp_path: Path, again: int) -> None:
    first = [line(1, "pyautogui.click(1, 2)"), line(2, "pyautogui.write('early')"), line(3, "DONE", response="Early.")]
    later = [line(number, "pyautogui.click(5, 6)") for number in range(again, again + 2)]
    run = read(tmp_path, *first, *later)
    assert actions(run) == [("click", "(5, 6)", None), ("click", "(5, 6)", None)]
    assert run.report.text is None
    assert "lines 1 to 3 are of an earlier attempt in the same folder, which is no part of this run" in run.notices
    assert Gap.MISSING_STEPS not in run.trace.gaps


@pytest.mark.parametrize(
    ("action", "text", "flag"),
    [
        ("computer.terminate(status='success', answer='It costs 5.')", "It costs 5.", DeclaredStatus.SUCCESS),
        ('terminate(status="failure", reason="It costs 5.")', "It costs 5.", DeclaredStatus.FAILURE),
        ("TERMINATE('It costs 5.')", "It costs 5.", None),
        ("agent.done(message='It costs 5.')", "It costs 5.", DeclaredStatus.SUCCESS),
        ("pyautogui.click(1, 2)\ncomputer.terminate(status='success', answer='It costs 5.')", "It costs 5.", "success"),
    ],
)
def test_a_call_that_ends_the_run_as_code_is_the_report(
    tmp_path: Path, action: str, text: str, flag: str | None
) -> None:
    run = read(tmp_path, line(1, "pyautogui.click(5, 6)"), line(2, action, response="I end."))
    assert run.trace.steps[-1].action == Action("finish")
    assert len(run.trace.steps) == 2 + ("click" in action)
    assert (run.report.text, run.report.declared_status) == (text, flag)
    assert "It costs 5" not in repr(run.trace)
    assert run.harness is HarnessStatus.COMPLETED


@pytest.mark.parametrize(
    "action", ["process.terminate()", "x = terminate('a')", "if a:\n    terminate('a')", "exit(0)"]
)
def test_other_calls_of_such_names_are_code(tmp_path: Path, action: str) -> None:
    run = read(tmp_path, line(1, action), line(2, "pyautogui.click(5, 6)"))
    assert [step.action.kind for step in run.trace.steps] == ["code", "click"]
    assert run.report.text is None


@pytest.mark.parametrize("name", ["step_{}.png", "step_{}_20250828@162301.png"])
def test_a_line_that_names_no_picture_has_that_of_its_number(tmp_path: Path, name: str) -> None:
    lines = [line(number, "pyautogui.click(5, 6)") for number in (1, 2, 2)]
    for one in lines:
        del one["screenshot_file"]
    folder = folder_of(tmp_path, *lines)
    for number in (0, 1, 2):
        picture(folder / name.format(number), number + 1)
    run = the_run(folder, TASK)
    shots = [(shot(step.before), shot(step.after)) for step in run.trace.steps]
    first, second, third = (name.format(number) for number in range(3))
    assert shots == [(first, second), (second, None), (None, third)]
    assert Gap.UNREADABLE_OBSERVATION not in run.trace.gaps
