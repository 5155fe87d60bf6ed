"""A log four times as long, or as wide at any place, is read in about four times the time, whatever the family."""

import shutil
import time
from collections import deque
from pathlib import Path

import pytest
from made_long import lengthened
from made_wide import widenings

from plants import Planted, all_plants
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing.words import Words

ONE_OF_EACH_FAMILY = (
    "agent_tars",
    "anthropic_list",
    "atif",
    "browser_use",
    "chat_autoglm",
    "chat_list",
    "claude_code",
    "droidrun",
    "langfuse_observations",
    "langsmith",
    "mini_swe_agent",
    "mobile_agent_runner",
    "osworld pyautogui",
    "otlp",
    "playwright_unpacked",
    "responses_items",
    "swe_agent",
    "tau2",
    "ufo",
    "ui_tars_desktop",
    "webvoyager",
)
PLANTS = all_plants()
SHORT = 500
TIMES = 4
ALLOWED = 8
"""Times as long that a log four times as long may take; reading in the square of the length would take sixteen times.

It is measured in time of the processor, the best of a few tries, so that other work on the machine does little.
"""


@pytest.mark.parametrize("name", ONE_OF_EACH_FAMILY)
def test_a_longer_log_takes_no_more_time_a_step(name: str, tmp_path: Path) -> None:
    ratios: list[float] = []
    for _ in range(3):
        (short, few), (long, many) = (_read(PLANTS[name], tmp_path / "run", items) for items in (SHORT, SHORT * TIMES))
        assert many > 2 * few > 0, "the log was not made longer"
        ratios.append(long / short)
        if ratios[-1] < ALLOWED:
            return
    pytest.fail(f"four times the steps took {', '.join(f'{one:.1f}' for one in ratios)} times as long")


def _read(planted: Planted, folder: Path, items: int) -> tuple[float, int]:
    """Return how long a log took, and how many steps it had."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    log = planted.plant(folder, Words())
    lengthened(log, items)
    began = time.process_time()
    candidate = Candidate(log, log.name)
    assert planted.format.detect(candidate).yes
    runs = list(planted.format.read(candidate, ReadOptions(task=planted.task)))
    taken = time.process_time() - began
    return taken, sum(len(run.trace.steps) for run in runs if isinstance(run, SealedRun))


WIDE, WIDER = 1_000, 4_000
SUSPICIOUS, LONGEST = 0.5, 8.0
"""Seconds of the processor for the wider log beyond which it is compared with the narrower, and the most for any."""


def _took(planted: Planted, log: Path) -> float:
    began = time.process_time()
    candidate = Candidate(log, log.name)
    try:
        if planted.format.detect(candidate).yes:
            deque(planted.format.read(candidate, ReadOptions(task=planted.task)), maxlen=0)
    except IntakeError:
        pass
    return time.process_time() - began


def _wide_is_read_in_line(planted: Planted, folder: Path) -> None:
    log = planted.plant(folder, Words())
    _took(planted, log)  # what is loaded with the first log is no time of the second
    for name, file, widened in widenings(log):
        own = file.read_bytes()
        file.write_text(widened(WIDER), "utf-8")
        long = min(_took(planted, log) for _ in range(2))
        if long > SUSPICIOUS:
            file.write_text(widened(WIDE), "utf-8")
            short = _took(planted, log)
            # A log of many runs is read run by run, each with its own cost.
            assert long < max(ALLOWED * 2 * short, SUSPICIOUS) and (long < LONGEST or long < 6 * short), name
        file.write_bytes(own)


@pytest.mark.parametrize("name", ["androidlab", "appagent", "chat_list", "neutral", "osworld pyautogui", "webvoyager"])
def test_no_structure_of_a_log_is_read_in_the_square_of_its_width(name: str, tmp_path: Path) -> None:
    _wide_is_read_in_line(PLANTS[name], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
def test_no_structure_of_any_log_is_read_in_the_square_of_its_width(name: str, tmp_path: Path) -> None:
    _wide_is_read_in_line(PLANTS[name], tmp_path)
