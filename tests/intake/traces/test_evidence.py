"""The trace of the browser beside a log: joined by time, never by what the report says."""

import json
import re
import time
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_logs import REGISTRY, neutral, outcomes, runs, the_failure, the_run, write_json
from made_traces import START, WALL, Made, page
from typer.testing import CliRunner

import tracewitness
from tracewitness.cli.main import app
from tracewitness.findings.causes import Gap
from tracewitness.intake.discover import Skipped
from tracewitness.intake.evidence import join
from tracewitness.intake.formats.playwright.side import read_side_record
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.reading import read_all
from tracewitness.intake.sealed import SealedRun
from tracewitness.intake.side_record import Moment, SideRecord
from tracewitness.intake.step_windows import Stamped, match, milliseconds
from tracewitness.trace_side.trace import Action, Observation, Step, Trace


def iso(time: float, zone: bool = True) -> str:
    """Return a moment of the made recordings as a log writes it."""
    moment = datetime.fromtimestamp((WALL + time - START) / 1000, UTC)
    return moment.isoformat() if zone else moment.replace(tzinfo=None).isoformat()


def shop(**context: Any) -> tuple[Made, list[float]]:
    """Return the trace of a shop, and when each of its three deeds began."""
    made, begun = Made(**context), list[float]()
    begun.append(made.time + 100)
    made.call("goto", {"url": "http://shop.test/"}, after=page("Shop", ["BUTTON", {}, "Buy"]))
    made.tick(2000)
    begun.append(made.time + 100)
    made.call("fill", {"selector": "#n", "value": "Ana"}, after=page("Shop", "Name: Ana"))
    made.tick(2000)
    begun.append(made.time + 100)
    made.call("click", {"selector": "#buy"}, after=page("Shop", ["P", {"role": "alert"}, "Card declined"]))
    made.request("POST", "http://shop.test/order", 402)
    made.picture()
    return made, begun


KINDS = ("navigate", "type", "click")


def log(times: list[str | None], **changes: Any) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [
        {"index": at, "action": {"kind": kind}, "time": time}
        for at, (kind, time) in enumerate(zip(KINDS, times, strict=False), 1)
    ]
    steps.append({"index": 4, "action": {"kind": "finish"}, "time": times[3] if len(times) > 3 else None})
    return neutral("joined", steps=steps, **changes)


def before_each(begun: list[float]) -> list[str | None]:
    """Return times as a log stamps them that begins each step by thinking."""
    return [*(iso(time - 500) for time in begun), iso(begun[-1] + 3000)]


def after_each(begun: list[float]) -> list[str | None]:
    """Return times as a log stamps them that writes each step when it is done."""
    return [*(iso(time + 700) for time in begun), iso(begun[-1] + 3000)]


def seen(run: SealedRun) -> list[str]:
    steps = run.trace.steps
    return [(step.after.ui_tree or "") if step.after is not None else "" for step in steps]


@pytest.mark.parametrize("stamps", [before_each, after_each])
def test_what_was_seen_is_added_to_the_step_that_it_belongs_to(stamps: Any, tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "run.trace.zip")
    run = the_run(write_json(tmp_path / "run.json", log(stamps(begun))))
    assert 'button "Buy"' in seen(run)[0]
    assert "Name: Ana" in seen(run)[1]
    assert "alert: Card declined" in seen(run)[2]
    assert run.trace.steps[3].after is None
    last = run.trace.steps[2].after
    assert last is not None and last.text == "POST http://shop.test/order -> 402" and last.url == "http://shop.test/"
    assert [notice for notice in run.notices if notice.startswith("joined from run.trace.zip by time")]
    assert run.trace.gaps == ()
    assert last.screenshot is not None and last.screenshot.name.startswith("run.trace.zip!screencast/")
    assert RunPictures(run.origin).read(last.screenshot) is not None
    assert [step.action.kind for step in run.trace.steps] == [*KINDS, "finish"]


def test_what_the_log_shows_itself_is_kept(tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "trace.zip")
    told = log(before_each(begun))
    told["steps"][0]["after"] = {"ui_tree": "- document: mine", "url": "http://mine.test/"}
    told["steps"][1]["after"] = {"text": "Filled in"}
    told["steps"][2]["after"] = {"text": "A long account of the page. " * 20}
    told["steps"][2]["error"] = "mine"
    run = the_run(write_json(tmp_path / "run.json", told))
    first, second, third = (step.after for step in run.trace.steps[:3])
    assert first is not None and first.ui_tree == "- document: mine" and first.url == "http://mine.test/"
    assert second is not None and second.text == "Filled in" and "Name: Ana" in (second.ui_tree or "")
    assert third is not None and third.ui_tree is None and (third.text or "").endswith("-> 402")
    assert run.trace.steps[2].error == "mine"


def test_an_error_of_the_last_call_is_the_error_of_the_step(tmp_path: Path) -> None:
    made, begun = shop()
    begun.append(made.time + 2100)
    made.tick(2000)
    made.call("click", {"selector": "#pay"}, error="Timeout", done=False, before=page("Shop", "x"))
    made.zip(tmp_path / "trace.zip")
    told = log([iso(begun[0] - 500), iso(begun[1] - 500), iso(begun[2] - 500), iso(begun[3] + 3000)])
    run = the_run(write_json(tmp_path / "run.json", told))
    assert run.trace.steps[2].error == "TimeoutError: Timeout"
    assert run.trace.steps[2].action.executed


def test_calls_that_the_log_does_not_name_are_no_steps_of_the_agent(tmp_path: Path) -> None:
    made, begun = shop()
    made.call("click", {"selector": "#extra"}, after=page("Shop", "more"))
    made.zip(tmp_path / "trace.zip")
    run = the_run(write_json(tmp_path / "run.json", log(before_each(begun))))
    assert len(run.trace.steps) == 4 and "#extra" not in repr(run.trace)
    assert "more" in seen(run)[2]


NOTHING: list[tuple[str, str]] = [
    ("no times", "have no times"),
    ("another day", "do not overlap"),
    ("backwards", "run backwards"),
    ("other kinds", "kinds of actions differ"),
    ("naive", "taken as UTC"),
]


@pytest.mark.parametrize(("case", "why"), NOTHING)
def test_where_the_records_do_not_fit_nothing_is_joined(case: str, why: str, tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "trace.zip")
    told = log(before_each(begun))
    for step in told["steps"]:
        if case == "no times":
            step["time"] = None
        elif case == "another day":
            step["time"] = step["time"].replace("11-30", "11-29")
        elif case == "naive":
            step["time"] = step["time"].replace("T08", "T10").replace("+00:00", "")
    if case == "backwards":
        told["steps"][0]["time"], told["steps"][2]["time"] = told["steps"][2]["time"], told["steps"][0]["time"]
    if case == "other kinds":
        for step, kind in zip(told["steps"], ("scroll", "drag", "hover"), strict=False):
            step["action"]["kind"] = kind
    run = the_run(write_json(tmp_path / "run.json", told))
    assert [notice for notice in run.notices if notice.startswith("nothing is joined") and why in notice], run.notices
    assert seen(run) == ["", "", "", ""]
    assert run.origin.evidence == ""


def test_times_without_a_zone_are_taken_as_utc(tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "trace.zip")
    times = [iso(time - 500, zone=False) for time in begun]
    run = the_run(write_json(tmp_path / "run.json", log([*times, iso(begun[-1] + 900, zone=False)])))
    assert "Card declined" in seen(run)[2]


def test_a_step_beside_one_without_a_time_gets_nothing(tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "trace.zip")
    run = the_run(write_json(tmp_path / "run.json", log([iso(begun[0] - 500), None, *before_each(begun)[2:]])))
    assert seen(run)[:2] == ["", ""] and "Card declined" in seen(run)[2]


def test_what_happened_long_after_the_last_step_belongs_to_nothing(tmp_path: Path) -> None:
    made, begun = shop()
    made.tick(3_600_000)
    made.call("click", {"selector": "#other"}, after=page("Shop", "another run"))
    made.zip(tmp_path / "trace.zip")
    run = the_run(write_json(tmp_path / "run.json", log(before_each(begun))))
    assert "another run" not in repr(run.trace) and "Card declined" in seen(run)[2]


def test_steps_of_one_time_share_their_deeds_where_these_are_the_same(tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "trace.zip")
    same = iso(begun[0] - 500)
    run = the_run(write_json(tmp_path / "run.json", log([same, same, same, iso(begun[-1] + 3000)])))
    assert "Name: Ana" in seen(run)[1] and "Card declined" in seen(run)[2]
    told = log([same, same, same, iso(begun[-1] + 3000)])
    told["steps"][1]["action"]["kind"] = "click"
    run = the_run(write_json(tmp_path / "run.json", told))
    assert seen(run)[:2] == ["", ""] and "Card declined" in seen(run)[2]


def test_a_side_record_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "trace.zip").write_bytes(b"PK\x03\x04 no zip file")
    path = write_json(tmp_path / "run.json", log(before_each(shop()[1])))
    run = the_run(path)
    assert "trace.zip beside the log is not used" in run.notices[-1]
    failure = the_failure(path, options=ReadOptions(evidence=tmp_path / "trace.zip"))
    assert "trace.zip" in failure.path


def test_a_side_record_elsewhere_is_named(tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "elsewhere" / "browser.zip")
    path = write_json(tmp_path / "log" / "run.json", log(before_each(begun)))
    assert seen(the_run(path)) == ["", "", "", ""]
    run = the_run(path, ReadOptions(evidence=tmp_path / "elsewhere" / "browser.zip"))
    assert "Card declined" in seen(run)[2]
    shot = run.trace.steps[2].after
    assert shot is not None and shot.screenshot is not None
    assert RunPictures(run.origin).read(shot.screenshot) is not None


def test_in_a_folder_a_side_record_is_no_run_of_its_own(tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "trace.zip")
    made.zip(tmp_path / "two.trace.zip")
    write_json(tmp_path / "one.json", log(before_each(begun)))
    write_json(tmp_path / "two.json", {**log(before_each(begun)), "run_id": "two"})
    found = outcomes(tmp_path)
    assert [one.run_id for one in found if isinstance(one, SealedRun)] == ["joined", "two"]
    assert [Path(one.path).name for one in found if isinstance(one, Skipped)] == ["two.trace.zip", "trace.zip"]
    alone = tmp_path / "alone"
    made.zip(alone / "trace.zip")
    (alone / "task.txt").write_text("Buy one item", "utf-8")
    assert [one.origin.format_name for one in runs(alone)] == ["playwright"]


def test_a_link_out_of_the_folder_is_no_side_record(tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "elsewhere" / "trace.zip")
    path = write_json(tmp_path / "log" / "run.json", log(before_each(begun)))
    (tmp_path / "log" / "trace.zip").symlink_to(tmp_path / "elsewhere" / "trace.zip")
    assert the_run(path).notices == ()


def test_damage_of_the_side_record_is_a_gap_of_the_run(tmp_path: Path) -> None:
    made, begun = shop()
    made.lines.append({"type": "before", "callId": "x", "class": "Frame", "method": "click", "startTime": made.tick()})
    made.zip(tmp_path / "trace.zip")
    run = the_run(write_json(tmp_path / "run.json", log(before_each(begun))))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


WORDS = st.text(max_size=80)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(told=WORDS, other=WORDS, narration=WORDS, task=WORDS)
def test_joining_neither_changes_nor_heeds_the_report_and_the_task(
    tmp_path: Path, told: str, other: str, narration: str, task: str
) -> None:
    made, begun = shop()
    made.zip(tmp_path / "trace.zip")
    task = f"Buy {json.dumps(task)}"
    joined: list[SealedRun] = []
    for words in (told, other):
        log_of = log(before_each(begun), report={"text": words}, task={"instruction": task})
        log_of["steps"][0]["narration"] = narration + words
        path = write_json(tmp_path / "run.json", log_of)
        (tmp_path / "trace.zip").rename(tmp_path / "away.zip")
        alone = the_run(path)
        (tmp_path / "away.zip").rename(tmp_path / "trace.zip")
        run = the_run(path)
        assert (run.report, run.task, run.narration, run.harness) == (
            alone.report,
            alone.task,
            alone.narration,
            alone.harness,
        )
        assert run.trace != alone.trace
        joined.append(run)
    assert joined[0].trace == joined[1].trace


KIND = st.sampled_from(["click", "type", "navigate", "finish", "strange"])
TIMES = st.lists(st.integers(0, 100), min_size=1, max_size=8)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), times=TIMES, starts=TIMES)
def test_any_times_and_kinds_only_ever_add(data: st.DataObject, times: list[int], starts: list[int]) -> None:
    def stamp(time: int | None) -> str | None:
        return None if time is None else datetime.fromtimestamp(time, UTC).isoformat()

    given_times = [data.draw(st.sampled_from([time, None, time])) for time in sorted(times)]
    own = [data.draw(st.sampled_from([None, Observation("x" * 90), Observation(ui_tree="- a")])) for _ in times]
    steps = tuple(
        Step(at, Action(data.draw(KIND)), after=seen_there, time=stamp(time))
        for at, (time, seen_there) in enumerate(zip(given_times, own, strict=True), 1)
    )
    moments = tuple(
        Moment(Step(1, Action(data.draw(KIND)), after=Observation("note", f"- page {time}")), time * 1000.0)
        for time in starts
    )
    joined = join(Trace(steps), SideRecord("trace.zip", moments))
    assert [replace(step, after=None, error=None) for step in joined.trace.steps] == [
        replace(step, after=None) for step in steps
    ]
    for before, after in zip(steps, joined.trace.steps, strict=True):
        if before.after is not None:
            assert after.after is not None
            assert (after.after.text or "").startswith(before.after.text or "")
            assert before.after.ui_tree in (None, after.after.ui_tree)
        if before.action.kind == "finish":
            assert after.after == before.after


def test_times_of_logs_are_read() -> None:
    assert milliseconds("1970-01-01T00:00:01Z") == 1000
    assert milliseconds("1970-01-01T01:00:01+01:00") == 1000
    assert milliseconds("1970-01-01 00:00:01") == 1000
    assert milliseconds("yesterday") is None and milliseconds(None) is None and milliseconds("") is None


def test_when_a_log_stamps_its_steps_is_told_by_the_kinds() -> None:
    def steps(*times: int) -> list[Step]:
        stamps = [datetime.fromtimestamp(time, UTC).isoformat() for time in times]
        return [Step(at, Action(kind), time=time) for at, (kind, time) in enumerate(zip(KINDS, stamps, strict=True))]

    moments = [Moment(Step(1, Action(kind)), time * 1000.0) for kind, time in zip(KINDS, (10, 20, 30), strict=True)]
    assert match(steps(9, 19, 29), moments).stamped is Stamped.AT_START
    assert match(steps(11, 21, 31), moments).stamped is Stamped.AT_END
    for times in ((9, 19, 29), (11, 21, 31)):
        found = match(steps(*times), moments).moments
        assert {at: [one.step.action.kind for one in ones] for at, ones in found.items()} == dict(
            enumerate([kind] for kind in KINDS)
        )


def test_a_batch_reads_a_side_record_once_for_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, begun = shop()
    made.zip(tmp_path / "trace.zip")
    path = tmp_path / "runs.jsonl"
    lines = [{**log(before_each(begun)), "run_id": f"r{at}"} for at in range(5)]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    reads: list[Path] = []

    def counted(where: Path, limits: Any) -> SideRecord:
        reads.append(where)
        return read_side_record(where, limits)

    monkeypatch.setattr("tracewitness.intake.formats.playwright.side.read_side_record", counted)
    assert len([one for one in read_all([path], REGISTRY) if isinstance(one, SealedRun)]) == 5
    assert len(reads) == 1


def test_the_library_and_the_command_line_take_a_side_record(tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "elsewhere" / "browser.zip")
    path = write_json(tmp_path / "log" / "run.json", log(before_each(begun)))
    evidence = tmp_path / "elsewhere" / "browser.zip"
    (result,) = tracewitness.audit(path, evidence=evidence)
    assert any(notice.startswith("joined from browser.zip") for notice in result.record.notices)
    runner = CliRunner()
    done = runner.invoke(app, ["convert", str(path), "--evidence", str(evidence)])
    assert done.exit_code == 0 and "Card declined" in done.stdout
    told = runner.invoke(app, ["audit", str(path), "--no-store", "--json", "--evidence", str(evidence)])
    assert "joined from browser.zip" in told.stdout
    proved = runner.invoke(app, ["isolation", str(path), "--evidence", str(evidence)])
    assert proved.exit_code == 0, proved.output
    missing = runner.invoke(app, ["audit", str(path), "--no-store", "--evidence", str(tmp_path / "none.zip")])
    assert missing.exit_code == 3 and "none.zip" in missing.output


def test_retelling_a_log_joins_what_lies_beside_the_log_itself(tmp_path: Path) -> None:
    made, begun = shop()
    made.zip(tmp_path / "trace.zip")
    path = write_json(tmp_path / "run.json", log(before_each(begun)))
    proved = CliRunner().invoke(app, ["isolation", str(path), "--json"])
    assert proved.exit_code == 0 and json.loads(proved.stdout.splitlines()[0])["unproved"] == ""


FAR = ("0001-01-01T00:00:01Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:01+14:00", "9999-12-31T23:59:59-14:00")


@pytest.mark.parametrize("times", [FAR[:1] * 2, FAR[:2], FAR[2:]])
def test_times_at_the_ends_of_the_calendar_are_none(times: tuple[str, str], tmp_path: Path) -> None:
    made, _ = shop()
    made.zip(tmp_path / "run.trace.zip")
    run = the_run(write_json(tmp_path / "run.json", log(list(times))))
    assert seen(run) == seen(the_run(write_json(tmp_path / "alone" / "run.json", log([None, None]))))
    assert any("cannot be used" in notice and "years before 1970" in notice for notice in run.notices)


def test_one_far_time_takes_nothing_from_the_others() -> None:
    steps = [Step(at, Action("click"), time=time) for at, time in enumerate((FAR[0], iso(10), iso(20)))]
    moments = [Moment(Step(1, Action("click")), WALL + start) for start in (12, 22)]
    assert set(match(steps, moments).moments) <= {1, 2}


def test_a_day_between_two_steps_is_no_day_of_the_first() -> None:
    day = 24 * 3_600_000
    steps = [Step(at, Action("click"), time=iso(time)) for at, time in enumerate((0, day))]
    inside, outside = (Moment(Step(1, Action("click")), WALL + time) for time in (1000, day / 2))
    found = match(steps, [inside, outside])
    assert [one for moments in found.moments.values() for one in moments] == [inside]


@pytest.mark.parametrize("start", ["NaN", "1e999", "-1e999", "1" + "0" * 400, "null", '"x"', "true"])
def test_a_call_without_a_usable_time_is_joined_to_no_step(start: str, tmp_path: Path) -> None:
    made, begun = shop()
    path = made.zip(tmp_path / "run.trace.zip")
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    first = re.compile(rb'"startTime": ?' + str(begun[0]).encode() + rb"(?=[,}])")
    changed = {name: first.sub(b'"startTime": ' + start.encode(), content) for name, content in members.items()}
    assert changed != members
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in changed.items():
            archive.writestr(name, content)
    record = read_side_record(path, ReadOptions().limits)
    assert sum(moment.start is None for moment in record.moments) == 1
    untimed = next(moment for moment in record.moments if moment.start is None)
    assert untimed.step.time is None


def test_matching_takes_time_in_the_length_of_the_records() -> None:
    count = 20_000
    steps = [Step(at, Action("click"), time=iso(at // 2 * 1000)) for at in range(count)]
    moments = [Moment(Step(at, Action("click")), WALL + at * 500) for at in range(count)]
    begun = time.process_time()
    assert match(steps, moments).moments
    assert match([replace(step, time=iso(0)) for step in steps], moments).why_not is not None
    assert time.process_time() - begun < 5
