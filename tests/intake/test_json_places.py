"""Errors in JSON name line, column and the whole key path."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_logs import failures, neutral, the_failure, write_lines

from tracewitness.intake.errors import BadJsonError
from tracewitness.intake.json_places import key_given_twice, key_path, place_of
from tracewitness.intake.reading_files import parse_json

VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.just('a {[,:]} \\" b'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


def places(value: Any, here: tuple[int | str, ...] = ()) -> list[tuple[int | str, ...]]:
    """Return the places of all values, the whole among them."""
    items: list[tuple[int | str, Any]] = []
    if isinstance(value, dict):
        items = list(cast(dict[str, Any], value).items())
    elif isinstance(value, list):
        items = list(enumerate(cast(list[Any], value)))
    return [here, *(place for key, item in items for place in places(item, (*here, key)))]


def put(value: Any, place: tuple[int | str, ...], new: Any) -> Any:
    if not place:
        return new
    copy = value.copy()
    copy[place[0]] = put(copy[place[0]], place[1:], new)
    return copy


@settings(max_examples=60)
@given(VALUES, st.data(), st.sampled_from([None, 1]))
def test_the_place_of_any_value_is_found(value: Any, data: st.DataObject, indent: int | None) -> None:
    place = data.draw(st.sampled_from(places(value)))
    marked = json.dumps(put(value, place, "MARK\x01"), indent=indent)
    offset = marked.index('"MARK\\u0001"')
    text = marked.replace('"MARK\\u0001"', "NaN")
    before = text[:offset].split("\n")
    expected = f"line {len(before)}, column {len(before[-1]) + 1}"
    assert place_of(text, offset) == expected + (f", key {key_path(place)}" if key_path(place) else "")
    with pytest.raises(BadJsonError, match="NaN is not JSON") as caught:
        parse_json(text, strict=True)
    assert caught.value.where == place_of(text, offset)


@given(VALUES)
def test_no_key_is_found_twice_in_what_was_written_from_a_value(value: Any) -> None:
    assert key_given_twice(json.dumps(value)) == ""


def test_a_key_given_twice_is_found() -> None:
    text = '{"a": {"x": 1},\n "b": [{"x": 1}, {"x": {"x": 2}, "y": 3, "x": 4}]}'
    column = text.index('"x": 4') - text.index("\n")
    assert key_given_twice(text, 5) == f"line 6, column {column}, key b[1].x"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"extra": {"x": float("nan")}}, "line 2, column 468, key extra.x: NaN is not JSON"),
        ({"extra": {"x": [1, 1e400]}}, "key extra.x[1]: a number that JSON cannot express"),
        ({"extra": {"x": [1, "BIG"]}}, "line 2, column 472, key extra.x[1]: a number that JSON cannot express"),
        (
            {"steps": [{"index": at, "action": {"kind": "tap", "raw": 5 if at == 3 else "x"}} for at in range(5)]},
            "line 2, key steps[3].action.raw: ",
        ),
        (
            {"steps": [{"index": 1, "action": {"kind": "tap"}, "after": {"screenshot": "../x.png"}}]},
            "line 2, key steps[0].after.screenshot: '../x.png' climbs out of the run's folder",
        ),
        (
            {"steps": [{"index": 1, "action": {"kind": "tap"}, "after": {"ui_tree": "../x.xml"}}]},
            "line 2, key steps[0].after.ui_tree: '../x.xml' climbs out of the run's folder",
        ),
    ],
)
def test_an_error_in_a_run_names_line_and_full_key(tmp_path: Path, changes: dict[str, Any], expected: str) -> None:
    path = write_lines(tmp_path / "r.jsonl", [neutral("good"), neutral("bad", **changes)])
    path.write_text(path.read_text("utf-8").replace('"BIG"', "1e400").replace("Infinity", "1e400"), "utf-8")
    assert expected in failure_line(path)


def failure_line(path: Path) -> str:
    (found,) = failures(path)
    return found.line()


def test_a_path_is_spelled_the_same_in_every_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.json").write_bytes(b"")
    (tmp_path / "half.json").write_text('{"a": ', "utf-8")
    for name in ("empty.json", "half.json", "gone.json"):
        assert the_failure(f"./{name}").line().startswith(f"{name}: ")
    (tmp_path / "none").mkdir()
    assert the_failure("./none/").line().startswith("none: no runs in it")
