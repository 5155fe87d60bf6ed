"""Where a value stands in an answer's text: the decoder of the standard library is the model to agree with."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.asking.places import place_of

TEXTS = st.text(max_size=12) | st.sampled_from(['"', "\\", '{"a":1}', "商\u2028", "\ud800", "}", "a: b, c"])
LEAVES = TEXTS | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, min_size=1, max_size=5)
INDENTS = st.sampled_from([None, 0, 1, 4, "\t"])
PROSE = st.sampled_from(["", "```json\n", "Here {is} it: ", "Not {1, 2}, but\n\n"])


def paths(value: Any) -> list[list[str]]:
    """Every way down the keys of an object."""
    if not isinstance(value, dict):
        return []
    below: list[list[str]] = []
    for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
        below += [[key], *([key, *rest] for rest in paths(inner))]
    return below


def value_at(value: Any, path: list[str]) -> Any:
    for key in path:
        value = value[key]
    return value


@settings(max_examples=150, deadline=None)
@given(OBJECTS, INDENTS, st.booleans(), PROSE)
def test_every_value_is_found_where_it_begins(whole: dict[str, Any], indent: Any, ascii_only: bool, prose: str) -> None:
    raw = prose + json.dumps(whole, indent=indent, ensure_ascii=ascii_only) + "\n```"
    for path in paths(whole):
        place = place_of(raw, path)
        assert place is not None, path
        found, _ = json.JSONDecoder().raw_decode(raw, place)
        assert found == value_at(whole, path)


@settings(max_examples=60, deadline=None)
@given(OBJECTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_a_path_that_leads_nowhere_has_no_place(whole: dict[str, Any], path: list[str]) -> None:
    if path not in paths(whole):
        assert place_of(json.dumps(whole), path) is None


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='{}[]":,\\ au\n', max_size=40), st.lists(st.sampled_from(["a", "u", ""]), max_size=3))
def test_no_text_raises(raw: str, path: list[str]) -> None:
    place = place_of(raw, path)
    assert place is None or 0 <= place < len(raw)


@pytest.mark.parametrize(
    "raw",
    [
        '{"a":',
        '{"a"',
        '{"a" 1}',
        '{"b":1 "a":2}',
        '{"b":1,',
        '{"b":' + "[" * 100_000,
        '{"b":' + '{"b":' * 100_000,
        '{"b":' + "9" * 10_000 + ',"a":1}',
        "{",
        "",
    ],
    ids=range(10),
)
def test_a_hostile_text_has_no_place(raw: str) -> None:
    assert place_of(raw, ["a"]) in {None, 5}
    assert place_of(raw, ["a", "b"]) is None


def test_a_brace_in_prose_is_no_object() -> None:
    raw = 'The set {1, 2} and {so} on: {"value": "YES"}'
    assert place_of(raw, ["value"]) == raw.index('"YES"')


def test_without_a_path_there_is_no_place() -> None:
    assert place_of('{"a": 1}', []) is None
