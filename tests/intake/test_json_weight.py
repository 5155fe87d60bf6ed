"""JSON that is small on disk and large in memory, and documents with one endless text: refused, in little memory."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.intake import long_texts
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import TooLargeError
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.limits import MEBIBYTE, Limits
from tracewitness.intake.long_texts import refuse_long_texts
from tracewitness.intake.reading_files import parse_json

_MEASURED = """
import resource, sys
from tracewitness.intake.reading import read_all
from tracewitness.wiring.formats import known_formats
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
(failure,) = read_all([sys.argv[1]], known_formats()[0])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, failure.line())
"""


def written(path: Path, before: str, filler: str, after: str) -> Path:
    path.write_text(before + filler * (200 * MEBIBYTE // len(filler)) + after, "utf-8")
    return path


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"messages": [{"role": "user", "content": "Do it"}, {"role": "assistant", "content": "', '"}]}'),
        ('[{"role": "user", "content": "Do it"},\n{"role": "assistant", "content": "', '"}]'),
        (
            '{"messages": [{"role": "user", "content": "Do it"}, {"role": "assistant", "content": "Done"}], "more": "',
            '"}',
        ),
    ],
)
@pytest.mark.parametrize("filler", ["word " * 12, '\\"' * 32])
def test_one_endless_text_is_told_in_little_memory(before: str, after: str, filler: str, tmp_path: Path) -> None:
    path = written(tmp_path / "log.json", before, filler, after)
    done = subprocess.run([sys.executable, "-c", _MEASURED, str(path)], capture_output=True, text=True, check=True)
    taken, _, line = done.stdout.partition(" ")
    assert "a text larger than the limit of 32 MiB" in line and "line" in line
    assert int(taken) < 250


@pytest.mark.parametrize("item", ["[]", "{}", "1", '""', "0.5"])
def test_countless_values_are_refused_before_they_are_parsed(item: str) -> None:
    text = "[" + f"{item}," * 17_000_000 + item + "]"
    with pytest.raises(TooLargeError, match="lists and objects"):
        parse_json(text)


def test_commas_and_brackets_inside_texts_count_nothing() -> None:
    text = json.dumps(["[{," * 6_000_000])
    assert parse_json(text) == ["[{," * 6_000_000]


@pytest.mark.parametrize("packed", [False, True])
def test_an_element_of_countless_values_is_placed(packed: bool, tmp_path: Path) -> None:
    text = '{"history": [{"a": 1}, {"b": [' + "[]," * 5_000_000 + "[]]}]}"
    path = tmp_path / "log.json"
    path.write_bytes(gzip.compress(text.encode(), 1) if packed else text.encode())
    met = list[str]()
    with pytest.raises(TooLargeError) as caught:
        met.extend(place for place, _ in JsonStream(path, Limits(), "history"))
    assert "key history" in caught.value.where


PIECES = st.lists(st.sampled_from(['"', '\\"', "\\\\", "a", "aaaa", "\n", ",", "[", "]", "\\n", "é"]), max_size=60)


@given(PIECES, st.integers(1, 7), st.integers(1, 9))
def test_long_texts_are_found_wherever_pieces_of_the_file_end(pieces: list[str], chunk: int, longest: int) -> None:
    text = "".join(pieces)
    size = max((len(one.encode()) for one in strings_of(text)), default=0)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder) / "log.json"
        path.write_bytes(text.encode() or b" ")
        patch.setattr(long_texts, "_CHUNK", chunk)
        patch.setattr(long_texts, "LONGEST_TEXT", longest)
        if size >= longest + 1:
            with pytest.raises(TooLargeError):
                refuse_long_texts(path)
        elif size + 1 < longest:
            refuse_long_texts(path)


def strings_of(text: str) -> list[str]:
    """The texts in quotation marks, one character after the other; the last one may be cut off."""
    found, at = list[str](), 0
    inside: str | None = None
    while at < len(text):
        if inside is None:
            inside = "" if text[at] == '"' else None
            at += 1
        elif text[at] == "\\":
            inside += text[at : at + 2]
            at += 2
        elif text[at] == '"':
            found, inside, at = [*found, inside], None, at + 1
        else:
            inside += text[at]
            at += 1
    return [*found, inside] if inside is not None else found


def test_a_document_of_many_short_texts_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"messages": ["x" * 1000] * 20_000}), "utf-8")
    assert len(Candidate(path, path.name).document["messages"]) == 20_000
