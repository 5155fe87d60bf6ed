"""Retelling trajectories of the AndroidWorld runners."""

from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.formats.mobile_agent_runner.detect import LOG
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import write_lines


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the folder with the answer in other words and the declared status as told."""
    root = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    folder.mkdir(parents=True)
    copy_files(root, folder, sorted(one.name for one in root.iterdir() if one.name != LOG))
    write_lines(root / LOG, folder / LOG, candidate.limits, lambda value: _retold(value, say, flag))
    return folder if candidate.shape is Shape.FOLDER else folder / LOG


def _retold(value: Any, say: Say, flag: bool | None) -> Any:
    if not isinstance(value, dict):
        return value
    keys = cast(dict[str, Any], value)
    if isinstance(keys.get("arguments"), dict):
        return {**keys, "arguments": _retold(keys["arguments"], say, flag)}
    if keys.get("action") == "answer":
        return {**keys, "text": say(Plane.REPORT)}
    if keys.get("action") == "terminate" and flag is not None:
        return {**keys, "status": "success" if flag else "failure"}
    return keys
