import os
import pty
import subprocess
from pathlib import Path

import pytest
from cli_samples import command, honest, write, write_lines

from tracewitness.cli.progress import Meter, progress


def test_the_shares_of_all_runs_make_the_whole(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "runs.jsonl", [honest(f"run-{n}") for n in range(5)])
    folder = write(tmp_path / "runs", honest("a"), honest("b"))
    files = sorted(folder.iterdir())
    total = sum(path.stat().st_size for path in (lines, *files))
    meter = Meter(total)
    for place in [*[str(lines)] * 5, *map(str, files)]:
        meter.add(place)
    assert meter.runs == 7
    assert meter.done == pytest.approx(total)
    assert meter.seconds_left == pytest.approx(0, abs=0.01)


def test_a_place_that_is_not_there_counts_as_a_run_and_weighs_nothing() -> None:
    meter = Meter(0)
    meter.add("missing.json")
    assert (meter.runs, meter.done, meter.seconds_left) == (1, 0, None)


def test_nothing_is_told_when_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with progress([str(tmp_path)], quiet=True) as advance:
        advance("anything")
    assert capsys.readouterr() == ("", "")


def test_a_terminal_is_shown_rate_and_remaining_time_and_nothing_of_it_stays(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "runs.jsonl", [honest(f"run-{n}") for n in range(60)])
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        command("audit", path, "--no-store", "--jobs", "1"),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:
        pass
    os.close(ours)
    out, _ = running.communicate()
    assert running.returncode == 0
    assert b"runs/s" in shown
    assert b"about" in shown
    assert b"\x1b" not in out
