import gzip
import json
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_logs import (
    FIXTURES,
    SETTINGS,
    appagent,
    failures,
    neutral,
    runs,
    said,
    the_failure,
    the_run,
    write_json,
    write_lines,
)

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import TaskClass
from tracewitness.intake.formats.neutral.read import checked
from tracewitness.intake.formats.neutral.schema import json_schema
from tracewitness.intake.formats.neutral.split import Place, is_dump_path, seal
from tracewitness.intake.formats.neutral.write import to_neutral
from tracewitness.intake.limits import Limits
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Narrated, Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.task_side.task import Task

SCHEMA = json_schema()


def sealed(run: dict[str, Any]) -> SealedRun:
    return seal(checked(run, Limits()), Place("made.json", "", RunFolder(Path(), Limits())))


def test_fixture() -> None:
    alarm, none = runs(FIXTURES / "neutral" / "runs.jsonl")
    assert alarm.task == Task("Set an alarm for 7:30.", "Clock", None, "en-GB", TaskClass.CREATE_EDIT)
    assert alarm.report == Report("The alarm is set for 7:30.", DeclaredStatus.SUCCESS)
    assert alarm.harness is HarnessStatus.COMPLETED
    assert alarm.narration == (Narrated(1, "I open the dialog."),)
    assert alarm.extra_json == '{"cost":0.5,"tokens":12}'
    assert alarm.trace.gaps == ()
    first = alarm.trace.steps[0]
    assert first.before is not None
    assert first.before.screenshot is not None
    assert first.before.screenshot.digest is not None
    assert first.after is not None
    assert first.after.ui_tree is not None
    assert first.after.ui_tree.startswith("<hierarchy")
    assert none.trace.gaps == (Gap.NO_OBSERVATIONS, Gap.DECLARED_INCOMPLETE)
    hidden = {(one.where, one.plane, one.route) for one in alarm.stripped}
    assert ("report.text", Plane.REPORT, LeakRoute.FINAL_REPORT) in hidden
    assert ("steps[0].narration", Plane.NARRATION, LeakRoute.THOUGHTS) in hidden
    assert ("extra", Plane.GRADING, LeakRoute.GRADING_ECHO) in hidden


def test_object_list_lines_and_gzip_give_the_same_runs(tmp_path: Path) -> None:
    values = [neutral("a"), neutral("b")]
    lines = write_lines(tmp_path / "lines.jsonl", values)
    (tmp_path / "lines2.jsonl.gz").write_bytes(gzip.compress(lines.read_bytes()))
    for path in (write_json(tmp_path / "list.json", values), lines, tmp_path / "lines2.jsonl.gz"):
        assert [run.run_id for run in runs(path)] == ["a", "b"]
    spread = tmp_path / "spread.json"
    spread.write_text(json.dumps(values[0], indent=2), "utf-8")
    assert [run.run_id for run in runs(spread)] == ["a"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"colour": 1}, "key colour: unknown key"),
        ({"task": {"instruction": "x", "gold": 1}}, "key task.gold: unknown key"),
        ({"task": {}}, "key task.instruction: missing key"),
        ({"task": {"instruction": " "}}, "key task.instruction: must not be blank"),
        ({"run_id": ""}, "key run_id"),
        ({"steps": [{"index": "1", "action": {"kind": "x"}}]}, "key steps[0].index"),
        (
            {"steps": [{"index": 1, "action": {"kind": "finish", "raw": "done()"}}]},
            "a finish action carries nothing else",
        ),
        ({"steps": [{"index": 1, "action": {"kind": "x"}}] * 2}, "steps[1].index must be greater"),
        ({"steps": [{"index": 1, "action": {"kind": "x"}, "time": "noon"}]}, "expected an ISO 8601 time"),
        ({"harness": {"status": "great"}}, "key harness.status"),
        ({"report": {"declared_status": "maybe"}}, "key report.declared_status"),
        ({"format": "tracewitness.run/7"}, "format 'tracewitness.run/7' is not known"),
        ({"complete": "yes"}, "key complete"),
    ],
)
def test_errors_name_key_and_place(tmp_path: Path, change: dict[str, Any], expected: str) -> None:
    path = write_lines(tmp_path / "runs.jsonl", [neutral("good"), {**neutral("bad"), **change}])
    found = failures(path)
    assert len(found) == 1
    assert expected in found[0].line()
    assert "line 2" in found[0].line()
    assert [run.run_id for run in runs(path)] == ["good"], "the other run is unharmed"


def test_skipped_indexes_are_a_gap() -> None:
    steps = [{"index": 1, "action": {"kind": "click"}}, {"index": 4, "action": {"kind": "click"}}]
    assert Gap.MISSING_STEPS in sealed(neutral(steps=steps)).trace.gaps
    assert Gap.MISSING_STEPS in sealed(neutral(steps=steps[1:])).trace.gaps
    assert Gap.MISSING_STEPS not in sealed(neutral(steps=steps[:1])).trace.gaps


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("dumps/2.xml", True),
        ("<node/>", False),
        ("page 'x'\nbutton", False),
        ("a page about notes.txt", True),
        ('[1]<a href="x.html', False),
    ],
)
def test_dump_paths(given: str, path: bool) -> None:
    assert is_dump_path(given) == path


def test_the_published_schema_says_what_the_reader_says() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(neutral(), SCHEMA)
    bad = neutral(steps=[{"index": 1, "action": {"kind": "finish", "raw": "done(text='ok')"}}])
    for run in (bad, neutral(colour=1), neutral(task={})):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(run, SCHEMA)
    assert json.dumps(SCHEMA, sort_keys=True) == json.dumps(json_schema(), sort_keys=True)
    described = SCHEMA["$defs"]["NeutralObservation"]["properties"]
    assert all("description" in one for one in described.values())


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMES = st.text("abc d", min_size=1, max_size=8).filter(lambda text: bool(text.strip()))
SEEN = st.none() | st.fixed_dictionaries({}, optional={"text": WORDS, "url": WORDS})
ACTION = st.just({"kind": "finish"}) | st.fixed_dictionaries(
    {"kind": NAMES.filter(lambda kind: kind != "finish")}, optional={"target": WORDS, "text": WORDS, "raw": WORDS}
)
STEP = st.fixed_dictionaries({"action": ACTION, "before": SEEN, "after": SEEN}, optional={"error": WORDS})
NARRATED = st.fixed_dictionaries({"action": ACTION, "narration": NAMES})
FLAG = st.sampled_from([None, "success", "failure"])


@st.composite
def neutral_runs(draw: st.DrawFn) -> dict[str, Any]:
    steps = [{"index": at, **step} for at, step in enumerate(draw(st.lists(STEP | NARRATED, max_size=4)))]
    return neutral(
        draw(NAMES),
        steps=steps,
        agent=draw(st.none() | NAMES),
        task={
            "instruction": draw(NAMES),
            "app": draw(st.none() | WORDS),
            "class": draw(st.sampled_from([None, "send"])),
        },
        report={"text": draw(st.none() | WORDS), "declared_status": draw(FLAG)},
        harness={"status": draw(st.sampled_from([status.value for status in HarnessStatus]))},
        complete=draw(st.booleans()),
        extra=draw(st.none() | st.dictionaries(NAMES, st.integers() | WORDS, max_size=2)),
    )


@settings(max_examples=60)
@given(neutral_runs())
def test_writing_and_reading_again_gives_the_same_run(run: dict[str, Any]) -> None:
    read = sealed(run)
    written = to_neutral(read)
    jsonschema.validate(written, SCHEMA)
    again = sealed(json.loads(json.dumps(written)))
    assert again == read
    assert to_neutral(again) == written


@settings(max_examples=60)
@given(neutral_runs())
def test_writing_drops_nothing_but_nulls_and_defaults(run: dict[str, Any]) -> None:
    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            items = cast(dict[str, Any], value).items()
            return {key: bare(item) for key, item in items if item is not None}
        return [bare(item) for item in cast(list[Any], value)] if isinstance(value, list) else value

    expected = bare(run)
    if expected.pop("complete") is False:
        expected["complete"] = False
    assert bare(to_neutral(sealed(run))) == expected


def test_foreign_runs_can_be_written(tmp_path: Path) -> None:
    for path in (FIXTURES / "appagent" / "tasks", FIXTURES / "browser_use"):
        for run in runs(path):
            written = to_neutral(run)
            jsonschema.validate(written, SCHEMA)
            assert the_run_text(tmp_path, written) == run.task


def test_a_gap_of_a_foreign_run_is_not_lost_in_writing(tmp_path: Path) -> None:
    read = the_run(appagent(tmp_path, [said("tap(1)"), said("tap(9)")], dumps=[None, SETTINGS]))
    assert Gap.UNREADABLE_OBSERVATION in read.trace.gaps
    written = to_neutral(read)
    assert written["complete"] is False
    assert "not executed" in written["steps"][1]["error"]
    assert Gap.DECLARED_INCOMPLETE in sealed(written).trace.gaps


def the_run_text(folder: Path, written: dict[str, Any]) -> Task:
    return the_run(write_json(folder / "run.json", written)).task


def test_a_number_json_cannot_express(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(neutral(extra={"cost": 1})).replace('"cost": 1', '"cost": 1e999'), "utf-8")
    assert "key extra" in the_failure(path).line()
