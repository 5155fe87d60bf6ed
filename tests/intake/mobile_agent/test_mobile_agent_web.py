from pathlib import Path
from typing import Any

import pytest
from made_logs import the_failure, the_run

from plants.mobile_agent_web import entry, prompt, write, write_run
from tracewitness import audit
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.formats.mobile_agent_web.split import INVENTED
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import Report

PAGE = '[0]: <button> "Add to cart";\t[1]: <input> "Search";\t[2]: "Home";'
ANSWER = {"action": "answer", "text": "It costs 7 euros."}


def run_of(folder: Path, *entries: dict[str, Any], **meta: Any) -> Path:
    told = {"task": "find the price", "web": "http://shop.test", "max_iter": 100, **meta}
    return write_run(folder / "task_1" / "rollout_0", list(entries), told)


def test_a_run(tmp_path: Path) -> None:
    click = entry(1, {"action": "click", "label": 0}, elements=PAGE, html='<button id="a"> -> click')
    run = the_run(run_of(tmp_path, click, entry(2, ANSWER)))
    assert run.task.instruction == "find the price"
    assert run.task.start_url == "http://shop.test"
    assert run.run_id == "task_1/rollout_0"
    assert run.report == Report("It costs 7 euros.")
    assert run.harness is HarnessStatus.COMPLETED
    first, last = run.trace.steps
    assert (first.action.kind, first.action.target) == ("click", 'button "Add to cart"')
    assert first.action.raw == '{"click": {"label": 0}}'
    assert first.after == last.before
    assert first.before is not None
    assert first.before.ui_tree == '[0] button "Add to cart"\n[1] input "Search"\n[2] "Home"'
    assert first.before.url == "http://shop.test/"
    assert first.before.screenshot is not None
    assert first.before.screenshot.name == "trajectory/1_full_screenshot.png"
    assert first.time == "2026-11-30T08:27:34.500000+00:00"
    assert (last.action.kind, last.action.raw, last.after) == ("finish", None, None)
    assert run.trace.gaps == ()


@pytest.mark.parametrize(
    ("arguments", "kind", "target", "text"),
    [
        ({"action": "type", "label": 1, "text": "milk"}, "type", 'input "Search"', "milk"),
        ({"action": "scroll", "label": "WINDOW", "direction": "down"}, "scroll", "window", None),
        ({"action": "select", "label": 2, "option": "Large"}, "select", '"Home"', "Large"),
        ({"action": "click", "label": 44}, "click", "label 44", None),
        ({"action": "goto", "text": "http://a.test"}, "navigate", "http://a.test", None),
        ({"action": "wikipedia"}, "navigate", None, None),
        ({"action": "goback"}, "navigate_back", None, None),
        ({"action": "go_back"}, "navigate_back", None, None),
        ({"action": "wait"}, "wait", None, None),
    ],
)
def test_actions(tmp_path: Path, arguments: dict[str, Any], kind: str, target: str | None, text: str | None) -> None:
    action = the_run(run_of(tmp_path, entry(1, arguments, elements=PAGE))).trace.steps[0].action
    assert (action.kind, action.target, action.text) == (kind, target, text)


def test_what_the_tool_noted_of_the_page_names_a_label_that_is_not_in_the_list(tmp_path: Path) -> None:
    click = entry(1, {"action": "click", "label": 9}, html='<a href="/x">Checkout</a> -> click')
    assert the_run(run_of(tmp_path, click)).trace.steps[0].action.target == '<a href="/x">Checkout</a>'


def test_an_answer_that_could_not_be_used_was_not_executed(tmp_path: Path) -> None:
    bad = entry(1, None, obs="Action description is empty.")
    run = the_run(run_of(tmp_path, bad, entry(2, ANSWER)))
    step = run.trace.steps[0]
    assert (step.action.kind, step.action.executed, step.error) == ("unparsed", False, "Action description is empty.")


def test_the_answer_that_the_tool_writes_at_the_limit_is_no_report(tmp_path: Path) -> None:
    invented = {"action": "answer", "text": INVENTED, "conclusion": "{think_content} However, MAX steps reached."}
    run = the_run(run_of(tmp_path, entry(1, {"action": "click", "label": 0}), entry(2, invented), max_iter=2))
    assert run.report == Report(None)
    assert run.harness is HarnessStatus.STEP_LIMIT
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT
    assert "Terminated" not in repr(run.trace)


def test_an_answer_of_the_agent_s_own_at_the_limit_is_a_report(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, entry(1, {"action": "click", "label": 0}), entry(2, ANSWER), max_iter=2))
    assert run.report.text == "It costs 7 euros."
    assert run.harness is HarnessStatus.STEP_LIMIT
    assert triage(run) is Triage.AUDIT_TARGET


def test_a_stopped_run_has_no_report_and_nothing_seen_at_its_end(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, entry(1, {"action": "click", "label": 0})))
    assert run.report == Report(None)
    assert run.trace.steps[0].after is None
    assert any("no end is inferred" in notice for notice in run.notices)


def test_grading_and_result_beside_the_log_are_left_out_and_noted(tmp_path: Path) -> None:
    folder = run_of(tmp_path, entry(1, {"action": "click", "label": 0}), entry(2, ANSWER))
    write(folder / "reward.json", {"final_reward": 1})
    write(folder / "result.json", {"final_result_response": "It costs 7 euros."})
    planes = {one.where: one.plane for one in the_run(folder).stripped}
    assert (planes["reward.json"], planes["result.json"]) == (Plane.GRADING, Plane.REPORT)


def test_the_task_of_the_first_prompt(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "t" / "rollout_0", [entry(1, ANSWER)])
    assert "give it with --task" in the_failure(folder).line()
    write(folder / "messages.json", [prompt("find it\n\nfast")])
    assert the_run(folder).task.instruction == "find it\n\nfast"
    write(folder / "messages.json", [prompt("find it", "\nStep1: I did it")])
    assert "give it with --task" in the_failure(folder).line(), "a prompt with steps in it is not the first"
    assert the_run(folder, ReadOptions(task="find the price")).task.instruction == "find the price"


def test_a_missing_step_breaks_the_chain(tmp_path: Path) -> None:
    run = the_run(run_of(tmp_path, entry(1, {"action": "click", "label": 0}), entry(3, ANSWER)))
    assert run.trace.steps[0].after is None
    assert Gap.MISSING_STEPS in run.trace.gaps


def test_a_log_that_breaks_off_keeps_what_stands_ahead(tmp_path: Path) -> None:
    folder = run_of(tmp_path, entry(1, {"action": "click", "label": 0}), entry(2, ANSWER))
    log = folder / "action_info.json"
    content = log.read_text("utf-8")
    log.write_text(content[: content.index('"it": 2')], "utf-8")
    run = the_run(folder)
    assert len(run.trace.steps) == 1
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert run.report == Report(None)


def test_two_runs_in_one_log_are_refused(tmp_path: Path) -> None:
    click = entry(1, {"action": "click", "label": 0})
    assert "comes after step 1" in the_failure(run_of(tmp_path, click, click)).line()


def test_a_whole_run_is_audited(tmp_path: Path) -> None:
    folder = run_of(tmp_path, entry(1, {"action": "click", "label": 0}, elements=PAGE), entry(2, ANSWER))
    assert "7 euros" not in repr(audit(folder))
