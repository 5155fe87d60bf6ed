"""What had no effect is said on the terminal: a told format that does not fit, evidence that could not be joined."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_samples import call, honest, write

CHAT = [
    {"role": "user", "content": "Save the note."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "click", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "Saved"},
    {"role": "assistant", "content": "I saved the note."},
]


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(CHAT), "utf-8")
    return path


def test_a_told_format_that_does_not_fit_is_told_with_its_reason(tmp_path: Path, chat: Path) -> None:
    why = "its messages are those of openai_chat"
    said = f"read as anthropic_messages as told with --format, which the file does not look like: {why}"
    done = call("audit", chat, "--format", "anthropic_messages", "--no-store", folder=tmp_path)
    assert f"tracewitness: 1 run: {said}" in done.err.splitlines()
    listed = call("audit", chat, "--format", "anthropic_messages", "--no-store", "--json", folder=tmp_path)
    assert said in listed.json_lines[0]["notices"]
    written = call("convert", chat, "--format", "anthropic_messages", "-o", "out.jsonl", folder=tmp_path)
    assert said in written.err
    right = call("audit", chat, "--format", "openai_chat", "--no-store", folder=tmp_path)
    assert "told with --format" not in right.err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("browser_use", "(read as browser_use as told with --format, but no list under a key history)"),
        ("neutral", "(read as neutral as told with --format"),
    ],
)
def test_where_reading_as_told_fails_the_line_says_so(tmp_path: Path, chat: Path, name: str, said: str) -> None:
    done = call("audit", chat, "--format", name, "--no-store", folder=tmp_path)
    assert done.code == 3
    assert said in done.err.splitlines()[0]


def test_a_file_in_trouble_of_its_own_is_not_said_to_be_of_another_format(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('[{"role": "user"', "utf-8")
    done = call("audit", "cut.json", "--format", "openai_chat", "--no-store", folder=tmp_path)
    assert "ends in the middle" in done.err
    assert "told with --format" not in done.err


def trace(folder: Path) -> Path:
    """Return a browser's trace without a call."""
    recorded = folder / "recorded"
    recorded.mkdir()
    begun: dict[str, Any] = {
        "version": 8,
        "type": "context-options",
        "browserName": "chromium",
        "wallTime": 1_700_000_000_000.0,
        "monotonicTime": 1000.0,
    }
    (recorded / "trace.trace").write_text(json.dumps(begun) + "\n", "utf-8")
    return recorded


def test_evidence_that_is_not_joined_is_told_once_a_kind_with_its_count(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    for number in range(3):
        write(runs / f"{number}", honest(f"r{number}"))
    side = trace(tmp_path)
    done = call("audit", "runs", "--no-store", "--evidence", side, folder=tmp_path)
    lines = [line for line in done.err.splitlines() if "nothing is joined" in line]
    assert len(lines) == 1
    assert lines[0].startswith("tracewitness: 3 runs: nothing is joined from recorded: ")
    assert f"--evidence {side} was held against each of 3 runs, by time; it is the trace of one browser" in done.err
    alone = call("audit", runs / "0", "--no-store", "--evidence", side, folder=tmp_path)
    assert "1 run: nothing is joined from recorded: " in alone.err
    assert "held against" not in alone.err
    quiet = call("audit", "runs", "--no-store", "--quiet", "--evidence", side, folder=tmp_path)
    assert quiet.err == ""
    written = call("convert", "runs", "-o", "out.jsonl", "--evidence", side, folder=tmp_path)
    assert "3 runs: nothing is joined from recorded: " in written.err


def test_a_side_record_beside_a_log_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps(honest().to_json()), "utf-8")
    (tmp_path / "r.trace.zip").write_bytes(b"no zip")
    done = call("audit", "r.json", "--no-store", folder=tmp_path)
    assert "1 run: r.trace.zip beside the log is not used: " in done.err
