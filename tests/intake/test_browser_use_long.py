"""A long history is read round by round: 300 MB of it take less than 500 MB of memory."""

import base64
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from made_logs import browser_round, browser_use, the_run

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.browser_use import FORMAT
from tracewitness.values.digests import digest_bytes

MEGABYTE = 1_000_000
MOST_PER_BYTE = 500 / 300
BARE = 60 * MEGABYTE
"""Less than what a process takes that audits nothing, which the figure for a short file holds as well."""
SHOT = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + random.Random(3).randbytes(400_000)

AUDITED = """
import resource, sys
import tracewitness
unit = 1 if sys.platform == "darwin" else 1024
print(len(tracewitness.audit(sys.argv[1])))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
"""


def one_round(number: int, last: bool) -> dict[str, Any]:
    done = {"done": {"text": "Bought it.", "success": True}}
    result = {"is_done": True, "success": True, "extracted_content": "Bought it."} if last else {}
    made = browser_round(number, [done if last else {"click": {"index": number}}], [result])
    made["state"]["screenshot"] = base64.b64encode(SHOT).decode()
    return made


def long_history(path: Path, size: int) -> Path:
    """Write a history of so many bytes, one line of JSON, with a picture in every round."""
    length = len(json.dumps(one_round(1, False)))
    count = size // length + 1
    with path.open("w", encoding="utf-8") as file:
        file.write('{"history": [')
        for number in range(1, count + 1):
            file.write(json.dumps(one_round(number, number == count)) + ("]}" if number == count else ", "))
    return path


def peak(log: Path) -> int:
    """Return the most memory that a process takes that audits a log."""
    done = subprocess.run(
        [sys.executable, "-c", AUDITED, str(log)], check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    audited, taken = done.stdout.split()
    assert audited == "1"
    return int(taken)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    size = 60 * MEGABYTE
    short = peak(long_history(tmp_path / "short.json", MEGABYTE))
    assert peak(long_history(tmp_path / "long.json", size)) - short < size * MOST_PER_BYTE - BARE


@pytest.mark.slow
def test_300_megabytes_take_less_than_500(tmp_path: Path) -> None:
    size = 300 * MEGABYTE
    log = long_history(tmp_path / "long.json", size)
    assert log.stat().st_size >= size
    taken = peak(log)
    assert taken < size * MOST_PER_BYTE, taken


def test_a_long_history_is_told_by_its_beginning_and_read_whole(tmp_path: Path) -> None:
    log = long_history(tmp_path / "long.json", 20 * MEGABYTE)
    candidate = Candidate(log, log.name)
    assert candidate.is_sketch
    assert FORMAT.detect(candidate).yes
    run = the_run(log)
    assert len(run.trace.steps) > 30
    assert run.report.text == "Bought it."
    seen = run.trace.steps[-1].before
    assert seen is not None
    assert seen.screenshot is not None
    assert seen.screenshot.digest == digest_bytes(SHOT)
    assert seen.screenshot.name == f"!history[{len(run.trace.steps) - 1}].state.screenshot"
    assert Gap.MISSING_STEPS not in run.trace.gaps


def test_keys_beside_the_history_are_grading_wherever_they_stand(tmp_path: Path) -> None:
    document = json.loads(browser_use(tmp_path / "h.json", [one_round(1, True)]).read_text("utf-8"))
    whole = {"judge": "fine", **document, "usage": {"cost": float("nan")}}
    (tmp_path / "h.json").write_text(json.dumps(whole), "utf-8")
    run = the_run(tmp_path / "h.json")
    assert {"judge", "usage"} <= {one.where for one in run.stripped}
