import gzip
import json
import os
import zipfile
from pathlib import Path

import pytest
from made_logs import (
    FIXTURES,
    REGISTRY,
    appagent,
    browser_round,
    browser_use,
    failures,
    neutral,
    outcomes,
    runs,
    said,
    the_failure,
    write_json,
    write_lines,
)

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.discover import Found, Skipped, find_runs
from tracewitness.intake.errors import AmbiguousFormatError, FailureKind, IntakeFailure, UnknownFormatError
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats import built_in
from tracewitness.intake.formats.neutral import NeutralFormat
from tracewitness.intake.registry import Registry
from tracewitness.intake.sealed import SealedRun


def test_a_folder_of_everything() -> None:
    found = [(run.origin.format_name, run.run_id) for run in runs(FIXTURES)]
    assert [one for one in found if one[0] in ("appagent", "browser_use", "neutral")] == [
        ("appagent", "task_system_2024-05-20_21-11-19"),
        ("appagent", "task_system_2024-11-12_23-54-19"),
        ("browser_use", "browser_use/AgentHistory"),
        ("neutral", "made/alarm"),
        ("neutral", "made/none"),
    ]
    assert failures(*(FIXTURES / name for name in ("appagent", "browser_use", "neutral"))) == []


def test_the_format_is_found_by_content_whatever_the_order_and_the_name(tmp_path: Path) -> None:
    odd = tmp_path / "trace.log.json"
    odd.write_bytes((FIXTURES / "browser_use" / "AgentHistory.json").read_bytes())
    lines = write_lines(tmp_path / "no_suffix", [neutral()])
    for registry in (Registry(built_in()), Registry(reversed(built_in()))):
        found = [one for one in find_runs([odd, lines], registry) if isinstance(one, Found)]
        assert [one.format.name for one in found] == ["browser_use", "neutral"]
        assert found[0].why == "history[0] has the keys model_output, result, state"


def test_unknown_json_says_what_was_tried_shortly_and_in_full_as_data(tmp_path: Path) -> None:
    failure = the_failure(write_json(tmp_path / "x.json", {"hello": []}))
    assert [name for name, _ in failure.tried] == [one.name for one in REGISTRY.formats]
    assert f"no reader takes it ({len(failure.tried)} formats asked, such as " in failure.line()
    assert "atif: no schema_version of ATIF; browser_use: no list under a key history" in failure.line()
    assert "; --json says why for each); see 'tracewitness formats'" in failure.line()
    assert "folder" not in failure.problem
    assert len(failure.line()) < 500 + len(str(tmp_path))


def test_of_the_reasons_those_that_saw_something_are_told(tmp_path: Path) -> None:
    line = the_failure(write_json(tmp_path / "x.json", {"resourceMetrics": []})).line()
    assert "such as otlp: it holds logs or metrics of OpenTelemetry, and no spans; --json" in line
    assert Registry([]).formats == ()
    with pytest.raises(UnknownFormatError, match="no formats are known"):
        Registry([]).choose(Candidate(write_json(tmp_path / "y.json", {}), "y.json"))


def test_two_takers_are_an_error(tmp_path: Path) -> None:
    class Twin(NeutralFormat):
        name = "twin"

    path = write_json(tmp_path / "x.json", neutral())
    with pytest.raises(AmbiguousFormatError, match=r"neutral, twin"):
        Registry([NeutralFormat(), Twin()]).choose(Candidate(path, "x.json"))
    with pytest.raises(ValueError, match="same name"):
        Registry([NeutralFormat(), NeutralFormat()])


def test_a_plug_in_that_fails_to_detect_is_told_and_passed_over(tmp_path: Path) -> None:
    class Broken(NeutralFormat):
        name = "broken"

        def detect(self, candidate: Candidate) -> Verdict:
            raise KeyError(candidate.name)

    registry = Registry([NeutralFormat(), Broken()])
    assert registry.choose(Candidate(write_json(tmp_path / "x.json", neutral()), "x.json")).format.name == "neutral"
    with pytest.raises(UnknownFormatError, match=r"broken: its detection failed \(KeyError\)"):
        registry.choose(Candidate(write_json(tmp_path / "y.json", {}), "y.json"))


class Careless(NeutralFormat):
    """Reads whatever it is asked about as lines of JSON, and as one document."""

    name = "careless"

    def detect(self, candidate: Candidate) -> Verdict:
        for one in candidate.objects():
            if one.get("mine"):
                return Verdict(True, "mine")
        return Verdict(candidate.document == "mine", "not mine")


def test_a_plug_in_that_cannot_be_asked_about_a_folder_or_a_file_breaks_no_audit(tmp_path: Path) -> None:
    registry = Registry([NeutralFormat(), Careless()])
    write_json(tmp_path / "a" / "run.json", neutral())
    write_lines(tmp_path / "a" / "runs.jsonl", [neutral("one"), neutral("two")])
    write_lines(tmp_path / "a" / "other.jsonl", [{"x": 1}, {"y": 2}])
    (tmp_path / "a" / "series.json").write_text('{\n "a": 1\n}\n{\n "b": 2\n}\n', "utf-8")
    (tmp_path / "a" / "notes.txt").write_text("words", "utf-8")
    found = list(find_runs([tmp_path], registry))
    assert [one.candidate.path.name for one in found if isinstance(one, Found)] == ["run.json", "runs.jsonl"]
    skipped = {Path(one.path).name: one.why for one in found if isinstance(one, Skipped)}
    assert skipped[tmp_path.name] == (
        "this folder itself is no run; careless: its detection failed (this is not a plain file)"
    )
    assert skipped["other.jsonl"].startswith("JSON of no log that is known; careless: its detection failed (not valid")
    assert len(found) == 6
    with pytest.raises(UnknownFormatError, match="such as careless: its detection failed"):
        registry.choose(Candidate(tmp_path / "a" / "notes.txt", "notes.txt"))


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("empty.json", b"", FailureKind.EMPTY),
        ("cut.json", b'{"a": [1, ', FailureKind.BAD_JSON),
        ("pointer.json", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", FailureKind.LFS_POINTER),
        ("wide.json", '{"a": 1}'.encode("utf-16"), FailureKind.ENCODING),
        (
            "cut.jsonl.gz",
            gzip.compress(b'{"a": 1}\n' + os.urandom(200_000).hex().encode())[:100_000],
            FailureKind.UNREADABLE,
        ),
        ("long.json", b'{"a": [' + b"1, " * 6_000_000, FailureKind.BAD_JSON),
    ],
)
def test_what_is_wrong_with_the_file_itself_is_the_answer(
    tmp_path: Path, name: str, content: bytes, kind: FailureKind
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    failure = next(find_runs([path], Registry([NeutralFormat(), Careless()])))
    assert isinstance(failure, IntakeFailure)
    assert failure.kind is kind


def test_a_format_can_be_told(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", neutral())
    found = list(find_runs([path], REGISTRY, format_name="appagent"))
    assert isinstance(found[0], Found)
    assert found[0].format.name == "appagent"
    unknown = list(find_runs([path], REGISTRY, format_name="nope"))
    assert isinstance(unknown[0], IntakeFailure)
    assert "no format is called 'nope'; 'tracewitness formats' lists them" in unknown[0].line()
    close = next(find_runs([path], REGISTRY, format_name="browseruse"))
    assert isinstance(close, IntakeFailure)
    assert "no format is called 'browseruse'; perhaps browser_use; 'tracewitness formats' lists them" in close.line()


def test_a_folder_is_searched_for_the_format_that_was_told(tmp_path: Path) -> None:
    folder = appagent(tmp_path / "tasks", [said("tap(1)")])
    write_json(tmp_path / "other" / "x.json", neutral("n"))
    expected = {"appagent": str(folder), "neutral": str(tmp_path / "other" / "x.json")}
    for name, path in expected.items():
        found = [one for one in find_runs([tmp_path], REGISTRY, format_name=name) if not isinstance(one, Skipped)]
        assert [(type(one).__name__, one.candidate.name if isinstance(one, Found) else "") for one in found] == [
            ("Found", path)
        ]
    nothing = list(find_runs([tmp_path], REGISTRY, format_name="browser_use"))[-1]
    assert isinstance(nothing, IntakeFailure)
    assert "no runs in it" in nothing.line()


def test_gold_is_never_read_as_a_run(tmp_path: Path) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", [neutral("leak")])
    write_lines(tmp_path / "runs.jsonl", [neutral("r")])
    assert [run.run_id for run in runs(tmp_path)] == ["r"]
    assert [one.why for one in outcomes(tmp_path) if isinstance(one, Skipped)] == ["gold labels are grading"]
    assert "never read as runs" in the_failure(gold).line()


def test_a_folder_without_runs(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("hello", "utf-8")
    looked = f"1 file looked at, such as {notes}: no reader takes a file of this kind"
    expected = f"{tmp_path}: no runs in it ({looked}); see 'tracewitness formats' for what is read"
    assert the_failure(tmp_path).line() == expected
    write_json(tmp_path / "package.json", {"name": "x"})
    line = the_failure(tmp_path).line()
    assert "no runs in it (2 files looked at, such as" in line
    assert "package.json" in line


def test_other_json_beside_runs_is_skipped_with_its_reason(tmp_path: Path) -> None:
    write_json(tmp_path / "a" / "config.json", {"x": 1})
    write_json(tmp_path / "a" / "run.json", neutral())
    found = outcomes(tmp_path)
    assert [type(one).__name__ for one in found] == ["Skipped", "SealedRun"]
    assert isinstance(found[0], Skipped)
    assert found[0].path == str(tmp_path / "a" / "config.json")


def test_damaged_json_in_a_folder_is_a_failure_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"format": "tracewitness.run/1", ', "utf-8")
    write_json(tmp_path / "b.json", neutral("b"))
    (tmp_path / "c.jsonl").write_text("", "utf-8")
    assert [run.run_id for run in runs(tmp_path)] == ["b"]
    assert [Path(one.path).name for one in failures(tmp_path)] == ["a.json", "c.jsonl"]


def test_missing_paths_and_patterns(tmp_path: Path) -> None:
    assert "there is no such file or folder" in the_failure(tmp_path / "gone.json").line()
    assert "no file matches the pattern" in the_failure(str(tmp_path / "*.json")).line()
    for name in "ba":
        write_json(tmp_path / "deep" / f"{name}.json", neutral(name))
    assert [run.run_id for run in runs(str(tmp_path / "**" / "*.json"))] == ["a", "b"]
    odd = write_json(tmp_path / "x[1].json", neutral("odd"))
    assert [run.run_id for run in runs(odd)] == ["odd"], "a file of that very name wins over the pattern"


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", neutral())
    assert len(outcomes(path, tmp_path, str(tmp_path / "*.json"))) == 1


def test_links_are_not_followed_out_of_a_folder(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write_json(outside / "run.json", neutral("outside"))
    inside = tmp_path / "inside"
    write_json(inside / "run.json", neutral("inside"))
    (inside / "link.json").symlink_to(outside / "run.json")
    (inside / "folder").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    assert [run.run_id for run in runs(inside)] == ["inside"]
    (inside / "gone.json").symlink_to(inside / "gone")
    (inside / "self.json").symlink_to(inside / "self.json")
    (inside / "sub").mkdir()
    (inside / "other").symlink_to(inside / "sub")
    assert {Path(one.path).name: one.why for one in outcomes(inside) if isinstance(one, Skipped)} == {
        "folder": "a link out of the folder",
        "gone.json": "a broken link",
        "link.json": "a link out of the folder",
        "loop": "a link to the folder it lies in",
        "other": "a link to a folder",
        "self.json": "a link that leads to itself",
        "sub": "an empty folder",
    }


def test_what_is_read_with_another_file_is_said_to_belong_to_its_run(tmp_path: Path) -> None:
    for name in ("terminus_2.trajectory.json", "terminus_2.trajectory.cont-1.json"):
        (tmp_path / name).write_bytes((FIXTURES / "atif" / name).read_bytes())
    (tmp_path / "agent-a1.jsonl").write_bytes((FIXTURES / "claude_code" / "agent-atest01.jsonl").read_bytes())
    (tmp_path / "AgentHistory.json").write_bytes((FIXTURES / "browser_use" / "AgentHistory.json").read_bytes())
    for folder in (tmp_path, tmp_path / "conversations"):
        folder.mkdir(exist_ok=True)
        (folder / "conversation_x_1.txt").write_text(' system \nRules\n\n user \nGo on\n\n{\n "a": 1\n}', "utf-8")
    (tmp_path / "conversation_y_1.txt").write_text("words", "utf-8")
    found = list(find_runs([tmp_path], REGISTRY))
    skipped = {str(Path(one.path).relative_to(tmp_path)): one.why for one in found if isinstance(one, Skipped)}
    session = skipped.pop("agent-a1.jsonl")
    assert session.startswith("belongs to the run of session ")
    assert skipped == {
        "terminus_2.trajectory.cont-1.json": "belongs to the run of terminus_2.trajectory.json",
        "conversation_x_1.txt": "belongs to the run of AgentHistory.json",
        "conversations/conversation_x_1.txt": "belongs to the run of AgentHistory.json",
        "conversation_y_1.txt": "no reader takes a file of this kind",
    }
    alone = next(find_runs([tmp_path / "agent-a1.jsonl"], REGISTRY))
    assert isinstance(alone, IntakeFailure)
    assert "it belongs to the run of session " in alone.line()


def test_a_task_folder_is_one_run_and_not_searched(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said("tap(1)")])
    write_json(folder / "extra.json", neutral("inner"))
    assert [run.run_id for run in runs(tmp_path)] == [folder.name]


def test_a_folder_with_another_log_of_that_name_is_searched(tmp_path: Path) -> None:
    write_lines(tmp_path / "log_x_task_y.txt", [{"level": "info"}])
    write_json(tmp_path / "run.json", neutral("inner"))
    assert [run.run_id for run in runs(tmp_path)] == ["inner"]


def test_every_format_has_a_page_and_words_for_the_list() -> None:
    for one in built_in():
        assert one.page().startswith(f"# {one.name}")
        assert "plane" in one.page()
        assert len(one.summary) < 120
        assert one.versions


def damaged_logs() -> list[tuple[str, bytes, str]]:
    """Return name, content and expected line of logs that cannot be read to the first run."""
    line = json.dumps(neutral("r")).encode()
    rest = b"\n".join(json.dumps({"at": at, "noise": os.urandom(4000).hex()}).encode() for at in range(40))
    return [
        ("a.json", line.decode().encode("utf-16"), "this is UTF-16; convert it to UTF-8"),
        ("a.json", line[5:], "not valid JSON"),
        ("a.json", line[:60], "the JSON ends in the middle of a value"),
        ("a.jsonl.gz", gzip.compress(line)[:-20], "the gzip data is damaged"),
        ("a.jsonl.gz", gzip.compress(rest)[:40_000], "the gzip data is damaged or cut off"),
        ("a.json.gz", gzip.compress(line)[:-20], "the gzip data is damaged"),
        ("task_a/log_a_task_a.txt", line.decode().encode("utf-16"), "this is UTF-16; convert it to UTF-8"),
        ("task_a/log_a_task_a.txt", gzip.compress(line)[:-20], "the gzip data is damaged or cut off"),
    ]


@pytest.mark.parametrize(("name", "content", "expected"), damaged_logs())
def test_a_log_that_cannot_be_read_is_a_failure_with_its_cause(
    tmp_path: Path, name: str, content: bytes, expected: str
) -> None:
    (tmp_path / "README").write_text("hello", "utf-8")
    (tmp_path / "shot.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    write_json(tmp_path / "package.json", {"name": "x"})
    log = tmp_path / name
    log.parent.mkdir(exist_ok=True)
    log.write_bytes(content)
    for named in (tmp_path, log):
        assert expected in the_failure(named).line()
        assert "no reader takes it" not in the_failure(named).line()


SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples"


@pytest.mark.slow
@pytest.mark.shared
def test_all_samples_are_gone_through_in_one_go() -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the samples are not beside this checkout")
    found = outcomes(SAMPLES)
    assert len([one for one in found if isinstance(one, SealedRun)]) > 100
    assert [one.line() for one in found if isinstance(one, IntakeFailure) and one.kind is FailureKind.INTERNAL] == []
    assert all(one.why for one in found if isinstance(one, Skipped))


def test_short_first_lines_are_read_once_for_all_formats(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [{"at": at} for at in range(40)])
    candidate = Candidate(path, path.name)
    first = list(candidate.objects())
    path.unlink()
    assert list(candidate.objects()) == first == [{"at": at} for at in range(20)]


def told(folder: Path) -> dict[str, str]:
    return {str(Path(one.path).relative_to(folder)): one.why for one in outcomes(folder) if isinstance(one, Skipped)}


def test_everything_in_a_folder_is_told(tmp_path: Path) -> None:
    write_json(tmp_path / "run.json", neutral("told"))
    for name in (".git/run.json", "node_modules/left/package.json", "__MACOSX/._run.json", "deep/.hidden.json"):
        write_json(tmp_path / name, neutral("never"))
    for name in ("empty", "deep/empty", "shots"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("shots/1.png", "shots/2.JPG"):
        (tmp_path / name).write_bytes(b"x")
    hidden = "a name with a dot in front is hidden; name it to have it read"
    packages = "a folder of packages or of the system; name it to have it searched"
    assert told(tmp_path) == {
        ".git": hidden,
        "__MACOSX": packages,
        "deep/.hidden.json": hidden,
        "deep/empty": "an empty folder",
        "empty": "an empty folder",
        "node_modules": packages,
        "shots": "2 pictures alone; a log reads those that it names",
    }
    assert [one.run_id for one in runs(tmp_path)] == ["told"]
    for name in (".git", "node_modules", "deep/.hidden.json"):
        assert runs(tmp_path / name) or name == "node_modules"


def test_the_store_beside_the_runs_is_no_matter(tmp_path: Path) -> None:
    write_json(tmp_path / ".tracewitness" / "x.json", {})
    write_json(tmp_path / "run.json", neutral("told"))
    assert told(tmp_path) == {}


@pytest.mark.parametrize(
    "members",
    [
        {"results/run.json": json.dumps(neutral("x")), "__MACOSX/results/._run.json": "x", "results/.DS_Store": "x"},
        {"results\\run.json": json.dumps(neutral("x"))},
        {"inner.zip": "PK"},
    ],
)
def test_a_zip_file_that_may_hold_a_folder_of_runs_is_to_be_unpacked(tmp_path: Path, members: dict[str, str]) -> None:
    path = tmp_path / "artifact.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    assert told(tmp_path) == {"artifact.zip": "no reader takes a file of this kind; unpack it, if runs are in it"}
    assert the_failure(path).line().endswith("; unpack it and name the folder")


def test_of_an_unsafe_zip_file_the_member_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("a/../../evil.json"), "{}")
    assert told(tmp_path) == {"a.zip": "member a/../../evil.json: its name climbs out of the archive"}


@pytest.mark.parametrize("length", [245, 249, 250])
def test_a_log_with_a_name_as_long_as_can_be_is_read(tmp_path: Path, length: int) -> None:
    path = tmp_path / f"{'x' * length}.json"
    run = next(one for one in runs(write_json(path, neutral("long"))))
    assert run.run_id == "long"
    history = tmp_path / "h" / f"{'y' * length}.json"
    assert runs(browser_use(write_json(history, {}), [browser_round(1, [{"go_back": {}}], [{}])]))
    traj = tmp_path / ("z" * length)
    traj.mkdir()
    write_lines(traj / "traj.jsonl", [{"step_num": 1, "action": "DONE", "response": "x", "reward": 0}])
    assert "the instruction of task" in the_failure(traj).line()
