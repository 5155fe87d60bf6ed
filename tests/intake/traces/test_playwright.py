"""Reading Playwright traces: what was done, what was seen before and after it, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, outcomes, the_failure, the_run
from made_traces import PNG, Made, page, unpacked, zipped

import tracewitness
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Disposition, TraceState, Triage
from tracewitness.intake.discover import Skipped
from tracewitness.intake.errors import FailureKind
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus
from tracewitness.trace_side.trace import Step
from tracewitness.values.digests import digest_bytes

SHOP = FIXTURES / "playwright" / "shop.zip"
TASK = ReadOptions(task="Buy one item as Ana")
VERSIONS = (3, 4, 5, 6, 7, 8, 9, 10)


def read(made: Made, folder: Path) -> SealedRun:
    return the_run(made.zip(folder / "trace.zip"), TASK)


def tree(step: Step) -> str:
    return (step.after.ui_tree if step.after is not None else None) or ""


def test_the_real_trace_gives_what_its_script_did() -> None:
    run = the_run(SHOP, TASK)
    told = [(step.action.kind, step.action.target, step.action.text) for step in run.trace.steps]
    assert told == [
        ("open_tab", None, None),
        ("navigate", "http://127.0.0.1:39615/", None),
        ("type", "Name", "Ana"),
        ("click", "Buy", None),
        ("click", "Nope", None),
    ]
    bought, missing = run.trace.steps[3], run.trace.steps[4]
    assert "- status: Order failed: card declined for Ana" in tree(bought)
    assert bought.before is not None and "Order failed" not in (bought.before.ui_tree or "")
    assert '- textbox "Name": Ana' in tree(bought)
    assert missing.error == 'TimeoutError: Timeout 500ms exceeded. (waiting for get_by_role("button", name="Nope"))'
    assert not missing.action.executed and bought.action.executed
    assert bought.time == "2026-11-30T08:22:19.636+00:00"
    assert run.origin.format_version == "version 10 (Playwright 1.65.1)"
    assert run.run_id == "shop" and run.trace.gaps == () and run.notices == ()
    assert run.report.text is None and triage(run) is Triage.NOT_AUDITABLE_NO_REPORT


def test_the_pictures_of_a_trace_are_read_out_of_the_zip_file() -> None:
    run = the_run(SHOP, TASK)
    shots = [step.after.screenshot for step in run.trace.steps if step.after is not None and step.after.screenshot]
    assert shots and all(shot.name.startswith("!screencast/") and shot.digest for shot in shots)
    for shot in shots:
        picture = RunPictures(run.origin).read(shot)
        assert picture is not None and digest_bytes(picture) == shot.digest


def test_a_whole_audit_of_a_real_trace_flags_a_false_success(tmp_path: Path) -> None:
    (tmp_path / "trace.zip").write_bytes(SHOP.read_bytes())
    (tmp_path / "task.txt").write_text("Buy the item in the shop for Ana.", "utf-8")
    (tmp_path / "report.txt").write_text("I bought the item for Ana. The order went through.", "utf-8")
    (result,) = tracewitness.audit(str(tmp_path / "trace.zip"))
    assert result.trace_state is not TraceState.COMPLETED
    assert result.disposition is not Disposition.PASS


@pytest.mark.parametrize("version", VERSIONS)
def test_every_generation_gives_the_same_run(version: int, tmp_path: Path) -> None:
    made = Made(version)
    start = page("Shop", ["INPUT", {"id": "n", "aria-label": "Name", "__playwright_value_": ""}], ["BUTTON", {}, "Buy"])
    made.call("goto", {"url": "http://shop.test/"}, after=start)
    picture = made.picture()
    typed = [
        "INPUT",
        {"id": "n", "aria-label": "Name", "__playwright_value_": "Ana", "__playwright_target__": "call@2"},
    ]
    if version >= 9:
        typed[1]["__playwright_target__"] = ""  # type: ignore[index]
    made.call("fill", {"selector": "#n", "value": "Ana"}, before=[[1, 8]], action=[[2, 8]], after=page("Shop", typed))
    done = page("Shop", ["P", {"role": "status"}, "Order ", ["B", {}, "failed"]])
    made.call("click", {"selector": 'internal:role=button[name="Buy"i]'}, before=[[1, 6]], after=done)
    made.request("POST", "http://shop.test/order?token=1", 500)
    run = read(made, tmp_path)
    kinds = [(step.action.kind, step.action.target, step.action.text) for step in run.trace.steps]
    assert kinds == [("navigate", "http://shop.test/", None), ("type", "Name", "Ana"), ("click", "Buy", None)]
    assert tree(run.trace.steps[1]) == '- document "Shop":\n  - textbox "Name": Ana'
    assert tree(run.trace.steps[2]) == '- document "Shop":\n  - status: Order failed'
    after = run.trace.steps[2].after
    assert after is not None and after.text == "POST http://shop.test/order -> 500"
    assert run.trace.steps[0].time is not None and run.trace.steps[0].time.startswith("2026-11-30T08:22:19")
    first = run.trace.steps[0].after
    assert first is not None and first.screenshot is not None and first.screenshot.name == f"!{picture}"
    assert run.origin.format_version == f"version {version}"


def test_an_unknown_version_is_named(tmp_path: Path) -> None:
    made = Made(11)
    made.call("goto", {"url": "http://shop.test/"})
    failure = the_failure(made.zip(tmp_path / "trace.zip"), options=TASK)
    assert "version 11" in failure.problem and failure.kind is FailureKind.BAD_RUN


def test_without_a_task_the_way_out_is_told(tmp_path: Path) -> None:
    (tmp_path / "trace.zip").write_bytes(SHOP.read_bytes())
    assert "--task" in the_failure(tmp_path / "trace.zip").line()


def test_a_report_beside_the_trace_is_the_report_plane(tmp_path: Path) -> None:
    made = Made()
    made.call("goto", {"url": "http://shop.test/"}, after=page("Shop", "Hello"))
    log = made.zip(tmp_path / "run7.zip")
    (tmp_path / "run7.report.json").write_text('{"text": "All done", "declared_status": "failure"}', "utf-8")
    run = the_run(log, TASK)
    assert (run.report.text, run.report.declared_status) == ("All done", DeclaredStatus.FAILURE)
    assert [one.plane for one in run.stripped] == [Plane.REPORT]
    (tmp_path / "run7.report.json").write_text('{"words": "All done"}', "utf-8")
    assert "holds no report" in the_failure(log, options=TASK).problem


def test_no_observation_after_the_last_deed_is_none(tmp_path: Path) -> None:
    made = Made()
    made.call("goto", {"url": "http://shop.test/"}, after=page("Shop", "Hello"))
    made.call("click", {"selector": "#a"}, before=page("Shop", "Hello"))
    run = read(made, tmp_path)
    assert run.trace.steps[-1].after is None


def test_the_page_before_the_next_deed_stands_for_a_missing_one(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, before=page("Shop", "one"))
    made.call("click", {"selector": "#b"}, before=page("Shop", "two"))
    assert "two" in tree(read(made, tmp_path).trace.steps[0])


def test_a_look_at_the_page_shows_more_of_the_effect(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, before=page("Shop", "one"), after=page("Shop", "Loading"))
    made.call("waitForTimeout", {"waitTimeout": 300}, before=page("Shop", "Loading"), after=page("Shop", "Saved"))
    run = read(made, tmp_path)
    assert [step.action.kind for step in run.trace.steps] == ["click"]
    assert "Saved" in tree(run.trace.steps[0]) and "Loading" not in tree(run.trace.steps[0])


def test_a_script_is_a_step_only_where_it_changed_the_page(tmp_path: Path) -> None:
    made = Made()
    made.call("goto", {"url": "http://shop.test/"}, after=page("Shop", "one"))
    made.call("evaluateExpression", {"expression": "1"}, before=page("Shop", "one"), after=page("Shop", "one"))
    made.call("evaluateExpression", {"expression": "buy()"}, before=page("Shop", "one"), after=page("Shop", "two"))
    run = read(made, tmp_path)
    assert [step.action.kind for step in run.trace.steps] == ["navigate", "run_script"]
    assert run.trace.steps[1].action.raw is None and "buy()" not in repr(run.trace)


def test_a_look_after_a_script_shows_more_of_the_effect_too(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, before=page("Shop", "one"), after=page("Shop", "Loading"))
    made.call("evaluateExpression", {}, before=page("Shop", "Loading"), after=page("Shop", "Loading"))
    made.call("innerText", {"selector": "p"}, before=page("Shop", "Loading"), after=page("Shop", "Saved"))
    run = read(made, tmp_path)
    assert len(run.trace.steps) == 1 and "Saved" in tree(run.trace.steps[0])


def test_typed_passwords_are_masked_by_the_type_of_their_field(tmp_path: Path) -> None:
    made = Made()

    def form(value: str, **more: str) -> list[Any]:
        field = {"type": "password", "aria-label": "Password", "__playwright_value_": value, **more}
        return page("Login", ["INPUT", field], "Your key is hunter22")

    made.call("goto", {"url": "http://shop.test/"}, after=form(""))
    marked = form("hunter22", __playwright_target__="")
    made.call("fill", {"selector": "#p", "value": "hunter22"}, before=form(""), action=marked, after=marked)
    made.call("keyboardType", {"text": "x9"}, before=form("hunter22"), after=form("hunter22x9"), class_name="Page")
    made.call("keyboardType", {"text": "plain"}, before=form("hunter22x9"), after=form("hunter22x9"), class_name="Page")
    run = read(made, tmp_path)
    assert "hunter22" not in repr(run) and "x9" not in repr(run.trace)
    assert [step.action.text for step in run.trace.steps[1:]] == ["[redacted:password]", "[redacted:password]", "plain"]
    assert '- textbox "Password": [redacted:password]' in tree(run.trace.steps[1])


def test_cookies_headers_queries_and_bodies_never_come_through(tmp_path: Path) -> None:
    made = Made()
    made.call("goto", {"url": "http://shop.test/"}, after=page("Shop", "one"))
    made.request("GET", "http://user:SECRETPASS@shop.test/page?key=SECRETKEY#SECRETHASH", 200, kind="document")
    made.request("GET", "http://shop.test/logo.png", 200, kind="image")
    made.request("GET", "http://shop.test/style.css", 404, kind="stylesheet")
    made.request("DELETE", "http://shop.test/item/1", 204)
    made.request("GET", "data:text/plain,SECRETDATA", 200)
    run = read(made, tmp_path)
    after = run.trace.steps[0].after
    assert after is not None and after.text is not None
    assert after.text.splitlines() == [
        "GET http://shop.test/page -> 200",
        "GET http://shop.test/style.css -> 404",
        "DELETE http://shop.test/item/1 -> 204",
    ]
    assert "SECRET" not in repr(run)


def test_dialogs_errors_and_downloads_are_noted(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, after=page("Shop", "one"))
    made.event("dialog", type="alert", message="Card declined")
    made.event("pageError", error={"error": {"name": "TypeError", "message": "x is null"}})
    made.console("error", "Failed to load")
    made.console("log", "noise")
    made.event("download", suggestedFilename="invoice.pdf", url="blob:1")
    after = read(made, tmp_path).trace.steps[0].after
    assert after is not None and (after.text or "").splitlines() == [
        "The page showed a alert dialog: Card declined",
        "console: uncaught error: x is null",
        "console: error: Failed to load",
        "Downloaded file: invoice.pdf",
    ]


def test_mouse_and_keyboard_calls_are_deeds(tmp_path: Path) -> None:
    made = Made()
    for method, params in (
        ("mouseMove", {"x": 3, "y": 4}),
        ("mouseDown", {}),
        ("mouseUp", {}),
        ("mouseDown", {}),
        ("mouseMove", {"x": 30, "y": 40}),
        ("mouseUp", {}),
        ("keyboardPress", {"key": "Enter"}),
        ("mouseWheel", {"deltaX": 0, "deltaY": 100}),
    ):
        made.call(method, params, class_name="Page")
    made.call("selectOption", {"selector": "#s", "options": [{"valueOrLabel": "Red"}]})
    made.call("setInputFiles", {"selector": "#f", "localPaths": ["/home/me/cv.pdf"]})
    made.call("check", {"selector": "#c"})
    made.call("accept", {}, class_name="Dialog")
    told = [(step.action.kind, step.action.target, step.action.text) for step in read(made, tmp_path).trace.steps]
    assert told == [
        ("click", "(3, 4)", None),
        ("drag", "(30, 40)", None),
        ("press_key", None, "Enter"),
        ("scroll", None, None),
        ("select", "#s", "Red"),
        ("upload", "#f", "cv.pdf"),
        ("click", "#c", None),
        ("accept_dialog", None, None),
    ]


def test_a_recording_that_stops_in_the_midst_of_a_call_is_a_gap(tmp_path: Path) -> None:
    made = Made()
    made.call("goto", {"url": "http://shop.test/"}, after=page("Shop", "one"))
    made.call("click", {"selector": "#a"}, before=page("Shop", "one"), ended=False)
    run = read(made, tmp_path)
    assert Gap.LOG_CUT_OFF in run.trace.gaps and "no end" in run.notices[0]


def test_a_missing_picture_is_told(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, after=page("Shop", "one"))
    made.files.pop(made.picture())
    run = read(made, tmp_path)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert any("picture" in notice for notice in run.notices)


@pytest.mark.parametrize("name", ["../../up.png", "/etc/passwd", "a\\..\\b.png"])
def test_a_picture_named_outside_of_the_trace_is_missing(name: str, tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, after=page("Shop", "one"))
    made.lines.append({"type": "screencast-frame", "pageId": "page@1", "file": name, "timestamp": made.tick(1)})
    for run in (
        read(made, tmp_path),
        the_run(unpacked(tmp_path / "folder", made.members()), TASK),
    ):
        shot = run.trace.steps[0].after
        assert shot is not None and shot.screenshot is not None and shot.screenshot.digest is None


def test_only_pictures_is_a_gap(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"})
    made.picture()
    run = read(made, tmp_path)
    assert run.trace.gaps == (Gap.SCREENSHOT_ONLY,)
    assert run.trace.steps[0].after is not None


def test_screenshots_of_calls_are_taken_before_frames_of_the_film(tmp_path: Path) -> None:
    made = Made()
    call = made.call("click", {"selector": "#a"}, after=page("Shop", "one"))
    made.picture()
    made.files["screenshots/1.png"] = PNG
    made.lines.append({"type": "screenshot", "callId": call, "phase": "after", "file": "screenshots/1.png"})
    after = read(made, tmp_path).trace.steps[0].after
    assert after is not None and after.screenshot is not None and after.screenshot.name == "!screenshots/1.png"


def test_what_the_test_runner_wrote_is_grading(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, after=page("Shop", "one"))
    runner: list[dict[str, Any]] = [
        {"type": "context-options", "version": 10, "origin": "testRunner", "title": "shop.spec > PASSES"},
        {"type": "before", "callId": "t", "class": "Test", "method": "step", "title": "order PASSES", "params": {}},
    ]
    members = {"0-trace.trace": made.members()["trace.trace"]}
    members["test.trace"] = "".join(json.dumps(one) + "\n" for one in runner).encode()
    run = the_run(zipped(tmp_path / "trace.zip", members), TASK)
    assert "PASSES" not in repr(run)
    assert [(one.where, one.plane) for one in run.stripped] == [("test.trace", Plane.GRADING)]


def test_several_contexts_are_merged_by_their_times(tmp_path: Path) -> None:
    first, second = Made(), Made()
    first.call("click", {"selector": "#a"}, after=page("A", "one"))
    second.tick(50)
    second.call("click", {"selector": "#b"}, after=page("B", "one"))
    first.tick(5000)
    first.call("click", {"selector": "#c"}, after=page("A", "two"))
    members = {**first.members("0-trace"), **second.members("1-trace")}
    run = the_run(zipped(tmp_path / "trace.zip", members), TASK)
    assert [(step.index, step.action.target) for step in run.trace.steps] == [(1, "#a"), (2, "#b"), (3, "#c")]


def test_a_damaged_line_costs_itself_alone(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, after=page("Shop", "one"))
    made.call("click", {"selector": "#b"}, after=page("Shop", "two"))
    members = made.members()
    lines = members["trace.trace"].splitlines(keepends=True)
    members["trace.trace"] = b"".join([*lines[:2], b'{"type": "log", \n', *lines[2:]])
    run = the_run(zipped(tmp_path / "trace.zip", members), TASK)
    assert len(run.trace.steps) == 2 and Gap.MISSING_STEPS in run.trace.gaps and "line 3" in run.notices[0]


def test_a_zip_file_of_another_kind_is_not_taken(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", {"a.trace": b"MZ\0\0", "b.txt": b"x"})
    failure = the_failure(tmp_path / "a.zip", options=TASK)
    assert failure.kind is FailureKind.UNKNOWN_FORMAT


def test_a_trap_is_refused(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"})
    log = made.zip(tmp_path / "trace.zip", **{"x/../../evil": b"x"})
    found = outcomes(log, options=TASK)
    assert not any(isinstance(one, SealedRun | Skipped) for one in found)
