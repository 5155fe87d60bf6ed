"""Telling an AppAgent task folder by its log."""

import re
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.reading_files import decode, peek

RECORD, TASK = "record.txt", "task_desc.txt"
RECORDED = re.compile(r"^(tap|long_press|text|swipe)\((\d{1,6})(?::sep:(.*))?\):::(.*)$", re.DOTALL)
"""A line of the record of a demonstration."""

EXPLORE = "log_explore_"
LOG_NAME = re.compile(r"^log_.*task_.*\.txt$")
_SCREEN_NAME = re.compile(r"^task_.+_\d+\.xml$")
_KEYS = frozenset({"step", "prompt", "image", "response"})


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a folder with a task log (or with its screens alone), and to the log file itself."""
    if candidate.shape is Shape.FOLDER:
        return _detect_folder(candidate)
    sample: Any = candidate.sample
    if isinstance(sample, dict) and set(cast(dict[str, Any], sample)) >= _KEYS:
        return Verdict(True, "its lines have the keys step, prompt, image, response")
    return Verdict(False, "no lines with the keys step, prompt, image, response")


def _detect_folder(candidate: Candidate) -> Verdict:
    logs = sorted(name for name in candidate.files if LOG_NAME.match(name))
    if logs:
        return _detect_log(Candidate(candidate.path / logs[0], logs[0], candidate.limits))
    explored = exploration_log(candidate)
    if explored is not None:
        return _detect_log(Candidate(candidate.path / explored, explored, candidate.limits))
    if is_demonstration(candidate):
        return Verdict(True, f"the folder holds {RECORD} and {TASK}")
    if any(_SCREEN_NAME.match(name) for name in candidate.files):
        return Verdict(True, "the folder holds numbered UI dumps task_..._1.xml")
    return Verdict(False, "no log_..._task_....txt in the folder")


def exploration_log(candidate: Candidate) -> str | None:
    """Return the name of the log of an exploration run; None where there is none."""
    logs = sorted(name for name in candidate.files if name.startswith(EXPLORE) and name.endswith(".txt"))
    return logs[0] if logs else None


def is_demonstration(candidate: Candidate) -> bool:
    """Tell the folder of a demonstration by its record and the task beside it."""
    if not {RECORD, TASK} <= candidate.files:
        return False
    try:
        return _is_record(decode(peek(candidate.path / RECORD), RECORD).text)
    except IntakeError:
        return False


def _detect_log(log: Candidate) -> Verdict:
    """Say no only to a log that can be read and holds something else: a damaged one is for the reader to explain."""
    try:
        first = next(log.objects(), None)
    except IntakeError:
        first = None
    if first is None or set(first) >= _KEYS:
        return Verdict(True, f"the folder holds {log.name}")
    return Verdict(False, f"the lines of {log.name} lack the keys step, prompt, image, response")


def _is_record(text: str) -> bool:
    """Tell whether the first line of a text is one of a record."""
    first = text.partition("\n")[0].strip()
    return first == "stop" or RECORDED.match(first) is not None
