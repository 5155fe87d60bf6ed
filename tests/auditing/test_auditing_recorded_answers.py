"""Files of recorded answers: taken up where they were cut off, and refused in one line where they are of no use."""

import asyncio
import json
from pathlib import Path

import pytest

from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.asking.port import Answer, Question, Side
from tracewitness.auditing.recorded_answers import (
    FORM,
    AnswersFile,
    RecordedAnswersError,
    RecordingAsker,
    read_answers,
)
from tracewitness.testing import ScriptedAsker

CAPABILITIES = Capabilities(AnswerForm.JSON_SCHEMA)


def question(number: int) -> Question:
    return Question(Side.TRACE, "test/1", "Read.", "The trace.", "{}", number)


def record(path: Path, numbers: range) -> None:
    with AnswersFile(path) as file:
        asker = RecordingAsker(ScriptedAsker([{"n": number} for number in numbers]), file)
        file.introduce(Side.TRACE, asker, CAPABILITIES)
        for number in numbers:
            asyncio.run(asker.ask(question(number)))


def played(path: Path, number: int) -> bool:
    return isinstance(asyncio.run(read_answers(path).asker(Side.TRACE).ask(question(number))), Answer)


def test_a_file_that_was_cut_off_anywhere_is_taken_up_and_whole_again(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    record(whole, range(3))
    data = whole.read_bytes()
    for length in range(len(data)):
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(data[:length])
        record(cut, range(4))
        assert all(played(cut, number) for number in range(4)), length
        assert cut.read_bytes().count(b'"answer"') == 4


@pytest.mark.parametrize("text", ["hello", "hello\n", '{"a": 1}', '{"form": "another/1"}\n{"b": 2}', "[]"])
def test_a_file_of_another_kind_is_refused_and_left_as_it_is(text: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RecordedAnswersError, match=r"notes\.txt"):
        AnswersFile(file)
    assert file.read_text(encoding="utf-8") == text
    with pytest.raises(RecordedAnswersError, match=r"notes\.txt"):
        read_answers(file)


@pytest.mark.parametrize("place", [".", "missing/answers.jsonl"])
def test_a_place_where_no_file_can_be_is_named_in_one_line(place: str, tmp_path: Path) -> None:
    with pytest.raises(RecordedAnswersError, match="cannot be written"):
        AnswersFile(tmp_path / place)


def test_a_full_disk_is_named_in_one_line() -> None:
    with pytest.raises(RecordedAnswersError, match="No space left"):
        AnswersFile(Path("/dev/full"))


SPEAKER = {"side": "trace", "model": "m", "parameters": "{}", "images": False, "context_tokens": None}


@pytest.mark.parametrize(
    "line",
    [
        {**SPEAKER, "context_tokens": [1]},
        {**SPEAKER, "context_tokens": "many"},
        {**SPEAKER, "side": ["trace"]},
        {"side": "trace"},
        {"answer": []},
        {"answer": None},
        {"key": 5, "unavailable": 5},
        {"key": None, "unavailable": None},
        {},
    ],
)
def test_a_line_that_is_no_recorded_answer_is_named(line: dict[str, object], tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"form": FORM}) + "\n" + json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(RecordedAnswersError, match=r"answers\.jsonl, line 2: not a recorded answer"):
        read_answers(file)
