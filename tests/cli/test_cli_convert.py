"""Screenshots and UI dumps of converted runs are still found, or a line says that they are not."""

import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from cli_samples import call, honest

DUMP = "<hierarchy><node text='Save' bounds='[0,0][9,9]'/></hierarchy>"


def png(shade: int) -> bytes:
    """Return a picture of one grey point."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    points = zlib.compress(bytes([0, shade]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", points) + chunk(b"IEND", b"")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Return a folder with one run, which has a screenshot and a UI dump in files, and a screenshot that is missing."""
    run: dict[str, Any] = honest().to_json()
    first, second = run["steps"][0], run["steps"][1]
    first["after"] = {"screenshot": "shots/1.png", "ui_tree": "shots/1.xml"}
    second["before"] = {"screenshot": "shots/1.png"}
    second["after"]["screenshot"] = "shots/gone.png"
    folder = tmp_path / "runs"
    (folder / "shots").mkdir(parents=True)
    (folder / "shots" / "1.png").write_bytes(b"\x89PNG picture")
    (folder / "shots" / "1.xml").write_text(DUMP, "utf-8")
    (folder / "run.json").write_text(json.dumps(run), "utf-8")
    return folder


def first_observation(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))["steps"][0]["after"]


@pytest.mark.parametrize(
    ("output", "copy", "name"),
    [
        ("all.jsonl", False, "runs/shots/1.png"),
        ("runs/all.jsonl", False, "shots/1.png"),
        ("else/all.jsonl", True, "all.jsonl.files/"),
    ],
)
def test_files_of_a_converted_run_are_found(tmp_path: Path, runs: Path, output: str, copy: bool, name: str) -> None:
    (tmp_path / "else").mkdir()
    done = call("convert", runs, "-o", output, *(["--copy-files"] if copy else []), folder=tmp_path)
    assert (done.code, "cannot be found" in done.err) == (0, False)
    assert ("1 screenshot copied to" in done.err) == copy
    seen = first_observation(tmp_path / output)
    assert seen["screenshot"].startswith(name)
    assert seen["ui_tree"] == DUMP
    assert (tmp_path / Path(output).parent / seen["screenshot"]).read_bytes() == b"\x89PNG picture"
    audited = call("audit", tmp_path / output, "--no-store", folder=tmp_path)
    missing = [line for line in audited.err.splitlines() if "missing" in line]
    assert len(missing) == 1, "one line for the run, and only the file that was never there"
    assert "1 screenshot (" in missing[0]


def test_a_screenshot_out_of_reach_is_told(tmp_path: Path, runs: Path) -> None:
    (tmp_path / "else").mkdir()
    done = call("convert", runs, "-o", "else/all.jsonl", folder=tmp_path)
    assert done.code == 0
    assert "1 screenshot cannot be found from the folder of the output; --copy-files copies" in done.err
    assert first_observation(tmp_path / "else" / "all.jsonl")["screenshot"] == "shots/1.png"


def test_on_standard_output_names_start_from_here(tmp_path: Path, runs: Path) -> None:
    done = call("convert", runs, folder=tmp_path)
    assert json.loads(done.out)["steps"][0]["after"]["screenshot"] == "runs/shots/1.png"
    assert call("convert", runs, "--copy-files", folder=tmp_path).code == 2


def test_missing_files_are_told_once_a_run_and_for_ten_runs(tmp_path: Path) -> None:
    lines: list[str] = []
    for number in range(13):
        run: dict[str, Any] = honest(f"r{number:02}").to_json()
        for step in run["steps"]:
            step["before"] = step["after"] = {"text": "page", "screenshot": "gone.png"}
        lines.append(json.dumps(run))
    (tmp_path / "runs.jsonl").write_text("\n".join(lines), "utf-8")
    done = call("audit", "runs.jsonl", "--no-store", folder=tmp_path)
    assert done.err.count("1 screenshot (gone.png) is missing or cannot be read") == 10
    assert "... and 3 more runs with missing files" in done.err


def test_a_folder_takes_one_file_a_run(tmp_path: Path, runs: Path) -> None:
    (tmp_path / "out").mkdir()
    again = json.loads((runs / "run.json").read_text("utf-8"))
    (runs / "other.json").write_text(json.dumps({**again, "run_id": "../a run: b"}), "utf-8")
    (runs / "third.json").write_text(json.dumps({**again, "run_id": "a run; b"}), "utf-8")
    done = call("convert", runs, "--to", "atif", "-o", "out", "--copy-files", folder=tmp_path)
    assert done.code == 0
    names = sorted(one.name for one in (tmp_path / "out").iterdir())
    assert names == ["_a_run_b.json", "a_run_b.json", "files", f"{again['run_id']}.json"]
    assert json.loads((tmp_path / "out" / "a_run_b.json").read_text("utf-8"))["schema_version"] == "ATIF-v1.7"
    once_more = call("convert", runs / "run.json", "--to", "atif", "-o", "out", folder=tmp_path)
    assert once_more.code == 0
    assert (tmp_path / "out" / f"{again['run_id']}-2.json").is_file()


def test_what_is_written_as_atif_is_audited_alike(tmp_path: Path, runs: Path) -> None:
    assert call("convert", runs, "--to", "atif", "-o", "all.jsonl", folder=tmp_path).code == 0
    first, second = (call("audit", one, "--no-store", "--json", folder=tmp_path) for one in (runs, "all.jsonl"))
    assert first.code == second.code
    told = [done.json_lines[0] for done in (first, second)]
    keys = ("run_id", "claim", "trace_state", "disposition", "evidence")
    assert [[one.get(key) for key in keys] for one in told] == [[told[0].get(key) for key in keys]] * 2


def in_log(folder: Path) -> tuple[Path, bytes]:
    """Return a chat whose screenshots stand in it as base64, and the bytes of the first."""
    pictures = [png(shade) for shade in (10, 200)]
    turns: list[dict[str, Any]] = [{"role": "user", "content": "Save the note."}]
    for number, picture in enumerate(pictures):
        call_id, url = f"c{number}", f"data:image/png;base64,{base64.b64encode(picture).decode()}"
        function = {"name": "click", "arguments": '{"target": "Save"}'}
        turns += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": call_id, "type": "function", "function": function}],
            },
            {"role": "tool", "tool_call_id": call_id, "content": "clicked"},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]},
        ]
    turns.append({"role": "assistant", "content": "I saved the note."})
    path = folder / "chat.json"
    path.write_text(json.dumps({"messages": turns}), "utf-8")
    return path, pictures[0]


@pytest.mark.parametrize("to", ["neutral", "atif"])
def test_pictures_inside_a_log_are_written_as_files(tmp_path: Path, to: str) -> None:
    log, picture = in_log(tmp_path)
    (tmp_path / "out").mkdir()
    bare = call("convert", log, "--to", to, "-o", "out/bare.jsonl", folder=tmp_path)
    assert "2 screenshots cannot be found from the folder of the output; --copy-files copies them" in bare.err
    done = call("convert", log, "--to", to, "-o", "out/all.jsonl", "--copy-files", folder=tmp_path)
    assert (done.code, "2 screenshots copied to" in done.err, "cannot be found" in done.err) == (0, True, False)
    copies = sorted((tmp_path / "out" / "all.jsonl.files").iterdir())
    assert picture in [one.read_bytes() for one in copies]
    written = (tmp_path / "out" / "all.jsonl").read_text("utf-8")
    assert all(f'"all.jsonl.files/{one.name}"' in written and one.suffix == ".png" for one in copies)
    assert len(copies) == 2
    audited = call("audit", "out/all.jsonl", "--no-store", folder=tmp_path)
    assert "missing" not in audited.err


def test_a_picture_whose_bytes_the_log_does_not_give_is_told(tmp_path: Path) -> None:
    log, _ = in_log(tmp_path)
    text = log.read_text("utf-8").replace(base64.b64encode(png(10)).decode(), base64.b64encode(b"GIF89a").decode() * 20)
    log.write_text(text, "utf-8")
    (tmp_path / "out").mkdir()
    done = call("convert", log, "-o", "out/all.jsonl", "--copy-files", folder=tmp_path)
    assert "1 screenshot copied to" in done.err
    assert "1 screenshot cannot be found from the folder of the output" in done.err


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path, runs: Path) -> None:
    done = call("convert", runs, "-o", "nodir/all.jsonl", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "nodir/all.jsonl: cannot be written, there is no folder nodir; make it first" in done.err


def test_formats_that_are_not_written_are_named(runs: Path, tmp_path: Path) -> None:
    done = call("convert", runs, "--to", "har", folder=tmp_path)
    assert done.code == 2
    assert "cannot write 'har'; runs are written as neutral or atif" in done.err
