"""Telling a trajectory of the AndroidWorld runners by ``action.jsonl`` beside numbered screenshots."""

import re
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict

LOG = "action.jsonl"
SCREENSHOT = re.compile(r"^screenshot_(\d{1,6})\.png$")


def detect(candidate: Candidate) -> Verdict:
    """Say yes to the folder, and to the log itself."""
    if candidate.shape is Shape.FOLDER:
        return _detect_folder(candidate)
    if candidate.path.name != LOG:
        return Verdict(False, f"the file is not called {LOG}")
    return _detect_log(candidate)


def _detect_folder(candidate: Candidate) -> Verdict:
    if LOG not in candidate.files or not any(SCREENSHOT.match(name) for name in candidate.files):
        return Verdict(False, f"no {LOG} with screenshot_0.png in the folder")
    return _detect_log(Candidate(candidate.path / LOG, LOG, candidate.limits))


def _detect_log(log: Candidate) -> Verdict:
    """Say no only to a log that can be read and holds something else."""
    try:
        first: dict[str, Any] | None = next(log.objects(), None)
    except IntakeError:
        first = None
    if first is None or is_action(first) or is_tool_call(first):
        return Verdict(True, f"{LOG} holds actions, with numbered screenshots beside it")
    return Verdict(False, f"the lines of {LOG} are no actions")


def is_action(line: dict[str, Any]) -> bool:
    """Tell a line of Mobile-Agent-v3: the action itself."""
    return isinstance(line.get("action"), str)


def is_tool_call(line: dict[str, Any]) -> bool:
    """Tell a line of GUI-Owl: a tool call whose arguments name the action."""
    arguments = line.get("arguments")
    return isinstance(line.get("name"), str) and is_action(
        cast(dict[str, Any], arguments) if isinstance(arguments, dict) else {}
    )
