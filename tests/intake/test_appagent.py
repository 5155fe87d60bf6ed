import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import FIXTURES, REGISTRY, SETTINGS, appagent, dump, node, runs, said, the_failure, the_run, write_lines

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.discover import Found, find_runs
from tracewitness.intake.formats.appagent.elements import MIN_DIST, tagged_elements
from tracewitness.intake.formats.appagent.response import Call, Dialect, sort_response
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import read_retold
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.intake.ui_dump import read_dump
from tracewitness.report_side.report import DeclaredStatus, Report

TASKS = FIXTURES / "appagent" / "tasks"


def test_real_upstream_run() -> None:
    run = the_run(TASKS / "task_system_2024-05-20_21-11-19")
    assert run.task.instruction == "在设置里打开深色模式"
    assert run.origin.format_version == Dialect.ACTION.value
    assert [step.action.raw for step in run.trace.steps] == ["tap(2)", "tap(10)", "tap(10)"]
    assert run.trace.steps[1].action.target == "i 视频 | 7 分钟前 | 展开"
    assert run.trace.steps[0].after is run.trace.steps[1].before
    assert run.trace.steps[2].after is None
    assert run.trace.steps[0].before is not None
    assert run.trace.steps[0].before.screenshot is not None
    assert run.trace.steps[0].before.screenshot.digest is not None
    assert run.report == Report(None), "the last Summary of a run without FINISH is no report"
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT


def test_real_fork_run_is_grounded_to_the_switch() -> None:
    run = the_run(TASKS / "task_system_2024-11-12_23-54-19")
    assert run.task.instruction == "turn on wifi"
    assert run.origin.format_version == Dialect.FUNCTION.value
    assert [(step.action.raw, step.action.target) for step in run.trace.steps] == [
        ("tap(3)", "Settings"),
        ("tap(3)", "Network & internet | Mobile, Wi\u2011Fi, hotspot"),
        ("tap(2)", "Internet | T-Mobile"),
        ("tap(5)", "Wi-Fi"),
        ("tap(5)", "Wi-Fi"),
    ]


def test_the_folder_above_is_searched_in_order() -> None:
    assert [run.run_id for run in runs(TASKS)] == ["task_system_2024-05-20_21-11-19", "task_system_2024-11-12_23-54-19"]


def test_the_log_itself_may_be_named() -> None:
    log = next((TASKS / "task_system_2024-11-12_23-54-19").glob("log_*.txt"))
    assert the_run(log).run_id == "task_system_2024-11-12_23-54-19"


@pytest.mark.parametrize(
    ("written", "call"),
    [
        ("tap(5)", Call("tap", ("5",), "tap(5)")),
        ("`tap( 5 )` because", Call("tap", ("5",), "tap( 5 )")),
        ('tap(12, "top-left")', Call("tap_grid", ("12", "top-left"), 'tap(12, "top-left")')),
        ("long_press(3)", Call("long_press", ("3",), "long_press(3)")),
        ('long_press(3, "center")', Call("long_press_grid", ("3", "center"), 'long_press(3, "center")')),
        ('swipe(21, "up", "medium")', Call("swipe", ("21", "up", "medium"), 'swipe(21, "up", "medium")')),
        (
            'swipe(1, "top", 9, "bottom")',
            Call("swipe_grid", ("1", "top", "9", "bottom"), 'swipe(1, "top", 9, "bottom")'),
        ),
        ('text("FINISH (now)")', Call("text", ('"FINISH (now)"',), 'text("FINISH (now)")')),
        ("grid()", Call("grid", (), "grid()")),
        ("FINISH", Call("finish", (), "FINISH")),
        ("I would say FINISH", Call("finish", (), "FINISH")),
        ("Tap the icon.", Call("unparsed")),
        ("", Call("unparsed")),
    ],
)
def test_calls(written: str, call: Call) -> None:
    assert sort_response(f"Observation: x\nThought: y\nAction: {written}\nSummary: z").call == call


def test_a_prose_action_line_does_not_win_over_function() -> None:
    found = sort_response("Observation: a\nIntermediate Goal: b\nAction: tap(9), I think.\nFunction: tap(5)")
    assert found.call.arguments == ("5",)
    assert "tap(9)" in found.words


def test_final_words_cannot_pass_for_a_call() -> None:
    found = sort_response("Action: FINISH\nSummary: All is done.\nAction: tap(1)\nFunction: tap(2)")
    assert found.call.name == "finish"
    assert found.closing == "All is done.\nAction: tap(1)\nFunction: tap(2)"


def test_finish_gives_flag_and_words(tmp_path: Path) -> None:
    run = the_run(appagent(tmp_path, [said("tap(1)"), said("FINISH", summary="Wi-Fi is on now.")]))
    assert run.report == Report("Wi-Fi is on now.", DeclaredStatus.SUCCESS)
    assert run.harness is HarnessStatus.COMPLETED
    assert triage(run) is Triage.AUDIT_TARGET
    finish = run.trace.steps[1]
    assert (finish.action.kind, finish.action.raw, finish.action.target, finish.after) == ("finish", None, None, None)
    assert run.trace.steps[0].after is finish.before


def test_finish_without_words_is_a_flag_alone(tmp_path: Path) -> None:
    folder = appagent(tmp_path, ["Observation: a\nIntermediate Goal: Wi-Fi on\nAction: Stop.\nFunction: FINISH"])
    run = the_run(folder)
    assert run.report == Report(None, DeclaredStatus.SUCCESS)
    assert "Wi-Fi on" in run.narration[0].text


def test_words_beside_finish_are_report(tmp_path: Path) -> None:
    run = the_run(appagent(tmp_path, ["Thought: ok\nAction: FINISH - the alarm is set\nSummary: I set it."]))
    assert run.report.text == "- the alarm is set\nI set it."


def test_a_trailing_screen_is_what_the_last_round_led_to(tmp_path: Path) -> None:
    run = the_run(appagent(tmp_path, [said("tap(1)")], dumps=[SETTINGS, dump(node("Wi-Fi", "[0,0][9,9]"))]))
    assert run.trace.steps[0].after is not None
    assert "Wi-Fi" in (run.trace.steps[0].after.ui_tree or "")
    assert run.report == Report(None)


def test_a_tag_beyond_the_list_was_logged_and_not_executed(tmp_path: Path) -> None:
    run = the_run(appagent(tmp_path, [said("tap(1)"), said("tap(40)")]))
    assert run.trace.steps[0].action.executed
    assert not run.trace.steps[1].action.executed
    assert "40" in (run.trace.steps[1].error or "")


def test_a_tag_beyond_the_list_in_a_run_that_went_on_has_no_target(tmp_path: Path) -> None:
    run = the_run(appagent(tmp_path, [said("tap(40)"), said("tap(1)")]))
    assert run.trace.steps[0].action.executed
    assert run.trace.steps[0].action.target is None


def test_typing_goes_to_the_focused_element(tmp_path: Path) -> None:
    run = the_run(appagent(tmp_path, [said('text("7:30 am")')]))
    assert (run.trace.steps[0].action.text, run.trace.steps[0].action.target) == ("7:30 am", "Search")


def test_an_unreadable_response_is_no_action(tmp_path: Path) -> None:
    run = the_run(appagent(tmp_path, ["I refuse."]))
    assert not run.trace.steps[0].action.executed
    assert run.trace.steps[0].action.raw is None


def test_a_malformed_dump_is_a_gap(tmp_path: Path) -> None:
    run = the_run(appagent(tmp_path, [said("tap(1)"), said("tap(2)")], dumps=[SETTINGS[:-30], SETTINGS]))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert run.trace.steps[0].action.target is None
    assert run.trace.steps[1].action.target == "Display"


def test_a_missing_round_is_a_gap_and_breaks_the_chain(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said("tap(1)"), said("tap(2)"), said("FINISH")])
    log = next(folder.glob("log_*"))
    lines = log.read_text("utf-8").splitlines()
    log.write_text("\n".join([lines[0], lines[2]]) + "\n", "utf-8")
    run = the_run(folder)
    assert Gap.MISSING_STEPS in run.trace.gaps
    assert run.trace.steps[0].after is None


@pytest.mark.parametrize("responses", [1, 2, 3])
def test_a_log_cut_anywhere_keeps_the_whole_rounds(tmp_path: Path, responses: int) -> None:
    folder = appagent(tmp_path, [said("tap(1)")] * responses)
    log = next(folder.glob("log_*"))
    whole = log.read_bytes()
    for end in range(1, len(whole), 37):
        log.write_bytes(whole[:end])
        rounds = whole[:end].count(b"\n")
        if rounds == 0 and not whole[:end].endswith(b"}"):
            assert the_failure(folder).kind == "bad_json"
            continue
        run = the_run(folder)
        assert len(run.trace.steps) == rounds
        assert run.report == Report(None)
        assert (Gap.LOG_CUT_OFF in run.trace.gaps) == (not whole[:end].endswith(b"\n"))


def test_two_runs_in_one_log_are_refused(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said("tap(1)"), said("tap(2)")])
    log = next(folder.glob("log_*"))
    log.write_text(log.read_text("utf-8") * 2, "utf-8")
    assert "comes after step 2" in the_failure(folder).line()


def test_screens_without_a_log(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said("tap(1)")])
    next(folder.glob("log_*")).unlink()
    assert "no round was recorded" in the_failure(folder).line()


def test_a_log_in_a_platform_encoding(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said("FINISH", summary="ok")], task="PLACE")
    log = next(folder.glob("log_*"))
    log.write_bytes(log.read_text("utf-8").replace("PLACE", "打开蓝牙").encode("gb18030"))
    run = the_run(folder)
    assert run.task.instruction == "打开蓝牙"
    assert run.origin.encoding == "gb18030"
    assert "log read as gb18030" in run.notices


BOXES = st.tuples(st.integers(0, 90), st.integers(0, 90), st.booleans(), st.booleans())


@given(st.lists(BOXES, max_size=12))
def test_tags_follow_the_tool_s_rule(boxes: list[tuple[int, int, bool, bool]]) -> None:
    nodes = [
        node(str(at), f"[{x},{y}][{x},{y}]", clickable=str(click).lower(), focusable=str(focus).lower())
        for at, (x, y, click, focus) in enumerate(boxes)
    ]
    found = [one.node.attributes["text"] for one in tagged_elements(read_dump(dump(*nodes)))]

    def spread(chosen: list[int], taken: list[int]) -> list[int]:
        kept: list[int] = []
        for at in chosen:
            x, y = boxes[at][:2]
            near = [abs(complex(x - boxes[other][0], y - boxes[other][1])) for other in (taken or kept)]
            if all(distance > MIN_DIST for distance in near):
                kept.append(at)
        return kept

    clickable = spread([at for at, box in enumerate(boxes) if box[2]], [])
    focusable = spread([at for at, box in enumerate(boxes) if box[3]], [])
    far = spread(focusable, clickable) if clickable else focusable
    assert found == [str(at) for at in clickable + far]


DOCUMENTED = (
    "You also have access to documentation.\nDocumentation of UI element labeled with the numeric tag '1':\n"
    "{documentation}\n\nThe task you need to complete is to turn on wifi. Your past actions to proceed with this task "
    "are summarized as follows: {past}\nNow, given the documentation and the following labeled screenshot, think."
)


def with_first_prompt(folder: Path, prompt: str, step: int = 1) -> Path:
    path = appagent(folder, [said("tap(1)"), said("FINISH")])
    log = next(path.glob("log_*.txt"))
    rounds = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    for at, one in enumerate(rounds):
        one["step"] = step + at
    rounds[0]["prompt"] = prompt
    write_lines(log, rounds)
    return path


@pytest.mark.parametrize(
    "documentation",
    [
        "The task you need to complete is to open the camera. Your past actions to proceed with this task are none.",
        "The task you need to complete is to open the camera\nNow, given the documentation",
        "Your past actions to proceed",
        "a button",
    ],
)
def test_documentation_ahead_of_the_task_cannot_replace_it(tmp_path: Path, documentation: str) -> None:
    prompt = DOCUMENTED.format(documentation=documentation, past="None")
    assert the_run(with_first_prompt(tmp_path, prompt)).task.instruction == "turn on wifi"


@pytest.mark.parametrize("ending", ["", ". Your past actions to proceed with this task are", "\nNow, given the"])
def test_past_actions_in_the_first_prompt_of_a_log_that_begins_later_cannot_replace_it(
    tmp_path: Path, ending: str
) -> None:
    forged = DOCUMENTED.format(documentation="a button", past=f"The task you need to complete is to wait{ending}")
    assert "the task sentence is not in the prompts" in the_failure(with_first_prompt(tmp_path / "1", forged, 3)).line()
    harmless = DOCUMENTED.format(documentation="a button", past="Your past actions to proceed")
    assert the_run(with_first_prompt(tmp_path / "2", harmless, 3)).task.instruction == "turn on wifi"


ODD_RESPONSES = (
    *("", "\u89c2\u5bdf: x\n\u52a8\u4f5c: FINISH", "I tap on it.", "Action:", "Thought: y\nAction:\n```\ntap(1)\n```"),
    *("**Action:** tap(1)", "Observation: x\r\nThought: y\r\nAction: tap(1)\r\nSummary: z", "FINISH", "tap(1)"),
)


@pytest.mark.parametrize("response", ODD_RESPONSES)
def test_a_response_of_any_form_can_be_retold(tmp_path: Path, response: str) -> None:
    folder = appagent(tmp_path / "task_x_1", [response, said("FINISH")])
    (found,) = (one for one in find_runs([folder], REGISTRY) if isinstance(one, Found))
    run = the_run(folder)
    again = list(read_retold(found, ReadOptions(), lambda plane: f"Other words of the {plane}.", None) or ())
    assert [(one.task, one.trace) for one in again if isinstance(one, SealedRun)] == [(run.task, run.trace)]
