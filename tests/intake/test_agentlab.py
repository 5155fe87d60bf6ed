"""Experiment folders of AgentLab: pages before and after, calls in texts, messages, and what is missing."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, outcomes, the_failure, the_run
from made_pickles import Reduced, dumped

import tracewitness
from plants.agentlab import FOLDER, NEW, OLD, PLANTS, arguments, experiment, node, packed, pickled, png, step
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.discover import Skipped
from tracewitness.intake.errors import FailureKind, IntakeFailure
from tracewitness.intake.formats.agentlab.actions import parse
from tracewitness.intake.formats.agentlab.axtree import axtree_text
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.pickles import Array
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.testing.words import Words
from tracewitness.trace_side.scenes import read_scenes

GOAL = "Buy one mug."


def logged(number: int, action: str | None, tree: str = "[b7] textbox 'Name'", **changes: Any) -> Any:
    seen = {key: changes.pop(key) for key in list(changes) if key not in _OF_STEP}
    obs = {"goal": GOAL, "url": f"http://shop.test/{number}", "axtree_txt": tree, **seen}
    return step(number, action, obs, **changes)


_OF_STEP = {"truncated", "terminated", "agent_info", "module", "reward", "profiling"}


def test_real_folders_without_steps_are_no_runs() -> None:
    found = outcomes(FIXTURES / "agentlab" / "test_study")
    failures = [one for one in found if isinstance(one, IntakeFailure)]
    assert len(failures) == len(found) == 2
    for failure in failures:
        assert failure.kind is FailureKind.EMPTY
        problems = (
            "no run: no step files, only exp_args.pkl and summary_info.json",
            "no run: no step files, only exp_args.pkl",
        )
        assert failure.problem in problems


def test_before_after_target_and_time(tmp_path: Path) -> None:
    steps = [
        logged(0, "click('a1')", "RootWebArea 'Shop'\n\t[a1] button 'Buy', focused"),
        logged(1, "fill('b7', 'Mug')"),
        logged(2, None, "[a9] heading 'Thank you'"),
    ]
    run = the_run(experiment(tmp_path, steps))
    first, second = run.trace.steps
    assert (first.index, second.index) == (0, 1)
    assert (first.action.kind, first.action.target) == ("click", "button 'Buy'")
    assert first.action.raw == '{"click": {"bid": "a1"}}'
    assert (second.action.kind, second.action.target, second.action.text) == ("type", "textbox 'Name'", "Mug")
    assert first.after == second.before
    assert second.after is not None and "Thank you" in (second.after.ui_tree or "")
    assert second.after.url == "http://shop.test/2"
    assert first.time == "2024-08-01T10:26:41.500000+00:00"
    assert run.task.instruction == GOAL
    assert run.run_id == FOLDER
    assert run.origin.agent == "G"


def test_the_last_message_is_the_report(tmp_path: Path) -> None:
    steps = [
        logged(0, "send_msg_to_user('Shall I?')"),
        logged(1, "click('b7')"),
        logged(2, "```send_msg_to_user('It\\'s done: 7 EUR.')```"),
        logged(3, None, terminated=True),
    ]
    run = the_run(experiment(tmp_path, steps))
    assert run.report == Report("It's done: 7 EUR.", None)
    assert run.harness is HarnessStatus.COMPLETED
    assert [one.action.kind for one in run.trace.steps] == ["send_msg_to_user", "click", "finish"]
    assert "Shall I" not in repr(run.trace) + repr(run.report)
    assert run.trace.steps[2].after is not None
    routes = {one.route for one in run.stripped if "text" in one.where}
    assert routes == {LeakRoute.FINISH_ARGUMENTS}


def test_infeasible_is_a_failure(tmp_path: Path) -> None:
    run = the_run(experiment(tmp_path, [logged(0, "report_infeasible(reason='No mugs.')"), logged(1, None)]))
    assert run.report == Report("No mugs.", DeclaredStatus.FAILURE)


@pytest.mark.parametrize(
    ("steps", "status"),
    [
        ([logged(at, "noop()") for at in range(10)] + [logged(10, None, truncated=True)], HarnessStatus.STEP_LIMIT),
        ([logged(0, "noop()"), logged(1, None, truncated=True)], HarnessStatus.UNKNOWN),
        ([logged(0, "noop()"), logged(1, None, terminated=True, reward=1.0)], HarnessStatus.UNKNOWN),
    ],
)
def test_no_report_is_ever_inferred(steps: list[Any], status: HarnessStatus, tmp_path: Path) -> None:
    run = the_run(experiment(tmp_path, steps))
    assert run.report == Report(None)
    assert run.harness is status
    assert any("no end is inferred" in notice for notice in run.notices)


def test_a_crash_is_told_by_the_summary(tmp_path: Path) -> None:
    uncaught = json.dumps(
        {"n_steps": 1, "err_msg": "Exception uncaught by agent or environment in task x.\nKeyError:\n1"}
    )
    run = the_run(experiment(tmp_path, [logged(0, "noop()"), logged(1, None)], summary=uncaught))
    assert run.harness is HarnessStatus.ERROR
    (tmp_path / "other").mkdir()
    other = experiment(
        tmp_path / "other", [logged(0, "noop()"), logged(1, None)], summary='{"err_msg": "retried", "x": NaN}'
    )
    assert the_run(other).harness is HarnessStatus.UNKNOWN


def test_several_calls_in_one_action(tmp_path: Path) -> None:
    written = "I fill the form. fill('b7', 'Mug') # the name\npress('b7', 'Enter')"
    steps = [logged(0, written), logged(1, "click('b7')", last_action_error="TimeoutError: 500ms"), logged(2, None)]
    run = the_run(experiment(tmp_path, steps))
    assert [(one.index, one.action.kind, one.action.text) for one in run.trace.steps] == [
        (0, "type", "Mug"),
        (1, "press_key", "Enter"),
        (2, "click", None),
    ]
    assert run.trace.steps[0].before is not None and run.trace.steps[0].after is None
    assert run.trace.steps[1].before is None and run.trace.steps[1].after is not None
    assert (run.trace.steps[0].error, run.trace.steps[1].error) == (None, "TimeoutError: 500ms")
    assert run.trace.gaps == ()
    assert [one.text for one in run.narration] == ["I fill the form.\n# the name"]
    assert "the name" not in repr(run.trace)


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("click('a1')", ["click"]),
        ('click("a1", button="right")', ["click"]),
        ("select_option('a', ['x', 'y'])", ["select_option"]),
        ("click('a1') click('a2')", ["click", "click"]),
        ("fill('a', '#1') click('b')", ["fill", "click"]),
        ("# click('a1')\nhover('a2')", ["hover"]),
        ("Now I press: press(bid='a', key_comb='Enter').", ["press"]),
        ("fill('a', 'it\\'s (so) \"quoted\"')", ["fill"]),
        ("fill('a', '''one\ntwo''')", ["fill"]),
        ("page.click('a1')", []),
        ("send_msg_to_user('It's done')", []),
        ("click(open('x'))", []),
        ("unclick('a1')", []),
        ("I am done.", []),
        ("", []),
        ("click('a" * 9000, []),
        ("click(" * 20_000, []),
        ("noop(" + "9" * 9000 + ")", []),
    ],
)
def test_calls_in_a_text(written: str, names: list[str]) -> None:
    assert [call.name for call in parse(written).calls] == names


def test_arguments_of_calls() -> None:
    (call,) = parse("press(bid='a', key_comb='Enter')").calls
    assert call.arguments == {"bid": "a", "key": "Enter"}
    (call,) = parse("mouse_drag_and_drop(1, -2, from_y=3, to_y=4.5)").calls
    assert call.arguments == {"from_x": 1, "from_y": 3, "to_y": 4.5}
    (call,) = parse("fill('a', '\\ud800')").calls
    assert call.arguments["value"] == "\ufffd"


def test_other_code_and_prose(tmp_path: Path) -> None:
    steps = [
        logged(0, "# I do it\npage.get_by_text('Buy').click()  # done"),
        logged(1, "I have bought the mug."),
        logged(2, "send_message = send_msg_to_user\nsend_message('I have bought it')"),
        logged(3, None, last_action_error="ValueError: found 'I have bought it'"),
    ]
    run = the_run(experiment(tmp_path, steps))
    assert [(one.action.kind, one.action.executed) for one in run.trace.steps] == [
        ("run_script", True),
        ("unparsed", False),
        ("unparsed", False),
    ]
    assert run.trace.steps[0].action.raw == "page.get_by_text('Buy').click()"
    assert run.trace.steps[2].error == "ValueError"
    assert "I have bought" not in repr(run.trace)


@pytest.mark.parametrize("module", [OLD, NEW])
def test_both_class_paths(module: str, tmp_path: Path) -> None:
    run = the_run(experiment(tmp_path, [logged(0, "noop()", module=module), logged(1, None, module=module)]))
    assert run.origin.format_version == module


def test_chats_and_echoes_never_reach_the_trace(tmp_path: Path) -> None:
    chat = ({"role": "assistant", "message": "bought it"}, {"role": "user", "message": "thanks for having bought it"})
    steps = [logged(0, "noop()"), logged(1, None, chat_messages=chat, last_action="x  # bought it")]
    run = the_run(experiment(tmp_path, steps))
    assert "bought it" not in repr(run.trace)
    echoes = {one.where for one in run.stripped if one.route is LeakRoute.ECHO}
    assert echoes == {"step_1.pkl.gz: obs.chat_messages", "step_1.pkl.gz: obs.last_action"}


def test_a_tree_as_an_object_is_written_as_the_library_writes_it() -> None:
    nodes = [
        node("0", "RootWebArea", "Shop", ["1", "2", "3", "0", "9"], focused=True),
        node("1", "checkbox", "Gift", ["4"], checked="true", focusable=True),
        node("2", "generic", "", ["5"]),
        node("3", "textbox", "Name") | {"value": {"value": "Mug"}, "browsergym_id": None},
        node("4", "StaticText", "Gift"),
        node("5", "link", "It's"),
    ]
    assert axtree_text({"nodes": nodes}, 10_000).splitlines() == [
        "[a0] RootWebArea 'Shop', focused",
        "\t[a1] checkbox 'Gift', checked='true'",
        '\t[a5] link "It\'s"',
        "\ttextbox 'Name' value='Mug'",
    ]
    assert axtree_text({"nodes": nodes}, 60) == "[a0] RootWebArea 'Shop', focused"
    assert axtree_text(None, 100) == axtree_text({"nodes": [1, None]}, 100) == ""
    endless = [node(str(at), "button", "x", [str(at), "0"]) for at in range(3)]
    assert len(axtree_text({"nodes": endless}, 10_000).splitlines()) == 1


def test_the_tree_is_understood_by_the_trace_side(tmp_path: Path) -> None:
    tree = "RootWebArea 'Shop'\n\t[a1] checkbox 'Gift', checked='true'\n\t[a2] button 'Buy', disabled=True"
    scenes = read_scenes(the_run(experiment(tmp_path, [logged(0, "click('a2')", tree), logged(1, None)])).trace)
    named = {element.name: element for element in scenes[0].elements}
    assert named["Gift"].on is True
    assert "Buy" in named


def test_other_texts_of_a_page(tmp_path: Path) -> None:
    html = '<div bid="a1"><button bid="a2" aria-label="Buy now"></button><a bid="a3">More</a></div>'
    steps = [
        logged(0, "click('a2')", "", pruned_html=html),
        logged(1, "click('a3')", "", dom_txt=html),
        logged(2, "drag_and_drop('a2', 'zz')", "", dom_txt=html),
        logged(3, None, "", url=""),
    ]
    run = the_run(experiment(tmp_path, steps, pictures=False))
    assert [one.action.target for one in run.trace.steps] == ["button 'Buy now'", "a 'More'", "button 'Buy now' to zz"]
    assert run.trace.steps[2].after is None


def test_tabs(tmp_path: Path) -> None:
    seen: dict[str, Any] = {
        "open_pages_urls": ("http://a.test", "http://b.test"),
        "open_pages_titles": ("A", "B"),
        "url": "",
    }
    seen["active_page_index"] = Array((1,), "i8", content=bytes(8))
    run = the_run(experiment(tmp_path, [logged(0, "tab_focus(1)", **seen), logged(1, None)]))
    before = run.trace.steps[0].before
    assert before is not None
    assert (before.url, before.text) == ("http://a.test", "tab 0: A http://a.test\ntab 1: B http://b.test")


def test_pictures(tmp_path: Path) -> None:
    folder = experiment(tmp_path, [logged(0, "noop()"), logged(1, "noop()"), logged(2, None)])
    (folder / "screenshot_step_1.png").unlink()
    run = the_run(folder)
    assert "1 screenshot (screenshot_step_1.png) is missing or cannot be read" in run.notices
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    shown = run.trace.steps[0].before
    assert shown is not None and shown.screenshot is not None
    assert RunPictures(run.origin).read(shown.screenshot) == png(0)


def test_a_picture_in_the_step_itself(tmp_path: Path) -> None:
    pixels = Array((20, 10, 3), "u1", content=bytes(600))
    run = the_run(experiment(tmp_path, [logged(0, "noop()", screenshot=pixels), logged(1, None)], pictures=False))
    shown = run.trace.steps[0].before
    assert shown is not None and shown.screenshot is not None
    assert shown.screenshot.name == "step_0.pkl.gz!obs.screenshot"
    assert (RunPictures(run.origin).read(shown.screenshot) or b"").startswith(b"\x89PNG")


def test_missing_and_damaged_steps(tmp_path: Path) -> None:
    folder = experiment(tmp_path, [logged(at, "noop()") for at in range(5)], summary='{"n_steps": 7}')
    (folder / "step_1.pkl.gz").unlink()
    (folder / "step_3.pkl.gz").write_bytes((folder / "step_3.pkl.gz").read_bytes()[:-20])
    run = the_run(folder)
    assert [one.index for one in run.trace.steps] == [0, 2, 4]
    assert run.trace.steps[0].after is None and run.trace.steps[1].after is None
    assert Gap.MISSING_STEPS in run.trace.gaps
    assert any(notice.startswith("step_3.pkl.gz: ") for notice in run.notices)
    assert any("counted 7 steps" in notice for notice in run.notices)
    for name in ("step_0", "step_2", "step_4"):
        (folder / f"{name}.pkl.gz").write_bytes(b"")
    assert the_failure(folder).where == "step_0.pkl.gz"


def test_an_attack_in_any_file_is_refused(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    evil = dumped(Reduced(exec, f"open({str(ran)!r}, 'w')"))
    for name in ("step_1.pkl.gz", "exp_args.pkl"):
        (tmp_path / name).mkdir()
        folder = experiment(tmp_path / name, [logged(0, "noop()"), logged(1, None)])
        (folder / name).write_bytes(gzip.compress(evil) if name.endswith("gz") else evil)
        failure = the_failure(folder)
        assert (failure.kind, failure.where) == (FailureKind.UNSAFE_PICKLE, name)
        assert "builtins.exec" in failure.problem
    assert not ran.exists()


def test_the_task(tmp_path: Path) -> None:
    steps = [logged(0, "noop()", goal=""), logged(1, None, goal="")]
    folder = experiment(tmp_path, steps)
    assert the_failure(folder).kind is FailureKind.NO_TASK
    assert the_run(folder, ReadOptions(task="Told.")).task.instruction == "Told."
    (folder / "goal_object.pkl.gz").write_bytes(packed([{"type": "text", "text": "Buy"}, {"type": "image_url"}]))
    assert the_run(folder).task.instruction == "Buy"


def test_what_is_no_experiment(tmp_path: Path) -> None:
    folder = experiment(tmp_path, [logged(0, "noop()"), logged(1, None)])
    assert "name its folder" in the_failure(folder / "step_0.pkl.gz").problem
    (tmp_path / "study.pkl.gz").write_bytes(packed({"x": 1}))
    (tmp_path / "result_df_trial_1_of_1.csv").write_text("cum_reward\n1.0\n")
    found = outcomes(tmp_path)
    assert sorted(Path(one.path).name for one in found if isinstance(one, Skipped)) == [
        "result_df_trial_1_of_1.csv",
        "study.pkl.gz",
    ]
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "step_0.pkl.gz").write_bytes(packed({"obs": 1}))
    assert "no StepInfo" in the_failure(tmp_path / "odd").problem


def test_limits(tmp_path: Path) -> None:
    steps = [logged(0, "noop()", "x" * 5000), logged(1, None)]
    folder = experiment(tmp_path, steps)
    run = the_run(folder, ReadOptions(limits=Limits(dump=1000)))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert the_failure(folder, options=ReadOptions(limits=Limits(steps=1))).kind is FailureKind.BAD_RUN


def test_damaged_arguments_are_borne(tmp_path: Path) -> None:
    folder = experiment(tmp_path, [logged(0, "noop()"), logged(1, None, truncated=True)])
    (folder / "exp_args.pkl").write_bytes(pickled(arguments(1)))
    assert the_run(folder).harness is HarnessStatus.STEP_LIMIT
    (folder / "exp_args.pkl").write_bytes(b"\x80\x04X")
    assert the_run(folder).harness is HarnessStatus.UNKNOWN


def test_a_whole_audit(tmp_path: Path) -> None:
    (result,) = tracewitness.audit(PLANTS["agentlab"].plant(tmp_path, words := Words()))
    assert result.triage is Triage.AUDIT_TARGET
    assert words.given[Plane.GRADING]
