import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, runs, the_failure, the_run, write_json

from plants.midscene import PICTURE, dump, page, plan, shot, task
from tracewitness.findings.causes import Gap
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.testing.words import Words

REAL = FIXTURES / "midscene" / "web-github.json"
SAMPLES = Path(__file__).parents[3] / "shared" / "samples" / "midscene"
WORDS = Words()


def read(tmp_path: Path, *tasks: dict[str, Any], images: dict[str, str] | None = None, **more: Any) -> SealedRun:
    held = {"sdkVersion": "1.0.3", "groupName": "g", "executions": [{"name": "x", "tasks": list(tasks)}], **more}
    document = {"dump": held, "images": {"shot": PICTURE} if images is None else images}
    return the_run(write_json(tmp_path / "made.json", document))


def ended(**output: Any) -> dict[str, Any]:
    return plan(WORDS, "end", more_actions_needed_by_instruction=False, log="All is done.", **output)


def test_a_real_dump() -> None:
    run = the_run(REAL)
    assert run.run_id == "web-github"
    assert run.task.instruction.startswith("Sign up for Github, you need to pass the form validation")
    assert [step.action.kind for step in run.trace.steps] == ["click", "type", "finish"]
    click, typed, _ = run.trace.steps
    assert click.action.target == "The 'Sign up' button at the top-right corner of the page header"
    assert typed.action.text == "example.user.test+github@proton.me"
    assert click.time == "2025-12-22T11:04:38.538000+00:00"
    assert run.report.declared_status is DeclaredStatus.SUCCESS
    assert run.report.text is not None
    assert "each display a green check mark" in run.report.text
    assert "green check mark" not in repr((run.task, run.trace))
    assert run.origin.format_version == "1.0.2"
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps, "the pictures of this sample are cut off"


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are kept beside a development checkout")
def test_whole_real_dumps_have_their_pictures() -> None:
    for path in sorted(SAMPLES.glob("*.json")):
        run = the_run(path)
        seen = [one.screenshot for step in run.trace.steps for one in (step.before, step.after) if one]
        assert run.notices == ()
        assert all(one is not None and one.digest is not None for one in seen)
        assert seen[0] is not None
        assert RunPictures(run.origin).read(seen[0]) is not None


def test_before_and_after(tmp_path: Path) -> None:
    run = read(tmp_path, plan(WORDS, "1"), task("Action Space", "Tap", param={}), ended())
    tapped, finished = run.trace.steps
    assert tapped.before is not None
    assert tapped.after is not None
    assert finished.before is not None
    assert finished.after is None


def test_a_run_that_the_last_plan_does_not_end_has_no_report(tmp_path: Path) -> None:
    run = read(tmp_path, plan(WORDS, "1"), task("Action Space", "Tap", param={}))
    assert run.report == Report(None)
    assert run.harness is HarnessStatus.UNKNOWN
    assert run.notices == ("the agent did not end the run; no report is inferred",)


@pytest.mark.parametrize(
    ("message", "harness"),
    [
        ("Replanned 20 times, exceeding the limit. Please configure", HarnessStatus.STEP_LIMIT),
        ("Connection refused", HarnessStatus.ERROR),
    ],
)
def test_a_run_whose_last_task_failed(tmp_path: Path, message: str, harness: HarnessStatus) -> None:
    failed = task("Planning", "Plan", status="failed", errorMessage=message)
    run = read(tmp_path, plan(WORDS, "1"), task("Action Space", "Tap", param={}), failed)
    assert run.report == Report(None)
    assert run.harness is harness
    assert message not in repr(run.trace)


def test_newer_words_at_the_end(tmp_path: Path) -> None:
    last = plan(
        WORDS, "1", shouldContinuePlanning=False, finalizeSuccess=False, finalizeMessage="No such page.", log=""
    )
    last["output"].pop("more_actions_needed_by_instruction")
    run = read(tmp_path, last)
    assert run.report == Report("No such page.", DeclaredStatus.FAILURE)


def test_a_failed_action_keeps_its_error_and_one_that_never_ran_was_not_carried_out(tmp_path: Path) -> None:
    failed = task("Action Space", "Tap", param={}, status="failed", errorMessage="no device")
    run = read(tmp_path, plan(WORDS, "1"), failed, task("Action Space", "Tap", param={}, status="pending"))
    assert run.trace.steps[0].error == "no device"
    assert [step.action.executed for step in run.trace.steps] == [True, False]


def test_older_tasks_and_pictures(tmp_path: Path) -> None:
    context = {"screenshotBase64": PICTURE, "tree": {"node": {"content": "Buy"}}}
    old = task("Action", "Tap", param={"prompt": "x"}, pageContext=context)
    old.pop("uiContext")
    run = read(tmp_path, plan(WORDS, "1"), old)
    seen = run.trace.steps[0].before
    assert seen is not None
    assert seen.screenshot is not None
    assert seen.screenshot.digest is not None
    assert seen.ui_tree == '{"node": {"content": "Buy"}}'


def test_pictures_beside_the_report_and_missing_ones(tmp_path: Path) -> None:
    (tmp_path / "screenshots").mkdir()
    (tmp_path / "screenshots" / "a.png").write_bytes(b"\x89PNG x")
    beside = {**shot("a"), "storage": "file", "path": "./screenshots/a.png"}
    kept = task("Action Space", "Tap", param={}, uiContext={"screenshot": beside}, recorder=[])
    run = read(tmp_path, plan(WORDS, "1"), kept, task("Action Space", "Tap", param={}, uiContext={}), images={})
    seen = run.trace.steps[0].before
    assert seen is not None
    assert seen.screenshot is not None
    assert (seen.screenshot.name, seen.screenshot.digest is not None) == ("screenshots/a.png", True)
    assert run.notices[0] == "1 screenshot (!images/shot) is missing or cannot be read"
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    climbing = {**shot("a"), "storage": "file", "path": "../a.png"}
    document = {"dump": dump(WORDS), "images": {}}
    document["dump"]["executions"][0]["tasks"][2]["uiContext"] = {"screenshot": climbing}
    assert the_failure(write_json(tmp_path / "c.json", document)).kind.value == "unsafe_path"


def test_each_instruction_is_a_run_and_steps_of_a_script_are_none(tmp_path: Path) -> None:
    held = dump(WORDS)
    script = {"name": "Tap - x", "tasks": [task("Action Space", "Tap", param={})]}
    held["executions"] = [script, *held["executions"], {**held["executions"][0], "id": "b"}]
    path = write_json(tmp_path / "made.json", held)
    assert [run.run_id for run in runs(path)] == ["made-1", "made-2"]
    held["executions"] = [script]
    assert "no instruction in it" in the_failure(write_json(tmp_path / "script.json", held)).line()


def test_a_report_page(tmp_path: Path) -> None:
    path = tmp_path / "report" / "index.html"
    path.parent.mkdir()
    path.write_text(page(dump(WORDS), {"shot": PICTURE}), "utf-8")
    run = the_run(path)
    assert run.run_id == "report"
    picture = run.trace.steps[0].before
    assert picture is not None
    assert picture.screenshot is not None
    assert picture.screenshot.digest is not None


def test_markup_in_a_page_is_put_back(tmp_path: Path) -> None:
    held = dump(WORDS)
    held["executions"][0]["tasks"][3]["param"] = "</script><script>x"
    path = tmp_path / "made.html"
    path.write_text(page(held, {}), "utf-8")
    assert "</script><script>x" in repr(the_run(path).trace)


def test_a_damaged_dump_in_a_page_is_told(tmp_path: Path) -> None:
    whole = page(dump(WORDS), {"shot": PICTURE})
    path = tmp_path / "made.html"
    path.write_text(
        whole.replace("</body>", '<script type="midscene_web_dump">{"executions": [</script></body>'), "utf-8"
    )
    assert "a dump in the page is damaged: runs may be missing" in the_run(path).notices
    path.write_text(whole[: whole.index("executions") + 40], "utf-8")
    assert "none of the dumps in it can be read (1)" in the_failure(path).line()


def test_a_newer_generation_is_read_with_a_notice(tmp_path: Path) -> None:
    run = read(tmp_path, plan(WORDS, "1"), ended(), sdkVersion="3.0.0")
    assert run.notices == ("sdkVersion 3.0.0 is newer than those that are known: fields may be left out",)


def test_what_was_kept_back_is_recorded(tmp_path: Path) -> None:
    run = the_run(write_json(tmp_path / "made.json", dump(WORDS)))
    kept = {(one.where, one.plane) for one in run.stripped}
    assert {
        ("tasks[0].output", Plane.NARRATION),
        ("tasks[2].param.thought", Plane.NARRATION),
        ("tasks[4].thought", Plane.NARRATION),
        ("tasks[6].output", Plane.REPORT),
        ("tasks[7].param.thought", Plane.REPORT),
    } <= kept
    assert json.dumps(run.run_id) == '"made"'


SAID = "The table is surely booked by now."


@pytest.mark.parametrize(
    ("name", "param"),
    [
        ("Sleep", {"timeMs": 100, "message": SAID}),
        ("Tap", {"thought": SAID}),
        ("ReportSuccess", {"message": SAID}),
        ("askHumanForHelp", {"question": SAID}),
        ("BookTable", {"seats": 2, "reason": SAID}),
    ],
)
@pytest.mark.parametrize("status", ["finished", "failed"])
def test_actions_of_a_user_say_nothing_on_the_trace(
    tmp_path: Path, name: str, param: dict[str, Any], status: str
) -> None:
    refused = f"Invalid parameters for action {name}: bad\nParameters: {json.dumps(param)}"
    acted = task("Action Space", name, param=param, status=status, output=f"told {SAID}", errorMessage=refused)
    run = read(tmp_path, plan(WORDS, "1"), acted, ended())
    assert SAID not in repr((run.task, run.trace))
    assert (run.trace.steps[0].error is not None) is (status == "failed")


def test_what_an_action_gives_back_is_seen_after_it(tmp_path: Path) -> None:
    acted = task(
        "Action Space", "RunAdbShell", param={"command": "pm list packages"}, output="package:com.x", recorder=[]
    )
    run = read(tmp_path, plan(WORDS, "1"), acted, ended())
    assert run.trace.steps[0].after is not None
    assert run.trace.steps[0].after.text == "result: package:com.x"
