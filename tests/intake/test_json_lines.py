"""A log by lines: what is damaged in it costs itself alone."""

from pathlib import Path

import pytest

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import LfsPointerError
from tracewitness.intake.json_lines import JsonLines
from tracewitness.intake.limits import Limits

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:fa7f\nsize 7844\n"


def read(path: Path) -> tuple[JsonLines, list[object]]:
    lines = JsonLines(path, path.name, Limits())
    return lines, [value for _, value in lines.values()]


@pytest.mark.parametrize("ahead", ['{"a": 1}\n', '\n\n{"a": 1}\n'])
def test_a_pointer_in_the_midst_costs_its_own_lines_and_is_one_gap(tmp_path: Path, ahead: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(f'{ahead}{POINTER}{{"b": 2}}\n', encoding="utf-8")
    lines, values = read(log)
    assert values == [{"a": 1}, {"b": 2}]
    assert list(lines.gaps()) == [Gap.MISSING_STEPS]
    (notice,) = lines.notices()
    assert "Git LFS pointer" in notice


def test_lines_that_only_look_like_those_of_a_pointer_are_damaged_ones(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"a": 1}\nsize 3\n{"b": 2}\n', encoding="utf-8")
    lines, values = read(log)
    assert values == [{"a": 1}, {"b": 2}]
    assert "not valid JSON" in "".join(lines.notices())


@pytest.mark.parametrize("text", [POINTER, f"\n{POINTER}"])
def test_a_file_that_is_a_pointer_is_refused(tmp_path: Path, text: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(text, encoding="utf-8")
    with pytest.raises(LfsPointerError, match="Git LFS pointer, not the recorded file"):
        read(log)
