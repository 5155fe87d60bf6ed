"""Long JSON lists come out element by element as ``parse_json`` reads the whole."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.intake import json_text
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadJsonError, BadRunError, EmptyError, IntakeError, TooLargeError
from tracewitness.intake.inline import InlinePicture, inline_digest, is_inline_picture
from tracewitness.intake.json_places import key_given_twice
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import parse_json
from tracewitness.values.digests import digest_bytes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
PICTURE = b"\x89PNG\r\n\x1a\n\0\0" + b"picture" * 50


@pytest.fixture(params=[1, 7, 64, 2**20])
def _piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "_CHUNK", request.param)


def streamed(path: Path, key: str | None, limits: Limits | None = None) -> tuple[list[Any], dict[str, Any]]:
    stream = JsonStream(path, limits or Limits(), key)
    return [value for _, value in stream], stream.others


def made(folder: Path, text: str | bytes, name: str = "log.json") -> Path:
    path = folder / name
    content = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


@settings(max_examples=60, deadline=None)
@given(
    st.lists(VALUES, max_size=4),
    st.dictionaries(st.text(max_size=3), VALUES, max_size=3),
    st.sampled_from([None, 1]),
    st.booleans(),
    st.sampled_from([1, 3, 20, 2**20]),
)
def test_it_reads_what_was_written(
    tmp_path_factory: pytest.TempPathFactory,
    elements: list[Any],
    others: dict[str, Any],
    indent: int | None,
    ascii_only: bool,
    size: int,
) -> None:
    folder = tmp_path_factory.mktemp("stream")
    document = {**dict(list(others.items())[:1]), "steps": elements, **dict(list(others.items())[1:])}
    document["steps"] = elements
    written = json.dumps(document, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    try:
        expected = parse_json(written.decode())
    except UnicodeDecodeError:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "_CHUNK", size)
        for name in ("log.json", "log.json.gz"):
            found, beside = streamed(made(folder, written, name), "steps")
            assert found == expected["steps"]
            assert beside == {key: value for key, value in expected.items() if key != "steps"}
            listed = json.dumps(elements, indent=indent, ensure_ascii=ascii_only).encode()
            assert streamed(made(folder, listed, name), None)[0] == parse_json(listed.decode())


@pytest.mark.usefixtures("_piece")
@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ('{"h": [{"a": 1}, {"a": 1', BadJsonError, "ends in the middle of a value"),
        ('{"h": [{"a": 1}, {"a": "xx', BadJsonError, "ends in the middle of a value"),
        ('{"h": [{"a": 1}, {"a": 1}', BadJsonError, "ends in the middle of a value"),
        ('{"h": [{"a": 1}, {"a": 1}]', BadJsonError, "ends in the middle of a value"),
        ('{"h": [{"a": 1}, {"a": 1}]} x', BadJsonError, "text behind the end"),
        ('{"h": [{"a": 1} {"a": 1}]}', BadJsonError, "expected , or ]"),
        ('{"h": [{"a": 1},\n {"a": 1, "a": 2}]}', BadJsonError, "'a' stands twice"),
        ('{"h": [1], "h": [2]}', BadJsonError, "'h' stands twice"),
        ('{"x": 1, "x": 2, "h": []}', BadJsonError, "'x' stands twice"),
        ('{"h": [1,]}', BadJsonError, "not valid JSON"),
        ('{"h": [], }', BadJsonError, "expected a key"),
        ('{"h": [' + "[" * 100_000, BadJsonError, "nested too deeply"),
        ('{"h": [' + "9" * 10_000 + "]}", BadJsonError, "a number that is too long"),
        ("[1, 2]", BadRunError, "an object with a list under the key h"),
        ('{"h": {}}', BadRunError, "an object with a list under the key h"),
        ("hello", BadRunError, "an object with a list under the key h"),
        ("  ", EmptyError, "the file is blank"),
        ("", EmptyError, "the file is empty"),
    ],
)
def test_damage_is_told_in_the_same_words(tmp_path: Path, text: str, kind: type[IntakeError], expected: str) -> None:
    with pytest.raises(kind, match=expected):
        streamed(made(tmp_path, text), "h")


def test_what_stands_ahead_of_the_damage_comes_first_and_the_place_is_named(tmp_path: Path) -> None:
    text = '{"h": [{"a": 1},\n {"a": [1, {"b": 1, "b": 2}]}]}'
    path = made(tmp_path, text)
    found: list[Any] = []
    with pytest.raises(BadJsonError) as caught:
        for place, value in JsonStream(path, Limits(), "h"):
            found.append((place, value))
    assert found == [("h[0]", {"a": 1})]
    assert caught.value.where == key_given_twice(text) == "line 2, column 21, key h[1].a[1].b"


def test_constants_and_lone_surrogates_are_read_as_in_other_logs(tmp_path: Path) -> None:
    path = made(tmp_path, r'{"h": [{"a": NaN, "b": -Infinity, "c": 1e999, "d": "\ud800", "e": "\ud83d\ude00"}]}')
    assert streamed(path, "h")[0] == [{"a": None, "b": None, "c": None, "d": "\ufffd", "e": "😀"}]


def test_pictures_are_kept_by_digest(tmp_path: Path) -> None:
    inline = base64.b64encode(PICTURE).decode()
    document = {"h": [{"shot": inline, "images": [f"data:image/png;base64,{inline}"], "text": "x" * 1000}]}
    (found,), _ = streamed(made(tmp_path, json.dumps(document)), "h")
    for picture in (found["shot"], *found["images"]):
        assert isinstance(picture, InlinePicture)
        assert len(picture) < 64
        assert is_inline_picture(picture)
        assert inline_digest(picture) == digest_bytes(PICTURE)
    assert found["text"] == "x" * 1000


def test_values_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "_CHUNK", 64)
    path = made(tmp_path, json.dumps({"h": [{"a": "x" * 5000}]}))
    with pytest.raises(TooLargeError, match="a value larger than the limit of 1000 bytes"):
        streamed(path, "h", Limits(line=1000))
    path = made(tmp_path, json.dumps({"h": [{"a": "x" * 50}] * 100}), "log.json.gz")
    with pytest.raises(TooLargeError, match="larger than the limit of 1000 bytes"):
        streamed(path, "h", Limits(unpacked=1000))


@pytest.mark.usefixtures("_piece")
def test_chinese_that_is_no_utf8_is_read(tmp_path: Path) -> None:
    document = {"h": [{"a": "打开设置并且连接无线网络"}, {"a": "完成任务"}]}
    stream = JsonStream(made(tmp_path, json.dumps(document, ensure_ascii=False).encode("gb18030")), Limits(), "h")
    if json_text._CHUNK < 100:  # pyright: ignore[reportPrivateUsage]
        return  # so short a piece of it is not plainly Chinese
    assert [value for _, value in stream] == document["h"]
    assert stream.encoding == "gb18030"


def test_a_short_document_that_was_read_is_not_read_again(tmp_path: Path) -> None:
    path = made(tmp_path, '{"x": 1, "h": [{"a": 1}, 2], "y": NaN}')
    candidate = Candidate(path, path.name)
    assert candidate.sample
    path.unlink()
    stream = JsonStream.of(candidate, "h")
    assert list(stream) == [("h[0]", {"a": 1}), ("h[1]", 2)]
    assert stream.others == {"x": 1, "y": None}
    for key in ("x", "z", None):
        with pytest.raises(BadRunError, match="expected"):
            list(JsonStream.of(candidate, key))


@pytest.mark.parametrize("text", ['[{"a": 1}, {"b": "x"}', '[{"a": 1}', '[{"a": 1}]'])
@pytest.mark.parametrize("half", [b"\xe4", b"\xe4\xb8", b"\xf0\x9f\x98", b"\xed"])
def test_half_a_character_at_the_end_is_a_file_that_breaks_off(text: str, half: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(text.encode() + half)
    met = list[Any]()
    try:
        met.extend(value for _, value in JsonStream(path, Limits()))
    except BadJsonError:
        assert not text.endswith("]")
    assert met[0] == {"a": 1}
