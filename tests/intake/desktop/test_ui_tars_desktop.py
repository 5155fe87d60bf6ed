"""UI-TARS-desktop: screens before actions, points in pixels, the end, the report page, and what is missing."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import outcomes, the_failure, the_run, write_json

import tracewitness
from plants.ui_tars_desktop import plant_page, run_of, screen
from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import FailureKind
from tracewitness.intake.limits import Limits
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.testing.words import Words
from tracewitness.trace_side.trace import Action


def said(value: str, *parsed: dict[str, Any]) -> dict[str, Any]:
    return {"from": "gpt", "value": value, "predictionParsed": list(parsed)}


def parsed(kind: str, **inputs: Any) -> dict[str, Any]:
    return {"action_type": kind, "action_inputs": inputs, "thought": "I act.", "reflection": None}


def read(folder: Path, *turns: dict[str, Any], **fields: Any) -> SealedRun:
    first = {"from": "human", "value": "Save it."}
    data = {"version": "v1", "instruction": "Save it.", "status": "end", "conversations": [first, *turns], **fields}
    return the_run(write_json(folder / "run.json", data))


FINISHED = said("Thought: Saved.\nAction: finished(content='It is saved.')", parsed("finished", content="It is saved."))


def test_a_run(tmp_path: Path) -> None:
    run = read(tmp_path, screen(1), said("x", parsed("click", start_coords=[10, 20])), screen(2), FINISHED)
    click, finish = run.trace.steps
    assert (click.action.kind, click.action.target) == ("click", "(10, 20)")
    assert click.before != click.after == finish.before
    assert (finish.action, finish.after) == (Action("finish"), None)
    assert run.report == Report("It is saved.")
    assert (run.task.instruction, run.harness) == ("Save it.", HarnessStatus.COMPLETED)
    assert run.trace.steps[0].before is not None and run.trace.steps[0].before.screenshot is not None
    assert run.trace.steps[0].before.screenshot.name == "!conversations[1].screenshotBase64"


def test_pictures_are_found_in_the_log_again(tmp_path: Path) -> None:
    path = write_json(tmp_path / "run.json", run_of(Words()))
    run = the_run(path)
    shots = [step.after.screenshot for step in run.trace.steps if step.after and step.after.screenshot]
    pictures = RunPictures(run.origin, Limits())
    assert len(shots) == 3
    assert all(pictures.read(shot) for shot in shots)


@pytest.mark.parametrize(
    ("inputs", "target"),
    [
        ({"start_box": "[0.5,0.5,0.5,0.5]"}, "(500, 250)"),
        ({"start_box": "[0.5,0.5,0.5,0.5]", "start_coords": [7, 8]}, "(7, 8)"),
        ({"start_box": "[500,400]"}, "(500, 400)"),
        ({"start_box": "nothing"}, None),
        ({"start_box": "[0.1,0.2]", "end_box": "[0.3,0.4]"}, "from (100, 100) to (300, 200)"),
    ],
)
def test_points_are_told_in_pixels_where_the_size_is_known(
    tmp_path: Path, inputs: dict[str, Any], target: str | None
) -> None:
    run = read(tmp_path, screen(1), said("x", parsed("drag", **inputs)), screen(2), FINISHED)
    assert run.trace.steps[0].action.target == target


def test_without_a_size_points_stay_as_logged(tmp_path: Path) -> None:
    bare = {"from": "human", "value": "Look."}
    run = read(tmp_path, bare, said("x", parsed("click", start_box="[0.5,0.25]")), screen(2), FINISHED)
    assert run.trace.steps[0].action.target == "(0.5, 0.25)"


def test_without_parsed_actions_the_answer_itself_is_read(tmp_path: Path) -> None:
    turn = {"from": "gpt", "value": "Thought: I type.\nAction: type(content='a')\n\nhotkey(key='enter')"}
    run = read(tmp_path, screen(1), turn, screen(2), {"from": "gpt", "value": "Thought: Done.\nAction: finished()"})
    assert [(step.action.kind, step.action.text) for step in run.trace.steps] == [
        ("type", "a"),
        ("press_key", "enter"),
        ("finish", None),
    ]
    assert [step.after is not None for step in run.trace.steps] == [False, True, False]
    assert run.report == Report(None, DeclaredStatus.SUCCESS)


def test_an_answer_without_an_action_is_not_carried_out(tmp_path: Path) -> None:
    run = read(tmp_path, screen(1), {"from": "gpt", "value": "I have saved it."}, screen(2), FINISHED)
    assert run.trace.steps[0].action == Action("unparsed", executed=False)
    assert "in 1 of the model's answers no action can be told" in run.notices


@pytest.mark.parametrize(
    ("status", "harness"),
    [
        ("max_loop", HarnessStatus.STEP_LIMIT),
        ("error", HarnessStatus.ERROR),
        ("user_stopped", HarnessStatus.UNKNOWN),
        ("running", HarnessStatus.UNKNOWN),
        ("end", HarnessStatus.UNKNOWN),
    ],
)
def test_a_run_that_the_agent_did_not_end_has_no_report(tmp_path: Path, status: str, harness: HarnessStatus) -> None:
    turn = {**said("Thought: It is saved.\nAction: wait()", parsed("wait"))}
    run = read(tmp_path, screen(1), turn, status=status)
    assert (run.harness, run.report) == (harness, Report(None))
    assert run.trace.steps[-1].after is None
    assert "the agent did not end the run in the log; no report is inferred" in run.notices


def test_handing_back_to_the_user_is_an_end_without_a_report(tmp_path: Path) -> None:
    run = read(
        tmp_path, screen(1), said("Thought: Help.\nAction: call_user()", parsed("call_user")), status="call_user"
    )
    assert run.trace.steps[-1].action == Action("finish")
    assert (run.report, triage(run).name) == (Report(None), "NOT_AUDITABLE_NO_REPORT")


def test_what_the_user_says_on_the_way_is_seen(tmp_path: Path) -> None:
    user = {"from": "human", "value": "Save it as b."}
    run = read(tmp_path, screen(1), said("x", parsed("wait")), user, screen(2), FINISHED)
    assert run.trace.steps[0].after is not None
    assert run.trace.steps[0].after.text == "user says: Save it as b."
    assert run.trace.steps[0].after.screenshot is not None


def test_a_picture_that_cannot_be_decoded_is_missing(tmp_path: Path) -> None:
    broken = {**screen(2), "screenshotBase64": "iVBORw0KGgo*"}
    run = read(tmp_path, screen(1), said("x", parsed("wait")), broken, FINISHED)
    assert run.trace.steps[0].after is None
    assert run.trace.steps[1].before is None
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert any("is missing or cannot be read" in one for one in run.notices)


def test_an_unknown_version_is_named(tmp_path: Path) -> None:
    run = read(tmp_path, screen(1), said("x", parsed("wait")), screen(2), FINISHED, version="v9")
    assert "version 'v9' of the data is not known; it is read as v1" in run.notices


class TestThePage:
    def test_it_is_the_same_run(self, tmp_path: Path) -> None:
        (tmp_path / "page").mkdir()
        page = the_run(plant_page(tmp_path / "page", Words()))
        plain = the_run(write_json(tmp_path / "report-1.json", run_of(Words())))
        assert (page.task, page.report, page.run_id) == (plain.task, plain.report, plain.run_id)
        assert [step.action for step in page.trace.steps] == [step.action for step in plain.trace.steps]

    def test_end_tags_in_the_words_of_a_run_do_not_end_it(self, tmp_path: Path) -> None:
        data = run_of(Words())
        data["conversations"][-1]["predictionParsed"][0]["action_inputs"]["content"] = (
            "</script><script>alert(1)</script>"
        )
        text = f'<script type="ui_tars_web_dump" type="application/json">{json.dumps(data)}\n</script>'
        (tmp_path / "r.html").write_text(f"<html>{text}</html>", encoding="utf-8")
        assert the_run(tmp_path / "r.html").report.text == "</script><script>alert(1)</script>"

    def test_several_runs_and_a_damaged_one(self, tmp_path: Path) -> None:
        one = f'<script type="ui_tars_web_dump">{json.dumps(run_of(Words()))}</script>'
        (tmp_path / "r.html").write_text(
            f'<html>{one}<script type="ui_tars_web_dump">{{"a": </script>{one}</html>', encoding="utf-8"
        )
        found = outcomes(tmp_path / "r.html")
        assert [one.run_id for one in found if isinstance(one, SealedRun)] == ["r", "r#3"]
        assert len(found) == 3

    def test_a_page_without_data_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "r.html").write_text('<html><script type="ui_tars_web_dump"></script></html>', encoding="utf-8")
        assert the_failure(tmp_path / "r.html").kind is FailureKind.EMPTY

    def test_another_page_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "r.html").write_text("<html><body>a</body></html>", encoding="utf-8")
        assert the_failure(tmp_path / "r.html").kind is FailureKind.UNKNOWN_FORMAT


def test_a_run_is_audited(tmp_path: Path) -> None:
    batch = tracewitness.audit(write_json(tmp_path / "run.json", run_of(Words())))
    assert [one.disposition for one in batch] == ["REVIEW"]
