import json
from pathlib import Path

import pytest
from made_logs import PROMPT, SETTINGS, dump, node, runs, said, the_failure, the_run, write_lines

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report

WIFI = dump(node("Wi-Fi", "[0,0][1000,100]", clickable="true"))
NAME = "self_explore_2026-01-31_12-00-00"


def reflected(step: int, decision: str) -> dict[str, object]:
    words = f"Decision: {decision}\nThought: it worked nicely\nDocumentation: opens the settings"
    images = {"image_before": f"{step}_before_labeled.png", "image_after": f"{step}_after.png"}
    return {"step": step, "prompt": "I will give you screenshots", **images, "response": words}


def explored(folder: Path, calls: list[str], decisions: list[str | None]) -> Path:
    run = folder / NAME
    run.mkdir(parents=True)
    lines = [
        {
            "step": at,
            "prompt": PROMPT.format(task="turn on wifi", past="None" if at == 1 else "I tapped"),
            "image": f"{at}_before_labeled.png",
            "response": said(call, summary="Wi-Fi is on." if call == "FINISH" else "I tapped"),
        }
        for at, call in enumerate(calls, 1)
    ]
    write_lines(run / f"log_explore_{NAME}.txt", lines)
    reflections = [reflected(at, decision) for at, decision in enumerate(decisions, 1) if decision]
    write_lines(run / f"log_reflect_{NAME}.txt", reflections)
    for at, call in enumerate(calls, 1):
        (run / f"{at}.xml").write_text(SETTINGS if at == 1 else WIFI, encoding="utf-8")
        (run / f"{at}_before.png").write_bytes(b"before" + bytes([at]))
        if call != "FINISH":
            (run / f"{at}_after.png").write_bytes(b"after" + bytes([at]))
    return run


def test_an_exploration_run(tmp_path: Path) -> None:
    run = the_run(explored(tmp_path, ["tap(1)", "tap(1)", "FINISH"], ["SUCCESS", "SUCCESS"]))
    assert run.task.instruction == "turn on wifi"
    assert run.origin.format_version == "exploration"
    assert [(step.action.kind, step.action.target) for step in run.trace.steps] == [
        ("click", "Network"),
        ("click", "Wi-Fi"),
        ("finish", None),
    ]
    assert run.trace.steps[0].after == run.trace.steps[1].before
    assert run.report == Report("Wi-Fi is on.", DeclaredStatus.SUCCESS)
    assert run.harness is HarnessStatus.COMPLETED
    assert triage(run) is Triage.AUDIT_TARGET
    for words in ("worked nicely", "SUCCESS", "opens the settings", "I tapped"):
        assert words not in repr(run.trace)


def test_back_is_a_step_and_what_follows_it_has_no_tags(tmp_path: Path) -> None:
    run = the_run(explored(tmp_path, ["tap(1)", "tap(1)", "FINISH"], ["BACK", "INEFFECTIVE"]))
    assert [(step.index, step.action.kind, step.action.target) for step in run.trace.steps] == [
        (1, "click", "Network"),
        (2, "navigate_back", None),
        (3, "click", None),
        (4, "finish", None),
    ]
    tap, back, after = run.trace.steps[:3]
    assert tap.after is not None
    assert tap.after.screenshot is not None
    assert tap.after.screenshot.name == "1_after.png"
    assert back.before == tap.after
    assert back.after == after.before


def test_the_last_action_is_followed_by_its_own_picture(tmp_path: Path) -> None:
    run = the_run(explored(tmp_path, ["tap(1)", "tap(1)"], ["SUCCESS"]))
    after = run.trace.steps[1].after
    assert after is not None
    assert after.screenshot is not None
    assert after.screenshot.name == "2_after.png"
    assert run.report == Report(None)


def test_a_damaged_reflection_is_a_gap_and_grounds_no_tag(tmp_path: Path) -> None:
    folder = explored(tmp_path, ["tap(1)", "tap(1)"], ["SUCCESS"])
    (folder / f"log_reflect_{NAME}.txt").write_text('{"step": 1, "resp')
    run = the_run(folder)
    assert Gap.MISSING_STEPS in run.trace.gaps
    assert [step.action.target for step in run.trace.steps] == [None, None]


def test_the_log_of_an_exploration_may_be_named(tmp_path: Path) -> None:
    folder = explored(tmp_path, ["tap(1)", "FINISH"], ["SUCCESS"])
    run = the_run(folder / f"log_explore_{NAME}.txt")
    assert (run.run_id, run.trace.steps[0].action.target) == (NAME, "Network")


def demonstration(folder: Path, record: str, task: str | None = "turn on wifi", screens: int = 3) -> Path:
    run = folder / "demos" / "demo_settings_2026-01-31_12-00-00"
    (run / "xml").mkdir(parents=True)
    (run / "raw_screenshots").mkdir()
    (run / "record.txt").write_text(record, encoding="utf-8")
    if task is not None:
        (run / "task_desc.txt").write_text(task, encoding="utf-8")
    for number in range(1, screens + 1):
        (run / "xml" / f"{run.name}_{number}.xml").write_text(SETTINGS, encoding="utf-8")
        (run / "raw_screenshots" / f"{run.name}_{number}.png").write_bytes(b"picture" + bytes([number]))
    return run


RECORD = 'tap(2):::android.view.View_Display\ntext(3:sep:"jazz"):::x_search\nstop\n'


def test_a_demonstration_by_a_person_has_no_report(tmp_path: Path) -> None:
    run = the_run(demonstration(tmp_path, RECORD))
    assert run.task.instruction == "turn on wifi"
    assert [(step.action.kind, step.action.target, step.action.text) for step in run.trace.steps] == [
        ("click", "Display", None),
        ("type", "Search", "jazz"),
    ]
    assert run.trace.steps[0].after == run.trace.steps[1].before
    assert run.trace.steps[1].after is not None
    assert run.trace.gaps == ()
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT
    assert "a demonstration by a person" in run.notices[0]


@pytest.mark.parametrize(
    ("line", "kind", "target"),
    [
        ("long_press(1):::x", "long_press", "Network"),
        ("swipe(2:sep:up):::x", "swipe", "Display"),
        ("tap(9):::x", "click", None),
        ("nonsense", "unparsed", None),
    ],
)
def test_lines_of_a_record(tmp_path: Path, line: str, kind: str, target: str | None) -> None:
    action = the_run(demonstration(tmp_path, f"tap(1):::x\n{line}\nstop\n")).trace.steps[1].action
    assert (action.kind, action.target, action.executed) == (kind, target, kind != "unparsed")


def test_a_record_that_was_not_stopped_is_cut_off(tmp_path: Path) -> None:
    assert Gap.LOG_CUT_OFF in the_run(demonstration(tmp_path, "tap(1):::x\n", screens=1)).trace.gaps


def test_a_demonstration_without_an_action(tmp_path: Path) -> None:
    assert "the record holds no action" in the_failure(demonstration(tmp_path, "stop\n")).line()


def test_other_records_are_left_alone(tmp_path: Path) -> None:
    folder = demonstration(tmp_path, "Beatles: Abbey Road\n")
    assert runs(folder) == []
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "log_explore_x.txt").write_text(json.dumps({"explored": True}))
    assert runs(tmp_path / "other") == []
