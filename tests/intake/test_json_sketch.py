"""Detection never reads a long document: a sketch of its beginning stands for it."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.intake import json_sketch
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadJsonError
from tracewitness.intake.json_sketch import completed, lines_follow
from tracewitness.intake.limits import Limits

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES.filter(lambda value: isinstance(value, dict | list)), st.floats(0, 1), st.sampled_from([None, 1]))
def test_every_beginning_can_be_completed(value: Any, share: float, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    begun: Any = json.loads(completed(text[: max(int(len(text) * share), 1)]))
    assert is_beginning(begun, value)


def is_beginning(begun: Any, whole: Any) -> bool:
    if isinstance(whole, dict) and isinstance(begun, dict):
        return all(is_beginning(begun[key], whole[key]) for key in begun)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(whole, list) and isinstance(begun, list):
        return all(map(is_beginning, begun, whole))  # pyright: ignore[reportUnknownArgumentType]
    return bool(begun == whole)


@pytest.mark.parametrize("name", ["log.json", "log.json.gz"])
def test_a_long_document_is_sketched(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_sketch, "SKETCHED_FROM", 10_000)
    monkeypatch.setattr(json_sketch, "_HEAD", 1_000)
    whole = {"history": [{"number": at, "text": "é, [" * 20} for at in range(1000)], "late": 1}
    content = json.dumps(whole, ensure_ascii=False).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    candidate = Candidate(path, name)
    assert candidate.shape is Shape.JSON
    assert candidate.is_sketch
    assert candidate.sample["history"][0] == whole["history"][0]  # type: ignore[index]
    assert 1 < len(candidate.sample["history"]) < 50
    assert "late" not in candidate.sample
    path.write_bytes(b'{"a": ], "b": 1, ' + b" " * 20_000)
    with pytest.raises(BadJsonError):
        _ = Candidate(path, name).sample


def test_a_short_document_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text('{"a": [1, 2]}', "utf-8")
    candidate = Candidate(path, path.name)
    assert not candidate.is_sketch
    assert candidate.sample == {"a": [1, 2]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', False),
        ('\n {"a": 1}\n\n \n', False),
        ('\n\n{"a": 1}\n\n{"b": 2}', True),
        ("x" * 5000 + "\ny", False),
        ("", False),
    ],
)
@pytest.mark.parametrize("piece", [1, 3, 100_000])
def test_whether_lines_follow(
    tmp_path: Path, text: str, expected: bool, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_sketch, "_PIECE", piece)
    path = tmp_path / "log.json"
    path.write_text(text, "utf-8")
    assert lines_follow(path, Limits(line=1000).line) is expected
