"""Writing logs in other words: what cannot be read stays as it is, and lines keep their numbers."""

import json
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.limits import Limits
from tracewitness.intake.retelling_files import write_lines, write_list, write_retold


def retold(value: Any) -> Any:
    return {"other": value}


def test_blank_and_damaged_lines_stay(tmp_path: Path) -> None:
    source, told = tmp_path / "log.jsonl", tmp_path / "told.jsonl"
    source.write_bytes(b'\n{"a": 1}\n\n{"a": \n{"a": 2}\n{"cut')
    write_lines(source, told, Limits(), retold)
    assert told.read_bytes() == b'\n{"other": {"a": 1}}\n\n{"a": \n{"other": {"a": 2}}\n{"cut'


def test_a_list_is_told_as_far_as_it_can_be_read(tmp_path: Path) -> None:
    source, told = tmp_path / "log.json", tmp_path / "told.json"
    source.write_text(' [{"a": 1},\n {"a": 2}, {"a": "cut', encoding="utf-8")
    write_list(source, told, Limits(), retold)
    assert told.read_text("utf-8") == ' [{"other": {"a": 1}},\n {"other": {"a": 2}}, {"a": "cut'


def test_a_whole_list_is_told(tmp_path: Path) -> None:
    source, told = tmp_path / "log.json", tmp_path / "told.json"
    for given in ("[]", '[ {"a": 1} ]', "{}"):
        source.write_text(given, encoding="utf-8")
        write_list(source, told, Limits(), retold)
        assert told.read_text("utf-8") == given.replace('{"a": 1}', '{"other": {"a": 1}}')


def test_the_task_beside_a_log_goes_with_it(tmp_path: Path) -> None:
    source = tmp_path / "run" / "log.json"
    source.parent.mkdir()
    source.write_text(json.dumps({"a": 1}), encoding="utf-8")
    (source.parent / "task.txt").write_text("Switch it on", encoding="utf-8")
    told = write_retold(Candidate(source, source.name, Limits()), tmp_path / "told", retold)
    assert json.loads(told.read_text("utf-8")) == {"other": {"a": 1}}
    assert (told.parent / "task.txt").read_text("utf-8") == "Switch it on"
