"""The pictures of runs: given only where they are what the trace says they are."""

import base64
import gzip
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import FIXTURES, browser_round, browser_use, neutral, runs, the_run, write_json
from made_pickles import dumped, read

from tracewitness.intake.array_pictures import pickled_pictures, png_of
from tracewitness.intake.inline_pictures import LogPictures, pictures_in
from tracewitness.intake.limits import Limits
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.trace_side.trace import Screenshot
from tracewitness.values.digests import digest_bytes
from tracewitness.values.picture_heads import MOST_PIXELS, PictureHead, read_head


def png(width: int = 2, height: int = 2, shade: int = 0, padding: int = 0) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = zlib.compress((b"\0" + bytes([shade]) * width * 3) * min(height, 10))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    noise = chunk(b"tEXt", b"n\0" + bytes([shade + 1]) * padding)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + noise + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def jpeg(width: int, height: int) -> bytes:
    start = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xff\xe1\x00\x04ab"
    return start + b"\xff\xc2\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\x01\x01\x11\x00"


def webp(kind: bytes, body: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", 12 + len(body)) + b"WEBP" + kind + struct.pack("<I", len(body)) + body


def webps(width: int, height: int) -> Iterator[bytes]:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    yield webp(b"VP8X", b"\0" * 4 + sides)
    yield webp(b"VP8L", b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + b"\0" * 8)
    yield webp(b"VP8 ", b"\0" * 3 + b"\x9d\x01\x2a" + struct.pack("<HH", width, height))


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0"


KINDS = {
    "image/png": png(300, 200),
    "image/jpeg": jpeg(300, 200),
    "image/gif": gif(300, 200),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_head_tells_kind_and_size(kind: str) -> None:
    assert read_head(KINDS[kind]) == PictureHead(kind, 300, 200)


@pytest.mark.parametrize("content", [*webps(300, 200)])
def test_a_head_tells_the_three_kinds_of_webp(content: bytes) -> None:
    assert read_head(content) == PictureHead("image/webp", 300, 200)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"BM" + b"\0" * 60,
        b"%PDF-1.7",
        png()[:20],
        b"\x89PNG\r\n\x1a\n" + b"\0" * 40,
        jpeg(3, 3)[:8],
        b"\xff\xd8\xff\xd9" + b"\0" * 20,
        b"\xff\xd8\xff" + b"\xff" * 100,
        gif(0, 5),
        webp(b"VP8Q", b"\0" * 20),
    ],
)
def test_anything_else_is_no_picture(content: bytes) -> None:
    assert read_head(content) is None


def test_a_picture_that_would_unpack_to_too_much_is_none() -> None:
    assert read_head(png(10_000, MOST_PIXELS // 10_000)) is not None
    assert read_head(png(10_000, MOST_PIXELS // 10_000 + 1)) is None
    assert read_head(gif(65_535, 65_535)) is None
    assert read_head(jpeg(65_535, 65_535)) is None
    assert read_head(next(webps(16_384, 16_384))) is None


@given(st.sampled_from([*KINDS.values(), *webps(9, 9)]), st.integers(0, 60), st.binary(max_size=60))
def test_no_bytes_make_it_fail(content: bytes, cut: int, more: bytes) -> None:
    read_head(content[:cut] + more)


def shown(run: SealedRun) -> list[Screenshot]:
    observations = [seen for step in run.trace.steps for seen in (step.before, step.after) if seen is not None]
    return [seen.screenshot for seen in observations if seen.screenshot is not None]


def with_screenshots(*names: str) -> dict[str, Any]:
    steps = [{"index": at, "action": {"kind": "tap"}, "after": {"screenshot": n}} for at, n in enumerate(names, 1)]
    return neutral(steps=steps)


def test_a_file_in_the_folder_of_a_neutral_run(tmp_path: Path) -> None:
    (tmp_path / "shots").mkdir()
    (tmp_path / "shots" / "1.png").write_bytes(png())
    run = the_run(write_json(tmp_path / "run.json", with_screenshots("shots/1.png", "shots/2.png")))
    there, missing = shown(run)
    assert RunPictures(run.origin).read(there) == png()
    assert RunPictures(run.origin).read(missing) is None


def test_the_real_logs_give_every_picture_that_they_name() -> None:
    for source in ("appagent", "browser_use", "neutral"):
        found = runs(FIXTURES / source)
        assert found
        for run in found:
            pictures = RunPictures(run.origin)
            for screenshot in shown(run):
                content = pictures.read(screenshot)
                assert (content is not None) == (screenshot.digest is not None), (run.run_id, screenshot)
                assert content is None or digest_bytes(content) == screenshot.digest


def test_the_log_file_of_a_task_folder_may_be_named_instead_of_the_folder() -> None:
    folder = next(path for path in (FIXTURES / "appagent" / "tasks").iterdir() if path.is_dir())
    by_log = the_run(next(folder.glob("log_*.txt")))
    screenshot = next(one for one in shown(by_log) if one.digest is not None)
    assert RunPictures(by_log.origin).read(screenshot) is not None


def test_a_file_that_was_changed_since_is_not_given(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(png())
    run = the_run(write_json(tmp_path / "run.json", with_screenshots("1.png")))
    (tmp_path / "1.png").write_bytes(png(shade=7))
    assert RunPictures(run.origin).read(shown(run)[0]) is None


def test_what_is_no_picture_is_not_given_whatever_its_digest(tmp_path: Path) -> None:
    (tmp_path / "notes.png").write_bytes(b"the report")
    run = the_run(write_json(tmp_path / "run.json", with_screenshots("notes.png", "run.json")))
    notes, log = shown(run)
    assert notes.digest is not None
    assert [RunPictures(run.origin).read(one) for one in (notes, log)] == [None, None]


@pytest.mark.parametrize("name", ["../out.png", "/etc/out.png", "C:\\out.png", "a\0b", "link.png", "fifo", ""])
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "out.png").write_bytes(png())
    (inside / "link.png").symlink_to(tmp_path / "out.png")
    os.mkfifo(inside / "fifo")
    run = the_run(write_json(inside / "run.json", neutral()))
    assert RunPictures(run.origin).read(Screenshot(name, digest_bytes(png()))) is None


def test_a_picture_larger_than_allowed_is_not_given(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(png(padding=5000))
    run = the_run(write_json(tmp_path / "run.json", with_screenshots("1.png")))
    assert RunPictures(run.origin).read(shown(run)[0]) is not None
    assert RunPictures(run.origin, Limits(screenshot=4000)).read(shown(run)[0]) is None


def inline(tmp_path: Path, pictures: list[bytes], before: str = "") -> Path:
    rounds = [browser_round(at, [{"wait": {}}], [{}]) for at in range(1, len(pictures) + 1)]
    for one, picture in zip(rounds, pictures, strict=True):
        one["state"]["screenshot"] = before + base64.b64encode(picture).decode()
    return browser_use(tmp_path / "AgentHistory.json", rounds)


@pytest.mark.parametrize("before", ["", "data:image/png;base64,"])
def test_pictures_that_stand_in_the_log(before: str, tmp_path: Path) -> None:
    given_pictures = [png(shade=shade, padding=shade * 700) for shade in range(9)]
    run = the_run(inline(tmp_path, given_pictures, before))
    pictures = RunPictures(run.origin)
    assert [pictures.read(one) for one in shown(run)[::-1]] == [
        next(p for p in given_pictures if digest_bytes(p) == one.digest) for one in shown(run)[::-1]
    ]


def test_a_log_is_read_only_as_far_as_the_picture_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = inline(tmp_path, [png(shade=shade) for shade in range(9)])
    met: list[bytes] = []

    def noted(path: Path, limits: Limits) -> Iterator[bytes]:
        for picture in pictures_in(path, limits):
            met.append(picture)
            yield picture

    monkeypatch.setattr("tracewitness.intake.inline_pictures.pictures_in", noted)
    run = the_run(path)
    pictures = RunPictures(run.origin)
    assert met == []
    for _ in range(2):
        assert pictures.read(shown(run)[0]) == png()
    assert len(met) == 1
    for _ in range(2):
        assert pictures.read(Screenshot("x", digest_bytes(b"nowhere"))) is None
    assert len(met) == 9


def test_little_is_held_in_memory_and_what_was_dropped_is_read_again(tmp_path: Path) -> None:
    given_pictures = [png(shade=shade, padding=1000) for shade in range(9)]
    path = inline(tmp_path, given_pictures)
    pictures = LogPictures(path, Limits(), room=2500)
    for picture in [*given_pictures, *reversed(given_pictures), given_pictures[4]]:
        assert pictures.find(digest_bytes(picture)) == picture
        assert pictures._held <= 2500  # pyright: ignore[reportPrivateUsage]


def test_other_spellings_of_a_picture_in_a_log(tmp_path: Path) -> None:
    content = jpeg(30, 20)
    written = base64.b64encode(content).decode()
    assert written.startswith("/9j/")
    log = tmp_path / "log.json"
    for spelling in (written.replace("/", "\\/"), f"data:image\\/jpeg;base64,{written}", written[:-1] + "\\u003d"):
        log.write_text(f'{{"a": "{spelling}", "b": 1}}')
        assert list(pictures_in(log, Limits())) == [content], spelling
    packed = tmp_path / "log.json.gz"
    packed.write_bytes(gzip.compress(json.dumps({"a": written}).encode()))
    assert list(pictures_in(packed, Limits())) == [content]


def test_damaged_logs_and_damaged_pictures_give_none(tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    good = base64.b64encode(png()).decode()
    log.write_text(f'["iVBORw0KGgo???", "iVBORw0KGgo", "{good}", "iVBORw0KGgo{"A" * 3_000_000}", "{good[:-9]}')
    assert list(pictures_in(log, Limits(screenshot=1000))) == [png()]
    assert LogPictures(tmp_path / "absent.json", Limits()).find(digest_bytes(png())) is None
    assert LogPictures(tmp_path, Limits()).find(digest_bytes(png())) is None
    cut = tmp_path / "cut.json.gz"
    cut.write_bytes(gzip.compress(f'["{good}"]'.encode())[:-12])
    assert set(pictures_in(cut, Limits())) <= {png()}


@pytest.mark.parametrize("size", [10, 1024 * 1024 - 30, 1024 * 1024 - 1, 1024 * 1024, 3 * 1024 * 1024])
def test_a_picture_is_found_wherever_it_falls(size: int, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    picture = png(padding=1_500_000)
    log.write_text(json.dumps(["x" * size, base64.b64encode(picture).decode(), base64.b64encode(png()).decode()]))
    assert list(pictures_in(log, Limits())) == [picture, png()]


def origin(path: Path) -> Origin:
    return Origin(str(path), "made")


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def in_json(*pictures: bytes) -> bytes:
    return json.dumps({"messages": [{"url": base64.b64encode(one).decode()} for one in pictures]}).encode()


def test_pictures_in_a_zip_file(tmp_path: Path) -> None:
    one, two, three = (png(shade=shade) for shade in (1, 2, 3))
    members = {"shots/1.png": one, "samples/7.json": in_json(two), "samples/8.json": in_json(three), "x.bin": b"x"}
    log = zipped(tmp_path / "run.zip", members)
    pictures = RunPictures(origin(log))
    for name, picture in (
        ("!shots/1.png", one),
        ("!samples/7.json!messages[0]", two),
        ("!samples/7.json/image 1", two),
        ("!8/image 1", three),
        ("!7/image 1", two),
    ):
        assert pictures.read(Screenshot(name, digest_bytes(picture))) == picture, name
    assert pictures.read(Screenshot("!samples/7.json!messages[0]", digest_bytes(three))) is None
    assert pictures.read(Screenshot("!shots/1.png", digest_bytes(two))) is None
    assert pictures.read(Screenshot("!nothing.png", digest_bytes(b"nowhere"))) is None
    log.write_bytes(log.read_bytes()[:-30])
    assert RunPictures(origin(log)).read(Screenshot("!shots/1.png", digest_bytes(one))) is None


def test_pictures_in_files_of_a_run_folder(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "step_1").mkdir(parents=True)
    one, two, three, four = (png(shade=shade) for shade in (1, 2, 3, 4))
    (run / "step_1" / "operator.json").write_bytes(in_json(one, two))
    (run / "odd!name.json.gz").write_bytes(gzip.compress(in_json(three)))
    zipped(run / "step_1" / "trace.zip", {"a.png": four})
    pictures = RunPictures(origin(run))
    for _ in range(2):
        for name, picture in (
            ("step_1/operator.json!messages[1]", two),
            ("step_1/operator.json!messages[0]", one),
            ("odd!name.json.gz!messages[0]", three),
            ("step_1/trace.zip!a.png", four),
        ):
            assert pictures.read(Screenshot(name, digest_bytes(picture))) == picture, name
    zipped(tmp_path / "out.zip", {"a.png": four})
    (run / "link.zip").symlink_to(tmp_path / "out.zip")
    for name in (
        "../out.zip!a.png",
        f"{tmp_path}/out.zip!a.png",
        "link.zip!a.png",
        "missing.zip!a.png",
        "!",
        "a!" * 99,
    ):
        assert pictures.read(Screenshot(name, digest_bytes(four))) is None, name


def test_pictures_that_a_pickle_holds_as_pixels(tmp_path: Path) -> None:
    frames = [np.full((40, 30, 3), shade, "u1") for shade in range(9)]
    frames[3][5:9, 7] = 200
    log = tmp_path / "run.pkl.gz"
    log.write_bytes(gzip.compress(dumped({"screens": frames, "numbers": np.zeros((40, 30, 3), "i4")})))
    made = list(pickled_pictures(log, Limits()))
    assert [read_head(one) for one in made] == [PictureHead("image/png", 30, 40)] * 9
    pixels = zlib.decompress(made[3][made[3].index(b"IDAT") + 4 : -16])
    rows = [pixels[at * 91 + 1 : at * 91 + 91] for at in range(40)]
    assert b"".join(rows) == frames[3].tobytes()
    pictures = RunPictures(origin(log))
    for picture in reversed(made):
        assert pictures.read(Screenshot("!screens", digest_bytes(picture))) == picture
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "step_1.pkl.gz").write_bytes(log.read_bytes())
    inside = RunPictures(origin(tmp_path / "folder"))
    assert inside.read(Screenshot("step_1.pkl.gz!obs.screenshot", digest_bytes(made[5]))) == made[5]
    log.write_bytes(log.read_bytes()[:-40])
    assert RunPictures(origin(log)).read(Screenshot("!screens", digest_bytes(b"nowhere"))) is None


@pytest.mark.parametrize(
    ("frame", "depth"),
    [
        (np.zeros((8, 9, 4), "u1"), 4),
        (np.zeros((8, 9), "u1"), 1),
        (np.asfortranarray(np.arange(216).reshape(8, 9, 3).astype("u1")), 3),
        (np.zeros((8, 9, 2), "u1"), None),
        (np.zeros((8, 9, 3), "f4"), None),
        (np.zeros((2, 9, 3), "u1"), None),
        (np.zeros(50, "u1"), None),
        (np.zeros((2, 8, 9, 3), "u1"), None),
    ],
)
def test_which_arrays_are_pictures(frame: Any, depth: int | None, tmp_path: Path) -> None:
    path = tmp_path / "one.pkl"
    path.write_bytes(dumped(frame))
    (array,) = read(dumped([frame]), tmp_path).value
    made = png_of(array)
    assert (made is None) == (depth is None)
    if made is not None and depth is not None:
        pixels = zlib.decompress(made[made.index(b"IDAT") + 4 : -16])
        assert b"".join(pixels[at + 1 : at + 1 + 9 * depth] for at in range(0, len(pixels), 9 * depth + 1)) == bytes(
            np.ascontiguousarray(frame).data
        )


def test_a_log_full_of_openings_is_read_in_little_time(tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    log.write_bytes(b'"iVBORw0KGgo' * 400_000)
    assert list(pictures_in(log, Limits())) == []
